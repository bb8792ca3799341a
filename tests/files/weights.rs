//! `rigscope weights`: statistics, computed weights and repairs. A file with replaced weights keeps everything else.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::character::Character;
use common::command::rigscope;
use common::conversion::complaints;
use common::glb::{Builder, U8, split};
use common::kept::Kept;
use rigscope::analysis::lint::{Code, Severity};
use rigscope::import::{Imported, Job, import_bytes, import_file};
use rigscope::jobs::Progress;
use rigscope::project::{findings, repair_for};
use rigscope::rig::{Pose, Rig, WeightSet, evaluate};
use rigscope::skinning::{Deformed, Method, deform, palettes};
use rigscope::stage::BuiltIn;
use rigscope::weights::{Recipe, Weighting, compute};
use serde_json::{Value, json};

/// Codes that only concern weights.
const OF_WEIGHTS: [Code; 7] = [
    Code::WeightSum,
    Code::WeightZero,
    Code::WeightInvalid,
    Code::JointOutOfRange,
    Code::ManyInfluences,
    Code::TinyInfluence,
    Code::RepeatedJoint,
];

fn closest(rig: &Rig) -> WeightSet {
    let recipe = Recipe { weighting: Weighting::Closest, ..Recipe::default() };
    compute(rig, &recipe, &Progress::default()).unwrap().weights
}

fn weight_codes(imported: &Imported) -> BTreeSet<Code> {
    let found = findings(&imported.rig, &imported.warnings, &Progress::default()).unwrap();
    found.iter().map(|finding| finding.code).filter(|code| OF_WEIGHTS.contains(code)).collect()
}

/// Returns the codes of all warnings and errors about weights.
fn weight_errors(imported: &Imported) -> BTreeSet<Code> {
    weight_codes(imported).into_iter().filter(|code| code.severity() > Severity::Note).collect()
}

fn opened(bytes: &[u8]) -> Imported {
    import_bytes(bytes, &Job::default()).unwrap()
}

/// Replaces the weights in a file's bytes with closest-bone weights.
fn reweighted(bytes: &[u8]) -> (Kept, Rig, WeightSet) {
    let rig = opened(bytes).rig;
    let weights = closest(&rig);
    (Kept::of_bytes(bytes, &rig, &weights), rig, weights)
}

/// Returns the accessor of an attribute of the first primitive.
fn accessor<'a>(document: &'a Value, attribute: &str) -> &'a Value {
    let number = document["meshes"][0]["primitives"][0]["attributes"][attribute].as_u64().unwrap();
    &document["accessors"][usize::try_from(number).unwrap()]
}

#[test]
fn built_in_characters_keep_everything_but_their_weights() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for built_in in BuiltIn::ALL {
        let (kept, rig, weights) = reweighted(built_in.bytes());
        kept.assert_same_but_for_weights(built_in.name());
        kept.assert_opens_as(built_in.name(), &rig, &weights, 1e-6);
        assert_eq!((kept.told, kept.imported.warnings), (vec![], vec![]));
        files.push(folder.path().join(format!("{}.glb", built_in.name())));
        std::fs::write(files.last().unwrap(), &kept.bytes).unwrap();
    }
    if let Some(complaints) = complaints(&files) {
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}

#[test]
fn unknown_members_their_order_and_the_way_numbers_are_written_stay() {
    let text = |builder: Builder| {
        let file = builder.build();
        let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
        (String::from_utf8(file[20..20 + length].to_vec()).unwrap(), file[28 + length..].to_vec())
    };
    let (json, binary) = text(Character::default().builder());
    let odd = json.trim_end().strip_prefix('{').unwrap();
    let odd = format!("{{ \"zebra\" : [1.50, 2e0 , \"\\u00e9\"],\"extras\":{{\"b\":1,\"a\":0.10}},{odd}");
    let file = common::glb::container(odd.as_bytes(), &binary);
    let rig = opened(&file).rig;
    let stored = rigscope::import::raw_gltf_from_bytes(&file, &Job::default()).unwrap().unwrap();
    let written = rigscope::export::reweighted_glb(stored, &rig, &closest(&rig), &Progress::default()).unwrap();
    let length = u32::from_le_bytes(written.bytes[12..16].try_into().unwrap()) as usize;
    let after = std::str::from_utf8(&written.bytes[20..20 + length]).unwrap();
    let begin = "{\"zebra\":[1.50, 2e0 , \"\\u00e9\"],\"extras\":{\"b\":1,\"a\":0.10},";
    assert!(after.starts_with(begin), "{}", &after[..120]);
    let nodes = |text: &str| text[text.find("\"nodes\":[{").unwrap()..].split("\"scene").next().unwrap().to_owned();
    assert_eq!(nodes(after), nodes(&json));
}

