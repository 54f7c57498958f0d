//! What the picture says, read back from its XML.

use std::fmt::Write;

use page_csv_to_svg::pages::HEADER;
use page_csv_to_svg::{Mode, Rejection, picture};
use roxmltree::{Document, Node};

/// A CSV of these lines.
fn csv(lines: &[&str]) -> String {
    lines.iter().fold(HEADER.to_owned(), |csv, line| csv + line + "\n")
}

/// The README's report of the Markdown target.
fn markdown() -> String {
    let readme = include_str!("../../../README.md");
    readme.split("```csv\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

/// 3,007 pages: a stack, tables, an input, an output written once, and scratch memory, where no two pages are equal.
fn large() -> String {
    let mut csv = csv(&["15,stack,0,500000,2000000,400000,1600000,4096,390.63"]);
    (16..24).for_each(|page| writeln!(csv, "{page},data,65536,{0},{0},0,0,0,", 60_000 + page).unwrap());
    csv += "24,data+input,30000,100,4000,100,4000,400,10.00\n";
    (25..281).for_each(|page| writeln!(csv, "{page},input,65536,4096,65536,0,0,0,").unwrap());
    (300..1324).for_each(|page| writeln!(csv, "{page},output,0,0,0,16384,65536,65536,1.00").unwrap());
    (1400..3100).for_each(|page| writeln!(csv, "{page},other,0,1,{page},9,131072,65536,2.00").unwrap());
    (3500..3517).for_each(|page| writeln!(csv, "{page},other,0,9,7200000,9,6553600,65536,100.00").unwrap());
    csv
}

/// Pages of noise up to this many bytes on each, of which one takes `percent` of all bytes.
fn one_hot_of(pages: u64, noise: u64, hot: u64, percent: u64) -> String {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % noise + 1
    };
    let mut bytes: Vec<[u64; 2]> = (0..pages).map(|_| [random(), random()]).collect();
    let all: u64 = bytes.iter().flatten().sum();
    bytes[hot as usize] = [all * percent / (100 - percent) / 2; 2];
    bytes.iter().enumerate().fold(csv(&[]), |mut csv, (page, [read, written])| {
        let distinct = (*written).min(65_536);
        let ratio = (written * 200 + distinct) / (distinct * 2);
        writeln!(csv, "{page},other,0,1,{read},1,{written},{distinct},{}.{:02}", ratio / 100, ratio % 100).unwrap();
        csv
    })
}

/// Every second page, each of another kind than its neighbours, with counts up to the largest.
fn scattered() -> String {
    let regions = ["data", "input", "data+input+stack+output", "other", "output"];
    (0..65_536).step_by(2).fold(csv(&[]), |csv, page| {
        let bytes = u64::MAX >> (page % 64);
        csv + &format!("{page},{},0,1,{bytes},1,{bytes},1,{bytes}.00\n", regions[page / 2 % 5])
    })
}

fn pictures() -> [(String, String); 6] {
    let tiny = csv(&["0,input,5,5,5,0,0,0,", "1,output,0,0,0,5,5,5,1.00"]);
    [csv(&[]), tiny, markdown(), one_hot_of(300, 100_000, 137, 81), large(), scattered()].map(|csv| {
        let svg = picture(csv.as_bytes()).unwrap();
        (csv, svg)
    })
}

/// The elements that have this class, without the prefix.
fn classed<'a>(node: Node<'a, 'a>, class: &str) -> impl Iterator<Item = Node<'a, 'a>> {
    let class = format!("qp-{class}");
    let has = move |node: &Node| node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class));
    node.descendants().filter(has)
}

/// The groups of this class.
fn groups<'a>(document: &'a Document, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    classed(document.root(), class).filter(|node| node.has_tag_name("g"))
}

/// The texts that an element shows.
fn texts<'a>(node: Node<'a, 'a>) -> Vec<&'a str> {
    let texts = node.descendants().filter(|node| ["text", "tspan"].contains(&node.tag_name().name()));
    texts.filter_map(|node| Some(node.text()?.trim_end())).collect()
}

