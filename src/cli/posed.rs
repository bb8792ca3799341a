//! Options for a rig and its pose, shared by several subcommands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use glam::Vec3;

use super::files::source;
use super::many_files::OutputOption;
use super::missing_textures::TextureFolders;
use super::named::{NamedWeight, expression_weight, find_clip, find_expression, find_morph, look_at, morph_weight};
use super::opening::{ExtraClipArgs, load_sides, open_document, warn_of_import};
use super::output::refuse_to_replace;
use super::suggestions::with_suggestions;
use super::{Console, MemoryArgs, numbers};
use crate::export::PoseFile;
use crate::files::is_standard;
use crate::import::{Job, SceneChoice, WarningScope};
#[cfg(feature = "gl")]
use crate::project::Config;
use crate::rig::{DisabledBehaviours, LookAtTarget, Rig, SpringSettings, WeightSet};
use crate::skinning::{InfluenceLimit, Method, Skinning};
use crate::stage::{ActiveBehaviours, DerivedKind, Document, Session, Source, Stage};
use crate::text::counted;
use crate::view::Side;

#[derive(Args, Clone, Debug)]
pub struct PosedArgs {
    #[command(flatten)]
    pub(super) rigged: RiggedArgs,

    /// Clip to play, by name or number [default: none, the rest pose]
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Option<String>,

    /// Time in the clip, in seconds
    #[arg(long, value_name = "S", default_value_t = 0.0, requires = "clip", value_parser = numbers::within(numbers::TIMES, "seconds"))]
    #[arg(allow_negative_numbers = true)]
    time: f32,
}

/// The file of a subcommand that takes one file.
#[derive(Args, Clone, Debug)]
pub(super) struct FileArg {
    /// A glTF, GLB, VRM or FBX file, builtin:NAME, or - for standard input [default: the session's file]
    #[arg(value_parser = source(), required_unless_present = "session")]
    pub file: Option<Source>,
}

#[derive(Args, Clone, Debug)]
pub struct RiggedArgs {
    /// File of this run; `None` for the session's file.
    #[arg(skip)]
    pub(super) file: Option<Source>,

    /// Start from a session; other options override it
    #[arg(long, value_name = "S.json")]
    pub(super) session: Option<PathBuf>,

    /// Skinning method
    #[arg(long, value_name = "METHOD", help = method_help())]
    #[arg(value_parser = with_suggestions(Method::CHOICES, str::parse::<Method>), hide_possible_values = true)]
    method: Option<Method>,

    /// Apply a pose file on top of the clip or the rest pose
    #[arg(long, value_name = "P.json")]
    pose: Option<PathBuf>,

    /// Weight added to a morph target, such as Smile=0.5 (repeatable)
    #[arg(long = "morph", value_name = "NAME=V", value_parser = morph_weight)]
    morphs: Vec<NamedWeight>,

    /// Weight of an expression, 0 to 1, such as happy=0.5 (repeatable)
    #[arg(long = "expression", value_name = "NAME=W", value_parser = expression_weight)]
    expressions: Vec<NamedWeight>,

    /// Look-at target: a point in metres, angles in degrees (to the left, down), or camera
    #[arg(long, value_name = "X,Y,Z|YAW,PITCH|camera", allow_hyphen_values = true, value_parser = look_at)]
    look_at: Option<LookAtTarget>,

    /// Switch look-at, expressions, constraints and springs off
    #[arg(long)]
    no_behaviours: bool,

    /// Let springs settle for S seconds in the pose or before the clip [default: 0]
    #[arg(long, value_name = "S", default_value_t = 0.0, hide_default_value = true, value_parser = numbers::within(0.0..=SpringSettings::MAX_SETTLE_SECS, "seconds"))]
    settle: f32,

    /// Constant wind on springs, in metres per second; without a clip it needs --settle
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = wind)]
    wind: Option<Vec3>,

    /// Scene to show, by name or number [default: the file's default scene]
    #[arg(long, value_name = "NAME|INDEX")]
    scene: Option<String>,

    #[command(flatten)]
    clips_of: ExtraClipArgs,

    /// Skin with the weights as stored, neither sorted nor normalised
    #[arg(long)]
    stored_weights: bool,

    /// Keep the N heaviest influences per vertex, or with --stored-weights the first N
    #[arg(long, alias = "influences", value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    max_influences: Option<u8>,

    /// Don't renormalise the weights that --max-influences keeps
    #[arg(long, requires = "max_influences")]
    not_normalised: bool,

    #[command(flatten)]
    textures: TextureFolders,

    /// Read FBX clips from the first key to the last, ignoring the range of the take
    #[arg(long)]
    whole_timeline: bool,

    #[command(flatten)]
    pub(super) memory: MemoryArgs,
}

impl PosedArgs {
    /// Opens the rig, poses it and prints import warnings within a scope. Fails if `output` is one of the inputs.
    pub(super) fn open(&self, used: WarningScope, output: Option<&Path>, console: &Console) -> Result<Stage, String> {
        let stage = self.open_without_warnings(output, console)?;
        warn_of_import(console, "", &stage.document.warnings, used);
        Ok(stage)
    }

