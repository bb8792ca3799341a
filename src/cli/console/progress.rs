//! Progress line of a long stage on a terminal. It is rewritten in place and removed at the end.

use std::io::Write as _;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use super::{Console, Streams, escaped};

const PROGRESS_DELAY: Duration = Duration::from_millis(500);
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum width of the line, characters. A line that wraps in the terminal can't be rewritten in place.
const WIDTH: usize = 78;

impl Console {
    pub(in super::super) fn watched<T>(
        &self,
        name: &str,
        line: impl Fn() -> String + Sync,
        work: impl FnOnce() -> T,
    ) -> T {
        name.clone_into(&mut self.streams().doing);
        if !self.shows_progress {
            return work();
        }
        let (work_goes_on, end) = channel::<()>();
        let line = &line;
        let show = move || {
            let mut patience = PROGRESS_DELAY;
            while end.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                // Computes the line without holding the lock.
                let line = line();
                self.streams().show_progress(&line);
                patience = PROGRESS_INTERVAL;
            }
            self.streams().clear_progress();
        };
        scope(|scope| {
            // Shows no progress if the thread can't be started.
            let _ = Builder::new().name("progress".to_owned()).spawn_scoped(scope, show);
            let result = work();
            drop(work_goes_on);
            result
        })
    }
}

impl Streams {
    fn show_progress(&mut self, line: &str) {
        let line: String = escaped(line.trim_end()).chars().take(WIDTH).collect();
        let _ = write!(self.err, "\r{line:<WIDTH$}").and_then(|()| self.err.flush());
        self.is_progress_shown = true;
    }

    pub(super) fn clear_progress(&mut self) {
        if std::mem::take(&mut self.is_progress_shown) {
            let _ = write!(self.err, "\r{:WIDTH$}\r", "").and_then(|()| self.err.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::Sender;
    use std::sync::{Arc, Mutex};

    use super::super::options::ConsoleArgs;
    use super::*;

    struct Screen(Arc<Mutex<Vec<u8>>>, Option<Sender<()>>);

    impl io::Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            let _ = self.1.as_ref().map(|written| written.send(()));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn console(shows_progress: bool, written: Option<Sender<()>>) -> (Console, Arc<Mutex<Vec<u8>>>) {
        let shown = Arc::default();
        let streams = Streams {
            out: Box::new(Screen(Arc::clone(&shown), None)),
            err: Box::new(Screen(Arc::clone(&shown), written)),
            is_progress_shown: false,
            doing: String::new(),
            is_closed: false,
            has_table: false,
        };
        (
            Console {
                args: ConsoleArgs::default(),
                shows_progress,
                deadline: None,
                streams: Mutex::new(streams),
                of_file: None,
            },
            shown,
        )
    }

    fn text(shown: &Mutex<Vec<u8>>) -> String {
        String::from_utf8(shown.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn long_work_has_a_progress_line_that_is_removed() {
        let (written, first) = channel();
        let (console, shown) = console(true, Some(written));
        let name = format!("{}\x1b[2J\n", "Reading a long name ".repeat(9));
        let result = console.watched(
            "Reading",
            || name.clone(),
            || {
                first.recv().unwrap();
                console.warn("odd");
                7
            },
        );
        assert_eq!(result, 7);
        let text = text(&shown);
        assert!(text.starts_with("\rReading a long name "), "{text:?}");
        assert!(!text.contains("\x1b[2J"), "{text:?}");
        let blank = format!("\r{}\r", " ".repeat(WIDTH));
        let before = text.split("odd").next().unwrap();
        assert!(before.contains(&blank), "the line makes room: {text:?}");
        let rest = text.rsplit("odd\n").next().unwrap();
        assert!(rest.is_empty() || rest.ends_with(&blank), "nothing of it stays: {text:?}");
        assert!(text.split('\r').all(|line| line.trim_end_matches('\n').chars().count() <= WIDTH + 20), "{text:?}");
    }

    #[test]
    fn short_work_and_pipes_have_no_progress_line() {
        let (written, first) = channel();
        let (piped, shown) = console(false, Some(written));
        // Runs long enough for a progress line to appear.
        piped.watched(
            "Reading",
            || "Reading".to_owned(),
            || first.recv_timeout(PROGRESS_DELAY + 2 * PROGRESS_INTERVAL).unwrap_err(),
        );
        let (terminal, also_shown) = console(true, None);
        terminal.watched("Reading", || "Reading".to_owned(), || ());
        assert_eq!((text(&shown), text(&also_shown)), (String::new(), String::new()));
    }
}