/// What an element's own `title` or `desc` says.
fn said<'a>(node: Node<'a, 'a>, name: &str) -> &'a str {
    node.children().find(|node| node.tag_name().name() == name).unwrap().text().unwrap()
}

/// What a row's or cell's tooltip says.
fn tooltip<'a>(node: Node<'a, 'a>) -> &'a str {
    said(node, "title")
}

/// The pages that a row or cell stands for.
fn span(node: Node) -> (u64, u64) {
    let span = tooltip(node).split(", ").next().unwrap().split(' ').nth(1).unwrap();
    let (first, last) = span.split_once('–').unwrap_or((span, span));
    (first.parse().unwrap(), last.parse().unwrap())
}

/// The rows or cells with a number in a disc.
fn numbered<'a>(document: &'a Document) -> Vec<(&'a str, u64)> {
    let rows = groups(document, "row");
    rows.filter_map(|row| Some((classed(row, "number").next()?.text()?, span(row).0))).collect()
}

/// Where a bar or mark begins.
fn left(path: Node) -> f64 {
    path.attribute("d").unwrap()[1..].split(' ').next().unwrap().parse().unwrap()
}

/// How long a bar is.
fn long(path: Node) -> f64 {
    path.attribute("d").unwrap().split('h').nth(1).unwrap().split('v').next().unwrap().parse().unwrap()
}

/// The number that a text begins with.
fn number(text: &str) -> u64 {
    text.split(' ').next().unwrap().replace(',', "").parse().unwrap_or_else(|_| panic!("{text}"))
}

fn document(svg: &str) -> Document<'_> {
    Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"))
}

#[test]
fn a_picture_is_a_file_of_its_own_that_scales() {
    for (_, svg) in pictures() {
        let document = document(&svg);
        let root = document.root_element();
        assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
        assert_eq!((root.attribute("width"), root.attribute("height"), root.attribute("style")), (None, None, None));
        let size = root.attribute("viewBox").unwrap().strip_prefix("0 0 680 ").unwrap();
        let height: u32 = size.parse().unwrap();
        assert!(svg.contains(".qp.qp{display:block;width:100%;max-width:1000px;height:auto;"));
        assert!(svg.contains(".qp.qp{background:#fff}") && svg.contains(".qp.qp{background:#0d1117}"));

        let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        for node in document.descendants().filter(Node::is_element) {
            if node.tag_name().name() == "text" {
                let at = |axis| node.attribute(axis).unwrap().parse::<u32>().unwrap();
                assert!(at("x") < 680 && at("y") < height, "{:?}", node.text());
            }
        }
        for part in svg.split("url(").skip(1) {
            let id = part.strip_prefix('#').expect("no external reference").split(')').next().unwrap();
            assert!(ids.contains(&id), "{id}");
        }
    }
}

/// Within a page a picture changes nothing outside, and the page's rules for elements change nothing within.
#[test]
fn every_name_has_the_prefix_and_every_rule_holds_within_the_picture() {
    const ELEMENTS: [&str; 10] = ["svg", "title", "desc", "style", "defs", "pattern", "g", "path", "text", "tspan"];
    for (_, svg) in pictures() {
        let document = document(&svg);
        for node in document.descendants().filter(Node::is_element) {
            let name = node.tag_name().name();
            assert!(ELEMENTS.contains(&name), "{name}");
            for attribute in node.attributes() {
                let (attribute, value) = (attribute.name(), attribute.value());
                match attribute {
                    "class" => assert!(value.split(' ').all(|one| one.starts_with("qp-")) || value == "qp", "{value}"),
                    "id" => assert!(value.starts_with("qp-"), "{value}"),
                    // What a page's style sheet would override: colours come from classes.
                    _ => assert!(
                        ["viewBox", "role", "d", "x", "y", "textLength", "lengthAdjust"].contains(&attribute)
                            || name == "pattern",
                        "{name} {attribute}"
                    ),
                }
            }
        }
        let style = document.descendants().find(|node| node.has_tag_name("style")).unwrap().text().unwrap();
        let rules = style.split(['{', '}', ',']).filter(|part| !part.contains(':') && !part.is_empty());
        let selectors: Vec<&str> =
            rules.filter(|part| !["Helvetica", "sans-serif;"].iter().any(|font| part.starts_with(font))).collect();
        assert!(selectors.len() > 90);
        selectors.iter().for_each(|selector| assert!(selector.starts_with(".qp.qp"), "{selector}"));
    }
}

