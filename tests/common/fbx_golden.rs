//! Reference points of FBX samples, computed by the programs that wrote them; see `samples/README.md`.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use rigscope::import::{Job, import_file};
use rigscope::rig::{AuthoredMethod, ClipMoment, Rig};
use rigscope::skinning::Method;
use serde::Deserialize;

/// Points of a file at one time, as the original program showed them.
#[derive(Deserialize)]
pub struct FbxGolden {
    /// Path of the file in the samples folder.
    pub file: String,
    /// Time on the file's own timeline, seconds; `None` for the pose without a clip.
    time: Option<f32>,
    points: Vec<[f32; 3]>,
    size: f32,
    /// Distance of another implementation from the original program, if known.
    #[serde(default)]
    agreement: f32,
}

/// Returns all golden files with their names, in order.
pub fn all(samples: &Path) -> Vec<(String, FbxGolden)> {
    let paths = super::files_below(&samples.join("../reference/golden-fbx"), &["json"]);
    assert_eq!(paths.len(), 30, "golden files");
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())).collect()
}

impl FbxGolden {
    /// Returns the rig with its clips on the whole timeline.
    pub fn rig(&self, samples: &Path) -> Arc<Rig> {
        self.opened(samples, &Job::default().playing_whole_timeline(true))
    }

    /// Returns the rig with its clip limited to the range of its take, and the moment relative to that range.
    pub fn taken(&self, samples: &Path) -> (Arc<Rig>, Option<ClipMoment>) {
        let (whole, taken) = (self.rig(samples), self.opened(samples, &Job::default()));
        let moment = self.moment().map(|ClipMoment { clip, time_secs, .. }| {
            // All golden times are before the end of the take.
            let begin = whole.clips[clip].duration_secs - taken.clips[clip].duration_secs;
            ClipMoment::new(clip, time_secs - begin)
        });
        (taken, moment)
    }

    fn opened(&self, samples: &Path, job: &Job) -> Arc<Rig> {
        let imported = import_file(&samples.join(&self.file), job);
        Arc::new(imported.unwrap_or_else(|e| panic!("{}: {e}", self.file)).rig)
    }

    pub fn moment(&self) -> Option<ClipMoment> {
        self.time.map(|time_secs| ClipMoment::new(0, time_secs))
    }

    /// Returns the maximum distance between the two sets of points, and its limit, as fractions of the size.
    pub fn distance(&self, found: &[Vec3]) -> [f32; 2] {
        let expected: Vec<Vec3> = self.points.iter().map(|&p| Vec3::from(p)).collect();
        let farthest = farthest(found, &expected).max(farthest(&expected, found));
        [farthest / self.size, 2e-5_f32.max(2.0 * self.agreement)]
    }
}

fn farthest(points: &[Vec3], others: &[Vec3]) -> f32 {
    let nearest = |p: &Vec3| others.iter().map(|o| o.distance(*p)).fold(f32::INFINITY, f32::min);
    points.iter().map(nearest).fold(0.0, |a: f32, d| if d.is_nan() { f32::INFINITY } else { a.max(d) })
}

/// Returns an instance's vertices, skinned as the file declares. `by` returns the vertices for one method. If the file
/// blends methods, this function blends them per vertex.
pub fn as_authored(rig: &Rig, instance: usize, by: impl Fn(Method) -> Vec<Vec<Vec3>>) -> Vec<Vec3> {
    let placed = &rig.instances[instance];
    let authored = placed.skin.map_or(AuthoredMethod::Linear, |skin| rig.skins[skin].authored);
    match authored {
        AuthoredMethod::Linear | AuthoredMethod::Rigid => by(Method::Lbs).concat(),
        AuthoredMethod::DualQuaternion => by(Method::Dqs).concat(),
        AuthoredMethod::Blended => {
            let (linear, dual) = (by(Method::Lbs).concat(), by(Method::Dqs).concat());
            let shares: Vec<f32> =
                rig.meshes[placed.mesh].primitives.iter().flat_map(|p| p.dq_weights.iter().copied()).collect();
            assert_eq!(shares.len(), linear.len(), "every vertex has a share");
            linear.iter().zip(dual).zip(shares).map(|((l, d), share)| l.lerp(d, share)).collect()
        }
    }
}
