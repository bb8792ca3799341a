//! Malicious files: references to files outside their folder, pipes, circular links, images and counts of any size,
//! deep nesting. Each is reported without using much memory.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::common::allocations;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use allocations::allocated;
use common::fuzz;
use common::glb::{Builder, container, make_skinned_glb, triangle};
use rigscope::export::PoseFile;
use rigscope::import::{ImportError, Imported, Job, import_bytes, import_file};
use serde_json::{Value, json};

/// Runs an action and asserts that it allocates no more memory than a small file may need. An endless action would hang
/// the test.
fn sparingly<T>(what: &str, action: impl FnOnce() -> T) -> T {
    const MAX_BYTES: u64 = 256 << 20;
    let (result, bytes) = allocated(action);
    assert!(bytes < MAX_BYTES, "{what} took {bytes} bytes");
    result
}

/// Opens a file whose only buffer has this URI.
fn with_buffer_at(folder: &Path, uri: &str) -> Result<Imported, ImportError> {
    let Builder { mut json, bin } = triangle();
    json["buffers"] = json!([{"uri": uri, "byteLength": bin.len()}]);
    let path = folder.join("model.gltf");
    std::fs::write(&path, json.to_string()).unwrap();
    sparingly(uri, || import_file(&path, &Job::default()))
}

/// Creates a folder `model`, and a file outside it that a model in the folder must not read.
fn folder() -> (tempfile::TempDir, std::path::PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let model = outer.path().join("model");
    std::fs::create_dir(&model).unwrap();
    for path in [outer.path().join("secret.bin"), model.join("own.bin")] {
        std::fs::write(path, triangle().bin).unwrap();
    }
    (outer, model)
}

#[test]
fn no_uri_leads_out_of_the_folder() {
    let (outer, model) = folder();
    assert!(with_buffer_at(&model, "own.bin").is_ok());
    let secret = outer.path().join("secret.bin").display().to_string();
    let mut uris: Vec<String> = [
        "../secret.bin",
        "./../secret.bin",
        "own.bin/../../secret.bin",
        "..%2Fsecret.bin",
        "%2e%2e/secret.bin",
        "%2E%2E%2Fsecret.bin",
        "..\\secret.bin",
        "..%5Csecret.bin",
        "%252e%252e/secret.bin",
        "http://localhost/secret.bin",
        "HTTPS://localhost/secret.bin",
        "ftp:secret.bin",
        "//localhost/secret.bin",
        "\\\\localhost\\secret.bin",
        "C:\\secret.bin",
        "~/secret.bin",
        "own.bin%00",
        "own.bin?../secret.bin",
        "",
        ".",
    ]
    .map(str::to_owned)
    .to_vec();
    uris.extend([secret.clone(), format!("file:{secret}"), format!("file://{secret}"), secret.replace('/', "%2F")]);
    for uri in uris {
        let told = with_buffer_at(&model, &uri).unwrap_err().to_string();
        assert!(told.starts_with("Nothing can be shown: buffer 0"), "{uri}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_within_the_folder_only() {
    use std::os::unix::fs::symlink;
    let (outer, model) = folder();
    symlink("own.bin", model.join("inside.bin")).unwrap();
    symlink("../secret.bin", model.join("outside.bin")).unwrap();
    symlink(outer.path(), model.join("up")).unwrap();
    symlink("circle.bin", model.join("circle.bin")).unwrap();
    assert!(with_buffer_at(&model, "inside.bin").is_ok());
    for uri in ["outside.bin", "up/secret.bin", "circle.bin"] {
        assert!(with_buffer_at(&model, uri).is_err(), "{uri}");
    }
    symlink("circle.gltf", model.join("circle.gltf")).unwrap();
    assert!(import_file(&model.join("circle.gltf"), &Job::default()).is_err());
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_are_no_files_and_nobody_waits_for_them() {
    let (_outer, model) = folder();
    let pipe = model.join("pipe.glb");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.as_path(), &model, Path::new("/dev/zero"), Path::new("/dev/tty")] {
        let told = sparingly("no file", || import_file(path, &Job::default())).unwrap_err();
        assert!(matches!(told, ImportError::NotAFile { .. } | ImportError::Read { .. }), "{told}");
    }
    assert!(with_buffer_at(&model, "pipe.glb").is_err());
    std::fs::create_dir(model.join("folder.bin")).unwrap();
    assert!(with_buffer_at(&model, "folder.bin").is_err());
}

/// Creates a PNG whose header gives `side` as its width and height, without the pixels for it.
fn encode_png(side: u32) -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::new(1, 1).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let mut png = png.into_inner();
    png[16..20].copy_from_slice(&side.to_be_bytes());
    png[20..24].copy_from_slice(&side.to_be_bytes());
    let checked = crc(&png[12..29]);
    png[29..33].copy_from_slice(&checked.to_be_bytes());
    png
}

/// Returns the CRC-32 of a PNG chunk.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &b| (0..8).fold(crc ^ u32::from(b), step))
}