#[test]
fn every_class_has_a_style_and_every_colour_a_dark_one() {
    for (_, svg) in pictures() {
        let (light, dark) = svg.split_once("@media (prefers-color-scheme:dark)").unwrap();
        for node in document(&svg).descendants() {
            for class in node.attribute("class").into_iter().flat_map(str::split_whitespace) {
                let without_colour =
                    ["row", "cell", "hit", "e", "b", "c", "h1", "key", "data", "input", "stack", "output"];
                if class == "qp" || without_colour.contains(&&class[3..]) {
                    continue;
                }
                for style in [light, dark] {
                    assert!(style.contains(&format!(".qp.qp .{class}{{")), "{class} in {style}");
                }
            }
        }
    }
}

#[test]
fn the_first_sentence_tells_the_story() {
    let output = (0..1024).fold(csv(&["0,stack,0,1,4,1,4,4,1.00"]), |csv, page| {
        csv + &format!("{},output,0,0,0,1,65536,65536,1.00\n", page + 16)
    });
    let cases = [
        (markdown(), "Page 34 (input+output) takes 37 % of all bytes"),
        (one_hot_of(300, 100_000, 137, 81), "Page 137 (other) takes 81 % of all bytes"),
        (one_hot_of(24_000, 3_000, 16_789, 20), "Page 16789 (other) takes 20 % of all bytes"),
        (output, "1,024 pages (output) take > 99 % of all bytes, none stands out"),
        (csv(&["3,data,9,0,0,0,0,0,"]), "9 bytes initialized, none read or written"),
        (csv(&[]), "No page was initialized, read or written"),
    ];
    for (csv, sentence) in cases {
        let svg = picture(csv.as_bytes()).unwrap();
        let document = document(&svg);
        let root = document.root_element();
        assert_eq!((said(root, "title"), texts(root)[0]), (sentence, sentence));
    }
    let svg = picture(markdown().as_bytes()).unwrap();
    let details = [
        "All bytes: 172,716 read and 79,517 written, on 6 touched pages of 64 KiB.",
        "Page 34 takes 29 % of the bytes read and 56 % of the bytes written.",
        "Pages 34, 15 and 16 together take 87 % of all bytes.",
        "Shadow stack: 1 page deep (page 15); the CSV does not have its depth in bytes.",
    ];
    let document = document(&svg);
    assert_eq!(said(document.root_element(), "desc"), details.join(" "));
    assert_eq!(texts(document.root_element())[1..5], details);
}

#[test]
fn a_row_says_what_the_csv_says() {
    let svg = picture(markdown().as_bytes()).unwrap();
    let document = document(&svg);
    let rows: Vec<Node> = groups(&document, "row").collect();
    assert_eq!(rows.len(), markdown().lines().count() - 1);
    let shares = ["28 %", "22 %", "8.4 %", "4.5 %", "37 %", "< 0.1 %"];
    for ((row, line), share) in rows.iter().zip(markdown().lines().skip(1)).zip(shares) {
        let columns: Vec<&str> = line.split(',').collect();
        let shown: Vec<String> = texts(*row).iter().map(|text| text.replace(',', "")).collect();
        assert!(shown.iter().any(|text| text == share), "{share} in {shown:?}");
        for column in [0, 1, 4, 6] {
            assert!(shown.iter().any(|text| text == columns[column]), "{} in {shown:?}", columns[column]);
        }
        if columns[2] != "0" {
            assert!(
                ["initialized", columns[2]].iter().all(|text| shown.iter().any(|shown| shown == text)),
                "{shown:?}"
            );
        }
        if !columns[8].is_empty() {
            assert!(shown.contains(&columns[7].to_owned()) && shown.contains(&format!("{}×", columns[8])), "{shown:?}");
        }
        let tip = tooltip(*row).replace(',', "");
        for count in &columns[2..8] {
            assert!(tip.contains(count), "{count} in {tip}");
        }
    }
    let shown = texts(document.root_element());
    for fold in ["15 untouched pages, 0–14", "15 untouched pages, 19–33", "959 untouched pages, 35–993"] {
        assert!(shown.contains(&fold), "{fold} in {shown:?}");
    }
    assert_eq!(numbered(&document), [("2", 15), ("3", 16), ("1", 34)]);
    assert_eq!(groups(&document, "cell").count(), 0, "each page has its row");
}

