#[cfg(feature = "gl")]
mod sheet;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::{Error, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::Console;
use super::console::{Line, cancelled};
use super::files::source;
use super::missing_textures::WholeRigArgs;
use super::opening::{ExtraClipArgs, open_document, repaired_errors, warn_of_import};
use super::output::{self, refuse_to_replace, refuse_two_on_stdout};
use crate::export::{ExportFile, check_rig_name, check_vrm_name, numbers_json, rig_glb_with};
use crate::files::is_standard;
use crate::import::{WarningScope, import_bytes};
use crate::refit::{
    OPERATIONS, Operation, OperationSpec, Pairing, Proof, ProofPose, RefitError, RefitJson, Refitted, prove,
    prove_with_worst, refit,
};
use crate::rig::Rig;
use crate::rows::{Described as _, JsonDocument};
use crate::stage::{Document, Source};
use crate::text::counted;
#[cfg(feature = "gl")]
use sheet::SheetArgs;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct RefitArgs {
    /// A glTF, GLB, VRM or FBX file, or builtin:NAME
    #[arg(value_parser = source(), value_name = "FILE")]
    file: Source,

    /// Output file: .glb, or .vrm for a VRM
    #[arg(short, long, value_name = "OUT.glb", required_unless_present_any = ["in_place", "check", "dry_run"])]
    output: Option<PathBuf>,

    /// Replace FILE, a .glb or .vrm, once the proof holds
    #[arg(long, conflicts_with_all = ["output", "check", "dry_run"])]
    in_place: bool,

    /// Print the proof and write no rig
    #[arg(long, conflicts_with = "output")]
    dry_run: bool,

    /// Compare FILE with a version of it that another program made, instead of changing it
    #[arg(long, value_name = "OTHER", value_parser = source(), conflicts_with_all = ["output", "dry_run"])]
    check: Option<Source>,

    /// Write the proof as JSON
    #[arg(long, value_name = "OUT.json")]
    proof: Option<PathBuf>,

    #[cfg(feature = "gl")]
    #[command(flatten)]
    sheet: SheetArgs,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    operations: OperationArgs,

    #[command(flatten)]
    read: WholeRigArgs,
}

/// Maximum number of poses on a sheet.
const SHEET_POSES: usize = 12;

const HELP: &str = "\
Changes a skeleton and keeps the character. Operations run in the order in which they are given.
Clips, morph targets, VRM data, constraints, springs and cameras are carried through; an operation
that can't carry one is refused by name, and nothing is written.

The proof poses the old and the new rig alike: in the rest pose, in 200 random poses within the
natural range of each joint, and at keys of every clip and between. Unless an operation is meant to
change the skin, no vertex and no joint may move by more than 1e-5 of the size. The written file is
read again and compared too.

Exit codes: 0 if the proof holds or the skin was meant to change, 1 if it doesn't hold and nothing
was written, 2 on failure.

Examples:
  rigscope refit hero.fbx -o hero.glb --freeze-root --freeze-scale --rename mixamo
  rigscope refit hero.glb -o tpose.glb --pose-as-rest t --reset-binds
  rigscope refit hero.glb --check exported.glb";

pub(super) const JSON: [JsonDocument; 1] =
    [JsonDocument { command: "refit", key: "", python: Some(("Rig.prove", "")), shape: RefitJson::shape }];

/// Operations in the order of the command line.
#[derive(Clone, Debug, Default)]
struct OperationArgs(Vec<Operation>);

impl Args for OperationArgs {
    fn augment_args(command: Command) -> Command {
        let heading = "Operations, in the order given";
        let operation = |spec: OperationSpec| {
            let arg = Arg::new(spec.name).long(spec.name).help(spec.help).help_heading(heading);
            if spec.value.is_empty() {
                arg.action(ArgAction::SetTrue)
            } else {
                let parser = clap::builder::ValueParser::new(spec.parse);
                arg.action(ArgAction::Append).value_name(spec.value).value_parser(parser)
            }
        };
        let keep = Arg::new("keep")
            .long("keep")
            .value_name("PATTERN")
            .help("Joints that --drop-unused keeps, such as *_end (repeatable)")
            .action(ArgAction::Append)
            .requires("drop-unused")
            .help_heading(heading);
        command.args(OPERATIONS.map(operation)).arg(keep)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OperationArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let kept: Vec<&str> = matches.get_many::<String>("keep").into_iter().flatten().map(String::as_str).collect();
        let mut found: Vec<(usize, Operation)> = Vec::new();
        for spec in OPERATIONS {
            let indices = || matches.indices_of(spec.name).into_iter().flatten();
            if !spec.value.is_empty() {
                let operations = matches.get_many::<Operation>(spec.name).into_iter().flatten().cloned();
                found.extend(indices().zip(operations));
            } else if matches.get_flag(spec.name) {
                let kept = if spec.name == "drop-unused" { kept.join(",") } else { String::new() };
                let operation =
                    (spec.parse)(&kept).map_err(|problem| Error::raw(ErrorKind::ValueValidation, problem))?;
                found.extend(indices().next().map(|at| (at, operation)));
            }
        }
        found.sort_by_key(|(at, _)| *at);
        Ok(Self(found.into_iter().map(|(_, operation)| operation).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl RefitArgs {
    /// Runs the command. Unless the proof holds, no file is written.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        let output = self.output_path()?;
        let named = [output.as_deref(), self.proof.as_deref(), self.sheet_path()].into_iter().flatten();
        refuse_two_on_stdout(
            named,
            output.as_deref().is_none_or(|path| !is_standard(path)),
            "the output, --proof and --sheet",
        )?;
        #[cfg(feature = "gl")]
        self.sheet.check()?;
        let others = self.proof.as_deref().into_iter().chain(self.sheet_path());
        for path in others {
            let other = self.check.as_ref().and_then(Source::path);
            refuse_to_replace(path, self.file.path().into_iter().chain(other).chain(output.as_deref()))?;
        }
        let wanted = (&self.file, self.read.scene());
        let document = open_document(wanted, &ExtraClipArgs::default(), self.read.job(), console)?;
        warn_of_import(console, "", &document.warnings, WarningScope::Appearance);
        match (&self.check, output) {
            (Some(other), _) => {
                let other = open_document((other, None), &ExtraClipArgs::default(), self.read.job(), console)?;
                self.compare([&document.rig, &other.rig], console)
            }
            (None, output) => self.change(&document, output.as_deref(), console),
        }
    }

    fn output_path(&self) -> Result<Option<PathBuf>, String> {
        if self.check.is_some() {
            return if self.operations.0.is_empty() {
                Ok(None)
            } else {
                Err("--check compares two files and takes no operations".to_owned())
            };
        }
        if self.operations.0.is_empty() {
            return Err("There is nothing to do; name an operation, such as --freeze-scale".to_owned());
        }
        if self.in_place {
            let path = self.file.path().filter(|path| !is_standard(path)).ok_or("--in-place needs a file")?;
            check_rig_name(path).map_err(|error| not_saved(&error))?;
            return Ok(Some(path.to_owned()));
        }
        if let Some(path) = self.output.as_deref().filter(|path| !is_standard(path)) {
            check_rig_name(path).map_err(|error| not_saved(&error))?;
            refuse_to_replace(path, self.file.path())?;
        }
        Ok(self.output.clone())
    }

    fn compare(&self, rigs: [&Arc<Rig>; 2], console: &Console) -> Result<ExitCode, String> {
        let pairing = console.stage("Matching", |progress| done(Pairing::between(rigs[0], rigs[1], progress)))?;
        let pairing = pairing.map_err(|error| format!("The files can't be compared: {error}"))?;
        if let Some(obstacle) = pairing.obstacle(rigs[0]) {
            return Err(format!("The files can't be compared: {obstacle}"));
        }
        let notes = pairing.notes(rigs.map(|rig| &**rig));
        for note in &notes {
            console.note(note);
        }
        let is_complete = pairing.is_complete(rigs[0]);
        let proof = proven(rigs, &pairing, console)?;
        let document = RefitJson::new(&[], &proof, false, (is_complete, notes));
        self.show(&document, &proof.summary(), console)?;
        self.save_proof(&document, console)?;
        Ok(ExitCode::from(u8::from(!proof.holds() || !is_complete)))
    }

    fn change(&self, document: &Document, output: Option<&Path>, console: &Console) -> Result<ExitCode, String> {
        if let Some(path) = output {
            check_vrm_name(path, &document.rig).map_err(|error| not_saved(&error))?;
        }
        let refitted = console.stage("Changing the skeleton", |progress| {
            let job = self.read.job().with_progress(Arc::clone(progress));
            refit(&document.rig, &self.operations.0, &job).map_err(|error| match error {
                RefitError::Cancelled => cancelled(),
                refused @ RefitError::Refused { .. } => not_saved(&refused),
            })
        })?;
        let pairing = Pairing::with_refitted(&document.rig, &refitted);
        let rigs = [&document.rig, &refitted.rig];
        let count = if self.sheet_path().is_some() { SHEET_POSES } else { 0 };
        let (proof, worst) =
            console.stage("Comparing poses", |progress| done(prove_with_worst(rigs, &pairing, count, progress)))?;
        let shown = RefitJson::new(&refitted.notes, &proof, refitted.changes_skin, (true, Vec::new()));
        let summary = if refitted.changes_skin { proof.change_summary() } else { proof.summary() };
        self.show(&shown, &summary, console)?;
        self.save_sheet(document, (&proof, &worst), console)?;
        if !proof.holds() && !refitted.changes_skin {
            self.save_proof(&shown, console)?;
            console.error("Nothing was written, because the skin would change");
            return Ok(ExitCode::from(1));
        }
        let Some(path) = output else {
            self.save_proof(&shown, console)?;
            return Ok(ExitCode::SUCCESS);
        };
        let file = console.stage("Converting", |progress| {
            rig_glb_with(&refitted.rig, self.read.missing.choice(), progress).map_err(|error| not_saved(&error))
        })?;
        let errors = repaired_errors(&document.warnings, WarningScope::Appearance);
        if let Some(code) = self.read.missing.refusal(&file, errors, console) {
            return Ok(code);
        }
        self.check_written(&refitted, &file, console)?;
        self.save_proof(&shown, console)?;
        console.stage("Writing", |_| output::save_export(path, &file, "rig was"))?;
        file.left_out.iter().for_each(|loss| console.note(loss));
        console.saved(path, &format!("{}, {}", counted(refitted.rig.joint_count(), "joint", "joints"), file.size()));
        Ok(ExitCode::SUCCESS)
    }

    #[cfg(feature = "gl")]
    fn sheet_path(&self) -> Option<&Path> {
        self.sheet.path()
    }

    #[cfg(not(feature = "gl"))]
    #[expect(clippy::unused_self, reason = "a program without images draws no sheet")]
    fn sheet_path(&self) -> Option<&Path> {
        None
    }

    #[cfg(feature = "gl")]
    fn save_sheet(&self, document: &Document, proof: (&Proof, &[ProofPose]), console: &Console) -> Result<(), String> {
        self.sheet.save(document, &self.operations.0, proof, self.read.job(), console)
    }

    #[cfg(not(feature = "gl"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "a program without images draws no sheet")]
    fn save_sheet(&self, _: &Document, _: (&Proof, &[ProofPose]), _: &Console) -> Result<(), String> {
        Ok(())
    }

    /// Reads the bytes again and compares them with the rig in memory.
    fn check_written(&self, refitted: &Refitted, file: &ExportFile, console: &Console) -> Result<(), String> {
        let read = import_bytes(&file.bytes, &self.read.job()).map_err(|error| not_saved(&error))?;
        let rigs = [&refitted.rig, &Arc::new(read.rig)];
        let pairing = console.stage("Matching", |progress| done(Pairing::with_written(rigs[0], rigs[1], progress)))?;
        let pairing = pairing.map_err(|error| not_saved(&error))?;
        let proof = proven(rigs, &pairing, console)?;
        if proof.holds() {
            Ok(())
        } else {
            Err(not_saved(&format!("the file would deform differently: {}", proof.summary())))
        }
    }

    fn show(&self, proof: &RefitJson, summary: &str, console: &Console) -> Result<(), String> {
        if self.json {
            console.print_json(&numbers_json(&self.file.name(), proof))
        } else {
            console.print(proof.operations.iter().map(String::as_str).chain([summary]).map(Line::plain))
        }
    }

    fn save_proof(&self, proof: &RefitJson, console: &Console) -> Result<(), String> {
        let Some(path) = &self.proof else { return Ok(()) };
        output::save(path, numbers_json(&self.file.name(), proof).as_bytes(), "proof was", console)
    }
}

fn proven(rigs: [&Arc<Rig>; 2], pairing: &Pairing, console: &Console) -> Result<Proof, String> {
    console.stage("Comparing poses", |progress| done(prove(rigs, pairing, progress)))
}

fn done<T>(result: Option<T>) -> Result<T, String> {
    result.ok_or_else(cancelled)
}

fn not_saved(problem: &impl std::fmt::Display) -> String {
    format!("The rig was not saved: {problem}")
}