#[test]
fn types_of_joints_and_weights_stay_and_whole_numbers_sum_exactly() {
    let character = Character::default();
    let (joints, count) = (character.joints.clone(), character.joints.len());
    let mut builder = character.builder();
    let bytes: Vec<u8> = joints.as_flattened().iter().map(|joint| *joint as u8).collect();
    let weights = [255, 0, 0, 0].repeat(count);
    let (joints, weights) =
        (builder.accessor(&bytes, U8, "VEC4", count), builder.accessor(&weights, U8, "VEC4", count));
    builder.json["accessors"][weights]["normalized"] = json!(true);
    let attributes = &mut builder.json["meshes"][0]["primitives"][0]["attributes"];
    (attributes["JOINTS_0"], attributes["WEIGHTS_0"]) = (json!(joints), json!(weights));
    let (kept, rig, weights) = reweighted(&builder.build());
    kept.assert_same_but_for_weights("bytes");
    kept.assert_opens_as("bytes", &rig, &weights, 1.0 / 255.0);
    let stored = accessor(&kept.after, "WEIGHTS_0");
    assert_eq!((&stored["componentType"], &stored["normalized"]), (&json!(U8), &json!(true)));
    assert_eq!(accessor(&kept.after, "JOINTS_0")["componentType"], json!(U8));
    let view = &kept.after["bufferViews"][stored["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    for vertex in kept.after_binary[start..start + 4 * count].chunks(4) {
        assert_eq!(vertex.iter().map(|weight| u32::from(*weight)).sum::<u32>(), 255);
    }
}

#[test]
fn sets_that_are_needed_no_more_go_and_primitives_that_share_weights_still_do() {
    let mut builder = Character::default().builder();
    let primitive = &mut builder.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["JOINTS_1"] = primitive["attributes"]["JOINTS_0"].clone();
    primitive["attributes"]["WEIGHTS_1"] = primitive["attributes"]["WEIGHTS_0"].clone();
    let shared = primitive.clone();
    builder.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(shared);
    let accessors = builder.json["accessors"].as_array().unwrap().len();
    let (kept, rig, weights) = reweighted(&builder.build());
    kept.assert_same_but_for_weights("sets");
    kept.assert_opens_as("sets", &rig, &weights, 1e-6);
    let primitives = &kept.after["meshes"][0]["primitives"];
    assert_eq!(primitives[0]["attributes"], primitives[1]["attributes"]);
    assert!(primitives[0]["attributes"]["JOINTS_1"].is_null());
    assert_eq!(kept.after["accessors"].as_array().unwrap().len(), accessors + 2);
}

/// Writes the character as a `.gltf` whose data is split into two files, with a texture beside it.
fn scattered(folder: &Path) -> PathBuf {
    let (mut document, binary) = {
        let file = Character::default().builder().build();
        let (document, binary) = split(&file);
        (document, binary.to_vec())
    };
    let views = document["bufferViews"].as_array_mut().unwrap();
    let cut = views[2]["byteOffset"].as_u64().unwrap();
    for view in views.iter_mut().skip(2) {
        view["buffer"] = json!(1);
        view["byteOffset"] = json!(view["byteOffset"].as_u64().unwrap() - cut);
    }
    let (first, second) = binary.split_at(usize::try_from(cut).unwrap());
    document["buffers"] = json!([
        {"byteLength": first.len(), "uri": "one.bin", "name": "kept"},
        {"byteLength": second.len(), "uri": "two.bin"}
    ]);
    document["images"] = json!([{"uri": "skin.png", "name": "skin"}, {"uri": "gone.png"}]);
    document["textures"] = json!([{"source": 0}]);
    document["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    std::fs::write(folder.join("one.bin"), first).unwrap();
    std::fs::write(folder.join("two.bin"), second).unwrap();
    image::RgbaImage::from_pixel(2, 2, image::Rgba([9, 8, 7, 255])).save(folder.join("skin.png")).unwrap();
    let path = folder.join("scattered.gltf");
    std::fs::write(&path, document.to_string()).unwrap();
    path
}

#[test]
fn companion_files_are_embedded_and_missing_ones_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = scattered(folder.path());
    let rig = import_file(&path, &Job::default()).unwrap().rig;
    let weights = closest(&rig);
    let kept = Kept::of_file(&path, &rig, &weights).unwrap();
    kept.assert_opens_as("scattered", &rig, &weights, 1e-6);
    let buffers = kept.after["buffers"].as_array().unwrap();
    assert_eq!((buffers.len(), &buffers[0]["name"], &buffers[0]["uri"]), (1, &json!("kept"), &Value::Null));
    assert_eq!(kept.after["images"][0]["mimeType"], "image/png");
    assert_eq!(kept.imported.rig.images[0].rgba, rig.images[0].rgba);
    assert_eq!((kept.told.len(), &kept.after["images"][1]), (1, &kept.before["images"][1]));
    assert!(kept.told[0].starts_with("image 1 stays external: "), "{:?}", kept.told);
    assert_eq!(kept.after["animations"], kept.before["animations"]);
}

#[test]
fn a_file_that_is_not_what_was_opened_is_refused() {
    let file = Character::default().builder().build();
    let rig = opened(&file).rig;
    let weights = closest(&rig);
    let refused = |bytes: &[u8]| {
        let stored = rigscope::import::raw_gltf_from_bytes(bytes, &Job::default()).unwrap().unwrap();
        rigscope::export::reweighted_glb(stored, &rig, &weights, &Progress::default()).unwrap_err().to_string()
    };
    let mut other = Character::default().builder();
    other.json["accessors"][0]["count"] = json!(7);
    assert!(refused(&other.build()).contains("another number of vertices"));
    let mut empty = Character::default().builder();
    empty.json["meshes"] = json!([]);
    assert!(refused(&empty.build()).contains("no mesh 0"));
    let mut short = Character::default().builder();
    short.json["buffers"] = json!([{"byteLength": short.bin.len() + 100}]);
    assert!(refused(&short.build()).contains("shorter than its buffer"));
}

/// Returns all posed primitives at rest.
fn baked(rig: &Rig) -> Vec<Deformed> {
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    let instances = rig.instances.iter().zip(palettes(rig, &posed)).zip(&posed.morph_weights);
    let parts = instances.flat_map(|((instance, palette), weights)| {
        let primitives = &rig.meshes[instance.mesh].primitives;
        primitives.iter().map(|p| deform(p, &palette, weights, Method::Lbs)).collect::<Vec<_>>()
    });
    parts.collect()
}

#[test]
fn every_sample_opens_again_bakes_and_has_no_weight_error() {
    // Tests all samples only where they are required, because large ones take long.
    let max_vertices = if rigscope_tests::requires("samples") { usize::MAX } else { 4000 };
    let Some(samples) = common::samples() else { return };
    let mut count = 0;
    for path in common::files_below(&samples, &["gltf", "glb"]) {
        let name = path.display().to_string();
        let Ok(imported) = import_file(&path, &Job::default()) else { continue };
        let rig = imported.rig;
        if rig.vertex_count() > max_vertices {
            continue;
        }
        let weights = closest(&rig);
        let is_cut_short =
            imported.warnings.iter().any(|w| w.finding.code == rigscope::analysis::lint::Code::DataMissing);
        if weights.iter().next().is_none() || is_cut_short {
            continue;
        }
        let kept = Kept::of_file(&path, &rig, &weights).unwrap();
        kept.assert_opens_as(&name, &rig, &weights, 1.0 / 255.0);
        if kept.before["buffers"].as_array().is_some_and(|b| b.iter().all(|buffer| buffer["uri"].is_null())) {
            kept.assert_same_but_for_weights(&name);
        }
        assert_eq!(weight_errors(&kept.imported), BTreeSet::new(), "{name}");
        let is_finite = |part: &Deformed| part.positions.iter().all(|position| position.is_finite());
        assert!(
            baked(&kept.imported.rig)
                .iter()
                .zip(baked(&rig))
                .all(|(after, before)| is_finite(after) || !is_finite(&before)),
            "{name}"
        );
        count += 1;
    }
    assert!(count >= 20, "{count} samples");
}

/// Creates the character with every fault that `--fix` repairs.
fn faulty() -> Builder {
    let mut character = Character::default();
    character.weigh(0, [0, 1, 0, 0], [1.2, 0.0, 0.0, 0.0]);
    character.weigh(1, [0, 1, 0, 0], [0.0; 4]);
    character.weigh(2, [0, 1, 0, 0], [1.0, -0.2, 0.0, 0.0]);
    character.weigh(3, [0, 200, 0, 0], [0.5, 0.5, 0.0, 0.0]);
    character.weigh(4, [0, 1, 0, 0], [0.998, 0.002, 0.0, 0.0]);
    character.weigh(5, [0, 0, 0, 0], [0.5, 0.5, 0.0, 0.0]);
    let weights = character.weights.clone();
    let mut builder = character.builder();
    let second: Vec<f32> = (0..weights.len()).flat_map(|v| [if v == 6 { 0.2 } else { 0.0 }, 0.0, 0.0, 0.0]).collect();
    let joints: Vec<u8> = (0..weights.len()).flat_map(|_| [4, 0, 0, 0]).collect();
    let first: Vec<f32> =
        weights.iter().enumerate().flat_map(|(v, own)| if v == 6 { [0.2; 4] } else { *own }).collect();
    let all_joints: Vec<u8> = Character::default()
        .joints
        .iter()
        .enumerate()
        .flat_map(|(v, own)| match v {
            3 => [0, 200, 0, 0],
            5 => [0; 4],
            6 => [0, 1, 2, 3],
            _ => own.map(|joint| joint as u8),
        })
        .collect();
    let count = weights.len();
    let accessors = [
        builder.accessor(&all_joints, U8, "VEC4", count),
        builder.floats(&first, "VEC4"),
        builder.accessor(&joints, U8, "VEC4", count),
        builder.floats(&second, "VEC4"),
    ];
    let attributes = &mut builder.json["meshes"][0]["primitives"][0]["attributes"];
    for (name, accessor) in ["JOINTS_0", "WEIGHTS_0", "JOINTS_1", "WEIGHTS_1"].into_iter().zip(accessors) {
        attributes[name] = json!(accessor);
    }
    builder
}

#[test]
fn fixed_findings_disappear_and_each_change_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let [before, after, again] = ["in.glb", "out.glb", "again.glb"].map(|name| folder.path().join(name));
    let [from, to, last] = [&before, &after, &again].map(|path| path.to_str().unwrap());
    std::fs::write(&before, faulty().build()).unwrap();
    let found = weight_codes(&import_file(&before, &Job::default()).unwrap());
    assert_eq!(found, BTreeSet::from(OF_WEIGHTS));
    assert!(OF_WEIGHTS.iter().all(|code| repair_for(*code).is_some()));
    let run = rigscope(&["weights", from, "--fix", "-o", to]).ok();
    for said in [
        "normalised to sum to 1, of 3 vertices",
        "computed weights where there were none, of 1 vertex",
        "repeated joints merged, of 1 vertex",
        "under 1/255 removed, of 1 vertex",
        "limited to the four heaviest influences, of 1 vertex",
    ] {
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    }
    assert_eq!(weight_codes(&import_file(&after, &Job::default()).unwrap()), BTreeSet::new());
    let run = rigscope(&["weights", to, "--fix", "-o", last]).ok();
    assert!(run.stderr.contains("Nothing to fix"), "{}", run.stderr);
    let (kept, same) = (std::fs::read(&after).unwrap(), std::fs::read(&again).unwrap());
    assert_eq!(split(&same).0["meshes"], split(&kept).0["meshes"]);
}

