//! `rigscope check`: lint of many files.

mod files;
mod in_order;
mod report;

use std::io::{ErrorKind, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::MemoryArgs;
use crate::state::{Document, Source, findings};
use files::{Files, Input};
use report::{Report, Tally};

/// Which files to check, and how to say it.
#[derive(Args, Debug)]
#[command(after_long_help = JSON_HELP)]
pub struct CheckArgs {
    /// glTF, GLB or VRM files, folders of them, builtin:NAME
    #[arg(required = true, value_parser = Source::parse, value_name = "FILE")]
    files: Vec<Source>,

    /// One JSON object a line for each file
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    memory: MemoryArgs,
}

const JSON_HELP: &str = "\
Exit code: 0 no errors, 1 findings of severity error, 2 a file that cannot be read.

JSON, one object a line for each file, in the order of the arguments:
  {\"version\":1,\"file\":PATH,\"status\":\"ok\"|\"errors\"|\"unreadable\",\"reason\":TEXT|null,
   \"counts\":{\"error\":N,\"warning\":N,\"note\":N},\"findings\":[FINDING,...]}
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
    pub fn run(self) -> Result<ExitCode, String> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let mut tally = Tally::default();
        let check = |input: Input| self.check(input);
        let print = |report: Report| {
            tally.add(&report);
            std::io::stdout().write_all(self.shown(&report).as_bytes())
        };
        let printed = in_order::for_each(Files::new(self.files.clone()), threads, &check, print)
            .and_then(|()| if self.json { Ok(()) } else { writeln!(std::io::stdout(), "{tally}") });
        match printed {
            Err(problem) if problem.kind() != ErrorKind::BrokenPipe => {
                Err(format!("The findings could not be written: {problem}"))
            }
            _ => Ok(tally.exit_code()),
        }
    }

    fn shown(&self, report: &Report) -> String {
        if self.json { report.json() } else { report.text() }
    }

    /// Whatever happens with one file, the others are still checked.
    fn check(&self, input: Input) -> Report {
        let source = match input {
            Ok(source) => source,
            Err((name, problem)) => return Report { name, result: Err(problem) },
        };
        let fault = "It could not be checked because of a fault in Rigscope; please report it with the file.";
        let result = catch_unwind(AssertUnwindSafe(|| self.open(&source))).unwrap_or_else(|_| Err(fault.to_owned()));
        Report { name: source.full_name(), result }
    }

    fn open(&self, source: &Source) -> Result<Vec<crate::analysis::lint::Finding>, String> {
        let job = self.memory.job();
        let document = Document::open(source, &job).map_err(|e| e.to_string())?;
        Ok(findings(&document.rig, &document.warnings, &AtomicBool::new(false)).unwrap_or_default())
    }
}
