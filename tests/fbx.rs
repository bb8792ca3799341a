//! FBX files are what the programs showed that wrote them.

#![cfg(feature = "fbx")]

mod common;

use common::fbx_golden::{self, FbxGolden, as_authored};
use glam::Vec3;
use rigscope::rig::{Pose, Rig, evaluate};
use rigscope::skinning::{deform, palettes};

fn skinned(golden: &FbxGolden, rig: &Rig) -> Vec<Vec3> {
    let posed = evaluate(rig, golden.moment(), &Pose::rest(&rig.hierarchy));
    let palettes = palettes(rig, &posed);
    let points = |(i, instance): (usize, &rigscope::rig::MeshInstance)| {
        as_authored(rig, i, |method| {
            let primitives = rig.meshes[instance.mesh].primitives.iter();
            primitives.map(|p| deform(p, &palettes[i], &posed.morph_weights[i], method).positions).collect()
        })
    };
    rig.instances.iter().enumerate().flat_map(points).collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "shows how far from the limits the results are")]
fn files_are_what_their_programs_showed() {
    let Some(samples) = common::samples() else { return };
    let mut wrong = Vec::new();
    for (name, golden) in fbx_golden::all(&samples) {
        let rig = golden.rig(&samples);
        let [farthest, limit] = golden.distance(&skinned(&golden, &rig));
        println!("{name:<60} {farthest:.1e} of {limit:.1e}");
        if farthest > limit {
            wrong.push(name);
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
