//! `rigscope check`: lint of many files.

mod filter;
mod in_order;
mod report;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::Args;

use super::console::{Line, written};
use super::files::{Files, Input, source};
use super::{Console, MemoryArgs};
use crate::jobs::Progress;
use crate::state::{Document, Source, findings};
use filter::FindingFilter;
use report::{FileReport, ReportedFindings, Tally};

/// Which files to check, and how to say it.
#[derive(Args, Debug)]
#[command(after_long_help = JSON_HELP)]
pub struct CheckArgs {
    /// glTF, GLB, VRM or FBX files, folders of them, builtin:NAME
    #[arg(required = true, value_parser = source(), value_name = "FILE")]
    files: Vec<Source>,

    #[command(flatten)]
    filter: FindingFilter,

    /// End with exit code 1 for warnings too
    #[arg(long)]
    strict: bool,

    /// One JSON object a line for each file
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    memory: MemoryArgs,
}

const JSON_HELP: &str = "\
Findings of one code are listed together, the first few of a file, or with --verbose all. What --ignore, --only and --severity hide does not
change the exit code (see rigscope --help); the last line says how much it is. With --quiet, files without findings and the last line are left out.

JSON, one object a line for each file, in the order of the arguments:
  {\"version\":1,\"file\":PATH,\"status\":\"ok\"|\"errors\"|\"unreadable\",\"reason\":TEXT|null,
   \"counts\":{\"error\":N,\"warning\":N,\"note\":N},\"hidden\":N,\"findings\":[FINDING,...]}
  FINDING: {\"code\":\"RIG010\",\"severity\":\"error\"|\"warning\"|\"note\",\"message\":TEXT,\"why\":TEXT,\"advice\":TEXT,\"target\":TARGET}
  TARGET:  {\"kind\":\"file\"}, {\"kind\":\"nodes\",\"nodes\":[N,...],\"count\":N}, {\"kind\":\"skin\",\"skin\":N},
           {\"kind\":\"primitive\",\"mesh\":N,\"primitive\":N,\"joint\":N|null,\"vertices\":[N,...],\"count\":N},
           {\"kind\":\"clip\",\"clip\":N,\"nodes\":[N,...],\"count\":N}, {\"kind\":\"material\",\"material\":N}
All numbers are the file's own. At most 100 nodes or vertices are listed; count is of all.";

/// More files at once only compete for memory.
const MOST_THREADS: usize = 8;

impl CheckArgs {
    /// Checks all files and prints what it finds.
    ///
    /// *Errors*: the output cannot be written. A reader that goes away, as `head` does, ends it quietly.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let mut tally = Tally::default();
        let last = Mutex::new((0, String::new()));
        let so_far = || match &*last.lock().unwrap_or_else(PoisonError::into_inner) {
            (0, _) => "Checking".to_owned(),
            (done, name) => format!("Checking: {done} done, the last {name}"),
        };
        let check = |input: Input| self.check(input);
        let print = |report: FileReport| {
            tally.add(&report);
            self.print(&report, console)?;
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            *last = (last.0 + 1, report.name);
            Ok(())
        };
        let files = Files::new(self.files.clone());
        let printed = console.watched(so_far, || in_order::for_each(files, threads, &check, print));
        let has_sum = !self.json && !console.is_quiet();
        let printed =
            printed.and_then(|()| if has_sum { console.print([Line::plain(&tally.to_string())]) } else { Ok(()) });
        written(printed, "The findings")?;
        Ok(ExitCode::from(tally.exit_code(self.strict)))
    }

    /// For tests of how options are read.
    #[cfg(test)]
    pub(super) fn memory_bytes(&self) -> u64 {
        self.memory.bytes()
    }

    fn print(&self, report: &FileReport, console: &Console) -> std::io::Result<()> {
        if self.json {
            console.print_json(&report.json())?;
        } else if report.has_news() || !console.is_quiet() {
            console.print(report.lines(console.is_verbose()))?;
        }
        if let Ok(findings) = &report.result {
            let [opening, lint] = findings.took;
            console.took(&format!("{}: opening", report.name), opening);
            console.took(&format!("{}: lint", report.name), lint);
        }
        Ok(())
    }

    /// Whatever happens with one file, the others are still checked.
    fn check(&self, input: Input) -> FileReport {
        let source = match input {
            Ok(source) => source,
            Err((name, problem)) => return FileReport { name, result: Err(problem) },
        };
        let fault = "It could not be checked because of a fault in Rigscope; please report it with the file.";
        let result = catch_unwind(AssertUnwindSafe(|| self.open(&source))).unwrap_or_else(|_| Err(fault.to_owned()));
        FileReport { name: source.full_name(), result }
    }

    fn open(&self, source: &Source) -> Result<ReportedFindings, String> {
        let job = self.memory.job();
        let begin = Instant::now();
        let document = Document::open(source, &job).map_err(|e| e.to_string())?;
        let opening = begin.elapsed();
        let all = findings(&document.rig, &document.warnings, &Progress::default()).unwrap_or_default();
        Ok(ReportedFindings::new(all, &self.filter, [opening, begin.elapsed().saturating_sub(opening)]))
    }
}
