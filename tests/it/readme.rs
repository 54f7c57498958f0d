//! The README and the components' pages say what is so: their commands run, and the table of modes is the code's.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;

use qip_interpret::Mode;

use crate::support::{COMPONENTS, HEADER, word_counts};

const README: &str = include_str!("../../README.md");

/// The fenced blocks of this language in a page.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let opening = format!("```{language}\n");
    let blocks = page.split(opening.as_str()).skip(1);
    blocks.map(|rest| &rest[..=rest.find("\n```").expect("a block ends on a line of its own")]).collect()
}

/// What a command prints when a shell runs it in the repository.
fn run(command: &str) -> String {
    let output = output(command);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}\n{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn output(command: &str) -> Output {
    Command::new("sh")
        .args(["-euc", command])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        // The tests may themselves run under make.
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .output()
        .unwrap()
}

#[test]
fn every_command_runs() {
    let commands = blocks(README, "sh");
    let (test, others): (Vec<_>, Vec<_>) = commands.into_iter().partition(|command| *command == "make test\n");
    assert_eq!(test.len(), 1, "the command that runs this test");
    assert!(others.contains(&"make demo\n"));
    for command in others {
        let printed = run(command);
        if !command.starts_with("make -j") {
            let csv = printed.strip_prefix(HEADER).unwrap_or_else(|| panic!("{command}\n{printed}"));
            assert!(csv.lines().count() > 2, "{command}\n{printed}");
        }
    }
}

/// Each interpreter's page is beside it, and in the README; its command prints what the page says, as far as that is the same for
/// every build of the target.
#[test]
fn every_page_is_listed_and_its_command_runs() {
    let starts = [
        HEADER,
        "page,function_index,function,reads,bytes_read,writes,bytes_written,distinct_bytes_written\n",
        "<h1>Hello</h1>",
        "the instruction budget of 100 is spent\nhint: ",
    ];
    for (component, start) in COMPONENTS.iter().zip(starts) {
        let path = component.path.replace(".wasm", ".md");
        assert!(README.contains(&format!("({path})")), "{path}");
        let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).expect("a page");
        let [build, command, ref others @ ..] = blocks(&page, "sh")[..] else { panic!("{path} shows commands") };
        run(build);
        others.iter().for_each(|command| drop(run(command)));
        let printed = run(command);
        assert!(printed.starts_with(start), "{path}\n{printed}");
        // Of another build the lines differ in numbers, and the bytes differ.
        let labels = |text: &str| -> Vec<String> {
            text.lines()
                .filter(|line| !line.starts_with("0x"))
                .filter_map(|line| Some(line.split_once(": ")?.0.to_owned()))
                .collect()
        };
        for shown in blocks(&page, "text") {
            assert_eq!(labels(shown), labels(&printed), "{path}");
        }
    }
}

/// The README leads to every page, and to none that is not there.
#[test]
fn every_page_is_reached() {
    let links = README.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    for link in links.filter(|link| !link.starts_with("http")) {
        let (page, _) = link.split_once('#').unwrap_or((link, ""));
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(page).exists(), "{link}");
    }
    for page in [
        "text/csv/qip-memory-page-writes-csv-to-svg.md",
        "text/markdown/commonmark.0.31.2.md",
        "text/plain/word-counts.md",
        "image/bmp/mandelbrot.md",
        "image/png/png-to-bmp.md",
    ] {
        assert!(README.contains(&format!("({page})")), "{page}");
    }
}

#[test]
fn the_markdown_components_command_runs() {
    let [command] = blocks(include_str!("../../text/markdown/commonmark.0.31.2.md"), "sh")[..] else {
        panic!("the page shows one command")
    };
    let printed = run(command);
    assert!(printed.contains("<p>Some <em>text</em>.</p>"), "{printed}");
}

/// What lies on the pages, in their order.
fn regions(csv: &str) -> Vec<&str> {
    csv.lines().map(|line| line.split(',').nth(1).unwrap_or_default()).collect()
}

/// The counts differ between versions of the compiler that builds the target; what its pages are for does not.
#[test]
fn the_report_shown_is_that_of_the_demo() {
    let shown = blocks(README, "csv");
    assert_eq!(shown.len(), 1);
    assert!(shown[0].starts_with(HEADER));
    let columns = |line: &str| line.split(',').count();
    assert!(shown[0].lines().all(|line| columns(line) == columns(HEADER)));
    assert_eq!(regions(shown[0]), regions(run("make demo").trim_end()));
}

/// The numbers are those of one version of the compiler, and so are the units.
#[test]
fn the_probes_report_shown_is_that_of_the_example() {
    let [shown] = blocks(README, "text")[..] else { panic!("the README shows one report") };
    let words = |report: &str| report.replace(|letter: char| letter.is_ascii_digit(), "").replace("MiB", "KiB");
    assert_eq!(words(shown), words(&run("make probe")));
}