#[test]
fn numbers_are_printed_as_text_json_and_csv() {
    let text = rigscope(&["weights", "builtin:tube"]).ok().stdout;
    assert!(text.starts_with("builtin:tube\n  vertices      ") && text.contains("  joint\n"), "{text}");
    let found: Value = serde_json::from_str(&rigscope(&["weights", "builtin:tube", "--json"]).ok().stdout).unwrap();
    assert_eq!((&found["version"], &found["file"]), (&json!(1), &json!("builtin:tube")));
    let weights = &found["weights"];
    let joints = weights["joints"].as_array().unwrap();
    assert_eq!((joints.len(), &weights["without"], &weights["islands"]), (4, &json!(0), &json!(0)));
    let sum: f64 = joints.iter().map(|joint| joint["weight_sum"].as_f64().unwrap()).sum();
    assert!((sum - weights["vertices"].as_f64().unwrap()).abs() < 1e-3, "shares of 1 for each vertex");
    let csv = rigscope(&["weights", "builtin:tube", "--csv", "-"]).ok().stdout;
    assert_eq!(
        (csv.lines().count(), csv.lines().next()),
        (5, Some("joint,vertices,weight_sum,largest,energy,components,islands"))
    );
}

#[test]
fn weight_problems_are_listed_for_stored_and_for_computed_weights() {
    let folder = tempfile::tempdir().unwrap();
    let mut character = Character::default();
    let last = character.joints.len() - 1;
    let (joints, weights) = (character.joints[last], character.weights[last]);
    character.weigh(0, joints, weights);
    let path = folder.path().join("faulty.glb");
    std::fs::write(&path, character.builder().build()).unwrap();
    let file = path.to_str().unwrap();
    let text = rigscope(&["weights", file, "--problems"]).ok().stdout;
    let (numbers, regions) = text.split_once("Weight problems: ").unwrap();
    assert!(numbers.contains("smoothness") && regions.contains("Edges become "), "{text}");
    let json = |args: &[&str]| serde_json::from_str::<Value>(&rigscope(args).ok().stdout).unwrap();
    let printed = json(&["weights", file, "--problems", "--json"]);
    assert_eq!(printed["weights"], json(&["weights", file, "--json"])["weights"]);
    let found = &printed["problems"];
    let list = found["list"].as_array().unwrap();
    assert!(found["count"].as_u64().unwrap() as usize == list.len() && found["poses"].as_u64().unwrap() > 20);
    let first = &list[0];
    let has_fault = |problem: &Value| problem["primitives"][0]["vertices"].as_array().unwrap().contains(&json!(0));
    assert!(list.iter().any(has_fault), "{list:?}");
    // Other commands accept its pose.
    let pose = folder.path().join("worst.json");
    std::fs::write(&pose, first["pose"].to_string()).unwrap();
    let compared = rigscope(&["compare", file, "--pose", pose.to_str().unwrap(), "--json"]).ok();
    assert!(!compared.stderr.contains("warning"), "{}", compared.stderr);
    let computed = rigscope(&["weights", file, "--compute", "closest", "--problems", "--json"]).ok();
    let computed: Value = serde_json::from_str(&computed.stdout).unwrap();
    assert_ne!(computed["weights"], printed["weights"], "numbers are those of the made weights");
    assert!(computed["problems"]["list"].is_array() && std::fs::read_dir(folder.path()).unwrap().count() == 2);
    let nothing = rigscope(&["weights", file, "--compute", "closest"]);
    assert!(nothing.code == Some(2) && nothing.stderr.contains("--problems"), "{}", nothing.stderr);
}

