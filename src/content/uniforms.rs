//! Finds the setter of each uniform and reads its value as the setter's type.

use alloc::format;
use alloc::vec::Vec;

use crate::module::{ExportKind, Module, Ty};
use crate::rejection::{Mode, Rejection};
use crate::request::{Uniform, value};

/// A call of a setter.
pub struct Setter {
    /// Index of the setter.
    pub function: u32,
    /// Its argument's bits.
    pub bits: u64,
}

/// The calls that the request's uniforms ask for, in their order.
///
/// Rejects with `BadUniform` at a key without a fitting setter, or at a value that is not of the setter's type.
pub fn resolve(module: &Module<'_>, uniforms: &[Uniform<'_>]) -> Result<Vec<Setter>, Rejection> {
    let mut setters = Vec::new();
    for uniform in uniforms {
        let bad_key = Rejection::new(Mode::BadUniform, uniform.key_offset);
        // Keys are at most 63 bytes long.
        let export = module.export(&format!("uniform_set_{}", uniform.key)).ok_or(bad_key)?;
        if export.kind != ExportKind::Function {
            return Err(bad_key);
        }
        let ty = module.function_type(export.index);
        let ([param], [result]) = (&ty.params[..], &ty.results[..]) else { return Err(bad_key) };
        if param != result {
            return Err(bad_key);
        }
        let bits = match param {
            Ty::I32 => value::i32(uniform.value).map(u64::from),
            Ty::I64 => value::i64(uniform.value),
            Ty::F32 => value::f32(uniform.value).map(u64::from),
            Ty::F64 => value::f64(uniform.value),
            _ => return Err(bad_key),
        };
        let bits = bits.ok_or(Rejection::new(Mode::BadUniform, uniform.value_offset))?;
        setters.push(Setter { function: export.index, bits });
    }
    Ok(setters)
}
