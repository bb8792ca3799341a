use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use clap::Args;

use super::files::{Input, InputFiles};
use super::posed::PosedArgs;
use super::render::warn_of_missing_fonts;
use super::{Console, DeviceArgs, output};
use crate::files::Exclusion;
use crate::import::WarningScope;
use crate::project::ProjectConfigs;
use crate::report::{IndexRow, Origin, Report, ReportOptions, index, report};
use crate::stage::Source;
use crate::stage::Stage;
use crate::studio::Studio;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ReportArgs {
    #[command(flatten)]
    posed: PosedArgs,

    /// Output page, or - for standard output; if FILE is a folder, the folder for its pages and index.html
    #[arg(short, long, value_name = "OUT.html")]
    output: PathBuf,

    /// Add a bend test, which takes some seconds per file; see rigscope flex
    #[arg(long)]
    flex: bool,

    #[command(flatten)]
    device: DeviceArgs,
}

const HELP: &str = "\
The page shows the character at rest and posed, a 3D view of both methods, the findings with
pictures, the joints that lose most volume, weights, sizes and the skeleton. --flex adds the worst
poses of the bend test. The page is one file that loads nothing. With SOURCE_DATE_EPOCH in the
environment it is reproducible to the byte. Without --pose, --clip or --session it compares the
rotation of a joint at which LBS loses most volume.

Examples:
  rigscope report hero.glb --clip walk --time 0.3 -o hero.html
  rigscope report models -o pages";

impl ReportArgs {
    /// Writes the page, or all pages for a folder. If a file has no page, the index explains why.
    pub fn run(self, console: &Console) -> Result<(), String> {
        match self.posed.rigged.folder() {
            Some(folder) => self.of_folder(folder, console),
            None => self.of_file(console),
        }
    }

    fn of_file(&self, console: &Console) -> Result<(), String> {
        let mut stage = self.posed.open(WarningScope::Appearance, Some(&self.output), console)?;
        self.posed.rigged.apply_config(&mut stage, console)?;
        let mut studio = Studio::new(self.device.device)?;
        let Report { html, .. } = self.reported(&mut studio, &stage, &origin(), console)?;
        warn_of_missing_fonts(&studio, console);
        output::save(&self.output, html.as_bytes(), "report was", console)
    }

    fn of_folder(&self, folder: &Path, console: &Console) -> Result<(), String> {
        let (mut studio, origin) = (Studio::new(self.device.device)?, origin());
        let fault =
            |problem: std::io::Error| format!("The reports were not saved: {problem} ({})", self.output.display());
        if self.output.is_file() {
            return Err(format!("{} is a file; -o names the folder for the pages here", self.output.display()));
        }
        std::fs::create_dir_all(&self.output).map_err(fault)?;
        let (mut rows, mut pages) = (Vec::new(), BTreeSet::from(["index.html".to_owned()]));
        let projects = ProjectConfigs::nearest(self.posed.rigged.memory.job().with_progress(console.progress()));
        let files = InputFiles::new(vec![Source::File(folder.to_owned())]);
        let mut files = files.without(Exclusion::default(), &projects);
        while let Some(input) = files.next_in_time(console) {
            let (name, found) = self.of_input(input, (&mut studio, &origin), console);
            let inside = Path::new(&name).strip_prefix(folder).ok().filter(|inside| *inside != Path::new(""));
            let name = inside.map_or(name.clone(), |name| name.display().to_string());
            let written = found.and_then(|report| {
                let page = page_name(&name, &mut pages);
                let written = output::write(&self.output.join(&page), report.html.as_bytes());
                written.map_err(|problem| format!("The page was not saved: {problem}"))?;
                Ok(IndexRow { name: name.clone(), page, ..report.row })
            });
            rows.push(written.unwrap_or_else(|problem| {
                console.warn(&format!("{name}: {problem}"));
                IndexRow { name, page: String::new(), thumbnail: Vec::new(), facts: Err(problem) }
            }));
        }
        warn_of_missing_fonts(&studio, console);
        let html = index(&folder.display().to_string(), &rows, &origin);
        let path = self.output.join("index.html");
        output::write(&path, html.as_bytes()).map_err(fault)?;
        let lacking = rows.iter().filter(|row| row.facts.is_err()).count();
        console.saved(&path, &format!("{} of {} files", rows.len() - lacking, rows.len()));
        files.check_all_begun(console)?;
        if lacking == 0 { Ok(()) } else { Err(format!("{lacking} of {} files have no page", rows.len())) }
    }

    /// Writes the page of one input. Turns a panic into an error so that the remaining pages are still written.
    fn of_input(
        &self,
        input: Input,
        (studio, origin): (&mut Studio, &Origin),
        console: &Console,
    ) -> (String, Result<Report, String>) {
        let source = match input {
            Ok(source) => source,
            Err((name, problem)) => return (name, Err(problem)),
        };
        let work = || {
            let mut stage = self.posed.with_file(source.clone()).open_without_warnings(None, console)?;
            self.posed.rigged.apply_config(&mut stage, console)?;
            self.reported(studio, &stage, origin, console)
        };
        let fault = "It could not be reported on because of a fault in Rigscope; please report it with the file.";
        let found = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(fault.to_owned()));
        (source.full_name(), found)
    }

    fn reported(
        &self,
        studio: &mut Studio,
        stage: &Stage,
        origin: &Origin,
        console: &Console,
    ) -> Result<Report, String> {
        let name = format!("Reporting on {}", stage.document.source.name());
        let options = ReportOptions { origin, has_bend_test: self.flex };
        console.stage(&name, |progress| report(studio, stage, options, progress).map_err(|problem| problem.to_string()))
    }
}

/// Returns the origin of a page: the current time and the shell-quoted command.
fn origin() -> Origin {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-=:,+%@".contains(c);
    let quoted = |word: &str| {
        if !word.is_empty() && word.chars().all(is_plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy()));
    Origin::now(std::iter::once("rigscope".to_owned()).chain(words).collect::<Vec<_>>().join(" "))
}

/// Maximum length of a page's file name, bytes. File systems allow 255.
const MAX_NAME_BYTES: usize = 200;

/// Returns a unique name for a file's page. The name has only characters that every file system and URL allows.
fn page_name(file: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String =
        file.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect();
    // Keeps the end of a long path, because it is more specific than the beginning.
    let plain = &plain[plain.len().saturating_sub(MAX_NAME_BYTES)..];
    let names =
        (1..).map(|number| if number == 1 { format!("{plain}.html") } else { format!("{plain}-{number}.html") });
    // Compares names in lower case, because some file systems ignore case.
    let free = names.into_iter().find(|name| taken.insert(name.to_lowercase()));
    free.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_name_of_its_own() {
        let mut taken = BTreeSet::from(["index.html".to_owned()]);
        let mut name = |file: &str| page_name(file, &mut taken);
        assert_eq!(name("a/b c.glb"), "a-b-c.glb.html");
        assert_eq!(name("a-b c.GLB"), "a-b-c.GLB-2.html");
        assert_eq!(name("index"), "index-2.html");
        let long = format!("{}/a.glb", "folder/".repeat(80));
        assert!(name(&long).len() < 255 && name(&long).ends_with("a.glb-2.html"));
    }
}
