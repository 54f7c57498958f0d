//! The table's rows of what moves values and control, each with fields of its own.

/// Calls `$next!` with these rows, behind other groups of the table if there are any.
///
/// A row gives the fields in words, the name, the fields, and last what the loop does, at a cursor and with the machine:
/// - `straight`, `straight_vector`: the cursor, with what it set.
/// - `branch`: the basic block that it enters.
/// - `jump`: the same; control does not go on behind it.
/// - `call`: the function that it calls, or a trap. The first field is the callee's frame, the last the cost of what follows.
/// - `return`: nothing; it writes results at the frame's start. The first field is the link.
/// - `load_vector`, `store_vector`: the name alone, for the fields of other loads and stores.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_basic_instruction {
    ($($next:ident)::+ $(; $($before:tt)*)?) => {
        $($next)::+! {
            $($($before)*)?
            straight {
                /// `dst src`
                Copy32 [Write(1), Read(1)] |cursor, _| cursor.set::<u32>(1, cursor.get(2));
                /// `dst src`
                Copy64 [Write(1), Read(1)] |cursor, _| cursor.set::<u64>(1, cursor.get(2));
                /// `dst src`, two slots
                Copy128 [Write(2), Read(2)] |cursor, _| {
                    let (to, from) = (cursor.slot::<u64>(1), cursor.slot::<u64>(2));
                    let (low, high) = (from.read(), from.add(1).read());
                    to.write(low);
                    to.add(1).write(high);
                    cursor
                };
                /// `dst src count`: `count` slots to a place below or equal
                CopyMany [Write(1), Read(1), Count] |cursor, _| {
                    cursor.move_slots(cursor.slot(1), cursor.slot(2), 3);
                    cursor
                };
                /// `dst imm32`
                Const32 [Write(1), Constant(2)] |cursor, _| cursor.set::<i32>(1, cursor.constant(2));
                /// `dst imm64`
                Const64 [Write(1), Constant(4)] |cursor, _| cursor.set::<u64>(1, cursor.constant(2));
                /// `dst condition a b`
                Select32 [Write(1), Read(1), Read(1), Read(1)]
                    |cursor, _| cursor.set::<u32>(1, cursor.get(3 + usize::from(cursor.get::<u32>(2) == 0)));
                /// `dst condition a b`
                Select64 [Write(1), Read(1), Read(1), Read(1)]
                    |cursor, _| cursor.set::<u64>(1, cursor.get(3 + usize::from(cursor.get::<u32>(2) == 0)));
                /// `dst global32`: the global's byte offset
                GlobalGet32 [Write(1), Global]
                    |cursor, machine| cursor.set(1, machine.global(cursor.constant(2)).cast::<u32>().read());
                /// `dst global32`
                GlobalGet64 [Write(1), Global]
                    |cursor, machine| cursor.set(1, machine.global(cursor.constant(2)).cast::<u64>().read());
                /// `src global32`
                GlobalSet32 [Read(1), Global] |cursor, machine| {
                    machine.global(cursor.constant(2)).cast::<u32>().write(cursor.get(1));
                    cursor
                };
                /// `src global32`
                GlobalSet64 [Read(1), Global] |cursor, machine| {
                    machine.global(cursor.constant(2)).cast::<u64>().write(cursor.get(1));
                    cursor
                };
                /// `src`, two units unused: sets the stack pointer, which is global 0, and keeps its lowest value
                StackPointerSet [Read(1), Constant(2)] |cursor, machine| {
                    machine.set_stack_pointer(cursor.get(1));
                    cursor
                };
                /// `dst imm32`: the stack pointer less the immediate
                StackPointerSub [Write(1), Constant(2)] |cursor, machine| {
                    let value = machine.global(0).cast::<u32>().read().wrapping_sub(cursor.constant::<u32>(2));
                    cursor.set(1, value)
                };
                /// `dst imm32`: the same, and sets the stack pointer to it
                StackEnter [Write(1), Constant(2)] |cursor, machine| {
                    let value = machine.global(0).cast::<u32>().read().wrapping_sub(cursor.constant::<u32>(2));
                    let cursor = cursor.set(1, value);
                    machine.set_stack_pointer(value);
                    cursor
                };
                /// `src imm32`: sets the stack pointer to the sum
                StackLeave [Read(1), Constant(2)] |cursor, machine| {
                    machine.set_stack_pointer(cursor.get::<u32>(1).wrapping_add(cursor.constant::<u32>(2)));
                    cursor
                };
            }
            branch {
                /// `dst a imm32 target32 cost cost`: adds, and branches if the sum is not zero
                I32AddBrNonzero [Write(1), Read(1), Constant(2), Target, Cost, Cost] |cursor| {
                    let sum = cursor.get::<i32>(2).wrapping_add(cursor.constant::<i32>(3));
                    cursor.set(1, sum).branch(sum != 0, 5)
                };
                /// `dst a imm32 target32 cost cost`
                I32AddBrZero [Write(1), Read(1), Constant(2), Target, Cost, Cost] |cursor| {
                    let sum = cursor.get::<i32>(2).wrapping_add(cursor.constant::<i32>(3));
                    cursor.set(1, sum).branch(sum == 0, 5)
                };
                /// `a imm32 target32 cost cost`: branches if a bit of the immediate is set
                I32AndBrNonzero [Read(1), Constant(2), Target, Cost, Cost]
                    |cursor| cursor.branch(cursor.get::<i32>(1) & cursor.constant::<i32>(2) != 0, 4);
                /// `a imm32 target32 cost cost`
                I32AndBrZero [Read(1), Constant(2), Target, Cost, Cost]
                    |cursor| cursor.branch(cursor.get::<i32>(1) & cursor.constant::<i32>(2) == 0, 4);
                /// `cost`: charges the block that follows
                Charge [Cost] |cursor| cursor.fall_through(1);
            }
            jump {
                /// `target32 cost`
                Br [Target, Cost] |cursor| cursor.jump(1);
                /// `index bias32 last32`, then `last + 1` entries `target32 cost`; the bias is taken off the index
                BrTable [Read(1), Constant(2), Entries] |cursor| {
                    let index = cursor.get::<u32>(1).wrapping_sub(cursor.constant::<u32>(2));
                    cursor.jump(cursor.entry(index, 4))
                };
            }
            call {
                /// `base function32 cost`: calls with the frame at `base`; `cost` is charged on return
                Call [Base, Function, Cost] |cursor, _| Ok(cursor.index(2));
                /// `base index table32 type32 cost`
                CallIndirect [Base, Read(1), Table, Type, Cost]
                    |cursor, machine| machine.indirect(cursor.get(2), cursor.constant(3), cursor.constant(5));
            }
            return {
                /// `link`: returns no value; `link` is the slot of the return link
                Return [Link] |_| ();
                /// `link src`
                Return32 [Link, Read(1)] |cursor| cursor.fp.cast::<u32>().write(cursor.get(2));
                /// `link src`
                Return64 [Link, Read(1)] |cursor| cursor.fp.cast::<u64>().write(cursor.get(2));
                /// `link src count`: returns `count` slots
                ReturnMany [Link, Read(1), Count] |cursor| cursor.move_slots(cursor.fp.cast(), cursor.slot(2), 3);
            }
            straight_vector {
                /// `dst condition a b`
                Select128 [Write(2), Read(1), Read(2), Read(2)] |cursor, _| {
                    cursor.set::<V128>(1, if cursor.get::<u32>(2) != 0 { cursor.get(3) } else { cursor.get(4) })
                };
                /// `dst global32`
                GlobalGet128 [Write(2), Global]
                    |cursor, machine| cursor.set(1, machine.global(cursor.constant(2)).cast::<V128>().read_unaligned());
                /// `src global32`
                GlobalSet128 [Read(2), Global] |cursor, machine| {
                    machine.global(cursor.constant(2)).cast::<V128>().write_unaligned(cursor.get(1));
                    cursor
                };
                /// `dst imm128`
                Const128 [Write(2), Constant(8)] |cursor, _| cursor.set::<V128>(1, cursor.constant(2));
            }
            load_vector {
                Load128;
            }
            store_vector {
                Store128;
            }
        }
    };
}
pub use for_each_basic_instruction;
