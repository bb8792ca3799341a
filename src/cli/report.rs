use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::files::Input;
use super::many_files::{FileRun, InputArgs, OutputOption, PerFile, has_placeholder, run_each, run_files};
use super::posed::PosedArgs;
use super::project_args::{ConfigArgs, ProfileArgs};
use super::render::SharedStudio;
use super::{Console, DeviceArgs, output};
use crate::files::portable;
use crate::import::{Job, WarningScope};
use crate::report::{IndexRow, Origin, Report, ReportOptions, index, report};
use crate::stage::{Source, Stage};
use crate::studio::Studio;

#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
#[command(mut_arg("files", |arg| arg.required_unless_present_any(["files_from", "session"])))]
pub struct ReportArgs {
    #[command(flatten)]
    inputs: InputArgs,

    #[command(flatten)]
    posed: PosedArgs,

    /// Output page, or - for standard output; for many files, the folder for their pages and index.html
    #[arg(short, long, value_name = "OUT.html")]
    output: PathBuf,

    /// Add a bend test, which takes some seconds per file; see rigscope flex
    #[arg(long)]
    flex: bool,

    /// Heading of the page [default: the name of the file]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Text below the heading, such as the version and whom to ask
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    config: ConfigArgs,

    #[command(flatten)]
    profile: ProfileArgs,

    #[command(flatten)]
    device: DeviceArgs,

    /// Place in the index, if there is one.
    #[arg(skip)]
    entry: Option<IndexEntry>,
}

const HELP: &str = "\
The page begins with a verdict, and shows the character at rest and posed, the findings with
pictures, a 3D view of both methods, the joints that lose most volume, weights, sizes and the
skeleton. --profile adds platforms, --flex the worst poses of the bend test. The page is one file
that loads nothing, and names files without their folders. With SOURCE_DATE_EPOCH in the
environment it is reproducible to the byte. Without --pose, --clip or --session it compares the
rotation of a joint at which LBS loses most volume.

Examples:
  rigscope report hero.glb --clip walk --time 0.3 -o hero.html
  rigscope report hero.glb --title 'Hero, second delivery' --profile vrchat-pc -o hero.html
  rigscope report models -o pages";

/// Name of a file in an index, and the file name of its page.
#[derive(Clone, Debug)]
struct IndexEntry {
    name: String,
    page: String,
}

/// What the pages of many files share.
#[derive(Default)]
pub(super) struct SharedPages {
    studio: SharedStudio,
    origin: Option<Origin>,
    /// Rows of the index.
    rows: Vec<IndexRow>,
}