    /// Like [`Self::open`], but without printing import warnings.
    pub(super) fn open_without_warnings(&self, output: Option<&Path>, console: &Console) -> Result<Stage, String> {
        let mut stage = self.rigged.open(output, console)?;
        if let Some(clip) = &self.clip {
            let clip = find_clip(stage.rig(), clip)?;
            stage.set_clip(Some(clip));
            stage.playback.pause_at(self.time, &stage.document.rig);
        }
        stage.refresh();
        Ok(stage)
    }
}

impl RiggedArgs {
    /// Returns the files that these options write.
    pub(super) fn outputs(&mut self) -> impl Iterator<Item = OutputOption<'_>> {
        self.clips_of.clip_errors.iter_mut().map(|path| ("--clip-errors", path))
    }

    /// Opens the rig and poses it, without printing import warnings. Fails if `output` is one of the inputs.
    pub(super) fn open(&self, output: Option<&Path>, console: &Console) -> Result<Stage, String> {
        if self.named_files().filter(|path| is_standard(path)).count() > 1 {
            return Err("Only one of FILE, --pose, --clips-of and --session can be standard input".to_owned());
        }
        let mut stage = self.open_source(output, console)?;
        if let Some(path) = &self.pose {
            apply_pose(&mut stage, path, console)?;
        }
        apply_face(&mut stage, self)?;
        if self.method.is_some() || self.max_influences.is_some() {
            let skinning = self.skinning(&stage.view.sides.a.skinning);
            stage.set_skinning(Side::A, skinning).map_err(|e| e.to_string())?;
        }
        if self.no_behaviours {
            stage.switch_off(DisabledBehaviours::ALL);
        }
        let wind = self.wind.unwrap_or(Vec3::ZERO);
        stage.springs.set(SpringSettings { settle_secs: self.settle, wind });
        stage.refresh();
        report_behaviours(&stage, console);
        Ok(stage)
    }

    #[cfg(feature = "gl")]
    pub(super) fn apply_config(&self, stage: &mut Stage, console: &Console) -> Result<(), String> {
        let job = self.memory.job().with_progress(console.progress());
        let document = &mut stage.document;
        document.settings = Ok(Config::nearest(document.source.path(), &job)?);
        Ok(())
    }

    /// Returns all input files: the files named on the command line and the files that they reference.
    pub(super) fn inputs<'a>(&'a self, document: &'a Document) -> impl Iterator<Item = &'a Path> {
        self.named_files().chain(document.inputs())
    }

    fn named_files(&self) -> impl Iterator<Item = &Path> {
        let file = self.file.as_ref().and_then(Source::path);
        let clips_from = self.clips_of.clips_from.iter().filter_map(Source::path);
        file.into_iter().chain(self.pose.as_deref()).chain(self.session.as_deref()).chain(clips_from)
    }

    fn skinning(&self, usual: &Skinning) -> Skinning {
        let renormalizes = !self.not_normalised;
        let influences = self.max_influences.map_or(usual.influences, |count| InfluenceLimit {
            count: Some(count),
            renormalizes,
            ..InfluenceLimit::default()
        });
        Skinning { method: self.method.unwrap_or(usual.method), influences, ..usual.clone() }
    }

    fn job(&self) -> Job {
        self.textures.job(self.memory).playing_whole_timeline(self.whole_timeline)
    }

    fn open_source(&self, output: Option<&Path>, console: &Console) -> Result<Stage, String> {
        let refuse = |inputs: &mut dyn Iterator<Item = &Path>| output.map_or(Ok(()), |o| refuse_to_replace(o, inputs));
        refuse(&mut self.named_files())?;
        let scene = self.scene.clone().map(SceneChoice::Named);
        let session = self.session.as_deref().map(|path| read_session(path, console)).transpose()?;
        let source = self.file.as_ref().or(session.as_ref().map(|s| &s.source)).ok_or("no file was given")?;
        refuse(&mut source.path().into_iter())?;
        let scene = scene.or(session.as_ref().and_then(|s| s.scene).map(SceneChoice::LastSeen));
        let of_session = session.iter().flat_map(|session| &session.clips_from);
        let clips_from: Vec<Source> = of_session.chain(&self.clips_of.clips_from).cloned().collect();
        // Accepts the clips of a session even if few joints match.
        let partial = self.clips_of.partial || session.is_some();
        let clips_of = ExtraClipArgs { clips_from, partial, clip_errors: self.clips_of.clip_errors.clone() };
        let mut document = open_document((source, scene), &clips_of, self.job(), console)?;
        if self.stored_weights {
            document.rig = Arc::new(document.rig.with_weights(&WeightSet::stored(&document.rig)));
        }
        if self.no_behaviours {
            document.rig = Arc::new(Rig::clone(&document.rig).without_behaviours());
        }
        let mut stage = Stage::new(document);
        refuse(&mut stage.document.inputs())?;
        if let Some(session) = session {
            for complaint in session.restore(&mut stage) {
                console.warn(&complaint);
            }
            if DerivedKind::wanted_for_image(&stage).is_some() {
                let warnings = load_sides(&mut stage, "Preparing the sides", self.memory, console)?;
                for warning in &warnings {
                    console.warn(warning);
                }
            }
        }
        Ok(stage)
    }
}

