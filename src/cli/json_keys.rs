use std::fmt::Write as _;

use serde::Serialize;

use super::console::{BOLD, Line};
use super::text_table::wrapped;
use super::{check, compare, diff, info, motion, nodes, weights};
use crate::rows::{JsonDocument, KeyLine};

const WIDTH: usize = 80;

pub fn documents() -> impl Iterator<Item = &'static JsonDocument> {
    let measures = compare::JSON.iter().chain(&motion::JSON).chain(&weights::JSON);
    let all = measures.chain(&nodes::JSON).chain(&diff::JSON).chain(&info::JSON).chain(&check::JSON);
    #[cfg(feature = "gl")]
    let all = all.chain(&super::bench::JSON);
    all
}

pub(super) fn lines() -> Vec<Line> {
    let mut lines = vec![Line::plain("Measurements come after the keys version (1) and file (the path).")];
    for document in documents() {
        lines.extend([Line::default(), Line::default().styled(BOLD, &heading(document))]);
        lines.extend(document.lines().iter().flat_map(|KeyLine { path, value, meaning }| {
            let text = wrapped(meaning, WIDTH - 6).into_iter().map(|line| Line::plain("      ").and(&line));
            std::iter::once(Line::plain(&format!("  {path}: {value}"))).chain(text)
        }));
    }
    lines
}

pub(super) fn markdown() -> String {
    let mut page = String::new();
    for document in documents() {
        let _ = write!(page, "## `{}`\n\n", heading(document));
        if let Some((python, part)) = document.python {
            let part = if part.is_empty() { String::new() } else { format!(" has `{part}`") };
            let _ = write!(page, "In Python: `{python}()`{part}.\n\n");
        }
        page.push_str("| key | value | meaning |\n| --- | --- | --- |\n");
        for KeyLine { path, value, meaning } in document.lines() {
            let _ = writeln!(page, "| `{path}` | {value} | {meaning} |");
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

#[derive(Serialize)]
pub(super) struct DocumentJson {
    version: u32,
    command: String,
    key: &'static str,
    python: Option<(&'static str, &'static str)>,
    keys: Vec<KeyLine>,
}

impl From<&JsonDocument> for DocumentJson {
    fn from(document: &JsonDocument) -> Self {
        let JsonDocument { key, python, .. } = *document;
        Self { version: 1, command: heading(document), key, python, keys: document.lines() }
    }
}

fn heading(document: &JsonDocument) -> String {
    format!("rigscope {} --json", document.command)
}
