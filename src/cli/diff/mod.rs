mod format;
#[cfg(feature = "gl")]
mod picture;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::console::cancelled;
use super::files::source;
use super::numbers::within;
use super::opening::{ExtraClipArgs, open_document, warn_of_import};
use super::suggestions::with_suggestions;
use super::{Console, MemoryArgs, output};
use crate::diff::{ChangeKind, RigDiff, Tolerances, diff};
use crate::files::is_standard;
use crate::import::WarningScope;
use crate::page::Element;
use crate::rig::Rig;
use crate::rows::{self, Described as _};
use crate::stage::{Document, Source};
use format::DiffFormat;
use report::{DiffJson, DiffReport};

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DiffArgs {
    /// The old version: a glTF, GLB, VRM or FBX file, or builtin:NAME
    #[arg(value_parser = source(), value_name = "OLD")]
    old: Source,

    /// The new version
    #[arg(value_parser = source(), value_name = "NEW")]
    new: Source,

    /// Print one JSON object instead of text: short for --format json
    #[arg(long)]
    json: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t, conflicts_with = "json")]
    format: DiffFormat,

    /// Also write all changes as an HTML page, or with - print the page instead of the text
    #[arg(long, value_name = "OUT.html")]
    html: Option<PathBuf>,

    /// Report only these kinds of changes, by name or first word, such as clip (comma-separated or repeatable)
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = with_suggestions(kind_names(), kinds), hide_possible_values = true)]
    only: Vec<Kinds>,

    /// Exit with 1 only if something moved by more than MM millimetres, or changed in another way
    ///
    /// Local transforms and numbers of keys alone never count. All changes are still listed.
    #[arg(long, value_name = "MM", value_parser = within(0.0..=1e6, "millimetres"), allow_negative_numbers = true)]
    fail_over: Option<f32>,

    /// Tolerance for positions, in millimetres [default: 1/20000 of the size of OLD]
    #[arg(long, value_name = "MM", value_parser = within(0.0..=1e6, "millimetres"), allow_negative_numbers = true)]
    distance: Option<f32>,

    /// Tolerance for rotations, in degrees; for normals at least 1.5 [default: 0.1]
    #[arg(long, value_name = "DEG", value_parser = within(0.0..=180.0, "degrees"), allow_negative_numbers = true)]
    angle: Option<f32>,

    /// Tolerance for weights, scales, colours and texture coordinates [default: 0.005]
    #[arg(long, alias = "share", value_name = "FRACTION", value_parser = within(0.0..=1.0, "fractions"), allow_negative_numbers = true)]
    fraction: Option<f32>,

    /// Tolerance for clip lengths, in seconds [default: 0.001]
    #[arg(long, value_name = "S", value_parser = within(0.0..=1e6, "seconds"), allow_negative_numbers = true)]
    time: Option<f32>,

    #[command(flatten)]
    memory: MemoryArgs,
}

const HELP: &str = "\
Joints are matched by name, humanoid bone, name without namespace, capitals and copy number, or
position; vertices by position, then by normals, texture coordinates and weights. Order doesn't
matter. A change of units or axes of the whole file is reported once, and consequences of a change
are not repeated. Poses and clips are compared as drawn. Cameras, tangents and names of humanoid
bones are not compared. The five largest changes of each kind are listed, or all with -v.

Exit codes: 0, the same, or with --fail-over no change beyond it; 1, different; 2, failure.

In SARIF and JUnit, each change is a result or failing case of NEW; what --fail-over lets pass is a
note, or the output of a passing case. rigscope explain json lists the keys of the JSON.

Examples:
  rigscope diff old.glb new.glb
  rigscope diff old.glb new.glb --only joint,rest,bind,vertices
  rigscope diff old.glb new.glb --fail-over 0.5 --html changes.html";

pub(super) const JSON: [rows::JsonDocument; 1] =
    [rows::JsonDocument { command: "diff", key: "", python: Some(("diff", "changes")), shape: DiffJson::shape }];

#[derive(Clone, Debug)]
struct Kinds(Vec<ChangeKind>);

