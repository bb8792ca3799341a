//! A table of ratios, measured in one run.

#![expect(clippy::print_stdout, reason = "the table is what a bench is run for")]

use std::time::{Duration, Instant};

/// Something to measure.
pub struct Contestant<'a> {
    /// In the table.
    #[allow(dead_code, clippy::allow_attributes, reason = "some benches name their rows otherwise")]
    pub name: &'a str,
    /// One run of it.
    pub run: Box<dyn FnMut() + Send + 'a>,
}

impl<'a> Contestant<'a> {
    pub fn new(name: &'a str, run: impl FnMut() + Send + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// The shortest of many runs of each, taken in turns, so that what else the machine does meets all of them alike.
pub fn shortest(rounds: usize, contestants: &mut [Contestant<'_>]) -> Vec<Duration> {
    let mut shortest = vec![Duration::MAX; contestants.len()];
    for _ in 0..rounds {
        for (best, contestant) in shortest.iter_mut().zip(contestants.iter_mut()) {
            let start = Instant::now();
            (contestant.run)();
            *best = start.elapsed().min(*best);
        }
    }
    shortest
}

/// One line of the table: what was measured against what, and the aim, if there is one.
pub fn line(what: &str, against: &str, [measured, rival]: [Duration; 2], aim: impl Into<Option<f64>>) {
    let ratio = measured.as_secs_f64() / rival.as_secs_f64();
    let (aim, verdict) = match aim.into() {
        Some(aim) => (format!("{aim:.2}"), if ratio <= aim { "yes" } else { "NO" }),
        None => (String::new(), ""),
    };
    println!(
        "| {what:<36} | {against:<36} | {measured:>9.1?} | {rival:>9.1?} | {ratio:>5.2} | {aim:>4} | {verdict:>3} |"
    );
}

/// The head of the table.
pub fn head(title: &str) {
    println!("\n{title}");
    println!("| {:<36} | {:<36} | {:>9} | {:>9} | ratio | aim  | met |", "what", "against", "time", "time");
    println!("| {0:-<36} | {0:-<36} | {0:->9} | {0:->9} | {0:-<5} | ---- | --- |", "");
}
