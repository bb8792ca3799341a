use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::console::{BOLD, Line, severity_style};
use super::suggestions::with_suggestions;
use super::text_table::wrapped;
use super::{Console, check, compare, diagnose, diff, flex, info, motion, nodes, refit, weights};
use crate::analysis::diagnose::{MISTAKES, Mistake};
use crate::analysis::lint::Code;
use crate::analysis::lint::report::explained_json;
use crate::project::{parse_code, profile};
use crate::rows::{JsonDocument, KeyLine};
use crate::text::capitalized;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ExplainArgs {
    /// Lint codes such as RIG010, mistakes of diagnose such as quat-wxyz, or json for the keys of all JSON output
    /// [default: all codes]
    #[arg(value_name = "CODE", value_delimiter = ',', value_parser = with_suggestions(topics(), topic), hide_possible_values = true)]
    topics: Vec<Topic>,

    /// Print one JSON object per code or document, one per line
    #[arg(long)]
    json: bool,

    /// Print Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

const HELP: &str = "\
Menus are those of Blender 4 and Maya. rigscope check --list-rules lists the codes, one per line.

Examples:
  rigscope explain RIG022
  rigscope explain ibm-transposed
  rigscope explain json --markdown";

const WIDTH: usize = 80;
const INDENT: &str = "  ";

#[derive(Clone, Copy, Debug)]
enum Topic {
    Subject(Subject),
    /// The keys of JSON output.
    Keys,
}

/// What has an explanation.
#[derive(Clone, Copy, Debug)]
enum Subject {
    Code(Code),
    Mistake(&'static Mistake),
}

const JSON: &str = "json";

fn topics() -> impl Iterator<Item = String> {
    let mistakes = MISTAKES.iter().map(|mistake| mistake.id.to_owned());
    Code::ALL.iter().map(|code| code.id()).chain(mistakes).chain([JSON.to_owned()])
}

fn topic(name: &str) -> Result<Topic, String> {
    if name == JSON {
        return Ok(Topic::Keys);
    }
    if let Some(mistake) = Mistake::with_id(name) {
        return Ok(Topic::Subject(Subject::Mistake(mistake)));
    }
    explained(name).map(|code| Topic::Subject(Subject::Code(code)))
}

/// Parses a lint code. If `name` is a rule of a profile, the error names the command that prints the rule.
fn explained(name: &str) -> Result<Code, String> {
    match name.split_once('/') {
        Some((of, _)) => {
            let known = profile(of)?;
            Err(format!("this is a rule of a profile: rigscope profiles {} prints it, with its source", known.name))
        }
        None => parse_code(name),
    }
}

impl ExplainArgs {
    pub fn run(&self, console: &Console) -> Result<ExitCode, String> {
        let named = self.topics.iter().filter_map(|topic| match topic {
            Topic::Subject(subject) => Some(*subject),
            Topic::Keys => None,
        });
        let named: Vec<Subject> = named.collect();
        if !named.is_empty() && named.len() < self.topics.len() {
            return Err("Name either codes or json".to_owned());
        }
        let subjects =
            if self.topics.is_empty() { Code::ALL.iter().copied().map(Subject::Code).collect() } else { named };
        if subjects.is_empty() {
            self.print_keys(console)
        } else if self.json {
            subjects.iter().try_for_each(|subject| console.print_json(&subject.json()))
        } else if self.markdown {
            console.print_own(markdown(&subjects).as_bytes())
        } else {
            let gap = |number: usize| (number > 0).then(Line::default);
            let lines = subjects.iter().enumerate().flat_map(|(number, s)| gap(number).into_iter().chain(s.lines()));
            console.print(lines)
        }?;
        Ok(ExitCode::SUCCESS)
    }

    fn print_keys(&self, console: &Console) -> Result<(), String> {
        if self.json {
            documents().try_for_each(|document| console.print_row(&DocumentJson::from(document)))
        } else if self.markdown {
            console.print_own(markdown_keys().as_bytes())
        } else {
            console.print(key_lines())
        }
    }
}

impl Subject {
    fn lines(self) -> Vec<Line> {
        match self {
            Self::Code(code) => {
                let severity = code.severity();
                let head = Line::default().styled(BOLD, &code.id()).and("  ");
                let head = head.styled(severity_style(severity), severity.name()).and("  ").styled(BOLD, code.title());
                with_sections(head, code.sections())
            }
            Self::Mistake(mistake) => {
                let head = Line::default().styled(BOLD, mistake.id).and("  ");
                with_sections(head.styled(BOLD, &capitalized(mistake.wording)), mistake.sections())
            }
        }
    }

    fn markdown(self) -> String {
        match self {
            Self::Code(code) => {
                format!("## {code}: {}\n\n*{}*\n\n{}\n", code.title(), code.severity(), code.markdown())
            }
            Self::Mistake(mistake) => {
                let sections = mistake.sections().map(|(heading, text)| format!("**{heading}.** {text}\n"));
                let (id, wording, group) = (mistake.id, capitalized(mistake.wording), mistake.group.name());
                format!("## {id}: {wording}\n\n*{group}*\n\n{}", sections.join("\n"))
            }
        }
    }

    fn json(self) -> String {
        match self {
            Self::Code(code) => explained_json(code),
            Self::Mistake(mistake) => serde_json::to_string(&MistakeJson::from(mistake)).unwrap_or_default(),
        }
    }
}

#[derive(Serialize)]
struct MistakeJson {
    version: u32,
    mistake: &'static str,
    group: &'static str,
    title: &'static str,
    symptom: &'static str,
    correct: &'static str,
    source: &'static str,
}

impl From<&Mistake> for MistakeJson {
    fn from(mistake: &Mistake) -> Self {
        let &Mistake { id, group, wording, symptom, correct, source, .. } = mistake;
        Self { version: 1, mistake: id, group: group.name(), title: wording, symptom, correct, source }
    }
}

fn with_sections(head: Line, sections: impl IntoIterator<Item = (&'static str, &'static str)>) -> Vec<Line> {
    let mut lines = vec![head];
    for (heading, text) in sections {
        lines.extend([Line::default(), Line::plain(heading)]);
        let width = WIDTH - INDENT.len();
        lines.extend(wrapped(text, width).iter().map(|line| Line::plain(INDENT).and(line)));
    }
    lines
}

fn markdown(subjects: &[Subject]) -> String {
    subjects.iter().map(|subject| subject.markdown()).collect::<Vec<_>>().join("\n")
}

pub fn documents() -> impl Iterator<Item = &'static JsonDocument> {
    let measures = compare::JSON.iter().chain(&motion::JSON).chain(&flex::JSON).chain(&weights::JSON);
    let all = measures
        .chain(&diagnose::JSON)
        .chain(&nodes::JSON)
        .chain(&diff::JSON)
        .chain(&refit::JSON)
        .chain(&info::JSON)
        .chain(&check::JSON);
    #[cfg(feature = "gl")]
    let all = all.chain(&super::bench::JSON);
    all
}

fn key_lines() -> Vec<Line> {
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

fn markdown_keys() -> String {
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
struct DocumentJson {
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

pub(super) fn heading(document: &JsonDocument) -> String {
    format!("rigscope {} --json", document.command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_a_terminal() {
        let mistakes = MISTAKES.iter().map(Subject::Mistake);
        for subject in Code::ALL.iter().copied().map(Subject::Code).chain(mistakes) {
            for line in subject.lines() {
                // Removes control sequences of styles, which have no width.
                let shown = anstream::adapter::strip_str(&line.to_string()).to_string();
                assert!(shown.chars().count() <= WIDTH && !shown.ends_with(' '), "{subject:?}: {shown}");
            }
        }
    }

    #[test]
    fn names_are_parsed_and_typos_get_suggestions() {
        assert_eq!((explained("rig010"), explained("RIG174")), (Ok(Code::WeightSum), Ok(Code::TwistWithoutConstraint)));
        for (name, said) in [
            ("RIG10", "did you mean RIG010?"),
            ("RIG999", "no finding has this code"),
            ("vrm-1/bones", "rigscope profiles vrm-1"),
            ("vrm-11/bones", "vrm-1"),
        ] {
            let problem = explained(name).unwrap_err();
            assert!(problem.contains(said), "{name}: {problem}");
        }
    }
}
