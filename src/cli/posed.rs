//! A rig in a pose, as the command line asks for it: shared by the subcommands.

use std::path::{Path, PathBuf};

use clap::Args;

use super::args::source;
use super::opening::opened;
use super::{Console, MemoryArgs, import_warnings};
use crate::export::PoseFile;
use crate::import::{Concern, SceneChoice};
use crate::rig::Rig;
use crate::skinning::{Method, Skinning};
use crate::state::{AppState, Command, Document, Session, Settings, Severity, Source};

/// Which rig, in which pose, by which method.
#[derive(Args, Debug)]
pub struct PosedArgs {
    /// A glTF or GLB file, or builtin:NAME; without it what the session has open
    #[arg(value_parser = source(), required_unless_present = "session")]
    file: Option<Source>,

    /// A session file: what is open, pose, method and clip, and for pictures camera and display; other options go before it
    #[arg(long, value_name = "S.json")]
    pub(super) session: Option<PathBuf>,

    /// Skinning method: lbs, dqs, dqs-bulge (without its bulge), cor (centres of rotation), sclerp (screw interpolation), or blend:SHARE with
    /// the share of DQS, such as blend:0.5 [default: lbs, or the session's]
    #[arg(long, value_name = "METHOD")]
    method: Option<Method>,

    /// A pose file; its joint transforms go on top of the clip or the rest pose
    #[arg(long, value_name = "P.json")]
    pose: Option<PathBuf>,

    /// Name or number of the scene to show in place of the file's default one
    #[arg(long, value_name = "NAME|INDEX")]
    scene: Option<String>,

    /// Name or number of a clip; without it the rest pose
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Option<String>,

    /// Seconds into the clip, which holds its first and last key outside of it
    #[arg(long, value_name = "S", default_value_t = 0.0, requires = "clip", value_parser = parse_time)]
    #[arg(allow_negative_numbers = true)]
    time: f32,

    #[command(flatten)]
    memory: MemoryArgs,
}

impl PosedArgs {
    /// Opens the rig and poses it; what is odd about it in what will be `used` is told as warnings.
    ///
    /// *Errors*: in words for the user, with the path.
    pub(super) fn open(&self, used: Concern, console: &Console) -> Result<AppState, String> {
        let mut state = self.open_source(console)?;
        import_warnings::warn(console, "", &state.document.warnings, used);
        if let Some(path) = &self.pose {
            apply_pose(&mut state, path, console)?;
        }
        if let Some(clip) = &self.clip {
            let clip = find_clip(state.rig(), clip)?;
            state.apply(Command::SetClip(Some(clip)));
            state.apply(Command::Seek(self.time));
        }
        if let Some(method) = self.method {
            Skinning::new(method).check(state.rig()).map_err(|e| e.to_string())?;
            state.apply(Command::SetMethod(method));
        }
        state.refresh();
        Ok(state)
    }

    /// The files that are named on the command line.
    pub(super) fn named_files(&self) -> impl Iterator<Item = &Path> {
        let file = self.file.as_ref().and_then(Source::path);
        file.into_iter().chain(self.pose.as_deref()).chain(self.session.as_deref())
    }

    fn open_source(&self, console: &Console) -> Result<AppState, String> {
        let scene = self.scene.clone().map(SceneChoice::Named);
        let session = self.session.as_deref().map(read_session).transpose()?;
        let source = self.file.as_ref().or(session.as_ref().map(|s| &s.source)).ok_or("no file was given")?;
        let scene = scene.or(session.as_ref().and_then(|s| s.scene).map(SceneChoice::Number));
        let mut state = open(source, self.memory, scene, console)?;
        if let Some(session) = session {
            let document = Document { session: Some(Box::new(session)), ..state.document.clone() };
            state.apply(Command::Opened(Box::new(document)));
            if let Some(notice) = state.notice.take().filter(|n| n.severity == Severity::Warning) {
                console.warn(&notice.text);
            }
        }
        Ok(state)
    }
}

/// Opens a character at rest, in its default scene or another.
pub(super) fn open(
    source: &Source,
    memory: MemoryArgs,
    scene: Option<SceneChoice>,
    console: &Console,
) -> Result<AppState, String> {
    let job = memory.job().with_scene(scene);
    let document = opened(source, &job, console).map_err(|e| format!("{e} ({})", source.full_name()))?;
    Ok(AppState::new(document, Settings::default()))
}

/// A result may not take the place of what it is made from; `what` is the result, as in "the meshes would be".
///
/// *Errors*: where `output` is one of the sources.
pub(super) fn refuse_to_replace<'a>(
    output: &Path,
    mut sources: impl Iterator<Item = &'a Path>,
    what: &str,
) -> Result<(), String> {
    if sources.any(|source| is_same_file(source, output)) {
        return Err(format!("{} is what {what} made from; give another OUT", output.display()));
    }
    Ok(())
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn read_session(path: &Path) -> Result<Session, String> {
    Session::read(path).map_err(|e| format!("The session was not read. {e} ({})", path.display()))
}

fn apply_pose(state: &mut AppState, path: &Path, console: &Console) -> Result<(), String> {
    let problem = |e: String| format!("The pose was not read. {e} ({})", path.display());
    let bytes = std::fs::read(path).map_err(|e| problem(e.to_string()))?;
    let file = PoseFile::parse(&bytes).map_err(|e| problem(e.to_string()))?;
    let (pose, warnings) = file.pose_for(&state.rig().hierarchy);
    for warning in warnings {
        console.warn(&warning.to_string());
    }
    state.apply(Command::SetPose { pose, label: "Open pose".to_owned() });
    Ok(())
}

fn find_clip(rig: &Rig, wanted: &str) -> Result<usize, String> {
    let by_name = rig.clips.iter().position(|c| c.name == wanted);
    let by_number = || wanted.parse().ok().filter(|&i: &usize| i < rig.clips.len());
    by_name.or_else(by_number).ok_or_else(|| {
        let names: Vec<&str> = rig.clips.iter().map(|c| c.name.as_str()).collect();
        if names.is_empty() {
            format!("There is no clip \"{wanted}\"; this file has no clips")
        } else {
            format!("There is no clip \"{wanted}\"; there are {}", names.join(", "))
        }
    })
}

fn parse_time(text: &str) -> Result<f32, String> {
    let time = text.parse().ok().filter(|t: &f32| t.is_finite());
    time.ok_or_else(|| "a time is a number of seconds, as in 1.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_finite_number() {
        assert_eq!(parse_time("-0.5"), Ok(-0.5));
        for bad in ["", "1s", "nan", "inf", "1e99"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
    }
}
