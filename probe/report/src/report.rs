//! What the probes of a run counted, summed up (docs/spec.md §5).

use std::fmt::Write;

use content_host::Counters;

/// The sums over all instances of a run.
#[derive(Default)]
pub struct Report {
    observed: u32,
    with_probe: u32,
    live: u64,
    peak: u64,
    allocations: u64,
    frees: u64,
}

impl Report {
    /// Adds an instance, with or without a probe.
    pub fn add(&mut self, counters: Option<Counters>) {
        self.observed += 1;
        if let Some(counters) = counters {
            self.with_probe += 1;
            self.live += counters.live;
            self.peak += counters.peak;
            self.allocations += counters.allocations;
            self.frees += counters.frees;
        }
    }

    /// One line.
    pub fn line(&self, scenario: &str) -> String {
        let Self { observed, with_probe, live, peak, allocations, frees } = *self;
        if with_probe == 0 {
            return format!("{scenario}: no allocator probe in {observed} {}", instances(observed));
        }
        format!(
            "{scenario}: allocator probe, requested live {} at the end, peak {}, {allocations} allocations, {frees} frees, in \
             {with_probe} of {observed} {} (requested bytes, not capacity)",
            bytes(live),
            bytes(peak),
            instances(observed)
        )
    }

    /// A JSON object, or `null` without a probe.
    pub fn json(&self) -> String {
        let Self { with_probe, live, peak, allocations, frees, .. } = *self;
        if with_probe == 0 {
            return "null".into();
        }
        let mut json = String::from("{ ");
        let fields = [("live", live), ("peak", peak), ("allocations", allocations), ("frees", frees)];
        write!(json, "\"instances\": {with_probe}").expect("a string takes all text");
        for (name, value) in fields {
            write!(json, ", \"{name}\": {value}").expect("a string takes all text");
        }
        json + " }"
    }
}

fn instances(count: u32) -> &'static str {
    if count == 1 { "instance" } else { "instances" }
}

/// A size with its unit; from a KiB on with one decimal.
fn bytes(count: u64) -> String {
    let mut size = count as f64;
    let mut units = ["B", "KiB", "MiB", "GiB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    // 1023.95 and more would print as 1024.0.
    while size >= 1023.95 {
        let Some(next) = units.next() else { break };
        (size, unit) = (size / 1024.0, next);
    }
    if unit == "B" { format!("{count} B") } else { format!("{size:.1} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTERS: Counters = Counters { live: 90, peak: 1_258_291, allocations: 119_941, frees: 119_931 };

    #[test]
    fn a_line_reads_as_the_specification_shows() {
        let mut report = Report::default();
        report.add(Some(COUNTERS));
        assert_eq!(
            report.line("a run"),
            "a run: allocator probe, requested live 90 B at the end, peak 1.2 MiB, 119941 allocations, 119931 frees, in 1 of 1 \
             instance (requested bytes, not capacity)"
        );
    }

    #[test]
    fn instances_add_up_and_those_without_a_probe_are_named() {
        let mut report = Report::default();
        report.add(None);
        assert_eq!((report.json(), report.line("x")), ("null".into(), "x: no allocator probe in 1 instance".into()));
        report.add(Some(COUNTERS));
        report.add(Some(COUNTERS));
        assert_eq!(
            report.json(),
            r#"{ "instances": 2, "live": 180, "peak": 2516582, "allocations": 239882, "frees": 239862 }"#
        );
        assert!(report.line("x").contains("in 2 of 3 instances"));
    }

    #[test]
    fn sizes_have_units() {
        let shown = [0, 1023, 1024, 1536, 1_048_575, 1 << 20, 5 << 30].map(bytes);
        assert_eq!(shown, ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "1.0 MiB", "1.0 MiB", "5.0 GiB"]);
    }
}
