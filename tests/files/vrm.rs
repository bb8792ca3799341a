//! Converted VRM files remain VRM files: references in their extensions stay valid, and losses are reported.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use common::command::rigscope;
use common::conversion::complaints;
use common::glb::split;
use common::kept::Kept;
use common::vrm::{led, vrm_0, vrm_1};
use rigscope::export::{ExportFile, rig_glb};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::rig::{Rig, WeightSet};
use serde_json::{Value, json};

fn opened(bytes: &[u8]) -> Rig {
    import_bytes(bytes, &Job::default()).unwrap().rig
}

fn converted(bytes: &[u8]) -> ExportFile {
    rig_glb(&opened(bytes), &Progress::default()).unwrap()
}

/// Asserts that converting a converted file gives the same bytes.
fn assert_fixed(file: &ExportFile) {
    let again = converted(&file.bytes);
    assert_eq!(again.left_out, [""; 0]);
    assert!(again.bytes == file.bytes, "{:#}\n{:#}", split(&again.bytes).0, split(&file.bytes).0);
}

#[expect(clippy::print_stdout, reason = "says what was skipped")]
fn samples() -> Vec<PathBuf> {
    let Some(samples) = common::samples() else {
        println!("skipped without samples: the VRMs among them");
        return Vec::new();
    };
    let found = common::files_below(&samples, &["vrm"]);
    assert!(found.len() >= 4, "{found:?}");
    found
}

#[test]
fn references_of_vrm_1_lead_to_the_same_names_after_conversion() {
    let before = vrm_1().build();
    let file = converted(&before);
    let (document, _) = split(&file.bytes);
    let mut expected = led(&split(&before).0);
    let extensions = expected["extensions"].as_object_mut().unwrap();
    extensions.remove("VRMC_nothing_known");
    // One bind for each primitive of the face, and none for the mesh that is in no scene.
    let binds = &mut expected["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"]["morphTargetBinds"];
    *binds = json!([binds[0], binds[0]]);
    let marks = &mut expected["extensions"]["VRMC_vrm"]["firstPerson"]["meshAnnotations"];
    *marks = json!([marks[0], marks[0]]);
    expected["materials"][1]["extensions"]["VRMC_materials_mtoon"].as_object_mut().unwrap().remove("matcapTexture");
    let found = led(&document);
    assert_eq!(found["extensions"], expected["extensions"]);
    assert_eq!(found["constraints"], expected["constraints"]);
    assert_eq!(found["materials"][1], expected["materials"][1]);
    assert_eq!(
        file.left_out,
        [
            "VRMC_nothing_known left out: it is not known which of its numbers are those of what",
            "1 bind of an expression left out: the scene does not show their meshes",
            "1 texture of VRM left out: their images cannot be read, or lie by coordinates that are not kept",
        ]
    );
    let used = document["extensionsUsed"].as_array().unwrap();
    for name in [
        "VRMC_vrm",
        "VRMC_springBone",
        "VRMC_springBone_extended_collider",
        "VRMC_materials_mtoon",
        "VRMC_node_constraint",
    ] {
        assert!(used.contains(&json!(name)), "{used:?}");
    }
    assert_eq!(document["extensionsRequired"], json!(["VRMC_vrm"]));
    assert_fixed(&file);
}

#[test]
fn references_of_vrm_0_lead_to_the_same_names_after_conversion() {
    let before = vrm_0().build();
    let file = converted(&before);
    let (document, _) = split(&file.bytes);
    let mut expected = led(&split(&before).0);
    let vrm = &mut expected["extensions"]["VRM"];
    let binds = &mut vrm["blendShapeMaster"]["blendShapeGroups"][0]["binds"];
    *binds = json!([binds[0], binds[0]]);
    let marks = &mut vrm["firstPerson"]["meshAnnotations"];
    *marks = json!([marks[0], marks[0], marks[1]]);
    // The primitive without texture coordinates has its own copy of the material.
    let properties = vrm["materialProperties"].as_array_mut().unwrap();
    properties.push(properties[1].clone());
    // The base colour texture is written again from its pixels and has no name.
    for entry in [1, 2] {
        properties[entry]["textureProperties"]["_MainTex"] = Value::Null;
    }
    assert_eq!(led(&document)["extensions"], expected["extensions"]);
    assert_eq!(document["materials"].as_array().unwrap().len(), 3);
    assert_eq!(file.left_out, ["1 bind of an expression left out: the scene does not show their meshes"]);
    assert_fixed(&file);
}

#[test]
fn weights_leave_all_vrm_data_as_it_is() {
    for bytes in [vrm_0().build(), vrm_1().build()] {
        let rig = opened(&bytes);
        let kept = Kept::of_bytes(&bytes, &rig, &WeightSet::from_rig(&rig));
        kept.assert_same_but_for_weights("VRM");
        assert_eq!(led(&kept.after), led(&split(&bytes).0));
    }
}

#[test]
fn samples_keep_their_springs_constraints_and_expressions() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for sample in samples() {
        let before = std::fs::read(&sample).unwrap();
        let file = converted(&before);
        let [old, new] = [&before, &file.bytes].map(|bytes| led(&split(bytes).0));
        for part in ["extensions", "materials"] {
            assert_eq!(new[part], old[part], "{}: {part}", sample.display());
        }
        assert_eq!(file.left_out, [""; 0], "{}", sample.display());
        assert_fixed(&file);
        let rig = opened(&before);
        Kept::of_bytes(&before, &rig, &WeightSet::from_rig(&rig))
            .assert_same_but_for_weights(&sample.display().to_string());
        files.push(folder.path().join(format!("{}.glb", files.len())));
        std::fs::write(files.last().unwrap(), &file.bytes).unwrap();
    }
    if let Some(complaints) = complaints(&files) {
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}

#[test]
fn baked_meshes_report_lost_vrm_data_and_the_extension_needs_a_vrm() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("ada.vrm"), vrm_1().build()).unwrap();
    let run = |arguments: &[&str], from: &Path, to: &Path| {
        let paths = [from.as_os_str(), "-o".as_ref(), to.as_os_str()];
        let run = rigscope(&arguments.iter().map(OsStr::new).chain(paths).collect::<Vec<_>>());
        (run.code, run.stderr)
    };
    let (code, said) = run(&["bake"], &path("ada.vrm"), &path("baked.glb"));
    let lost = "VRMC_materials_mtoon, VRMC_nothing_known, VRMC_springBone, VRMC_springBone_extended_collider, VRMC_vrm left out: posed meshes have no joints";
    assert!(code == Some(0) && said.contains(lost), "{said}");
    for command in [&["convert"][..], &["weights", "--fix"]] {
        assert_eq!(run(command, &path("ada.vrm"), &path("again.vrm")).0, Some(0));
        assert_eq!(opened(&std::fs::read(path("again.vrm")).unwrap()).vrm_version, Some(1));
        let (code, said) = run(command, Path::new("builtin:tube"), &path("tube.vrm"));
        assert!(code == Some(2) && said.contains("a .vrm needs the data of a VRM"), "{said}");
    }
}
