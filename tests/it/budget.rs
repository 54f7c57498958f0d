//! Which instructions the budget counts (docs/spec.md §3): for each control form, the instructions in the order in which
//! they are executed. As many as there are is the smallest budget that succeeds; any smaller one rejects at the first
//! instruction for which nothing is left.

mod random;

use qip_interpret::{DEFAULT_BUDGET, Mode};

use crate::support::{Form, Tool, assemble, assert_refused, operator_offsets, render};

/// A target whose functions are `render`, with this body, and then `rest`.
fn target(render: &str, rest: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module
          (memory (export "memory") 3 4)
          (func (export "render") (param i32) (result i64) {render})
          {rest}
          (func (export "output_bytes_cap") (result i32) i32.const 0))"#
    ))
}

/// Reads `0-2 5` as 0, 1, 2, 5.
fn trace(text: &str) -> Vec<usize> {
    let number = |text: &str| text.parse::<usize>().unwrap();
    text.split_whitespace()
        .flat_map(|run| match run.split_once('-') {
            Some((first, last)) => number(first)..=number(last),
            None => number(run)..=number(run),
        })
        .collect()
}

/// Runs the request with every budget up to the length of the trace. Instructions are numbered through all functions.
#[track_caller]
fn check(form: &Form, wasm: &[u8], executed: &str) {
    let offsets = operator_offsets(wasm);
    let component = form.offset_of("component");
    let executed = trace(executed);
    for budget in 1..executed.len() {
        assert_refused(form, budget as u32, Mode::Budget, component + offsets[executed[budget]]);
    }
    assert!(render(form, executed.len() as u32).is_ok(), "{} instructions suffice", executed.len());
}

#[track_caller]
fn executes(render: &str, rest: &str, executed: &str) {
    let wasm = target(render, rest);
    check(&Form::component(&wasm), &wasm, executed);
}

#[test]
fn straight_line() {
    executes("(i64.const 0)", "", "0-1");
    executes("nop (drop (i32.const 1)) (i64.const 0)", "", "0-4");
    executes("(local.set 0 (i32.add (local.get 0) (i32.const 1))) (i64.const 0)", "", "0-5");
    executes("(i32.store (i32.const 4) (i32.load (i32.const 0))) (i64.const 0)", "", "0-5");
    executes("(drop (memory.grow (i32.const 1))) (i64.const 0)", "", "0-4");
}

#[test]
fn block() {
    executes("(block) (i64.const 0)", "", "0-3");
    executes("(block nop) (i64.const 0)", "", "0-4");
    executes("(block (result i64) (block (result i64) (i64.const 0)))", "", "0-5");
}

#[test]
fn loop_that_is_run_once() {
    executes("(loop) (i64.const 0)", "", "0-3");
    executes("(loop nop) (i64.const 0)", "", "0-4");
}

#[test]
fn br() {
    executes("(block (br 0) nop) (i64.const 0)", "", "0-1 3-5");
    executes("(block (block (br 1)) nop) (i64.const 0)", "", "0-2 5-7");
    executes("(block (block (br 0)) nop) (i64.const 0)", "", "0-7");
}

#[test]
fn br_to_a_loop_lands_behind_its_opcode() {
    let countdown = "(br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))";
    let start = "(local.set 0 (i32.const 3))";
    executes(&format!("{start} (loop $again {countdown}) (i64.const 0)"), "", "0-7 3-7 3-10");
    executes(&format!("{start} (loop $again (loop {countdown})) (i64.const 0)"), "", "0-8 3-8 3-12");
    executes(&format!("{start} (loop (loop $again {countdown})) (i64.const 0)"), "", "0-8 4-8 4-12");
}

#[test]
fn br_to_the_function_reaches_its_end() {
    executes("(br 0 (i64.const 0)) nop", "", "0-1 3");
    executes("(block (br 1 (i64.const 0))) (i64.const 1)", "", "0-2 5");
    executes("(loop (br 1 (i64.const 0))) (i64.const 1)", "", "0-2 5");
}

#[test]
fn br_if() {
    executes("(block (br_if 0 (i32.const 1)) nop) (i64.const 0)", "", "0-2 4-6");
    executes("(block (br_if 0 (i32.const 0)) nop) (i64.const 0)", "", "0-6");
    executes("(block (br_if 0 (i32.eqz (local.get 0))) nop) (i64.const 0)", "", "0-3 5-7");
    executes("(block (br_if 0 (i32.ne (i32.load (i32.const 0)) (i32.const 0))) nop) (i64.const 0)", "", "0-9");
    executes("(block (br_if 0 (i32.eq (i32.load (i32.const 0)) (i32.const 0))) nop) (i64.const 0)", "", "0-5 7-9");
    executes("(br_if 0 (i64.const 0) (i32.const 1)) drop (i64.const 0)", "", "0-2 5");
    executes("(br_if 0 (i64.const 0) (i32.const 0)) drop (i64.const 0)", "", "0-5");
}

