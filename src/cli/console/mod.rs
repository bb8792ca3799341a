//! Console output: results go to stdout, everything else to stderr. [`Line`] and [`escaped_json`] escape names from
//! files, so that the names can't control the terminal.

mod line;
mod of_file;
mod options;
mod progress;
mod timeout;

use std::io::{self, ErrorKind, IsTerminal as _, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};

pub(super) use crate::text::{escaped, escaped_json};
pub(super) use line::{BOLD, Line, severity_style};
pub use options::ConsoleArgs;

use crate::analysis::lint::Severity;
use crate::files::is_standard;
use crate::jobs::{Progress, lock};
use of_file::FileText;
use options::is_terminal_dumb;
use timeout::Deadline;

/// Console output of all subcommands. Several threads may use it.
pub struct Console {
    args: ConsoleArgs,
    /// Whether to show progress during long work.
    shows_progress: bool,
    deadline: Option<Deadline>,
    streams: Mutex<Streams>,
    /// Text of one file of many, if this console belongs to a file.
    of_file: Option<FileText>,
}

struct Streams {
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    /// True if the last line on the terminal is a progress line.
    is_progress_shown: bool,
    doing: String,
    /// True once the reader has closed the output.
    is_closed: bool,
    /// True once the table of a file was printed.
    has_table: bool,
}

const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();

impl Console {
    pub fn new(args: ConsoleArgs) -> Self {
        Self {
            args,
            shows_progress: io::stderr().is_terminal() && !is_terminal_dumb() && !args.quiet,
            deadline: args.timeout().map(Deadline::new),
            streams: Mutex::new(Streams {
                out: Box::new(AutoStream::new(io::stdout(), args.color())),
                err: Box::new(AutoStream::new(io::stderr(), args.color())),
                is_progress_shown: false,
                doing: String::new(),
                is_closed: false,
                has_table: false,
            }),
            of_file: None,
        }
    }

    pub(super) fn is_verbose(&self) -> bool {
        self.args.verbose
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.args.quiet
    }

    /// Prints lines. Like all printing methods, this succeeds even if the reader (such as `head`) closed the output.
    pub(super) fn print(&self, lines: impl IntoIterator<Item = Line>) -> Result<(), String> {
        let text: String = lines.into_iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
        self.write(&text)
    }

    /// Prints a table or list, unless `--quiet` is set.
    pub(super) fn print_table(&self, lines: impl IntoIterator<Item = Line>) -> Result<(), String> {
        if self.is_quiet() { Ok(()) } else { self.print(lines) }
    }

    /// Prints the table of a file, unless `--quiet` is set. The tables of many files are separated by an empty line.
    pub(super) fn print_file_table(&self, lines: impl IntoIterator<Item = Line>) -> Result<(), String> {
        self.streams().has_table = true;
        self.print_table(lines)
    }

    pub(super) fn print_json(&self, object: &str) -> Result<(), String> {
        self.write(&format!("{}\n", escaped_json(object.trim_end())))
    }

    pub(super) fn print_row(&self, row: &impl serde::Serialize) -> Result<(), String> {
        self.print_json(&serde_json::to_string(row).map_err(|e| e.to_string())?)
    }

    /// Prints the program's own text without escaping it.
    pub(super) fn print_own(&self, text: &[u8]) -> Result<(), String> {
        self.write(&String::from_utf8_lossy(text))
    }

    fn write(&self, text: &str) -> Result<(), String> {
        let mut streams = self.streams();
        streams.clear_progress();
        match streams.out.write_all(text.as_bytes()).and_then(|()| streams.out.flush()) {
            Err(problem) if problem.kind() != ErrorKind::BrokenPipe => {
                return Err(format!("The output could not be written: {problem}"));
            }
            printed => streams.is_closed |= printed.is_err(),
        }
        Ok(())
    }

    pub(super) fn is_closed(&self) -> bool {
        self.streams().is_closed
    }

    pub(super) fn error(&self, problem: &str) {
        self.streams().write_error(&self.named(problem));
    }

    pub(super) fn warn(&self, text: &str) {
        self.write_tagged(severity_style(Severity::Warning), "warning:", text);
    }

    /// Prints a warning about data missing from the output, even with `--quiet`.
    pub(super) fn warn_always(&self, text: &str) {
        let tag = Line::default().styled(severity_style(Severity::Warning), "warning:");
        self.write_line(&tag.and(" ").and(&self.named(text)));
    }

    pub(super) fn note(&self, text: &str) {
        self.write_tagged(severity_style(Severity::Note), "note:", text);
    }

    pub(super) fn saved(&self, path: &Path, what: &str) {
        if !is_standard(path) {
            let line = Line::default().styled(GOOD, "saved:").and(&format!(" {} ({what})", path.display()));
            if !self.is_quiet() {
                self.write_line(&line);
            }
        }
    }

    pub(super) fn took(&self, what: &str, time: Duration) {
        if self.is_verbose() {
            self.write_tagged(DIM, "time:", &format!("{what}, {:.3} s", time.as_secs_f64()));
        }
    }

    fn write_tagged(&self, style: Style, kind: &str, text: &str) {
        if !self.is_quiet() {
            self.write_line(&Line::default().styled(style, kind).and(" ").and(&self.named(text)));
        }
    }

    fn write_line(&self, line: &Line) {
        self.streams().write_line(line);
    }

    /// Runs a stage of a command. Shows progress if the stage takes long, and reports its duration with `--verbose`. If
    /// the time limit ends the stage, the error states how far the stage got.
    pub(super) fn stage<T>(
        &self,
        name: &str,
        work: impl FnOnce(&Arc<Progress>) -> Result<T, String>,
    ) -> Result<T, String> {
        let (begin, progress) = (Instant::now(), self.progress());
        let line = || match progress.status_text() {
            so_far if so_far.starts_with(name) => so_far,
            so_far if so_far.is_empty() => name.to_owned(),
            so_far => format!("{name}: {so_far}"),
        };
        let result = self.watched(name, line, || work(&progress));
        self.took(name, begin.elapsed());
        result.map_err(|problem| if progress.is_cancelled() { self.timeout_message(&line()) } else { problem })
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        lock(&self.streams)
    }
}

impl Streams {
    fn write_line(&mut self, line: &Line) {
        self.clear_progress();
        // Ignores errors, because there is nowhere to report them.
        let _ = writeln!(self.err, "{line}");
    }

    fn write_error(&mut self, problem: &str) {
        self.write_line(&Line::default().styled(severity_style(Severity::Error), "rigscope:").and(" ").and(problem));
    }
}

pub(super) fn cancelled() -> String {
    "it was cancelled".to_owned()
}
