//! The points of the skinner are right for `diagnose`, in every sample.

use crate::common;

use std::sync::Arc;

use rigscope::analysis::diagnose::{DiagnosisInput, diagnose};
use rigscope::import::{Job, import_file};
use rigscope::jobs::Progress;
use rigscope::rig::{ClipMoment, PointFrame, Pose, evaluate};
use rigscope::skinning::{Method, Skinner, Skinning};

#[test]
fn points_of_the_skinner_are_right_in_every_sample() {
    let Some(samples) = common::samples() else { return };
    let folders = ["asset-generator", "assimp", "decoded", "derived", "kaykit", "khronos", "threejs", "fbx", "vrm"];
    let paths =
        folders.iter().flat_map(|folder| common::files_below(&samples.join(folder), &["glb", "gltf", "vrm", "fbx"]));
    let mut count = 0;
    for path in paths {
        let Ok(imported) = import_file(&path, &Job::default()) else { continue };
        let rig = Arc::new(imported.rig.without_behaviours());
        if rig.skins.is_empty() || rig.vertex_count() > 30_000 {
            continue;
        }
        let moment = rig.clips.first().map(|clip| ClipMoment::new(0, clip.duration_secs * 0.37));
        let pose = Pose::rest(&rig.hierarchy);
        let posed = evaluate(&rig, moment, &pose);
        for method in [Method::Lbs, Method::Dqs] {
            let skinning = Skinning::new(method);
            let Ok(skinner) = Skinner::new(&rig, &skinning) else { continue };
            let surfaces = skinner.deform(&posed);
            let points = surfaces.iter().flatten().flat_map(|part| &part.positions);
            let points: Vec<_> = points.map(|point| rig.hierarchy.in_file(*point)).collect();
            if points.is_empty() || !points.iter().all(|point| point.is_finite()) {
                continue;
            }
            let points = PointFrame::from_positions(points);
            let input = DiagnosisInput {
                rig: &rig,
                pose: &pose,
                posed: &posed,
                moment,
                skinning: &skinning,
                points: &points,
                points_at_rest: None,
            };
            let found = diagnose(&input, &Progress::default()).expect("points match").expect("nobody cancels");
            let first = &found.explanations[0];
            assert!(found.is_right(), "{} {method}: {:?} {:?}", path.display(), first.ids(), first.residual);
            assert!(first.residual.mean < 1e-5, "{} {method}: {:?}", path.display(), first.residual);
            count += 1;
        }
    }
    assert!(count > 60, "only {count} poses were diagnosed");
}