#[test]
fn br_table() {
    for (index, executed) in [(0, "0-11"), (1, "0-4 7-11"), (2, "0-4 9-11"), (3, "0-4 9-11"), (-1, "0-4 9-11")] {
        let blocks = format!("(block (block (block (br_table 0 1 2 (i32.const {index}))) nop) nop) (i64.const 0)");
        executes(&blocks, "", executed);
    }
    executes(
        "(local.set 0 (i32.const 2))
         (block (loop (br_table 1 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
         (i64.const 0)",
        "",
        "0-8 4-8 10-12",
    );
    executes("(br_table 0 0 (i64.const 0) (i32.const 0)) nop", "", "0-2 4");
}

#[test]
fn if_without_else() {
    executes("(if (i32.const 1) (then nop)) (i64.const 0)", "", "0-5");
    executes("(if (i32.const 0) (then nop)) (i64.const 0)", "", "0-1 3-5");
    executes("(if (i32.const 1) (then (br 0) nop)) (i64.const 0)", "", "0-2 4-6");
    executes("(if (i32.lt_s (local.get 0) (i32.const 0)) (then nop)) (i64.const 0)", "", "0-3 5-7");
    // What makes the condition is the first instruction that is translated.
    executes("(if (memory.size) (then nop)) (i64.const 0)", "", "0-5");
    executes("(block (br 0) nop) (if (memory.size) (then nop)) (i64.const 0)", "", "0-1 3-9");
}

#[test]
fn if_and_else() {
    executes("(if (i32.const 1) (then nop) (else nop nop)) (i64.const 0)", "", "0-3 6-8");
    executes("(if (i32.const 0) (then nop) (else nop nop)) (i64.const 0)", "", "0-1 4-8");
    executes("(if (i32.const 1) (then (br 0)) (else nop)) (i64.const 0)", "", "0-2 5-7");
    executes("(if (i32.const 0) (then nop) (else (br 0) nop)) (i64.const 0)", "", "0-1 4 6-8");
    executes(
        "(if (result i64) (i32.const 1) (then (i64.const 0)) (else (i64.const 1) (drop) (i64.const 0)))",
        "",
        "0-3 7-8",
    );
    executes(
        "(if (result i64) (i32.const 0) (then (i64.const 0)) (else (i64.const 1) (drop) (i64.const 0)))",
        "",
        "0-1 4-8",
    );
    executes("(if (i32.const 1) (then) (else)) (i64.const 0)", "", "0-5");
    executes("(if (i32.const 0) (then) (else)) (i64.const 0)", "", "0-1 3-5");
}

#[test]
fn return_lands_on_the_functions_end() {
    executes("(return (i64.const 0)) nop", "", "0-1 3");
    executes("(block (loop (return (i64.const 0)))) (i64.const 0)", "", "0-3 7");
    executes("(if (i32.const 1) (then (return (i64.const 0)))) (i64.const 0)", "", "0-3 6");
}

/// Each way of leaving a function, with and without a result: only a tail call counts no `end`.
#[test]
fn leaving_a_function() {
    for (way, executed) in [
        ("(local.get 0)", "5-6"),
        ("(br 0 (local.get 0)) unreachable", "5-6 8"),
        ("(block (br 1 (local.get 0))) unreachable", "5-7 10"),
        ("(br_if 0 (local.get 0) (i32.const 1)) nop", "5-7 9"),
        ("(br_if 0 (local.get 0) (i32.const 0)) nop", "5-9"),
        ("(br_table 0 0 (local.get 0) (i32.const 3)) unreachable", "5-7 9"),
        ("(block (br_table 0 1 (local.get 0) (i32.const 3))) unreachable", "5-8 11"),
        ("(return (local.get 0)) unreachable", "5-6 8"),
        ("(loop (return (local.get 0))) unreachable", "5-7 10"),
        ("(if (result i32) (local.get 0) (then (return (i32.const 1))) (else (i32.const 0)))", "5-8 12"),
        ("(return_call 2 (local.get 0)) unreachable", "5-6 9-10"),
        ("(return_call_indirect (param i32) (result i32) (local.get 0) (i32.const 0)) unreachable", "5-7 10-11"),
    ] {
        let callees = format!(
            "(func (param i32) (result i32) {way}) (func (param i32) (result i32) (local.get 0)) (table funcref (elem 2))"
        );
        // A block may have a result that is not there where it cannot end.
        let callees = callees.replace("(block (br_table 0 1", "(block (result i32) (br_table 0 1");
        let executed = format!("0-1 {executed} 2-4");
        executes("(drop (call 1 (i32.const 5))) (i64.const 0)", &callees, &executed);
    }
    for (way, executed) in [
        ("", "3"),
        ("(br 0) nop", "3 5"),
        ("(br_if 0 (i32.const 1)) nop", "3-4 6"),
        ("(br_table 0 (i32.const 1)) nop", "3-4 6"),
        ("return nop", "3 5"),
        ("(return_call 2) nop", "3 6"),
    ] {
        executes("(call 1) (i64.const 0)", &format!("(func {way}) (func)"), &format!("0 {executed} 1-2"));
    }
}

/// A call of a function with n slots of declared locals counts n / 512 more, and so does one by the host. It is charged with the
/// function's first instruction.
#[test]
fn locals_count_by_size() {
    for (locals, slots) in
        [("i32", 511), ("i64", 512), ("i64", 1023), ("f32", 1024), ("v128", 255), ("v128", 256), ("v128", 4000)]
    {
        let size = if locals == "v128" { 2 } else { 1 };
        let first = |index: usize| format!(" {index}").repeat(1 + size * slots / 512);
        let locals = format!("(local {})", format!("{locals} ").repeat(slots));
        let callee = format!("(func (param i32) (result i64) {locals} nop (i64.const 0))");
        executes("(call 1 (i32.const 0))", &callee, &format!("0-1 {} 4-5 2", first(3)));
        executes("(return_call 1 (i32.const 0))", &callee, &format!("0-1 {} 4-5", first(3)));
        executes(&format!("{locals} nop (i64.const 0)"), "", &format!("{} 1-2", first(0)));
        let setter = format!(r#"(func (export "uniform_set_x") (param i64) (result i64) {locals} (local.get 0))"#);
        let wasm = target("(i64.const 0)", &setter);
        check(&Form::component(&wasm).uniform("x", "1"), &wasm, &format!("{} 3 0-1", first(2)));
    }
    // Parameters are not declared.
    let call = format!("{} (call 1) (i64.const 0)", "(i64.const 0) ".repeat(600));
    executes(&call, &format!("(func (param {}))", "i64 ".repeat(600)), "0-600 603 601-602");
}

/// A branch, a return or a tail call that moves n slots counts n / 512 more, which no compiler's does.
#[test]
fn moved_values_count_by_size() {
    const ZERO: &str = "(i64.const 0) ";
    for values in [300, 511, 512, 600] {
        let (zeros, drops) = (ZERO.repeat(values), "drop ".repeat(values - 1));
        let again = |index: usize| format!(" {index}").repeat(1 + values / 512);
        let types = format!("(type $many (func (result {})))", "i64 ".repeat(values));
        let first = values + 1;
        // The values are not where the block has them, for there is one below them.
        let block = format!("(block (type $many) (i64.const 0) {zeros} (br 0)) {drops}");
        executes(&block, &types, &format!("0-{first} {} {}-{}", again(values + 2), values + 3, 2 * values + 3));
        let params = format!("(type $take (func (param {}) (result i64)))", "i64 ".repeat(values));
        let callee = format!("{params} (func (type $take) (i64.const 0))");
        let call = format!("{zeros} (return_call 1)");
        executes(&call, &callee, &format!("0-{} {} {}-{}", values - 1, again(values), values + 2, values + 3));
    }
}

/// A basic block is charged in parts of 60,000.
#[test]
fn long_blocks_are_counted_exactly() {
    let wasm = target(&("nop ".repeat(130_000) + "(i64.const 0)"), "");
    let form = Form::component(&wasm);
    let offsets = operator_offsets(&wasm);
    for budget in [1, 59_999, 60_000, 60_001, 119_999, 120_000, 120_001, 130_000, 130_001] {
        let at = form.offset_of("component") + offsets[budget];
        assert_refused(&form, budget as u32, Mode::Budget, at);
    }
    assert!(render(&form, 130_002).is_ok());
}

#[test]
fn call() {
    executes("(call 1) (i64.const 0)", "(func)", "0 3 1-2");
    executes("(call 1) (i64.const 0)", "(func nop)", "0 3-4 1-2");
    executes("(call 1) (i64.const 0)", "(func return nop)", "0 3 5 1-2");
    executes("(call 1) (i64.const 0)", "(func (br 0) nop)", "0 3 5 1-2");
    executes("(call 1) (call 1) (i64.const 0)", "(func (call 2)) (func)", "0 4 6 5 1 4 6 5 2-3");
    executes(
        "(drop (call 1 (i32.const 1))) (i64.const 0)",
        "(func (param i32) (result i32) (local.get 0))",
        "0-1 5-6 2-4",
    );
    executes(
        "(if (i32.const 0) (then (call 1))) (block (call 1)) (i64.const 0)",
        "(func (block (br_if 0 (i32.const 1)) nop))",
        "0-1 3-5 9-11 13-14 6-8",
    );
}

#[test]
fn call_indirect() {
    executes("(call_indirect (i32.const 0)) (i64.const 0)", "(func nop) (table funcref (elem 1))", "0-1 4-5 2-3");
}

#[test]
fn return_call() {
    let callee = "(func (result i64) (i64.const 0))";
    executes("(return_call 1) nop", callee, "0 3-4");
    executes(
        "(return_call_indirect (result i64) (i32.const 0)) nop",
        &format!("{callee} (table funcref (elem 1))"),
        "0-1 4-5",
    );
}

#[test]
fn select() {
    executes("(select (i64.const 0) (i64.const 1) (i32.const 1))", "", "0-4");
    executes("(drop (select (result i32) (i32.const 1) (i32.const 2) (i32.const 0))) (i64.const 0)", "", "0-6");
}

#[test]
fn code_that_cannot_be_reached_is_skipped() {
    executes(
        "(block (br 0) (drop (i32.add (i32.const 1) (i32.const 2))) (block) (loop (br 0)) (if (i32.const 0) (then nop) (else)))
         (i64.const 0)",
        "",
        "0-1 16-18",
    );
}

/// `memory.copy`, `fill` and `init` over n bytes count 1 + n / 512, and their table counterparts over n entries 1 + n / 128.
#[test]
fn bulk_operations_count_by_size() {
    let rest = format!(
        r#"(table 9000 funcref) (elem funcref {}) (data "{}")"#,
        "(ref.null func)".repeat(9000),
        "-".repeat(9000)
    );
    for size in [0, 57, 58, 127, 128, 255, 256, 511, 512, 1023, 1024, 4096, 8192] {
        let executed = |unit: usize| "0-2".to_owned() + &" 3".repeat(1 + size / unit) + " 4-5";
        for operation in [
            "memory.copy (i32.const 65536) (i32.const 0)",
            "memory.copy (i32.const 1) (i32.const 0)",
            "memory.fill (i32.const 65530) (i32.const 1)",
            "memory.init 0 (i32.const 65530) (i32.const 1)",
            "table.copy (i32.const 1) (i32.const 0)",
            "table.init 0 (i32.const 0) (i32.const 1)",
        ] {
            let executed = executed(if operation.starts_with("table") { 128 } else { 512 });
            executes(&format!("({operation} (i32.const {size})) (i64.const 0)"), &rest, &executed);
        }
        executes(
            &format!("(table.fill (i32.const 0) (ref.null func) (i32.const {size})) (i64.const 0)"),
            &rest,
            &executed(128),
        );
    }
}

/// Whole runs, whose sums were added up by hand: one that writes a colour in hex digits, and one whose loop is of vector instructions.
#[test]
fn sums_of_runs() {
    // Either way through `$digit` takes 9.
    let colour = target(
        "(local $to i32) (local $from i32)
         (local.set $to (i32.const 16))
         (loop
           (i32.store8 (local.get $to) (call $digit (i32.shr_u (i32.load8_u (local.get $from)) (i32.const 4))))
           (i32.store8 offset=1 (local.get $to) (call $digit (i32.and (i32.load8_u (local.get $from)) (i32.const 15))))
           (local.set $to (i32.add (local.get $to) (i32.const 2)))
           (br_if 0 (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 1))) (i32.const 3))))
         (if (i64.ne (i64.load (i32.const 16)) (i64.const 0x306666343536)) (then unreachable))
         (i64.const 0)",
        r#"(func $digit (param i32) (result i32)
             (if (i32.lt_u (local.get 0) (i32.const 10)) (then (return (i32.add (local.get 0) (i32.const 48)))))
             (i32.add (local.get 0) (i32.const 87)))
           (data (i32.const 0) "\65\4f\f0")"#,
    );
    let vectors = target(
        "(local $at i32)
         (loop
           (v128.store offset=65536 (local.get $at)
             (i8x16.swizzle (v128.load (local.get $at)) (v128.const i8x16 1 0 2 1 4 3 5 4 7 6 8 7 10 9 11 10)))
           (br_if 0 (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 12))) (i32.const 65536))))
         (i64.const 0)",
        "",
    );
    for (wasm, executed) in [(colour, 2 + 1 + 3 * (16 + 16 + 4 + 7) + 1 + 6 + 2), (vectors, 1 + 5462 * (6 + 7) + 1 + 2)]
    {
        let form = Form::component(&wasm);
        assert!(render(&form, executed).is_ok(), "{executed} suffice");
        assert_eq!(render(&form, executed - 1).unwrap_err().mode, Mode::Budget, "{executed} are needed");
    }
}

