use std::path::{Path, PathBuf};

use clap::Args;

use super::files::source;
use super::opening::{ExtraClipArgs, open_document, warn_of_import};
use super::{Console, MemoryArgs};
use crate::analysis::flex::{MAX_SEEDED_POSES, seeded_poses};
use crate::export::{ExportError, Kit, KitSample, not_finite};
use crate::files::{StagedFolder, is_standard};
use crate::import::WarningScope;
use crate::rig::{ClipMoment, Pose, Rig};
use crate::stage::Source;
use crate::text::counted;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct KitArgs {
    /// A glTF, GLB, VRM or FBX file, or builtin:NAME
    #[arg(value_parser = source(), value_name = "FILE")]
    file: Source,

    /// Output folder, new or empty
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Number of random poses within the natural range of the joints
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(..=MAX_SEEDED_POSES as i64))]
    poses: u8,

    /// Seed of the random poses
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u16,

    /// Number of times in each of the first eight clips
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(..=16))]
    frames: u8,

    #[command(flatten)]
    memory: MemoryArgs,
}

const HELP: &str = "\
Writes expected results for the tests of any engine: world and skinning matrices of all joints, and
positions and normals by linear blend and dual quaternion skinning, of the rest pose, random poses
and times of clips, as .npz and JSON. README.md in the folder states spaces, units, and the order of
matrices and vertices; check.py, check.cpp and check.rs compare your points with the kit. The same
file and seed give the same kit. The folder is written completely or not at all.

Examples:
  rigscope kit hero.glb -o hero-kit";

/// Maximum number of clips in a kit.
const MAX_CLIPS: usize = 8;

impl KitArgs {
    pub fn run(self, console: &Console) -> Result<(), String> {
        if is_standard(&self.output) {
            return Err("A kit is a folder and cannot go to standard output; give a name with -o".to_owned());
        }
        let problem = |problem: std::io::Error| not_saved(&self.output, &problem);
        let folder = StagedFolder::new(&self.output).map_err(problem)?;
        let job = self.memory.job();
        let document = open_document((&self.file, None), &ExtraClipArgs::default(), job, console)?;
        warn_of_import(console, "", &document.warnings, WarningScope::Shape);
        let rig = &document.rig;
        if rig.clips.len() > MAX_CLIPS && self.frames > 0 {
            console.note(&format!("The first {MAX_CLIPS} of {} clips are in the kit", rig.clips.len()));
        }
        let samples = self.samples(rig);
        let file = self.file.name();
        let kit = Kit { file: &file, rig, samples: &samples };
        kit.check_size()?;
        let odd = console.stage("Writing the kit", |progress| {
            kit.write(&folder, progress).map_err(|problem| match problem {
                ExportError::Write { source, .. } => not_saved(&self.output, &source),
                problem => not_saved(&self.output, &problem),
            })
        })?;
        folder.place().map_err(problem)?;
        if odd > 0 {
            console.warn(&not_finite(odd));
        }
        console.saved(&self.output, &counted(samples.len(), "sample", "samples"));
        Ok(())
    }

    fn samples(&self, rig: &Rig) -> Vec<KitSample> {
        let rest = [("rest".to_owned(), Pose::rest(&rig.hierarchy), None)];
        let seeded = seeded_poses(rig, self.poses.into(), self.seed);
        let seeded = (1..).zip(seeded).map(|(number, pose)| (format!("pose-{number}"), pose, None));
        let clips = (0..rig.clips.len().min(MAX_CLIPS)).flat_map(|clip| {
            let times = self.times(rig, clip);
            times.map(move |time_secs| {
                let name = format!("{}-{time_secs:.3}s", plain(rig.clip_name(clip)));
                (name, Pose::rest(&rig.hierarchy), Some(ClipMoment::new(clip, time_secs)))
            })
        });
        let all = rest.into_iter().chain(seeded).chain(clips).enumerate();
        all.map(|(number, (name, pose, moment))| KitSample { name: format!("{number:02}-{name}"), pose, moment })
            .collect()
    }

    /// Returns evenly spaced times within a clip, most of them between two keys, so that interpolation is tested too.
    fn times(&self, rig: &Rig, clip: usize) -> impl Iterator<Item = f32> + use<> {
        let count = self.frames;
        let (first, last) = rig
            .clips
            .get(clip)
            .map_or((0.0, 0.0), |clip| (clip.first_key_secs().unwrap_or(0.0).max(0.0), clip.duration_secs));
        (1..=count).map(move |number| first + (last - first) * f32::from(number) / (f32::from(count) + 1.0))
    }
}

fn not_saved(folder: &Path, problem: &dyn std::fmt::Display) -> String {
    format!("The kit was not saved: {problem} ({})", folder.display())
}

/// Returns a name with only ASCII letters, digits and hyphens, at most 40.
fn plain(name: &str) -> String {
    const MAX_LENGTH: usize = 40;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.chars().take(MAX_LENGTH).map(plain).collect();
    if name.is_empty() { "clip".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_clips_become_names_of_files() {
        assert_eq!([plain("Walk"), plain("a/b ü"), plain("")], ["Walk", "a-b--", "clip"].map(str::to_owned));
        assert_eq!(plain(&"x".repeat(99)).len(), 40);
    }
}