#[test]
fn a_rig_is_measured_against_a_reference() {
    let json = |args: &[&str]| -> Value {
        let run = rigscope(&[&["weights", "builtin:figure", "--against", "builtin:figure"], args].concat()).ok();
        serde_json::from_str(&run.stdout).unwrap_or(Value::Null)
    };
    let same = &json(&["--json"])["against"];
    for value in ["precision", "recall", "iou"] {
        assert_eq!(same["joints"][value], 1.0, "{value}");
    }
    assert_eq!((&same["weights"]["l1"], &same["weights"]["max_deformation"]), (&json!(0.0), &json!(0.0)));
    assert_eq!(same["reference"], "builtin:figure");
    let closest = &json(&["--compute", "closest", "--tolerance", "0.01", "--json"])["against"];
    let number = |value: &str| closest["weights"][value].as_f64().unwrap();
    assert!(number("precision") < 1.0 && number("l1") > 0.0, "{closest}");
    assert!(number("max_deformation") > number("mean_deformation") && number("mean_deformation") > 0.0);
    assert_eq!(closest["joints"]["mean_tolerance"], 0.01);
    let text = rigscope(&["weights", "builtin:tube", "--against", "builtin:figure"]).ok().stdout;
    assert!(text.contains("Against builtin:figure") && text.contains("missing"), "{text}");
    let alone = rigscope(&["weights", "builtin:figure", "--tolerance", "0.1"]);
    assert!(alone.code == Some(2) && alone.stderr.contains("--against"), "{}", alone.stderr);
}