#[test]
fn bars_are_logarithmic_shares_are_linear_and_distinct_is_a_mark() {
    let lines = ["0,data,256,1,1,0,0,0,", "1,stack,0,1,16,1,256,16,16.00", "2,input+output,0,1,256,2,65536,65536,1.00"];
    let svg = picture(csv(&lines).as_bytes()).unwrap();
    let document = document(&svg);
    let rows: Vec<Node> = groups(&document, "row").collect();
    // The first bar of what is read and of what is written is the share.
    let bar = |row: usize, class| classed(rows[row], class).last().unwrap();
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 0.21, "{a} {b}");
    let [one, sixteen, two_hundred] = [0, 1, 2].map(|row| long(bar(row, "r")));
    let page = long(bar(2, "w"));
    assert!(one > 5.0);
    close(sixteen - one, two_hundred - sixteen);
    close(two_hundred - one, page - two_hundred);
    close(long(bar(0, "w")), 0.0);
    close(long(bar(0, "i")), two_hundred);
    assert_eq!(classed(rows[1], "i").count(), 0);
    // 16 places written 16 times: the bar is as long as 256, and has a mark at 16.
    close(long(bar(1, "w")), two_hundred);
    close(left(bar(1, "mark")) - left(bar(1, "w")), sixteen);
    close(left(bar(2, "mark")) - left(bar(2, "w")), page);
    assert_eq!(classed(rows[0], "mark").count(), 0);

    let share = |row: usize, class| long(classed(rows[row], class).next().unwrap());
    let all = 1.0 + 16.0 + 256.0 + 256.0 + 65536.0;
    close(share(2, "r"), 80.0 * 256.0 / all);
    close(share(2, "w"), 80.0 * 65536.0 / all);
    close(share(1, "track"), 80.0);

    let patterns = |row: usize| -> Vec<&str> {
        let mut names = vec!["data", "input", "stack", "output", "other"];
        names.retain(|name| classed(rows[row], name).count() > 0);
        names
    };
    assert_eq!(patterns(0), ["data"]);
    assert_eq!(patterns(1), ["stack"]);
    assert_eq!(patterns(2), ["input", "output"]);
}

/// One page among noise: it has a row and its number is 1, and in the map it alone is hot.
#[test]
fn the_hot_page_is_seen_among_300_and_24_000() {
    for (pages, noise, hot, percent) in [(300, 100_000, 137, 81), (24_000, 3_000, 16_789, 20)] {
        let svg = picture(one_hot_of(pages, noise, hot, percent).as_bytes()).unwrap();
        let document = document(&svg);
        let rows: Vec<Node> = groups(&document, "row").collect();
        assert!((17..=40).contains(&rows.len()), "8 busiest pages with the stretches between them: {}", rows.len());
        assert!(rows.iter().filter(|row| span(**row).0 == span(**row).1).count() >= 8);
        let row = rows.iter().find(|row| span(**row) == (hot, hot)).expect("a row of its own");
        assert!(texts(*row).contains(&format!("{percent} %").as_str()), "{:?}", texts(*row));
        assert_eq!(classed(*row, "busy").count(), 1);
        assert_eq!(rows.iter().filter(|row| classed(**row, "busy").count() > 0).count(), 1);
        let numbered = numbered(&document);
        assert!(numbered.len() == 3 && numbered.contains(&("1", hot)), "{numbered:?}");

        let is_hot = |cell: &Node| classed(*cell, "w6").chain(classed(*cell, "r6")).count() == 2;
        let cells: Vec<Node> = groups(&document, "cell").filter(is_hot).collect();
        let [cell] = cells[..] else { panic!("{} hot cells", cells.len()) };
        let (first, last) = span(cell);
        assert!((first..=last).contains(&hot));
        // Beside the rows' numbers there are those in the map.
        assert_eq!(classed(document.root(), "number").count(), 6);
    }
}