/// The page of the component that explains the modes.
const EXPLAIN_PAGE: &str = include_str!("../../application/wasm/qip-interpret-explain.md");

#[test]
fn the_table_of_modes_is_the_codes() {
    let rows: Vec<String> = Mode::ALL.iter().map(|&mode| format!("| {} | {} |", mode as u8, mode.cause())).collect();
    let shown: Vec<&str> = EXPLAIN_PAGE.lines().skip_while(|line| !line.starts_with("| mode |")).skip(2).collect();
    assert_eq!(shown[..rows.len()], rows);
    assert!(!shown[rows.len()].starts_with('|'));
}

/// A worked example: its commands print what it shows, as far as that is the same for every build. Returns the tables printed.
fn worked_example(page: &str) -> Vec<String> {
    let (commands, tables) = (blocks(page, "sh"), blocks(page, "csv"));
    assert_eq!(commands.len(), tables.len() + 1, "it is built first");
    run(commands[0]);
    let printed: Vec<String> = commands[1..].iter().map(|command| run(command).trim_end().to_owned()).collect();
    for (shown, printed) in tables.iter().zip(&printed) {
        assert!(shown.starts_with(HEADER));
        assert_eq!(regions(shown), regions(printed));
    }
    printed
}

/// The sum of a column.
fn sum(csv: &str, column: &str) -> u64 {
    let index = HEADER.trim_end().split(',').position(|name| name == column).unwrap();
    csv.lines().skip(1).map(|line| line.split(',').nth(index).unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn the_fix_of_the_mandelbrot_components_writes_a_tenth() {
    let [before, after] = &worked_example(include_str!("../../image/bmp/mandelbrot.md"))[..] else {
        panic!("there are two tables")
    };
    assert!(sum(after, "bytes_written") * 10 < sum(before, "bytes_written"), "{before}\n{after}");
}

#[test]
fn the_fix_of_the_png_components_needs_a_frame_less() {
    let page = include_str!("../../image/png/png-to-bmp.md");
    let [before, after] = &worked_example(page)[..] else { panic!("there are two tables") };
    let distinct = |csv| sum(csv, "distinct_bytes_written");
    assert!(distinct(after) + 256 * 256 * 4 - 4096 < distinct(before), "{before}\n{after}");
    remove("squares.bmp");
}

#[test]
fn the_component_in_c_uses_its_memory_as_its_page_says() {
    if word_counts().is_some() {
        worked_example(include_str!("../../text/plain/word-counts.md"));
    }
}

/// Held by a test whose command writes `pages.svg`.
static PICTURE: Mutex<()> = Mutex::new(());

#[test]
fn the_picture_is_what_its_page_says() {
    let page = include_str!("../../text/csv/qip-memory-page-writes-csv-to-svg.md");
    let [command] = blocks(page, "sh")[..] else { panic!("the page shows one command") };
    let _guard = PICTURE.lock().unwrap();
    run(command);
    let svg = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("pages.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"qp\" viewBox=\""), "{svg:.200}");
    assert!(svg.ends_with("</svg>\n\n") && svg.contains("Shadow stack: 1 page deep"), "{svg:.2000}");
    remove("pages.svg");
}

/// In names too that a shell would take apart.
#[test]
fn make_report_prints_the_table_and_writes_the_picture() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("it's a \"folder\"");
    std::fs::create_dir_all(&folder).unwrap();
    let markdown = Path::new(env!("CARGO_MANIFEST_DIR")).join("text/markdown/commonmark.0.31.2.wasm");
    std::fs::copy(markdown, folder.join("its.wasm")).unwrap();
    std::fs::write(folder.join("its.md"), "# Hello").unwrap();
    let quoted = folder.display().to_string().replace('\'', r"'\''");
    let report = format!("make report COMPONENT='{quoted}/its.wasm' INPUT='{quoted}/its.md'");
    let _guard = PICTURE.lock().unwrap();
    let printed = run(&report);
    assert!(printed.starts_with(HEADER) && printed.contains(",data,"), "{printed}");
    remove("pages.svg");

    let refused = output(&(report + " BUDGET=100"));
    assert!(!refused.status.success());
    assert!(
        String::from_utf8_lossy(&refused.stdout).starts_with("the instruction budget of 100 is spent\n"),
        "{refused:?}"
    );
}

#[test]
fn make_says_what_a_command_lacks() {
    assert!(run("make help").contains("\nmake report COMPONENT=FILE "));
    for command in ["make report", "make test-wast"] {
        let output = output(command);
        assert_eq!((output.status.code(), output.stdout), (Some(2), vec![]), "{command}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(&format!("usage: {command} ")));
    }
}

/// Removes what a command wrote.
fn remove(file: &str) {
    std::fs::remove_file(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a command has written it");
}
