//! The picture of a run that touches some 3,000 pages: what it shows is what the run did.

use crate::support::{Form, HEADER, PAGE_WRITES, Tool, assemble};

/// The report, and its picture.
fn report() -> (String, String) {
    let wasm = assemble(include_str!("picture/three_thousand_pages.wat"));
    let form = Form::component(&wasm).input(&vec![b'x'; 6_000_000]);
    let csv = PAGE_WRITES.render_text(&form, 10_000_000).unwrap();
    let svg = page_csv_to_svg::picture(csv.as_bytes()).unwrap();
    (csv, svg)
}

/// The elements of this class, each up to the next one.
fn elements<'a>(svg: &'a str, class: &str) -> Vec<&'a str> {
    let opening = format!("<g class=\"qp-{class}\">");
    let starts = svg.match_indices(&opening).map(|(start, _)| &svg[start + opening.len()..]);
    starts.map(|rest| rest.split_once("</g>").unwrap().0).collect()
}

/// What the tooltip says, and the pages it begins with.
fn tooltip(element: &str) -> (&str, &str) {
    let tip = element.strip_prefix("<title>").unwrap().split_once("</title>").unwrap().0;
    (tip, tip.split_once(", ").unwrap().0)
}

#[test]
fn pages_that_were_used_alike_share_a_row() {
    let (_, svg) = report();
    let rows = elements(&svg, "row");
    let pages: Vec<&str> = rows.iter().map(|row| tooltip(row).1).collect();
    // The stack; tables and input; the ring, whose pages are the busiest; the hash table; the matrix, by octaves; every third page;
    // the output; constants.
    let expected = "pages 13–15,page 16,page 17,page 18,page 19,pages 20–112,\
        page 256,page 257,page 258,page 259,page 260,page 261,page 262,page 263,pages 512–1535,\
        pages 2048–2063,pages 2064–2111,pages 2112–2175,pages 2176–2303,pages 2304–2559,\
        pages 3072–3837,pages 4096–4607,pages 4608–5119,page 8191";
    assert_eq!(pages.join(","), expected);

    let row = |first: &str| *rows.iter().find(|row| tooltip(row).1.contains(first)).unwrap();
    for (first, texts) in [
        ("13–", &[">3 pages<", ">16.00×<", "qp-stack"][..]),
        ("20–", &[">93 pages<", ">initialized<", ">ø 64,516<", ">ø 4,032<", ">ø 0<", "qp-input"]),
        ("256", &[">0x1000000<", ">1.8 %<", ">3,276,800<", ">65,536<", ">50.00×<", "qp-other"]),
        ("512–", &[">1,024 pages<", ">ø 77<"]),
        ("3072–", &[">256 of them<", ">ø 1<", ">1.00×<"]),
        ("4608–", &[">512 pages<", ">ø 131,072<", ">2.00×<", "qp-output"]),
        ("8191", &[">initialized<", ">9<", ">8<", "qp-data"]),
    ] {
        texts.iter().for_each(|text| assert!(row(first).contains(text), "{text} in {}", row(first)));
    }
    for between in ["13 untouched pages, 0–12", "512 untouched pages, 1536–2047", "3,071 untouched pages, 5120–8190"]
    {
        assert!(svg.contains(&format!(">{between}<")), "{between}");
    }
    assert!(svg.contains("Shadow stack: 3 pages deep (pages 13–15); the CSV does not have its depth in bytes."));
}

#[test]
fn every_page_has_its_cell_with_its_figures() {
    let (csv, svg) = report();
    let cells = elements(&svg, "cell");
    assert_eq!(cells.len(), 2_925);
    assert_eq!(cells.len(), csv.lines().count() - 1);
    for (cell, line) in cells.iter().zip(csv.lines().skip(1)) {
        let columns: Vec<&str> = line.split(',').collect();
        let (tip, page) = tooltip(cell);
        assert_eq!(page, format!("page {}", columns[0]));
        let tip = tip.replace(',', "");
        let plural = |count| if count == "1" { "" } else { "s" };
        let [reads, writes] = [3, 5].map(|column| plural(columns[column]));
        let expected = format!(
            "{} bytes initialized; {} read in {} read{reads}; {} written in {} write{writes}; {} distinct",
            columns[2], columns[4], columns[3], columns[6], columns[5], columns[7]
        );
        assert!(tip.contains(&expected), "{tip}\ninstead of\n{expected}");
    }
}

/// One instance draws report after report, each as the library does, and nothing but the picture stays allocated.
#[test]
fn one_instance_draws_reports_as_the_library_does() {
    let (csv, _) = report();
    let largest =
        (0..65_536).fold(HEADER.to_owned(), |csv, page| csv + &format!("{page},other,0,1,{page}1,1,9,9,1.00\n"));
    let reports = [
        &largest,
        &csv,
        HEADER,
        &csv[..csv.len() - 1],
        &csv.replace("other", "heap"),
        &(HEADER.to_owned() + "0,data,1,0,0,0,0,0,\n"),
    ];
    let mut tool = Tool::at("text/csv/qip-memory-page-writes-csv-to-svg.wasm");
    assert_eq!(tool.counters().live, 0);
    let mut rounds: Vec<_> = (0..6)
        .map(|_| {
            let live = reports.map(|csv| {
                let expected = page_csv_to_svg::picture(csv.as_bytes()).map_err(|rejection| rejection.pack());
                assert!(tool.render_input(csv.as_bytes()) == expected.clone().map(String::into_bytes), "{csv:.200}");
                let live = tool.counters().live;
                match expected {
                    Ok(svg) => assert!(live >= svg.len() as u64),
                    Err(_) => assert_eq!(live, 0),
                }
                live
            });
            (live, tool.counters().peak, tool.counters().allocations - tool.counters().frees)
        })
        .collect();
    rounds.dedup();
    assert_eq!(rounds.len(), 1, "live bytes and the peak of each round: {rounds:?}");
}
