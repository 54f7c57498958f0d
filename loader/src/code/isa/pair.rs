//! Pairs: an operator that stands for its own instruction and says which one lies behind it.
//!
//! Both stay in the code as they are, so that control may still come to the second from elsewhere, the loop may leave at it,
//! and a trap in it is found. What is saved is to dispatch the second. Where it takes the first's result, it need not read that
//! back from its slot either, which it would have to wait for.

use super::opcode::{ALL_PAIRS, Opcode, Pair};

/// Makes each instruction a pair with the one behind it where there is an operator for both. `code` has whole instructions.
///
/// Not in a function with vector instructions: the loop's form for those executes no pairs, for which it would be a fifth larger.
pub fn mark(code: &mut [u16]) {
    if instructions(code).any(|(_, op)| op.is_vector()) {
        return;
    }
    let (mut at, mut before) = (0, None);
    while at < code.len() {
        let op = Opcode::decode(code[at]).expect("an instruction starts with an operator");
        if let Some(first) = before
            && let Some(pair) = choose(code, first, (at, op))
        {
            code[first.0] = pair as u16;
        }
        before = Some((at, op));
        at += op.units(&code[at..]);
    }
    debug_assert_eq!(at, code.len(), "the instructions are whole");
}

/// The instructions, each with its place.
fn instructions(code: &[u16]) -> impl Iterator<Item = (usize, Opcode)> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let start = at;
        let op = Opcode::decode(*code.get(start)?)?;
        at += op.units(&code[start..]);
        Some((start, op))
    })
}

/// The operator for two instructions, each with its place, if there is one. Operands of the second may change places for that.
fn choose(code: &mut [u16], (start, first): (usize, Opcode), (at, second): (usize, Opcode)) -> Option<Opcode> {
    let result = code[start + 1];
    for pair in Pair::of(first).iter().filter(|pair| pair.second == second) {
        let operand = at + usize::from(pair.operand);
        if pair.carries() && second.is_commutative() && code[operand] != result && code[at + 3] == result {
            code.swap(at + 2, at + 3);
        }
        if !pair.carries() || code[operand] == result {
            return Some(pair.op);
        }
    }
    None
}

impl Pair {
    /// Whether the second takes the first's result.
    pub const fn carries(&self) -> bool {
        self.operand != 0
    }

    /// The pairs with this first instruction, those that carry its result before the others.
    pub fn of(first: Opcode) -> &'static [Pair] {
        let start = |op: usize| usize::from(BY_FIRST.starts[op]);
        &BY_FIRST.pairs[start(first as usize)..start(first as usize + 1)]
    }
}

/// All pairs by rising number of the first operator, and for each operator where its pairs start, then the end of all.
struct ByFirst {
    pairs: [Pair; ALL_PAIRS.len()],
    starts: [u8; Opcode::COUNT + 1],
}

static BY_FIRST: ByFirst = {
    assert!(ALL_PAIRS.len() <= u8::MAX as usize);
    let mut table = ByFirst { pairs: [ALL_PAIRS[0]; ALL_PAIRS.len()], starts: [0; Opcode::COUNT + 1] };
    let (mut first, mut next) = (0, 0);
    while first < Opcode::COUNT {
        let mut pair = 0;
        while pair < ALL_PAIRS.len() {
            if ALL_PAIRS[pair].first as usize == first {
                table.pairs[next] = ALL_PAIRS[pair];
                next += 1;
            }
            pair += 1;
        }
        first += 1;
        table.starts[first] = next as u8;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::isa::fields::Field;

    fn marked<const N: usize>(mut code: [u16; N]) -> [u16; N] {
        mark(&mut code);
        code
    }

    #[test]
    fn the_first_names_both_and_the_second_stays() {
        let [constant, constants, copy, copies, ret] =
            [Opcode::Const32, Opcode::Const32ThenConst32, Opcode::Copy32, Opcode::Copy32ThenCopy32, Opcode::Return]
                .map(|op| op as u16);
        let code = [constant, 8, 0, 4, constant, 16, 8, 0, copy, 0, 8, copy, 24, 16, ret, 32];
        let pairs = [constants, 8, 0, 4, constant, 16, 8, 0, copies, 0, 8, copy, 24, 16, ret, 32];
        assert_eq!(marked(code), pairs);
    }

    #[test]
    fn a_result_is_carried_to_the_operand_that_it_is() {
        let [load, compare] = [Opcode::Load32, Opcode::I32GtU].map(|op| op as u16);
        let carried = Opcode::Load32IntoI32GtU as u16;
        assert_eq!(marked([load, 8, 0, 4, 0, compare, 16, 24, 8]), [carried, 8, 0, 4, 0, compare, 16, 24, 8]);
        assert_eq!(marked([load, 8, 0, 4, 0, compare, 16, 8, 24]), [load, 8, 0, 4, 0, compare, 16, 8, 24]);
    }

    #[test]
    fn operands_that_commute_change_places_for_it() {
        let [load, xor] = [Opcode::Load32, Opcode::I32Xor].map(|op| op as u16);
        let carried = Opcode::Load32IntoI32Xor as u16;
        assert_eq!(marked([load, 8, 0, 4, 0, xor, 16, 24, 8]), [carried, 8, 0, 4, 0, xor, 16, 8, 24]);
        assert_eq!(marked([load, 8, 0, 4, 0, xor, 16, 24, 0]), [load, 8, 0, 4, 0, xor, 16, 24, 0]);
    }

    #[test]
    fn every_result_that_is_carried_takes_one_slot_and_so_does_the_operand() {
        for &Pair { op, first, second, operand } in ALL_PAIRS.iter().filter(|pair| pair.carries()) {
            let mut at = 1;
            let place = second.fields().iter().find(|field| {
                at += field.units();
                at > operand.into()
            });
            assert_eq!((first.fields().first(), place), (Some(&Field::Write(1)), Some(&Field::Read(1))), "{op:?}");
            assert!(!second.is_commutative() || operand == 2, "{op:?}");
        }
    }

    #[test]
    fn every_pair_is_found_by_its_first_and_is_an_operator_of_its_own() {
        for pair in ALL_PAIRS {
            assert_eq!(pair.op.first(), pair.first);
            assert_eq!(Pair::of(pair.first).iter().filter(|other| other.op == pair.op).count(), 1, "{:?}", pair.op);
        }
    }
}