impl ReportArgs {
    /// Writes the page of each file. For several files without a placeholder in OUT, also writes an index, which
    /// explains why a file has no page.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        if self.inputs.single().is_some() || has_placeholder(&self.output) {
            run_each(self, console)
        } else {
            self.run_with_index(console)
        }
    }

    fn run_with_index(self, console: &Console) -> Result<ExitCode, String> {
        let fault =
            |problem: std::io::Error| format!("The reports were not saved: {problem} ({})", self.output.display());
        if self.output.is_file() {
            return Err(format!("{} is a file; -o names the folder for the pages here", self.output.display()));
        }
        std::fs::create_dir_all(&self.output).map_err(fault)?;
        let entries = self.entries(console)?;
        let mut template = self.clone();
        template.inputs.forget_others();
        let runs: Vec<FileRun<Self>> = entries.iter().map(|(entry, input)| template.run_of(entry, input)).collect();
        let done = run_files(&runs, self.inputs.threads(), console)?;
        let mut written = done.shared.rows.into_iter();
        let rows: Vec<IndexRow> = entries
            .into_iter()
            .zip(done.problems)
            .filter_map(|((IndexEntry { name, .. }, _), problem)| match problem {
                Some(problem) => {
                    Some(IndexRow { name, page: String::new(), thumbnail: Vec::new(), facts: Err(problem) })
                }
                None => written.next(),
            })
            .collect();
        let html = index(&self.index_title(), &rows, &done.shared.origin.unwrap_or_else(origin));
        let path = self.output.join("index.html");
        output::write(&path, html.as_bytes()).map_err(fault)?;
        let pages = rows.iter().filter(|row| row.facts.is_ok()).count();
        console.saved(&path, &format!("{pages} of {} files", rows.len()));
        Ok(ExitCode::from(done.code))
    }

    /// Returns all files, with their names relative to the folder if the command line names one folder.
    fn entries(&self, console: &Console) -> Result<Vec<(IndexEntry, Input)>, String> {
        let projects = self.config.projects(self.job().with_progress(console.progress()))?;
        let mut pages = BTreeSet::from(["index.html".to_owned()]);
        let entry = |input: Input| {
            let name = input.as_ref().map_or_else(|(name, _)| name.clone(), Source::full_name);
            let path = Path::new(&name);
            let name = self.inputs.folder_of(path).join(path.file_name().unwrap_or_default());
            let name = portable(&name.display().to_string()).into_owned();
            let page = page_name(&name, &mut pages);
            (IndexEntry { name, page }, input)
        };
        Ok(self.inputs.collected(&projects, console)?.into_iter().map(entry).collect())
    }

    fn run_of(&self, entry: &IndexEntry, input: &Input) -> FileRun<Self> {
        match input {
            Ok(source) => {
                let mut command =
                    Self { output: self.output.join(&entry.page), entry: Some(entry.clone()), ..self.clone() };
                command.set_file(Some(source.clone()));
                FileRun { name: source.full_name(), command: Ok(command) }
            }
            Err((name, problem)) => FileRun { name: name.clone(), command: Err(problem.clone()) },
        }
    }

    /// Returns the folder if it is the only input.
    fn folder(&self) -> Option<&Path> {
        match &self.inputs.files[..] {
            [source] if self.inputs.files_from.is_none() => source.path().filter(|path| path.is_dir()),
            _ => None,
        }
    }

    /// Returns the title of the index. It has no path, so that readers elsewhere learn nothing about this machine.
    fn index_title(&self) -> String {
        let folder = self.folder().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        self.title.clone().or(folder).unwrap_or_else(|| "Reports".to_owned())
    }

    /// Uses the config of the file and the profiles of the command line.
    fn apply_config(&self, stage: &mut Stage, console: &Console) -> Result<(), String> {
        let projects = self.config.projects(self.job().with_progress(console.progress()))?;
        let mut config = projects.config(stage.document.source.path())?;
        let named = self.profile.profiles(console)?;
        if !named.is_empty() {
            Arc::make_mut(&mut config).profiles.extend(named);
        }
        stage.document.settings = Ok(config);
        Ok(())
    }

    fn reported(
        &self,
        studio: &mut Studio,
        stage: &Stage,
        origin: &Origin,
        console: &Console,
    ) -> Result<Report, String> {
        let name = format!("Reporting on {}", stage.document.source.name());
        let (title, note) = (self.title.as_deref(), self.note.as_deref());
        let options = ReportOptions { title, note, has_bend_test: self.flex, ..ReportOptions::new(origin) };
        console.stage(&name, |progress| report(studio, stage, options, progress).map_err(|problem| problem.to_string()))
    }
}

impl PerFile for ReportArgs {
    type Prepared = Stage;
    type Shared = SharedPages;
    const DOING: &'static str = "Reporting";

    fn inputs(&mut self) -> &mut InputArgs {
        &mut self.inputs
    }

    fn set_file(&mut self, file: Option<Source>) {
        self.posed.rigged.file = file;
    }

    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        self.posed.rigged.outputs().chain([("-o", &mut self.output)]).collect()
    }

    fn job(&self) -> Job {
        self.posed.rigged.memory.job()
    }

    fn prepare(&self, console: &Console) -> Result<Stage, String> {
        let mut stage = if self.entry.is_some() {
            self.posed.open_without_warnings(Some(&self.output), console)?
        } else {
            self.posed.open(WarningScope::Appearance, Some(&self.output), console)?
        };
        self.apply_config(&mut stage, console)?;
        Ok(stage)
    }

    fn finish(&self, stage: Stage, shared: &mut SharedPages, console: &Console) -> Result<ExitCode, String> {
        let SharedPages { studio, origin: made, rows } = shared;
        let origin = made.get_or_insert_with(origin);
        let Report { html, row } = self.reported(studio.studio(self.device)?, &stage, origin, console)?;
        studio.warn_of_missing_fonts(console);
        if let Some(IndexEntry { name, page }) = self.entry.clone() {
            let written = output::write(&self.output, html.as_bytes());
            written.map_err(|problem| format!("The page was not saved: {problem}"))?;
            rows.push(IndexRow { name, page, ..row });
        } else {
            output::save(&self.output, html.as_bytes(), "report was", console)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the origin of a page: the current time and the shell-quoted command, with file names in place of paths.
fn origin() -> Origin {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-=:,+%@".contains(c);
    let quoted = |word: &str| {
        if !word.is_empty() && word.chars().all(is_plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let name = |word: &OsStr| Path::new(word).file_name().unwrap_or(word).to_string_lossy().into_owned();
    let words = std::env::args_os().skip(1).map(|word| quoted(&name(&word)));
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