#[test]
fn computed_weights_are_written_and_what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb");
    let out = out.to_str().unwrap();
    for weighting in Weighting::ALL {
        let name = weighting.spec().name;
        let run = rigscope(&["weights", "builtin:tube", "--compute", name, "-o", out, "--json"]).ok();
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(found["weights"]["sum_error"].as_f64().unwrap() < 1e-6, "{name}");
        assert!(run.stderr.contains("saved: "), "{}", run.stderr);
        assert_eq!(weight_errors(&import_file(Path::new(out), &Job::default()).unwrap()), BTreeSet::new(), "{name}");
    }
    let refused = |args: &[&str], said: &str| {
        let run = rigscope(&[&["weights", "builtin:tube"], args].concat());
        assert!(run.code == Some(2) && run.stderr.contains(said), "{args:?}: {}", run.stderr);
    };
    refused(&["-o", out], "-o has nothing to write");
    refused(&["--max-influences", "2"], "--output");
    refused(&["--from", "gone.glb", "-o", out], "gone.glb");
    refused(&["--compute", "closest"], "--output");
    refused(&["--compute", "guess", "-o", out], "closest");
    refused(&["--fix", "-o", "out.fbx"], ".glb");
    refused(&["--compute", "closest", "--leave-out", "Midle", "-o", out], "did you mean \"Middle\"?");
    refused(&["--fix", "-o", "-", "--json"], "standard output");
    let run = rigscope(&["weights", out, "--fix", "-o", out]);
    assert!(run.code == Some(2) && run.stderr.contains("would be lost"), "{}", run.stderr);
    let run =
        rigscope(&["weights", "builtin:tube", "--compute", "rigid", "--leave-out", "Middle", "-o", out, "--json"]).ok();
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let middle =
        found["weights"]["joints"].as_array().unwrap().iter().find(|joint| joint["joint"] == "Middle").unwrap();
    assert_eq!(middle["vertices"], 0);
}

