//! What came of a run: the target's input and output, its budget, traps.

use core::fmt::{self, Write};

use super::super::text::Text;
use super::Seen;
use super::contract::Getters;
use crate::rejection::Mode;
use crate::request::Parts;

/// An input that the target does not take.
pub fn input(text: &mut Text, parts: &Parts<'_>, getters: &mut Getters<'_>) -> fmt::Result {
    let Some(input) = parts.input.as_ref().map(|part| part.body) else { return Ok(()) };
    let size = input.len();
    let utf8 = getters.value("input_utf8_cap");
    let Some(capacity) = utf8.or_else(|| getters.value("input_bytes_cap")) else {
        writeln!(text, "the component is a generator, which takes no input, and the input has {size} bytes")?;
        return writeln!(text, "hint: leave the input out, or export input_ptr and a capacity");
    };
    if size > capacity as usize {
        writeln!(text, "the input has {size} bytes, and the component's capacity is {capacity}")?;
        return writeln!(
            text,
            "hint: send a smaller input, or let input_{}_cap return more",
            if utf8.is_some() { "utf8" } else { "bytes" }
        );
    }
    let bad = core::str::from_utf8(input).err().map_or(0, |error| error.valid_up_to());
    writeln!(
        text,
        "the input is not UTF-8, as input_utf8_cap asks: byte {bad} of {size} is 0x{:02x}",
        input.get(bad).unwrap_or(&0)
    )?;
    writeln!(text, "hint: convert the input to UTF-8, or let the component export input_bytes_cap instead")
}

/// An output that the contract does not allow.
pub fn output(text: &mut Text, result: u64, seen: &Seen, getters: &mut Getters<'_>) -> fmt::Result {
    let (size, pointer) = (result as u32, (result >> 32) as u32 & 0x7fff_ffff);
    let (memory, capacity) = (seen.memory_bytes, getters.value("output_utf8_cap"));
    let capacity = capacity.or_else(|| getters.value("output_bytes_cap")).unwrap_or_default();
    if result >> 63 == 1 {
        writeln!(
            text,
            "render returned 0x{result:016x}: bit 63 says that the input is rejected, and then the pointer's bits must be 0, not 0x{pointer:x}"
        )?;
        return match result >> 31 {
            0x1_ffff_ffff => writeln!(
                text,
                "hint: the low half was extended with its sign into the pointer and bit 63; extend it by i64.extend_i32_u"
            ),
            _ => writeln!(
                text,
                "hint: for an output bit 63 must be 0: a pointer is below 2147483648 and is extended by i64.extend_i32_u"
            ),
        };
    }
    let end = u64::from(size) + u64::from(pointer);
    if size > capacity {
        writeln!(text, "render returned {size} bytes at {pointer}, and the output capacity is {capacity}")?;
    } else if end > memory {
        writeln!(
            text,
            "render returned {size} bytes at {pointer}, which end at {end}, beyond memory's {memory} bytes"
        )?;
    } else if let Some((at, byte)) = seen.bad_utf8 {
        writeln!(
            text,
            "the output is not UTF-8, as output_utf8_cap promises: byte {at} of {size}, at address {}, is 0x{byte:02x}",
            u64::from(pointer) + u64::from(at)
        )?;
        return writeln!(text, "hint: for bytes that are not text export output_bytes_cap instead");
    }
    if pointer <= capacity && end <= memory && size > capacity {
        return writeln!(
            text,
            "hint: size and pointer look exchanged; the size is in bits 0 to 31, the pointer in bits 32 to 62"
        );
    }
    match size > capacity {
        true => writeln!(text, "hint: write less, or let the capacity's getter return more"),
        false => writeln!(text, "hint: the size is in bits 0 to 31, the pointer in bits 32 to 62"),
    }
}

/// A budget that is spent.
pub fn budget(text: &mut Text, budget: u32) -> fmt::Result {
    writeln!(text, "the instruction budget of {budget} is spent")?;
    match budget {
        u32::MAX => writeln!(text, "hint: this is the largest budget; send a smaller input"),
        _ => writeln!(text, "hint: -u instruction_budget=N raises it, up to 4294967295"),
    }
}

/// The memory access or the like that trapped, where that says more than the mode.
pub fn trapped(text: &mut Text, mode: Mode, section: Option<&str>, seen: &Seen) -> fmt::Result {
    match (mode, section) {
        (Mode::MemoryOutOfBounds, Some("data")) => writeln!(text, "trap: a data segment reaches beyond memory's end")?,
        (Mode::MemoryOutOfBounds, _) => writeln!(text, "trap: {}, which has {} bytes", trap(mode), seen.memory_bytes)?,
        (Mode::TableOutOfBounds, Some("element")) => {
            writeln!(text, "trap: an element segment reaches beyond its table's end")?
        }
        _ => writeln!(text, "trap: {}", trap(mode))?,
    }
    if mode == Mode::MemoryOutOfBounds && seen.below_zero > 0 {
        return writeln!(
            text,
            "hint: shadow stack overflow: the stack pointer, global 0, is {} bytes below address 0; the stack is larger by \
            clang -Wl,-z,stack-size=BYTES, rustc -C link-arg=-zstack-size=BYTES, zig --stack BYTES",
            seen.below_zero
        );
    }
    match mode {
        Mode::Unreachable => {
            writeln!(text, "hint: panics, failed assertions and aborts end so; a debug build says where")
        }
        Mode::CallStackExhausted => writeln!(text, "hint: a recursion has no end, or is deeper than 10,000 calls"),
        Mode::IndirectCallType => writeln!(text, "hint: a function pointer was cast to another type"),
        Mode::UninitializedElement => {
            writeln!(text, "hint: a function pointer that is null, or no function, was called")
        }
        _ => Ok(()),
    }
}

/// A trap in words.
pub fn trap(mode: Mode) -> &'static str {
    match mode {
        Mode::Unreachable => "unreachable was executed",
        Mode::DivideByZero => "integer division or remainder by zero",
        Mode::IntegerOverflow => "an integer result does not fit its type",
        Mode::InvalidConversion => "a NaN was converted to an integer",
        Mode::MemoryOutOfBounds => "an access beyond the end of memory",
        Mode::TableOutOfBounds => "an access beyond the end of a table",
        Mode::UndefinedElement => "an indirect call by an index beyond the end of the table",
        Mode::UninitializedElement => "an indirect call of a null element",
        Mode::IndirectCallType => "an indirect call of a function of another type",
        Mode::CallStackExhausted => "calls nest too deep",
        mode => mode.cause(),
    }
}
