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
