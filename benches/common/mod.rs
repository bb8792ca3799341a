//! Times code against a rival in one run, and prints a table of ratios.

#![expect(clippy::print_stdout, reason = "the table is what a bench is run for")]

use std::time::{Duration, Instant};

/// Code to time.
pub struct Contestant<'a> {
    /// Name in the table.
    #[allow(dead_code, clippy::allow_attributes, reason = "some benches name their rows otherwise")]
    pub name: &'a str,
    /// Runs the code once.
    pub run: Box<dyn FnMut() + Send + 'a>,
}

impl<'a> Contestant<'a> {
    pub fn new(name: &'a str, run: impl FnMut() + Send + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// Returns the shortest of many runs of each. Runs alternate, so that other load on the machine affects all of them.
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

/// Prints a row: both names and times, their ratio, and `aim`, the maximum ratio, if any.
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

/// Prints the table's heading.
pub fn head(title: &str) {
    println!("\n{title}");
    println!("| {:<36} | {:<36} | {:>9} | {:>9} | ratio | aim  | met |", "what", "against", "time", "time");
    println!("| {0:-<36} | {0:-<36} | {0:->9} | {0:->9} | {0:-<5} | ---- | --- |", "");
}