#[test]
fn setters_share_the_budget() {
    let wasm = target(
        "(i64.const 0)",
        r#"(func (export "uniform_set_b") (param i32) (result i32) (local.get 0))
           (func (export "uniform_set_a") (param i64) (result i64) nop (local.get 0))"#,
    );
    let form = Form::new().uniform("b", "1").part("component", &wasm).uniform("a", "2");
    check(&form, &wasm, "4-6 2-3 0-1");
}

/// The interpreter takes the budget in slices; an instruction is counted once wherever a slice ends.
#[test]
fn long_runs_are_counted_exactly() {
    let iterations = 150_001;
    let wasm = target(
        &format!(
            "(local.set 0 (i32.const {iterations}))
             (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
             (i64.const 0)"
        ),
        "",
    );
    let form = Form::component(&wasm);
    let executed = 3 + 5 * iterations + 3;
    assert!(render(&form, executed).is_ok());
    let end = form.offset_of("component") + operator_offsets(&wasm)[10];
    assert_refused(&form, executed - 1, Mode::Budget, end);
}

/// Whatever block the instruction is in, a trap that comes before the budget ends is the trap, and after it is not.
#[test]
fn a_trap_and_the_budget_come_in_order() {
    let wasm = target("nop (drop (i32.div_u (i32.const 1) (i32.const 0))) nop nop (i64.const 0)", "");
    let form = Form::component(&wasm);
    let divide = form.offset_of("component") + operator_offsets(&wasm)[3];
    assert_refused(&form, 3, Mode::Budget, divide);
    for budget in 4..9 {
        assert_refused(&form, budget, Mode::DivideByZero, divide);
    }
    let wasm = target("nop unreachable", "");
    let form = Form::component(&wasm);
    let trap = form.offset_of("component") + operator_offsets(&wasm)[1];
    assert_refused(&form, 1, Mode::Budget, trap);
    assert_refused(&form, 2, Mode::Unreachable, trap);
}

/// A budget is applied to one render. It is at least 1, and the default when none was set.
#[test]
fn a_budget_is_for_one_render() {
    let wasm = target("(i64.const 0)", "");
    let short = Form::component(&wasm);
    let wasm = target("(loop (br 0)) (i64.const 0)", "");
    let endless = Form::component(&wasm);
    let branch = endless.offset_of("component") + operator_offsets(&wasm)[1];
    let mut tool = Tool::new();
    for budget in [1, DEFAULT_BUDGET, u32::MAX] {
        assert_eq!(tool.set_budget(budget), budget);
    }
    assert_eq!(tool.set_budget(0), 1);
    assert_eq!(tool.render(&short).map_err(|rejection| rejection.mode), Err(Mode::Budget));
    assert!(tool.render(&short).is_ok());
    tool.set_budget(1);
    assert!(tool.render(&Form::new()).is_err(), "a malformed request also uses the budget up");
    assert!(tool.render(&short).is_ok());
    let rejection = tool.render(&endless).unwrap_err();
    assert_eq!((rejection.mode, rejection.offset), (Mode::Budget, branch));
    let exact = |instructions: u32| {
        // Two for the constant, one for the loop, five for each of its rounds, three for the rest.
        let (rounds, rest) = ((instructions - 6) / 5, (instructions - 6) % 5);
        let nops = "nop ".repeat(rest as usize);
        Form::component(&target(
            &format!(
                "{nops}(local.set 0 (i32.const {rounds}))
                 (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
                 (i64.const 0)"
            ),
            "",
        ))
    };
    assert!(tool.render(&exact(DEFAULT_BUDGET)).is_ok());
    assert_eq!(tool.render(&exact(DEFAULT_BUDGET + 1)).map_err(|rejection| rejection.mode), Err(Mode::Budget));
}
