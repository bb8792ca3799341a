mod arkit;
mod facts;
mod text;

use std::iter;
use std::process::ExitCode;

use clap::Args;

use super::files::Input;
use super::many_files::InputArgs;
use super::many_files::ordered_parallel::{self, Threads};
use super::opening::{opening, warn_of_import};
use super::{Console, MemoryArgs};
use crate::files::{open_stream, read_bounded};
use crate::import::{
    FileInfo, ImportError, Imported, Job, WarningScope, file_info_from_bytes, file_info_from_path, import_bytes,
    import_file,
};
use crate::project::ProjectConfigs;
use crate::rows::{Described as _, JsonDocument};
use crate::stage::Source;
use facts::{FileFacts, FileFactsJson};

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct InfoArgs {
    #[command(flatten)]
    inputs: InputArgs,

    /// Print one JSON object per file, one per line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    memory: MemoryArgs,
}

const HELP: &str = "\
Vertices, triangles, influences and extents are those of the default scene as drawn, with a mesh
counted once per node; all other numbers are the file's. The unit is the one in which a character of
this size was probably made; glTF requires metres, and an FBX file names its unit.

JSON is one object a line for each file; rigscope explain json lists its keys.

Examples:
  rigscope info hero.glb
  rigscope info models --json";

pub(super) const JSON: [JsonDocument; 1] =
    [JsonDocument { command: "info", key: "", python: None, shape: FileFactsJson::shape }];

impl InfoArgs {
    /// Describes all files. Continues after unreadable files.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        let projects = ProjectConfigs::nearest(self.memory.job().with_progress(console.progress()));
        let mut files = self.inputs.input_files(&projects)?;
        let mut unreadable = false;
        let threads = Threads { count: self.inputs.threads(), waiting: 4 };
        let in_time = iter::from_fn(|| if console.is_closed() { None } else { files.next_in_time(console) });
        let described = |input: Input| {
            let of_file = console.for_file(&name(&input));
            let (name, result) = self.described(input, &of_file);
            (name, result, of_file)
        };
        ordered_parallel::for_each(in_time, threads, &described, |(name, result, of_file)| {
            unreadable |= result.is_err();
            let facts = result.as_ref().map_err(String::as_str);
            if self.json {
                of_file.print_row(&FileFactsJson::new(&name, facts))
            } else {
                of_file.print_table(text::lines(&name, facts, console.is_verbose()))
            }?;
            console.pass_on(of_file)
        })?;
        files.check_all_begun(console)?;
        Ok(ExitCode::from(if unreadable { 2 } else { 0 }))
    }

    fn described(&self, input: Input, console: &Console) -> (String, Result<FileFacts, String>) {
        match input {
            Ok(source) => (source.full_name(), self.facts(&source, console)),
            Err((name, problem)) => (name, Err(problem)),
        }
    }

    fn facts(&self, source: &Source, console: &Console) -> Result<FileFacts, String> {
        let job = self.memory.job();
        let (imported, about) = opening(source, job, console, |job| self.read(source, job).map_err(|e| e.to_string()))?;
        let name = format!("{}: ", source.full_name());
        warn_of_import(console, &name, &imported.warnings, WarningScope::Shape);
        Ok(FileFacts::new(about, imported))
    }

    fn read(&self, source: &Source, job: &Job) -> Result<(Imported, FileInfo), ImportError> {
        let of_bytes = |bytes: &[u8]| Ok((import_bytes(bytes, job)?, file_info_from_bytes(bytes, job)?));
        match source {
            Source::File(path) if job.reads_as_stream(path) => {
                // Reads the stream into memory, because it can't be rewound.
                let read = open_stream(path).and_then(|stream| read_bounded(stream, self.memory.bytes()));
                of_bytes(&read.map_err(ImportError::Stream)?)
            }
            Source::File(path) => Ok((import_file(path, job)?, file_info_from_path(path, job)?)),
            Source::BuiltIn(built_in) => of_bytes(built_in.bytes()),
        }
    }
}

fn name(input: &Input) -> String {
    input.as_ref().map_or_else(|(name, _)| name.clone(), Source::full_name)
}
