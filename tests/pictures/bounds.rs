//! Limits of input: bounded sizes, only regular files, and reports of anything left out.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use common::command::rigscope;
use common::glb::{Builder, triangle};
use rigscope::import::{ImportError, Job, import_bytes, import_stream};
use rigscope::stage::{Document, Session, Source};
use rigscope::state::{AfterLoad, AppState, JobResult, NoticeKind, Settings};
use serde_json::json;

#[cfg(unix)]
#[test]
fn devices_and_folders_are_refused_by_name() {
    // A folder as the file to bake stands for the files in it.
    let file: &[&str] = &["/dev/zero"];
    let cases = [("/dev/zero", "a device"), ("/tmp", "a folder")]
        .map(|(path, what)| [(vec!["--session", path], what), (vec!["builtin:tube", "--pose", path], what)]);
    for (arguments, what) in cases.into_iter().flatten().chain([(file.to_vec(), "a device")]) {
        let run = rigscope(&[&["bake", "-o", "-"], arguments.as_slice()].concat());
        assert!(run.code == Some(2) && run.stderr.contains(what), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_session_or_pose_beyond_all_sense_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(1 << 40).unwrap();
    let path = file.path().to_str().unwrap();
    for arguments in [["--session", path].as_slice(), &["builtin:tube", "--pose", path]] {
        let run = rigscope(&[&["bake", "-o", "-"], arguments].concat());
        assert!(run.code == Some(2) && run.stderr.contains("more than 64 MiB"), "{}", run.stderr);
    }
}

#[test]
fn a_stream_without_end_stops_at_the_memory_limit() {
    let told = import_stream(std::io::repeat(b'{'), &Job::with_memory_limit(1 << 20)).unwrap_err();
    assert!(matches!(told, ImportError::Stream(_)), "{told}");
}

/// Creates a triangle with a grey texture.
fn textured(side: u32) -> Builder {
    let mut b = triangle();
    let mut png = std::io::Cursor::new(Vec::new());
    image::GrayImage::new(side, 2).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let view = b.view(&png.into_inner());
    let uvs = b.floats(&[0.0; 6], "VEC2");
    b.push("images", json!({"bufferView": view}));
    b.push("textures", json!({"source": 0}));
    b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    b.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
    b
}

#[test]
fn a_texture_is_charged_as_grey_as_kept_and_with_its_small_copies() {
    let file = textured(1000).build();
    // 2000 texels: one byte each as decoded grey, four bytes each as stored, and a third of that for mipmaps. Also the
    // file itself and a few numbers.
    let others = 2 * file.len() as u64 + 1000;
    let with_limit = |limit: u64| import_bytes(&file, &Job::with_memory_limit(limit)).unwrap().warnings;
    assert_eq!(with_limit(others + 2000 + 8000 + 2667), []);
    let replaced = common::messages(&with_limit(file.len() as u64 + 8000 + 2667));
    let message = "The base colour texture of material 0 is replaced by a checker: decoding the 1000 x 2 pixels of image 0 takes more memory";
    assert!(replaced.len() == 1 && replaced[0].starts_with(message), "{replaced:?}");
}

#[test]
fn oversized_texture_is_reduced_with_a_warning() {
    let imported = import_bytes(&textured(16_384).build(), &Job::default()).unwrap();
    let message = "Image 0 has 16384 x 2 pixels; 8192 x 1 are kept of them.";
    assert_eq!(common::messages(&imported.warnings), [message]);
    assert_eq!((imported.rig.images[0].width, imported.rig.images[0].rgba.len()), (8192, 4 * 8192));
}

#[test]
fn reduced_textures_are_counted_in_one_warning() {
    let mut b = triangle();
    let uvs = b.floats(&[0.0; 6], "VEC2");
    let position = b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].clone();
    let mut primitives = Vec::new();
    for image in 0..5_u8 {
        let mut png = std::io::Cursor::new(Vec::new());
        let picture = image::GrayImage::from_pixel(8193, 1, image::Luma([image]));
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let view = b.view(&png.into_inner());
        b.push("images", json!({"bufferView": view}));
        b.push("textures", json!({"source": image}));
        b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": image}}}));
        primitives.push(json!({"attributes": {"POSITION": position, "TEXCOORD_0": uvs}, "material": image}));
    }
    b.json["meshes"][0]["primitives"] = json!(primitives);
    let imported = import_bytes(&b.build(), &Job::default()).unwrap();
    let told: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
    let one = "Image 0 has 8193 x 1 pixels; 4097 x 1 are kept of them; 4 further images were made smaller too.";
    assert_eq!(told, [one]);
}

#[test]
fn json_that_takes_the_memory_is_refused_before_it_is_read() {
    let mut b = triangle();
    b.json["extras"] = json!(" ".repeat(60_000));
    let told = import_bytes(&b.build(), &Job::with_memory_limit(100_000)).unwrap_err();
    assert!(matches!(told, ImportError::NoMemoryLeft { limit: 100_000, .. }), "{told}");
}

#[test]
fn sparse_values_are_charged_beside_what_they_replace() {
    let mut b = triangle();
    let places: Vec<u8> = (0..1000_u16).flat_map(u16::to_le_bytes).collect();
    let (positions, places) = (b.floats(&[0.5; 3000], "VEC3"), b.view(&places));
    let values = b.view(&[0; 12_000]);
    b.json["accessors"][positions]["sparse"] = json!({"count": 1000,
        "indices": {"bufferView": places, "componentType": 5123}, "values": {"bufferView": values}});
    b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    let file = b.build();
    let json_size = u64::from(u32::from_le_bytes(file[12..16].try_into().unwrap()));
    // Memory for the positions, for up to three indices per vertex, and for the posed positions. The sparse values and
    // their indices come on top.
    let others = 12_000 + 12_000 + 12_256;
    let with = |left| import_bytes(&file, &Job::with_memory_limit(file.len() as u64 + json_size + left));
    assert_eq!(common::of_reading(&with(others + 16_000).unwrap().warnings).len(), 1, "one vertex is left over");
    assert!(with(others + 3000).is_err());
}

const SESSION: &str = r#"{"version":1,"source":"builtin:tube","scene":99,"overlay":"foo","selected":["Near","nope"],
    "clip":{"name":"dance","index":9,"time_secs":0.5},"limits":{"tail":{"order":"Xyz","axes":["Free","Free","Free"]}},
    "pose":{"version":1,"joints":{"ear":{},"Near":{},"Near":{}}},"compare":{"a":{"overlay":"foo"},"glow":1}}"#;

