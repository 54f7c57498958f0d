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

fn pictures() -> [(String, String); 5] {
    let tiny = csv(&["0,input,5,5,5,0,0,0,", "1,output,0,0,0,5,5,5,1.00"]);
    [csv(&[]), tiny, markdown(), large(), scattered()].map(|csv| {
        let svg = picture(csv.as_bytes()).unwrap();
        (csv, svg)
    })
}

/// The groups of this class.
fn groups<'a>(document: &'a Document, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.has_tag_name("g") && node.attribute("class") == Some(class))
}

/// The texts that an element shows.
fn texts<'a>(node: Node<'a, 'a>) -> Vec<&'a str> {
    node.descendants().filter(|node| node.tag_name().name() == "text").filter_map(|node| node.text()).collect()
}

/// What a row's or cell's tooltip says.
fn tooltip<'a>(node: Node<'a, 'a>) -> &'a str {
    node.children().find(|node| node.tag_name().name() == "title").unwrap().text().unwrap()
}

/// The number that a text begins with.
fn number(text: &str) -> u64 {
    text.split(' ').next().unwrap().replace(',', "").parse().unwrap_or_else(|_| panic!("{text}"))
}

fn document(svg: &str) -> Document<'_> {
    Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"))
}

#[test]
fn a_picture_is_a_file_of_its_own() {
    for (_, svg) in pictures() {
        let document = document(&svg);
        let root = document.root_element();
        assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
        assert_eq!(root.attribute("width"), Some("800"));
        let height: u32 = root.attribute("height").unwrap().parse().unwrap();
        assert_eq!(root.attribute("viewBox"), Some(format!("0 0 800 {height}").as_str()));
        assert!(svg.contains("@media (prefers-color-scheme:dark)"));

        let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        for node in document.descendants().filter(Node::is_element) {
            let name = node.tag_name().name();
            assert!(!["script", "a", "image", "use", "foreignObject"].contains(&name), "{name}");
            for attribute in node.attributes() {
                assert!(!attribute.name().starts_with("on") && attribute.name() != "href", "{}", attribute.name());
                if let Some(id) = attribute.value().strip_prefix("url(#") {
                    assert!(ids.contains(&id.trim_end_matches(')')), "{id}");
                }
            }
            if name == "text" {
                let at = |axis| node.attribute(axis).unwrap().parse::<u32>().unwrap();
                assert!(at("x") < 800 && at("y") < height, "{:?}", node.text());
            }
        }
        for part in svg.split("url(").skip(1) {
            assert!(part.starts_with('#'), "an external reference: {}", &part[..40]);
        }
    }
}

#[test]
fn every_class_has_a_style_and_every_colour_a_dark_one() {
    let svg = &pictures()[3].1;
    let (light, dark) = svg.split_once("@media").unwrap();
    for node in document(svg).descendants() {
        for class in node.attribute("class").into_iter().flat_map(str::split_whitespace) {
            if ["row", "cell", "hit", "e", "b", "c", "h1"].contains(&class) {
                continue;
            }
            for style in [light, dark] {
                let named = [',', '{'].iter().any(|end| style.contains(&format!(".{class}{end}")));
                assert!(named, "{class} in {style}");
            }
        }
    }
}