#[test]
fn what_is_only_initialized_is_said_and_seen() {
    let mut csv = csv(&["0,stack,0,1000,4000,1000,4000,40,100.00"]);
    (1..50).for_each(|page| {
        let read = if page == 20 { 0 } else { 65_536 };
        writeln!(csv, "{page},data,65536,{},{read},0,0,0,", read / 4).unwrap();
    });
    let svg = picture(csv.as_bytes()).unwrap();
    let document = document(&svg);
    assert!(texts(document.root_element()).contains(&"Never read: 1 page with 65,536 bytes initialized."));
    let row = groups(&document, "row").find(|row| span(*row) == (20, 20)).expect("it is merged with no other");
    assert!(texts(row).contains(&"0 %"));
    assert!(long(classed(row, "i").next().unwrap()) > 100.0);
    let unread: Vec<_> = groups(&document, "cell").filter(|cell| classed(*cell, "i").count() > 0).map(span).collect();
    assert_eq!(unread, [(20, 20)]);
}

#[test]
fn pages_that_are_all_alike_share_a_row_and_none_is_numbered() {
    let csv = (0..100).fold(csv(&[]), |csv, page| csv + &format!("{page},output,0,0,0,1,65536,65536,1.00\n"));
    let svg = picture(csv.as_bytes()).unwrap();
    let document = document(&svg);
    assert_eq!(groups(&document, "row").map(span).collect::<Vec<_>>(), [(0, 99)]);
    assert_eq!(classed(document.root(), "number").count(), 0);
    assert_eq!(classed(document.root(), "w4").count() - 1, 100, "written once is not hot");
}

#[test]
fn pages_used_alike_share_a_row_and_no_page_is_lost() {
    for (csv, svg) in &pictures()[1..] {
        let document = document(svg);
        let rows: Vec<Node> = groups(&document, "row").collect();
        assert!(rows.len() <= 40);
        // Pages of the rows and of the stretches between them are all pages from the first to the last.
        let mut next = 0;
        let is_fold = |text: &&str| text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(" untouched page");
        let mut folds = texts(document.root_element()).into_iter().filter(is_fold);
        for row in rows {
            let (first, last) = span(row);
            if next < first {
                assert_eq!(number(folds.next().unwrap()), first - next);
            }
            next = last + 1;
        }
        assert_eq!(folds.next(), None);
        let last: u64 = csv.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
        assert_eq!(next, last + 1);
    }
    let svg = &pictures()[4].1;
    let document = document(svg);
    let spans: Vec<_> = groups(&document, "row").map(span).collect();
    let expected =
        [(15, 15), (16, 23), (24, 24), (25, 280), (300, 1323), (1400, 1836), (1837, 2571), (2572, 3099), (3500, 3516)];
    assert_eq!(spans, expected);
}

#[test]
fn the_map_has_each_page_or_at_most_4096_cells() {
    let [.., (_, large), (_, scattered)] = pictures();
    let document_of_large = document(&large);
    assert_eq!(groups(&document_of_large, "cell").count(), 3007);
    let document = document(&scattered);
    let pages = |cell| (span(cell).1 - span(cell).0) / 2 + 1;
    let cells: Vec<u64> = groups(&document, "cell").map(pages).collect();
    assert!(cells.len() <= 4096);
    assert_eq!(cells.iter().sum::<u64>(), 32_768);
    assert!(scattered.len() < 4 << 20, "more than the output's capacity: {}", scattered.len());
}