/// What is reported about [`SESSION`].
const COMPLAINTS: [&str; 9] = [
    "scene 99",
    "\"overlay\"",
    "\"nope\"",
    "\"tail\"",
    "clip 9 \"dance\"",
    "\"ear\"",
    "\"Near\" more than once",
    "\"foo\" as \"compare.a.overlay\"",
    "\"compare.glow\"",
];

#[test]
fn window_reports_session_entries_that_were_not_restored() {
    let document = Document::open(&Source::parse("builtin:tube").unwrap(), &Job::default()).unwrap();
    let mut state = AppState::new(document.clone(), Settings::default());
    let session = Box::new(Session::parse(SESSION.as_bytes()).unwrap());
    state.receive(JobResult::Document(Box::new(document), AfterLoad::Restore(session)));
    let notice = state.notices.dismiss().unwrap();
    assert_eq!(notice.kind, NoticeKind::Warning);
    for complaint in COMPLAINTS {
        assert!(notice.text.contains(complaint), "{complaint}: {}", notice.text);
    }
}

#[test]
fn the_command_line_warns_of_what_of_a_session_it_could_not_take() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), SESSION).unwrap();
    let run = rigscope(&["compare", "--session", file.path().to_str().unwrap()]).ok();
    for complaint in COMPLAINTS {
        let is_told = run.stderr.lines().any(|line| line.starts_with("warning: ") && line.contains(complaint));
        assert!(is_told, "{complaint}: {}", run.stderr);
    }
}

#[test]
fn a_session_that_is_taken_whole_is_no_reason_to_complain() {
    let document = Document::open(&Source::parse("builtin:tube").unwrap(), &Job::default()).unwrap();
    let state = AppState::new(document.clone(), Settings::default());
    let session = Session::parse(state.open.snapshot().session().to_json().as_bytes()).unwrap();
    let mut state = AppState::new(document.clone(), Settings::default());
    state.receive(JobResult::Document(Box::new(document), AfterLoad::Restore(Box::new(session))));
    assert_eq!(state.notices.newest().unwrap().kind, NoticeKind::Done);
}

#[test]
fn numbers_without_sense_are_refused_with_their_range() {
    for (arguments, range) in [
        (["--yaw", "nan"].as_slice(), "from -360 to 360"),
        (&["--yaw", "1e9"], "from -360 to 360"),
        (&["--pitch", "200"], "from -90 to 90"),
        (&["--compare", "wipe", "--wipe-angle", "inf"], "from -360 to 360"),
        (&["--compare", "wipe", "--wipe-offset", "1e30"], "from -10 to 10"),
        (&["--clip", "bend", "--time", "1e30"], "seconds from"),
    ] {
        let run = rigscope(&[&["render", "builtin:tube", "-o", "-"], arguments].concat());
        assert!(run.code == Some(2) && run.stdout.is_empty() && run.stderr.contains(range), "{}", run.stderr);
    }
}

#[test]
fn entries_of_a_vrm_that_multiply_are_bounded_by_the_memory_limit() {
    // Each of 4,000 values applies to 4,000 materials with the same name: 16 million colours.
    let mut face = common::vrm_face::vrm_face(0);
    let named = serde_json::json!({"name": "skin"});
    face.json["materials"] = vec![named; 4000].into();
    let value = serde_json::json!({"materialName": "skin", "propertyName": "_Color", "targetValue": [1, 0, 0, 1]});
    face.json["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"][0]["materialValues"] =
        vec![value; 4000].into();
    let limit = 64 << 20;
    let imported = import_bytes(&face.build(), &Job::with_memory_limit(limit)).unwrap();
    let colors: usize = imported.rig.expressions.iter().map(|expression| expression.colors.len()).sum();
    let bytes = (colors * size_of::<rigscope::rig::ColorBind>()) as u64;
    assert!(colors > 0 && bytes <= limit, "{colors} colours");
    let told = imported.warnings.iter().map(ToString::to_string).find(|told| told.starts_with("Expressions have"));
    assert!(told.as_ref().is_some_and(|told| told.contains("the memory limit")), "{told:?}");
}