#[test]
fn a_files_own_weights_are_refined_and_those_of_another_are_carried_over() {
    let folder = tempfile::tempdir().unwrap();
    let [rigid, back] = ["rigid.glb", "back.glb"].map(|name| folder.path().join(name));
    let [one, two] = [&rigid, &back].map(|path| path.to_str().unwrap());
    let joints = |path: &Path| {
        let rig = import_file(path, &Job::default()).unwrap().rig;
        rig.primitives().filter_map(|(_, p)| Some(p.influences.as_ref()?.per_vertex())).max()
    };
    rigscope(&["weights", "builtin:tube", "--max-influences", "1", "-o", one]).ok();
    assert_eq!(joints(&rigid), Some(1));
    rigscope(&["weights", one, "--from", "builtin:tube", "-o", two]).ok();
    let (found, wanted) = (import_file(&back, &Job::default()).unwrap().rig, opened(BuiltIn::Tube.bytes()).rig);
    Kept::of_file(&back, &found, &WeightSet::unchanged(&found)).unwrap().assert_opens_as(
        "tube",
        &wanted,
        &WeightSet::from_rig(&wanted),
        1e-4,
    );
    let refused = rigscope(&["weights", one, "--from", two, "-o", two]);
    assert!(refused.code == Some(2) && refused.stderr.contains("would be lost"), "{}", refused.stderr);
}

#[cfg(feature = "fbx")]
#[test]
fn other_formats_are_rewritten_with_a_note() {
    let Some(samples) = common::samples() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb");
    let file = samples.join("fbx/maya_game_sausage_7500_binary_wiggle.fbx");
    let (from, to) = (file.to_str().unwrap(), out.to_str().unwrap());
    let run = rigscope(&["weights", from, "--compute", "rigid", "-o", to]).ok();
    assert!(run.stderr.contains("as rigscope convert does"), "{}", run.stderr);
    let rig = import_file(&out, &Job::default()).unwrap().rig;
    assert_eq!(rig.clips.len(), import_file(&file, &Job::default()).unwrap().rig.clips.len());
    assert!(rig.primitives().filter_map(|(_, p)| p.influences.as_ref()).all(|influences| influences.per_vertex() == 1));
}