#[test]
fn totals_add_up() {
    let svg = picture(large().as_bytes()).unwrap();
    let document = document(&svg);
    let shown = texts(document.root_element());
    let table = |name: &str| -> Vec<&str> {
        let at = shown.iter().position(|text| *text == name).unwrap_or_else(|| panic!("{name} in {shown:?}"));
        shown[at + 1..at + 8].to_vec()
    };
    assert_eq!(table("stack"), ["0.7 %", "1", "0", "2,000,000", "1,600,000", "4,096", "391×"]);
    assert_eq!(table("output"), ["12 %", "1,024", "0", "0", "67,108,864", "67,108,864", "1.00×"]);
    let regions = ["data", "input", "data+input", "stack", "output", "other"].map(table);
    for column in 1..6 {
        let sum: u64 = regions.iter().map(|figures| number(figures[column])).sum();
        assert_eq!(sum, number(table("all")[column]));
    }
}

/// The picture at the top of the README is that of the table in it, whatever the target's build of today would give.
#[test]
fn the_readmes_picture_is_that_of_its_table() {
    let svg = picture(markdown().as_bytes()).unwrap();
    let shown = include_str!("../../../docs/pages.svg");
    assert!(svg == shown, "`make docs/pages.svg` draws it anew; README's table must be that of `make demo`");
    let sentence = said(document(&svg).root_element(), "title").to_owned();
    let readme = include_str!("../../../README.md");
    assert!(
        readme.contains(&format!("\n![The report below as a picture: {sentence}](docs/pages.svg)\n")),
        "{sentence}"
    );
}

#[test]
fn an_empty_report_is_a_picture_and_a_last_empty_line_does_not_matter() {
    let nothing = picture(HEADER.as_bytes()).unwrap();
    assert!(texts(document(&nothing).root_element()).contains(&"No page was initialized, read or written"));
    assert_eq!(picture(format!("{HEADER}\n").as_bytes()).unwrap(), nothing);
    assert_eq!(picture((markdown() + "\n").as_bytes()), picture(markdown().as_bytes()));
}

#[test]
fn line_ends_may_be_crlf_and_a_byte_order_mark_may_come_first() {
    let expected = picture(markdown().as_bytes()).unwrap();
    let crlf = markdown().replace('\n', "\r\n");
    for csv in [format!("\u{feff}{}", markdown()), crlf.clone(), format!("\u{feff}{crlf}"), crlf.clone() + "\r\n\r\n"] {
        assert_eq!(picture(csv.as_bytes()).as_ref(), Ok(&expected), "{csv:?}");
    }
    // Faults are at the byte where they are.
    let header = HEADER.len();
    let cases = [
        (format!("\u{feff}{HEADER}x"), 3 + header + 1, Mode::Line),
        (format!("\u{feff}{HEADER}x\n"), 3 + header + 1, Mode::Line),
        (csv(&["1,heap,0,0,0,0,0,0,"]).replace('\n', "\r\n"), header + 1 + 2, Mode::Region),
        (csv(&["1,other,0,0,0,0,0,0,\r"]).replace('\n', "\r\n"), header + 1 + 20, Mode::Number),
        (format!("{}\r", HEADER.trim_end()), header - 1, Mode::Header),
        (format!("\u{feff}\u{feff}{HEADER}"), 3, Mode::Header),
        (markdown().replace('\n', "\r"), header - 1, Mode::Header),
    ];
    for (csv, offset, mode) in cases {
        assert_eq!(picture(csv.as_bytes()).err(), Some(Rejection { mode, offset: offset as u32 }), "{csv:?}");
    }
}