fn kind_names() -> impl Iterator<Item = String> {
    ChangeKind::ALL.iter().map(|kind| kind.name().replace(' ', "_"))
}

fn kinds(name: &str) -> Result<Kinds, String> {
    let kinds = ChangeKind::named(name);
    if kinds.is_empty() {
        let all: Vec<String> = kind_names().collect();
        return Err(format!("no kind of change has this name; there are {}", all.join(", ")));
    }
    Ok(Kinds(kinds))
}

impl DiffArgs {
    /// Compares the files and prints the changes. The exit code is 1 if the files differ.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        let format = if self.json { DiffFormat::Json } else { self.format };
        let is_printed = format != DiffFormat::Text;
        output::refuse_two_on_stdout(self.html.as_deref(), is_printed, "--json, --format and --html")?;
        if let Some(path) = &self.html {
            output::refuse_to_replace(path, [&self.old, &self.new].into_iter().filter_map(Source::path))?;
        }
        let [old, new] = [self.opened(&self.old, console)?, self.opened(&self.new, console)?];
        let tolerances = self.tolerances(&old.rig);
        let mut found = console
            .stage("Comparing", |progress| diff(&old.rig, &new.rig, &tolerances, progress).ok_or_else(cancelled))?;
        let only: Vec<ChangeKind> = self.only.iter().flat_map(|kinds| kinds.0.iter().copied()).collect();
        let hidden = if self.only.is_empty() { 0 } else { found.keep_only(&only) };
        let names = [self.old.full_name(), self.new.full_name()];
        let names = names.each_ref().map(String::as_str);
        let fail_over_m = self.fail_over.map(|mm| f64::from(mm) / 1000.0);
        let report = DiffReport { names, tolerances: &tolerances, diff: &found, hidden, fail_over_m };
        if let Some(path) = &self.html {
            output::refuse_to_replace(path, old.inputs().chain(new.inputs()))?;
            let page = report.page(self.worst_place((&old, &found), console));
            output::save(path, page.as_bytes(), "page was", console)?;
        }
        let code = ExitCode::from(u8::from(found.changes.iter().any(|change| report.fails(change))));
        match format {
            _ if self.html.as_deref().is_some_and(is_standard) => Ok(()),
            DiffFormat::Text => console.print(report.lines(console.is_verbose())),
            DiffFormat::Json => console.print_row(&report.json()),
            DiffFormat::Sarif => console.print_json(&format::sarif(&report)),
            DiffFormat::Junit => console.print(format::junit(&report)),
            DiffFormat::Markdown => console.print(format::markdown(&report)),
            DiffFormat::Github => console.print(format::github(&report)),
        }?;
        Ok(code)
    }

    /// Returns an image of both versions at the largest change. Warns if it can't be drawn.
    #[cfg(feature = "gl")]
    fn worst_place(&self, (old, found): (&Document, &RigDiff), console: &Console) -> Option<Element> {
        let drawn = picture::worst_place(old, &self.new, found, self.memory, console);
        drawn.unwrap_or_else(|problem| {
            console.warn(&format!("The page has no picture: {problem}"));
            None
        })
    }

    #[cfg(not(feature = "gl"))]
    #[expect(clippy::unused_self, reason = "a program without images draws none")]
    fn worst_place(&self, _: (&Document, &RigDiff), _: &Console) -> Option<Element> {
        None
    }

    fn opened(&self, source: &Source, console: &Console) -> Result<Document, String> {
        let document = open_document((source, None), &ExtraClipArgs::default(), self.memory.job(), console)?;
        let name = format!("{}: ", source.full_name());
        warn_of_import(console, &name, &document.warnings, WarningScope::Shape);
        Ok(document)
    }

    fn tolerances(&self, old: &Rig) -> Tolerances {
        let usual = Tolerances::for_rig(old);
        Tolerances {
            distance_m: self.distance.map_or(usual.distance_m, |mm| mm / 1000.0),
            angle_deg: self.angle.unwrap_or(usual.angle_deg),
            fraction: self.fraction.unwrap_or(usual.fraction),
            time_secs: self.time.unwrap_or(usual.time_secs),
        }
    }
}
