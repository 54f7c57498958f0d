//! The component in C counts words, in the interpreter as alone.

use std::collections::BTreeMap;

use qip_interpret::{Mode, Rejection};

use crate::second_counter::second_run;
use crate::support::{Form, OUTPUT, PAGE_WRITES, word_counts};

const BUDGET: u32 = 100_000_000;
const LICENSE: &str = include_str!("../../LICENSE-APACHE");

/// The words in another way: as a map that is sorted.
fn counts(text: &str) -> String {
    let mut words: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let is_between = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric();
    for (place, word) in text.split(is_between).filter(|word| !word.is_empty()).enumerate() {
        words.entry(word.to_ascii_lowercase()).or_insert((0, place)).0 += 1;
    }
    let mut words: Vec<_> = words.into_iter().collect();
    words.sort_by_key(|&(_, (count, place))| (usize::MAX - count, place));
    words.iter().fold("word,count\n".to_owned(), |csv, (word, (count, _))| csv + &format!("{word},{count}\n"))
}

#[test]
fn words_are_counted() {
    let Some(wasm) = word_counts() else { return };
    let many = "one Two  two ".repeat(20_000);
    let full: String = (0..4096).map(|number| format!("w{number} ")).collect::<String>() + "w4095";
    for text in ["", "--", "a", "b A a", "Größe größe: œuvre", "x1 x 1x", LICENSE, &many, &full] {
        let form = Form::component(&wasm).input(text.as_bytes());
        let output = OUTPUT.render_text(&form, BUDGET);
        assert_eq!(output, Ok(counts(text)), "{text:.40}");
        let alone = second_run(&wasm, text.as_bytes(), &[]).unwrap();
        assert_eq!(Ok(alone.output), output.map(String::into_bytes));
        assert_eq!(PAGE_WRITES.render_text(&form, BUDGET), Ok(alone.csv), "{text:.40}");
    }
}

#[test]
fn a_word_too_many_is_rejected_where_it_starts() {
    let Some(wasm) = word_counts() else { return };
    let full: String = (0..4096).map(|number| format!("w{number} ")).collect();
    let form = Form::component(&wasm).input((full.clone() + "more words").as_bytes());
    let rejection = Rejection::new(Mode::TargetRejected, form.offset_of("input") + full.len() as u32);
    assert_eq!(OUTPUT.render(&form, BUDGET), Err(rejection));
}
