//! Lanes in V8, which `measure.mjs` runs in Node.js.

use std::process::{Command, Stdio};

use crate::lane::{Lane, Samples};
use crate::workload::{BUILT, path};

/// Node.js's version, with V8's; `None` where it is not installed.
pub fn version() -> Option<String> {
    let versions = "process.stdout.write(`Node.js ${process.versions.node}, V8 ${process.versions.v8}`)";
    let output = Command::new("node").args(["-e", versions]).output().ok()?;
    String::from_utf8(output.stdout).ok()
}

/// Milliseconds of the first call in a fresh process, by the clock on the wall.
pub fn first_call(lane: &Lane) -> f64 {
    measure(std::slice::from_ref(lane), 0, 1)[0].first[0]
}

/// Renders with all lanes in turn, `rounds` times in each of `processes`, whose first calls are the first ever.
pub fn measure(lanes: &[Lane], rounds: usize, processes: usize) -> Vec<Samples> {
    let directory = path(BUILT).join("v8");
    std::fs::create_dir_all(&directory).expect("the directory of built modules is writable");
    let mut arguments = vec![path("benches/host/measure.mjs").into_os_string(), rounds.to_string().into()];
    let mut answers = Vec::new();
    for (index, lane) in lanes.iter().enumerate() {
        let file = |kind: &str| directory.join(format!("{index}.{kind}"));
        std::fs::write(file("full"), &lane.full).unwrap();
        std::fs::write(file("empty"), &lane.empty).unwrap();
        let files = [lane.module.clone(), file("full"), file("empty"), file("answer")];
        arguments.extend(files.map(Into::into));
        answers.push(file("answer"));
    }

    let mut all = vec![Samples::default(); lanes.len()];
    for _ in 0..processes {
        let output = Command::new("node").args(&arguments).stderr(Stdio::inherit()).output().expect("node runs");
        assert!(output.status.success(), "measure.mjs failed");
        let times = String::from_utf8(output.stdout).unwrap();
        for (samples, line) in all.iter_mut().zip(times.lines()) {
            let mut times = line.split(' ').map(|time| time.parse::<f64>().expect("measure.mjs prints numbers"));
            samples.first.extend(times.next());
            samples.fresh.extend(times.by_ref().take(rounds));
            samples.warmed.extend(times.by_ref().take(rounds));
            samples.full.extend(times.by_ref().take(rounds));
            samples.empty.extend(times);
        }
    }
    for (samples, answer) in all.iter_mut().zip(answers) {
        samples.answer = std::fs::read(answer).expect("measure.mjs writes every answer");
    }
    all
}
