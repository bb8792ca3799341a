//! Clips of one file on the character of another.

#![cfg(feature = "fbx")]

use crate::common;

use common::samples;
use rigscope::import::{Imported, Job, import_file};
use rigscope::posing::transferred_clips;
use rigscope::rig::{ClipMoment, Pose, Rig, evaluate};

/// Farthest that a joint is from where the rig's own clip has it, at several moments, in shares of the size.
fn farthest(rig: &Rig, own: usize, other: usize) -> f32 {
    let pose = Pose::rest(&rig.hierarchy);
    let at = |clip, time_secs| evaluate(rig, Some(ClipMoment { clip, time_secs }), &pose).world_from_node;
    let apart = [0.0, 0.3, 0.6, 0.9].map(|time_secs| {
        let pairs = at(own, time_secs).into_iter().zip(at(other, time_secs)).zip(rig.hierarchy.nodes());
        let joints = pairs.filter(|(_, node)| rig.is_joint(*node));
        joints.map(|((a, b), _)| a.translation.distance(b.translation)).fold(0.0, f32::max)
    });
    apart.into_iter().fold(0.0, f32::max) / rig.size()
}

#[test]
fn a_walk_goes_from_fbx_to_gltf_and_back_between_other_axes_units_and_rest_poses() {
    let Some(samples) = samples() else { return };
    let open = |name: &str| -> Rig {
        let Imported { rig, .. } = import_file(&samples.join(name), &Job::default()).expect("a sample opens");
        rig
    };
    // Blender wrote the one from the other: its bones point along Y, it stands at rest in the walk's first frame, and it counts in centimetres.
    let [gltf, fbx] = ["khronos/CesiumMan/CesiumMan.glb", "fbx/blender42_CesiumMan.fbx"].map(open);
    for (from, onto) in [(&gltf, &fbx), (&fbx, &gltf)] {
        let found = transferred_clips(from, onto);
        assert_eq!((found.clips.len(), found.unmatched.len()), (1, 0));
        let both = onto.clone().with_clips(found.clips);
        // The two walks are up to a frame of Blender's apart in time, in which a foot moves this far.
        let apart = farthest(&both, 0, 1);
        assert!(apart < 0.03, "{apart} of the size");
    }
}