#[test]
fn a_row_says_what_the_csv_says() {
    let svg = picture(markdown().as_bytes()).unwrap();
    let document = document(&svg);
    let rows: Vec<Node> = groups(&document, "row").collect();
    assert_eq!(rows.len(), markdown().lines().count() - 1);
    for (row, line) in rows.iter().zip(markdown().lines().skip(1)) {
        let columns: Vec<&str> = line.split(',').collect();
        let shown: Vec<String> = texts(*row).iter().map(|text| text.replace(',', "")).collect();
        for column in [0, 1, 4, 6] {
            assert!(shown.iter().any(|text| text == columns[column]), "{} in {shown:?}", columns[column]);
        }
        if columns[2] != "0" {
            assert!(shown.contains(&format!("{} initialized", columns[2])), "{shown:?}");
        }
        if !columns[8].is_empty() {
            assert!(shown.contains(&format!("{}×", columns[8])), "{shown:?}");
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
    assert!(shown.iter().any(|text| text.contains("at most 1 page deep, 65,536 bytes, of which 1,913")), "{shown:?}");
    assert_eq!(groups(&document, "cell").count(), 0, "each page has its row");
}

#[test]
fn bars_are_logarithmic_and_regions_have_patterns() {
    let lines = ["0,data,1,1,1,0,0,0,", "1,stack,0,1,16,1,256,16,16.00", "2,input+output,0,1,256,2,65536,65536,1.00"];
    let svg = picture(csv(&lines).as_bytes()).unwrap();
    let document = document(&svg);
    let width = |row: Node, class: &str| -> f64 {
        let bar = row.descendants().find(|node| node.attribute("class") == Some(class)).unwrap();
        match bar.attribute("width") {
            Some(width) => width.parse().unwrap(),
            None => bar.attribute("d").unwrap().split('h').nth(1).unwrap().split('v').next().unwrap().parse().unwrap(),
        }
    };
    let rows: Vec<Node> = groups(&document, "row").collect();
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 0.2, "{a} {b}");
    let [one, sixteen, two_hundred] = [0, 1, 2].map(|row| width(rows[row], "r"));
    let page = width(rows[2], "w");
    assert!(one > 5.0);
    close(sixteen - one, two_hundred - sixteen);
    close(two_hundred - one, page - two_hundred);
    close(width(rows[0], "w"), 0.0);
    // 16 places written 16 times: as much hatched as lies between 16 and 256.
    close(width(rows[1], "w"), sixteen);
    close(width(rows[1], "o"), two_hundred - sixteen);

    let patterns = |row: Node| -> Vec<String> {
        row.descendants().filter_map(|node| node.attribute("fill")).map(str::to_owned).collect()
    };
    assert_eq!(patterns(rows[0]), ["url(#data)"]);
    assert_eq!(patterns(rows[1]), ["url(#stack)"]);
    assert_eq!(patterns(rows[2]), ["url(#input)", "url(#output)"]);
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
            let span = tooltip(row).split(", ").next().unwrap().split(' ').nth(1).unwrap();
            let (first, last) = span.split_once('–').unwrap_or((span, span));
            let (first, last) = (first.parse::<u64>().unwrap(), last.parse::<u64>().unwrap());
            if next < first {
                assert_eq!(number(folds.next().unwrap()), first - next);
            }
            next = last + 1;
        }
        assert_eq!(folds.next(), None);
        let last: u64 = csv.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
        assert_eq!(next, last + 1);
    }
    let svg = &pictures()[3].1;
    let document = document(svg);
    let spans: Vec<&str> = groups(&document, "row").map(|row| texts(row)[0]).collect();
    let expected = ["15", "16–23", "24", "25–280", "300–1323", "1400–1836", "1837–2571", "2572–3099", "3500–3516"];
    assert_eq!(spans, expected);
}

#[test]
fn the_busiest_pages_have_rows_of_their_own() {
    for (pages, noise, hot, percent) in [(300, 100_000, 137, 81), (24_000, 3_000, 16_789, 20)] {
        let svg = picture(one_hot_of(pages, noise, hot, percent).as_bytes()).unwrap();
        let document = document(&svg);
        let spans: Vec<&str> = groups(&document, "row").map(|row| texts(row)[0]).collect();
        assert!(spans.contains(&hot.to_string().as_str()), "{spans:?}");
        assert!(spans.iter().filter(|span| !span.contains('–')).count() >= 8, "{spans:?}");
        assert!(spans.len() <= 40);
    }
}

#[test]
fn the_map_has_each_page_or_at_most_4096_cells() {
    let [.., (_, large), (_, scattered)] = pictures();
    let document_of_large = document(&large);
    assert_eq!(groups(&document_of_large, "cell").count(), 3007);
    let document = document(&scattered);
    let cells: Vec<u64> = groups(&document, "cell")
        .map(|cell| {
            let pages = tooltip(cell).split(", ").next().unwrap();
            let (first, last) = pages.split(' ').nth(1).unwrap().split_once('–').unwrap();
            (last.parse::<u64>().unwrap() - first.parse::<u64>().unwrap()) / 2 + 1
        })
        .collect();
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
        shown[at + 1..at + 7].to_vec()
    };
    assert_eq!(table("stack"), ["1", "0", "2,000,000", "1,600,000", "4,096", "391×"]);
    assert_eq!(table("output"), ["1,024", "0", "0", "67,108,864", "67,108,864", "1.00×"]);
    let regions = ["data", "input", "data+input", "stack", "output", "other"].map(table);
    for column in 0..5 {
        let sum: u64 = regions.iter().map(|figures| number(figures[column])).sum();
        assert_eq!(sum, number(table("all")[column]));
    }
}

#[test]
fn an_empty_report_is_a_picture_and_a_last_empty_line_does_not_matter() {
    let nothing = picture(HEADER.as_bytes()).unwrap();
    assert!(texts(document(&nothing).root_element()).contains(&"No page was initialized, read or written."));
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
