//! Tells a target that takes a form which boundary its input has, as a host does (docs/spec.md §3).

use crate::machine::Machine;
use crate::memory::Count;
use crate::rejection::Mode;
use crate::request::is_uuid;

/// What the content type of such a target starts with; a UUID follows.
const FORM_TYPE: &[u8] = b"multipart/form-data;boundary=uuid-";

/// Bytes of the whole content type.
const SLOT_BYTES: usize = FORM_TYPE.len() + 36;

/// Where the target's memory has the content type of its input.
#[derive(Clone, Copy)]
pub struct Slot {
    /// Address of the first byte.
    pub start: u32,
    /// Bytes.
    pub size: u32,
}

/// Where the input begins with a delimiter and the content type is that of a form, puts the delimiter's UUID there. That counts as
/// nothing.
///
/// Fails with `OutOfMemory`.
pub fn announce<C: Count>(machine: &mut Machine<'_, C>, slot: Slot, input: &[u8]) -> Result<(), Mode> {
    let uuid = input.strip_prefix(b"--uuid-").and_then(|rest| rest.first_chunk()).filter(|uuid| is_uuid(uuid));
    let Some(uuid) = uuid.filter(|_| slot.size as usize == SLOT_BYTES) else { return Ok(()) };
    let mut declared = [0; SLOT_BYTES];
    let mut rest = &mut declared[..];
    machine.memory().peek(slot.start, slot.size, |piece| {
        let (start, end) = core::mem::take(&mut rest).split_at_mut(piece.len());
        start.copy_from_slice(piece);
        rest = end;
        Ok::<(), Mode>(())
    })?;
    let (form_type, boundary) = declared.split_last_chunk().expect("a slot is longer than a UUID");
    if form_type == FORM_TYPE && is_uuid(boundary) {
        machine.replace(slot.start + FORM_TYPE.len() as u32, uuid)?;
    }
    Ok(())
}