/// No text of the CSV reaches the picture but what is a number or a region; `svg.rs` tests that elements escape what they say.
#[test]
fn markup_in_a_csv_is_refused() {
    let good: Vec<&str> = "15,stack,0,8925,39510,6420,31496,1913,16.46".split(',').collect();
    for at in 0..good.len() {
        for markup in ["<script>", "&lt;", "\"", "stack<", "1&", "]]>", "1<"] {
            let mut fields = good.clone();
            fields[at] = markup;
            picture(csv(&[&fields.join(",")]).as_bytes()).unwrap_err();
        }
    }
}

#[test]
fn what_is_no_page_csv_is_refused_at_its_byte() {
    let row = HEADER.len();
    let good = "15,stack,0,8925,39510,6420,31496,1913,16.46";
    let after = csv(&[good]).len();
    let cases = [
        ("", 0, Mode::Header),
        ("page,region\n", 11, Mode::Header),
        (&HEADER[..row - 1], row - 1, Mode::Header),
        (&(HEADER.to_owned() + "15"), row + 2, Mode::Line),
        (&(HEADER.to_owned() + good), row + good.len(), Mode::Line),
        (&csv(&["", good]), row, Mode::Line),
        (&csv(&["15,stack"]), row + 8, Mode::Line),
        (&csv(&[&(good.to_owned() + ",1")]), row + good.len(), Mode::Line),
        (&csv(&["+1,stack,0,0,0,0,0,0,"]), row, Mode::Number),
        (&csv(&["01,stack,0,0,0,0,0,0,"]), row, Mode::Number),
        (&csv(&["65536,stack,0,0,0,0,0,0,"]), row, Mode::Number),
        (&csv(&["1,stack,,0,0,0,0,0,"]), row + 8, Mode::Number),
        (&csv(&["1,stack,0,0,0,0,18446744073709551616,0,"]), row + 16, Mode::Number),
        (&csv(&["1,stack,0,0,0,1,65537,65537,1.00"]), row + 22, Mode::Number),
        (&csv(&["1,stack,0,0,0,1,1,1,1.0"]), row + 20, Mode::Number),
        (&csv(&["1,stack,0,0,0,1,1,1,1,00"]), row + 21, Mode::Line),
        (&csv(&["1,heap,0,0,0,0,0,0,"]), row + 2, Mode::Region),
        (&csv(&["1,,0,0,0,0,0,0,"]), row + 2, Mode::Region),
        (&csv(&["1,input+data,0,0,0,0,0,0,"]), row + 2, Mode::Region),
        (&csv(&["1,data+data,0,0,0,0,0,0,"]), row + 2, Mode::Region),
        (&csv(&["1,data+other,0,0,0,0,0,0,"]), row + 2, Mode::Region),
        (&csv(&[good, good]), after, Mode::Order),
        (&csv(&[good, "14,stack,0,0,0,0,0,0,"]), after, Mode::Order),
        (&csv(&["1,stack,0,0,1,0,0,0,"]), row, Mode::Figures),
        (&csv(&["1,stack,0,0,0,1,1,2,0.50"]), row, Mode::Figures),
        (&csv(&["1,stack,0,0,0,1,16,8,2.01"]), row + 21, Mode::Figures),
        (&csv(&["1,stack,0,0,0,1,16,8,"]), row + 21, Mode::Figures),
    ];
    for (csv, offset, mode) in cases {
        let expected = Rejection { mode, offset: offset as u32 };
        assert_eq!(picture(csv.as_bytes()).err(), Some(expected), "{csv}");
        assert_eq!(expected.pack(), offset as u32 * 8 + mode as u32);
    }
}

#[test]
fn damaged_reports_are_drawn_or_refused_within_them() {
    let csv = markdown().into_bytes();
    let mut refused = 0;
    for at in 0..csv.len() {
        for byte in [b'0', b',', b'\n', b'+', 0xff] {
            let mut damaged = csv.clone();
            damaged[at] = byte;
            for csv in [&damaged[..], &damaged[..at], &[&csv[..at], &[byte], &csv[at..]].concat()] {
                if let Err(rejection) = picture(csv) {
                    refused += 1;
                    assert!(rejection.offset as usize <= csv.len());
                }
            }
        }
    }
    assert!(refused > csv.len() * 10);
}