#[test]
fn a_picture_of_many_gigabytes_is_replaced_at_once() {
    for side in [60_000, u32::MAX >> 1] {
        let mut b = triangle();
        let view = b.view(&encode_png(side));
        let uvs = b.floats(&[0.0; 6], "VEC2");
        b.push("images", json!({"bufferView": view}));
        b.push("textures", json!({"source": 0}));
        b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
        b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        b.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
        let bytes = b.build();
        let imported = sparingly("a large picture", || import_bytes(&bytes, &Job::default())).unwrap();
        assert_eq!((imported.warnings.len(), imported.rig.images[0].width), (1, 16), "{:?}", imported.warnings);
    }
}

#[test]
fn no_count_is_believed_without_bytes() {
    for count in [1_u64 << 31, u64::from(u32::MAX), 1 << 53, u64::MAX] {
        let mut b = make_skinned_glb(2, 8, 8, 1);
        let accessors = b.json["accessors"].as_array().unwrap().len();
        for accessor in 0..accessors {
            b.json["accessors"][accessor]["count"] = json!(count);
        }
        let bytes = b.build();
        assert!(sparingly("a large count", || import_bytes(&bytes, &Job::default())).is_err());
        let mut b = make_skinned_glb(2, 8, 8, 1);
        for accessor in 0..accessors {
            b.json["accessors"][accessor].as_object_mut().unwrap().remove("bufferView");
            b.json["accessors"][accessor]["count"] = json!(count);
        }
        let bytes = b.build();
        assert!(sparingly("zeros", || import_bytes(&bytes, &Job::default())).is_err());
    }
}

#[test]
fn deep_json_does_not_exhaust_the_stack() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}0{}", open.repeat(100_000), close.repeat(100_000));
        for json in [
            deep.clone(),
            format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{deep}}}"),
            format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{\"extras\":{deep}}}]}}"),
            format!("{{\"asset\":{{\"version\":\"2.0\"}},\"meshes\":[{{\"primitives\":{deep}}}]}}"),
        ] {
            // In values that import ignores, such as extras, deep nesting does no harm either.
            let _ = sparingly("deep JSON", || import_bytes(json.as_bytes(), &Job::default()));
            let glb = container(json.as_bytes(), &[]);
            let _ = sparingly("deep JSON", || import_bytes(&glb, &Job::default()));
        }
        assert!(import_bytes(deep.as_bytes(), &Job::default()).is_err());
        assert!(sparingly("a deep pose", || PoseFile::parse(deep.as_bytes())).is_err());
        let pose = format!("{{\"version\":1,\"joints\":{{\"a\":{deep}}}}}");
        assert!(sparingly("a deep pose", || PoseFile::parse(pose.as_bytes())).is_err());
    }
}

/// Returns poses that use everything that a pose file may contain.
fn poses() -> [Value; 3] {
    [
        json!({"version": 1, "joints": {"joint 1": {"rotation": [0, 0, 0, 1], "translation": [1, 2, 3], "scale": [1, 1, 2]}}}),
        json!({"version": 1, "joints": {"#2": {"rotation": [0.5, 0.5, 0.5, 0.5]}, "joint 1/joint 2": {}, "~nobody/": {"scale": [0, 0, 0]}}}),
        json!({"version": 1, "joints": {"joint 1": {"rotation": null}, "joint 2": {"translation": [1e30, -1e30, 0]}}}),
    ]
}

#[test]
fn pose_files_changed_and_cut_do_no_harm() {
    let rig = import_bytes(&make_skinned_glb(4, 8, 8, 1).build(), &Job::default()).unwrap().rig;
    let mut parsed = 0;
    for pose in poses() {
        let addresses = fuzz::addresses(&pose);
        fuzz::each_seed(4000, |seed, random| {
            let mut changed = pose.clone();
            let told = fuzz::mutate(&mut changed, &addresses, random);
            let mut text = changed.to_string().into_bytes();
            if random.below(4) == 0 {
                text.truncate(random.below(text.len()));
            }
            if random.below(4) == 0 && !text.is_empty() {
                let at = random.below(text.len());
                text[at] = random.below(256) as u8;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let Ok(file) = PoseFile::parse(&text) else { return 0 };
                let (pose, _) = file.pose_for(&rig);
                let nodes = || rig.hierarchy.nodes().map(|n| pose.user_local(n));
                assert!(nodes().all(|t| t.rotation.is_finite() && t.translation.is_finite() && t.scale.is_finite()));
                assert!(nodes().all(|t| (t.rotation.length() - 1.0).abs() < 1e-4));
                1
            }));
            parsed += outcome.unwrap_or_else(|_| panic!("{told:?}; {}", fuzz::again(seed)));
        });
    }
    assert!(parsed > 500 || std::env::var_os("RIGSCOPE_FUZZ_SEED").is_some(), "only {parsed} were poses");
}
