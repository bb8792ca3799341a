//! FBX files are what the programs showed that wrote them.

#![cfg(feature = "fbx")]

mod common;

use common::fbx_character;
use common::fbx_golden::{self, FbxGolden, as_authored};
use glam::Vec3;
use rigscope::import::{Job, import_bytes};
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

#[test]
fn text_and_binary_are_one_character() {
    let fbx = fbx_character::character();
    let open = |bytes: &[u8]| import_bytes(bytes, &Job::default()).unwrap();
    let (text, binary) = (open(&fbx.text()), open(&fbx.binary()));
    for imported in [&text, &binary] {
        let rig = &imported.rig;
        assert_eq!(imported.warnings, []);
        assert_eq!((rig.joint_count(), rig.skins.len(), rig.vertex_count()), (2, 1, 8));
        assert_eq!(rig.morphs().iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["Bulge 50 %", "Bulge 100 %"]);
        assert_eq!(rig.instances[0].morph_weights, [0.5, 0.0]);
        assert_eq!(
            rig.clips.iter().map(|c| (c.name.as_str(), c.duration_secs)).collect::<Vec<_>>(),
            [("Wave", 1.0), ("Step", 1.0)]
        );
    }
}
