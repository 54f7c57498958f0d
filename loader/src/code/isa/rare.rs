//! The table's rows of what the loop's stepping form alone executes, and of bulk operations on memory.

/// Calls `$next!` with these rows, behind other groups of the table if there are any.
///
/// A row gives the fields in words, the name, the fields, and last what the stepping form does, in
/// `machine::rare`; a `?` there is a trap. Where an instruction's last field is a cost it ends its basic block, and the next is behind it.
///
/// - `bulk`: before that the method of the machine by which the loop executes a short operation, and the one of memory by which the
///   driver executes one on open pages; both do nothing with any other.
/// - `rare`.
/// - `rare_end`: control does not go on behind it; where it goes is what the last part evaluates to.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_rare_instruction {
    ($($next:ident)::+ $(; $($before:tt)*)?) => {
        $($next)::+! {
            $($($before)*)?
            bulk {
                /// `to from len cost`: charges by size, and what follows it as a block of its own
                MemoryCopy [Read(1), Read(1), Read(1), Cost] copy_short copy_if_open
                    |cursor, machine| machine.copy_memory(cursor.get(1), cursor.get(2), cursor.get(3))?;
                /// `to value len cost`
                MemoryFill [Read(1), Read(1), Read(1), Cost] fill_short fill_if_open
                    |cursor, machine| machine.fill_memory(cursor.get(1), cursor.get(2), cursor.get(3))?;
            }
            rare {
                /// `dst`
                MemorySize [Write(1)] |cursor, machine| cursor.put(1, machine.memory.pages());
                /// `dst delta`
                MemoryGrow [Write(1), Read(1)]
                    |cursor, machine| cursor.put(1, machine.memory.grow(cursor.get(2)).unwrap_or(u32::MAX));
                /// `to from len segment32 cost`
                MemoryInit [Read(1), Read(1), Read(1), Data, Cost] |cursor, machine| {
                    machine.init_memory(cursor.index(4), cursor.get(1), cursor.get(2), cursor.get(3))?
                };
                /// `segment32`
                DataDrop [Data] |cursor, machine| machine.dropped_data[cursor.index(1)] = true;
                /// `dst index table32`
                TableGet [Write(1), Read(1), Table]
                    |cursor, machine| cursor.put(1, machine.tables[cursor.index(3)].get(cursor.get(2))?);
                /// `index value table32`
                TableSet [Read(1), Read(1), Table]
                    |cursor, machine| machine.tables[cursor.index(3)].set(cursor.get(1), cursor.get(2))?;
                /// `dst table32`
                TableSize [Write(1), Table]
                    |cursor, machine| cursor.put(1, machine.tables[cursor.index(2)].entries().len() as u32);
                /// `dst value delta table32`
                TableGrow [Write(1), Read(1), Read(1), Table] |cursor, machine| {
                    let before = machine.tables[cursor.index(4)].grow(cursor.get(2), cursor.get(3));
                    cursor.put(1, before.unwrap_or(u32::MAX));
                };
                /// `index value len table32 cost`
                TableFill [Read(1), Read(1), Read(1), Table, Cost] |cursor, machine| {
                    machine.fill_table(cursor.index(4), cursor.get(1), cursor.get(2), cursor.get(3))?
                };
                /// `to from len table32 table32 cost`: destination's table first
                TableCopy [Read(1), Read(1), Read(1), Table, Table, Cost] |cursor, machine| {
                    machine.copy_table(cursor.index(4), cursor.index(6), cursor.get(1), cursor.get(2), cursor.get(3))?
                };
                /// `to from len table32 segment32 cost`
                TableInit [Read(1), Read(1), Read(1), Table, Element, Cost] |cursor, machine| {
                    machine.init_table(cursor.index(4), cursor.index(6), cursor.get(1), cursor.get(2), cursor.get(3))?
                };
                /// `segment32`
                ElemDrop [Element] |cursor, machine| machine.dropped_elements[cursor.index(1)] = true;
            }
            rare_end {
                /// `link base count function32`: moves `count` argument slots into the frame and jumps
                ReturnCall [Link, Base, Count, Function] |cursor, _| tail(cursor, cursor.index(4));
                /// `link base count index table32 type32`
                ReturnCallIndirect [Link, Base, Count, Read(1), Table, Type] |cursor, machine| {
                    tail(cursor, machine.indirect(cursor.get(4), cursor.constant(5), cursor.constant(7))?)
                };
                /// no fields: the code that the host's frame returns to
                Halt [] |_, _| Flow::Halt;
                /// no fields
                Unreachable [] |_, _| Err(Mode::Unreachable)?;
            }
        }
    };
}
pub use for_each_rare_instruction;