fn report_behaviours(stage: &Stage, console: &Console) {
    let run = ActiveBehaviours::new(stage);
    let mut parts = Vec::new();
    if run.eyes > 0 {
        parts.push("the eyes follow the look-at target".to_owned());
    }
    for (count, one, many) in [
        (run.expressions, "expression is shown", "expressions are shown"),
        (run.constraints, "constraint runs", "constraints run"),
        (run.springs, "spring swings", "springs swing"),
    ] {
        if count > 0 {
            parts.push(counted(count, one, many));
        }
    }
    if !parts.is_empty() {
        let text = parts.join(", ");
        let text = text.strip_prefix("the eyes").map_or_else(|| text.clone(), |rest| format!("The eyes{rest}"));
        console.note(&format!("{text}; --no-behaviours switches them off"));
    }
    if !stage.document.switched_off.springs {
        warn_of_resting_springs(stage, console);
    }
}

fn warn_of_resting_springs(stage: &Stage, console: &Console) {
    let clips = stage.rig().clips.iter().enumerate().filter(|(number, _)| stage.rig().rests_springs(*number));
    let clips: Vec<&str> = clips.map(|(_, clip)| clip.name.as_str()).collect();
    if let [first, ..] = clips[..] {
        let count = counted(clips.len(), "clip", "clips");
        console.warn(&format!("Springs are at rest in {count} too long to simulate them, the first \"{first}\"."));
    }
}

fn read_session(path: &Path, console: &Console) -> Result<Session, String> {
    let read = waiting(console, "Reading the session", || Session::read_waiting(path));
    read.map_err(|e| format!("The session was not read. {e} ({})", path.display()))
}

/// Reads a file while showing progress. `--timeout` ends the wait for a pipe that nobody writes to.
fn waiting<T>(console: &Console, name: &str, read: impl FnOnce() -> T) -> T {
    console.watched(name, || name.to_owned(), read)
}

fn apply_pose(stage: &mut Stage, path: &Path, console: &Console) -> Result<(), String> {
    let problem = |e: String| format!("The pose was not read. {e} ({})", path.display());
    let read = waiting(console, "Reading the pose", || PoseFile::read_waiting(path));
    let file = read.map_err(|e| problem(e.to_string()))?;
    let (pose, warnings) = file.pose_for(stage.rig());
    for warning in warnings {
        console.warn(&warning.to_string());
    }
    stage.edit_pose(|own| *own = pose);
    Ok(())
}

fn apply_face(stage: &mut Stage, args: &RiggedArgs) -> Result<(), String> {
    let rig = stage.rig();
    let morphs =
        args.morphs.iter().map(|w| Ok((find_morph(rig, &w.name)?, w.weight))).collect::<Result<Vec<_>, String>>()?;
    let expressions = args.expressions.iter().map(|w| Ok((find_expression(rig, &w.name)?, w.weight)));
    let expressions = expressions.collect::<Result<Vec<_>, String>>()?;
    if args.look_at.is_some() && rig.look_at.is_none() {
        return Err("This file does not say how its eyes look at something".to_owned());
    }
    stage.edit_pose(|pose| {
        for &(morph, weight) in &morphs {
            pose.set_morph_weight(morph, weight);
        }
        for &(expression, weight) in &expressions {
            pose.face_mut().set_expression(expression, weight);
        }
        if args.look_at.is_some() {
            pose.face_mut().set_look_at(args.look_at);
        }
    });
    if let Some(&(last, _)) = morphs.last() {
        stage.view.choose_morph(last, &stage.document.rig);
    }
    Ok(())
}

fn method_help() -> String {
    let names = Method::names_with_glosses();
    format!(
        "Skinning method: {names}; or blend:WEIGHT, such as blend:0.5 [default: that of the session \
         or the file, else lbs]"
    )
}

/// Parses a wind `X,Y,Z` in metres per second.
fn wind(text: &str) -> Result<Vec3, String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let wind = numbers.ok().and_then(|numbers| <[f32; 3]>::try_from(numbers).ok()).map(Vec3::from_array);
    let max_wind = SpringSettings::MAX_WIND;
    wind.filter(|wind| wind.length() <= max_wind)
        .ok_or_else(|| format!("give X,Y,Z in metres per second, at most {max_wind} together"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wind_is_three_numbers_within_reason() {
        assert_eq!(wind("1, -2.5,0"), Ok(Vec3::new(1.0, -2.5, 0.0)));
        for bad in ["", "1", "1,2", "1,2,3,4", "x,y,z", "nan,0,0", "inf,0,0", "101,0,0", "1e38,1e38,0"] {
            assert!(wind(bad).is_err(), "{bad}");
        }
    }
}
