//! Output of one file of many, which is passed on in the order of the files.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::{Console, Streams};
use crate::jobs::lock;

/// Name and text of a file whose messages name it.
pub(super) struct FileText {
    name: String,
    out: SharedText,
    err: SharedText,
}

#[derive(Clone, Default)]
struct SharedText(Arc<Mutex<Vec<u8>>>);

impl Write for SharedText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SharedText {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *lock(&self.0))
    }
}

impl Console {
    /// Returns a console for one file of many. It keeps its text until [`Self::pass_on`], shows no progress, and puts
    /// the name of the file in front of messages that don't contain it.
    pub(in super::super) fn for_file(&self, name: &str) -> Self {
        let text = FileText { name: name.to_owned(), out: SharedText::default(), err: SharedText::default() };
        let streams = Streams {
            out: Box::new(text.out.clone()),
            err: Box::new(text.err.clone()),
            is_progress_shown: false,
            doing: String::new(),
            is_closed: false,
            has_table: false,
        };
        Self {
            args: self.args,
            shows_progress: false,
            deadline: self.deadline,
            streams: Mutex::new(streams),
            of_file: Some(text),
        }
    }

    /// Prints the text of a file.
    pub(in super::super) fn pass_on(&self, of_file: Self) -> Result<(), String> {
        let has_table = of_file.streams().has_table;
        let Some(FileText { out, err, .. }) = of_file.of_file else { return Ok(()) };
        let err = err.take();
        if !err.is_empty() {
            let mut streams = self.streams();
            streams.clear_progress();
            // Ignores errors, because there is nowhere to report them.
            let _ = streams.err.write_all(&err);
        }
        let out = out.take();
        if out.is_empty() {
            return Ok(());
        }
        let is_next = has_table && std::mem::replace(&mut self.streams().has_table, true);
        self.print_own(&[if is_next { &b"\n"[..] } else { b"" }, &out].concat())
    }

    /// Returns a message that names the file, if this console belongs to one.
    pub(super) fn named<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.of_file {
            Some(FileText { name, .. }) if !text.contains(name.as_str()) => format!("{name}: {text}").into(),
            _ => text.into(),
        }
    }
}
