//! Pairs: an operator that stands for its own instruction and says which one lies behind it.
//!
//! Both stay in the code as they are, so that control may still come to the second from elsewhere, the loop may leave at it,
//! and a trap in it is found. All that is saved is to dispatch it, which is much of what a short instruction costs.

use super::op::Op;

/// Makes each instruction a pair with the one behind it where there is an operator for both. `code` has whole instructions.
pub fn mark(code: &mut [u16]) {
    let (mut at, mut before) = (0, None);
    while at < code.len() {
        let op = Op::decode(code[at]).expect("an instruction starts with an operator");
        if let Some((start, first)) = before
            && let Some(pair) = Op::pair(first, op)
        {
            code[start] = pair as u16;
        }
        before = Some((at, op));
        at += op.units(&code[at..]);
    }
    debug_assert_eq!(at, code.len(), "the instructions are whole");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_names_both_and_the_second_stays() {
        let [load, loads, copy, copies, ret] =
            [Op::Load32, Op::Load32ThenLoad32, Op::Copy32, Op::Copy32ThenCopy32, Op::Return].map(|op| op as u16);
        let mut code = [load, 8, 0, 4, 0, load, 16, 8, 0, 0, copy, 0, 8, copy, 24, 16, ret, 32];
        mark(&mut code);
        assert_eq!(code, [loads, 8, 0, 4, 0, load, 16, 8, 0, 0, copies, 0, 8, copy, 24, 16, ret, 32]);
    }
}
