//! No file makes import or later steps panic or hang: truncated files, changed bytes, targeted changes of JSON, and
//! collections of broken files from other projects.

use crate::common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use common::fuzz::{self, Random};
use common::glb::{Builder, container, make_skinned_glb, split};
use rigscope::export::rig_glb;
use rigscope::import::{ImportError, Imported, Job, import_bytes, import_file};
use rigscope::jobs::Progress;
use rigscope::project::findings;
use rigscope::rig::{ClipMoment, Pose, bones, evaluate};
use rigscope::skinning::{Method, deform, palettes};
use serde_json::{Value, json};

/// Far more than any of these files needs, but small enough to make forged counts cheap.
const MEMORY_LIMIT: u64 = 1 << 24;

/// No file of this size takes as long as a second. If a file takes this long, the work grows with a number in the file,
/// which counts as a hang.
const HANG: Duration = Duration::from_mins(1);

/// Numbers of opened and rejected files.
#[derive(Debug, Default)]
struct Tally {
    opened: usize,
    refused: usize,
}

/// Poses and skins an opened file. Import promises that this needs no further checks.
fn use_it(imported: &Imported) {
    let rig = &imported.rig;
    let pose = Pose::rest(&rig.hierarchy);
    for clip in std::iter::once(None).chain((0..rig.clips.len().min(3)).map(|clip| Some(ClipMoment::new(clip, 0.4)))) {
        let posed = evaluate(rig, clip, &pose);
        let _ = bones(rig, &posed);
        for ((instance, palette), weights) in rig.instances.iter().zip(palettes(rig, &posed)).zip(&posed.morph_weights)
        {
            for primitive in rig.meshes[instance.mesh].primitives.iter().filter(|p| p.positions.len() < 5000) {
                for method in [Method::Lbs, Method::Dqs, Method::Blend(0.5)] {
                    let _ = deform(primitive, &palette, weights, method);
                }
                assert!(primitive.indices.iter().all(|&i| (i as usize) < primitive.positions.len()));
            }
        }
    }
    for finding in findings(rig, &imported.warnings, &Progress::default()).expect("not cancelled") {
        assert!(finding.message.len() < 2000);
    }
}

fn survive(what: &dyn Fn() -> String, tally: &mut Tally, open: impl FnOnce() -> Result<Imported, ImportError>) {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| match open() {
        Ok(imported) => {
            use_it(&imported);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }));
    let Ok(is_open) = result else { panic!("import panicked: {}", what()) };
    if is_open {
        tally.opened += 1;
    } else {
        tally.refused += 1;
    }
    assert!(start.elapsed() < HANG, "{:?} for {}", start.elapsed(), what());
}

fn survive_bytes(name: &str, change: &dyn std::fmt::Debug, bytes: &[u8], tally: &mut Tally) {
    let job = Job::with_memory_limit(MEMORY_LIMIT);
    survive(&|| format!("{name}, {change:?}"), tally, || import_bytes(bytes, &job));
}

/// Truncates the file at every byte near its start and at many random bytes, then changes bytes.
fn cut_and_flip(name: &str, file: &[u8], flips: usize) -> Tally {
    let mut tally = Tally::default();
    let mut random = Random::new(1);
    for end in (0..file.len().min(200)).chain((0..flips / 4).map(|_| random.below(file.len()))) {
        survive_bytes(name, &("cut at", end), &file[..end], &mut tally);
    }
    let mut bytes = file.to_vec();
    for _ in 0..flips {
        let at = random.below(file.len());
        let new = [0, 0xFF, 0x7F, 0x80, bytes[at] ^ 1, random.below(256) as u8][random.below(6)];
        let old = std::mem::replace(&mut bytes[at], new);
        survive_bytes(name, &("byte", at, new), &bytes, &mut tally);
        bytes[at] = old;
    }
    tally
}

fn change_json(name: &str, file: &[u8], rounds: usize) -> Tally {
    let (json, bin) = split(file);
    let addresses = fuzz::addresses(&json);
    let mut tally = Tally::default();
    fuzz::each_seed(rounds, |seed, random| {
        let mut changed = json.clone();
        let told = fuzz::mutate(&mut changed, &addresses, random);
        let bytes = container(changed.to_string().as_bytes(), bin);
        survive_bytes(name, &(fuzz::again(seed), told), &bytes, &mut tally);
    });
    tally
}

/// Creates a file with a bit of everything that import reads.
fn rich_file() -> Vec<u8> {
    let mut b: Builder = make_skinned_glb(4, 8, 8, 1);
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::new(4, 4).write_to(&mut png, image::ImageFormat::Png).expect("memory holds it");
    let view = b.view(&png.into_inner());
    b.push("images", json!({"bufferView": view}));
    b.push("samplers", json!({"magFilter": 9728, "wrapS": 33071}));
    b.push("textures", json!({"source": 0, "sampler": 0}));
    let transform = json!({"KHR_texture_transform": {"offset": [0.5, 0], "rotation": 1, "scale": [2, 2]}});
    let info = json!({"index": 0, "extensions": transform});
    b.push("materials", json!({"name": "m", "alphaMode": "MASK", "pbrMetallicRoughness": {"baseColorTexture": info}}));
    let uvs = b.floats(&[0.25; 16], "VEC2");
    let moved = b.floats(&[0.5; 24], "VEC3");
    let places = b.view(&[1, 0, 3, 0]);
    let values = b.view(&[0; 24]);
    b.json["accessors"][moved]["sparse"] = json!({"count": 2, "indices": {"bufferView": places, "componentType": 5123},
        "values": {"bufferView": values}});
    let indices = b.indices(&[0, 1, 2, 3, 4, 5, 6, 7]);
    let primitive = &mut b.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["TEXCOORD_0"] = json!(uvs);
    primitive["targets"] = json!([{"POSITION": moved, "NORMAL": moved}]);
    primitive["indices"] = json!(indices);
    primitive["material"] = json!(0);
    let times = b.floats(&[0.0, 0.5], "SCALAR");
    let weights = b.floats(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "SCALAR");
    b.push(
        "animations",
        json!({"samplers": [{"input": times, "output": weights, "interpolation": "CUBICSPLINE"}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}),
    );
    b.root(json!({"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1]}));
    b.build()
}

/// Creates a triangle with a texture in this image format.
fn textured_file(format: image::ImageFormat) -> Vec<u8> {
    let mut b = common::glb::triangle();
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_fn(24, 24, |x, y| image::Rgb([(x * y) as u8, (x * 9) as u8, (y * 7) as u8]));
    picture.write_to(&mut bytes, format).expect("memory holds it");
    let view = b.view(&bytes.into_inner());
    let uvs = b.floats(&[0.25; 6], "VEC2");
    b.push("images", json!({"bufferView": view}));
    b.push("textures", json!({"source": 0}));
    b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    b.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
    b.build()
}

const SAMPLES: [&str; 4] = [
    "khronos/RiggedSimple/RiggedSimple.glb",
    "assimp/quad_skin.glb",
    "derived/RiggedFigure_sparse.glb",
    "viverse/mannequin.glb",
];

fn sample(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(common::samples()?.join(name)).expect("a sample"))
}

#[test]
#[expect(clippy::print_stdout, reason = "shows that both outcomes occur")]
fn a_built_file_cut_and_changed_does_no_harm() {
    let file = rich_file();
    assert_eq!(import_bytes(&file, &Job::default()).unwrap().warnings.len(), 1);
    let (bytes, json) = (cut_and_flip("built", &file, 3000), change_json("built", &file, 4000));
    println!("bytes {bytes:?}, JSON {json:?}");
    assert!(bytes.opened > 100 && bytes.refused > 100 && json.opened > 1000 && json.refused > 100);
}

#[test]
fn pictures_cut_and_changed_do_no_harm() {
    for format in [image::ImageFormat::Png, image::ImageFormat::Jpeg, image::ImageFormat::WebP] {
        let file = textured_file(format);
        assert_eq!(import_bytes(&file, &Job::default()).unwrap().warnings, []);
        assert!(cut_and_flip("picture", &file, 2000).opened > 1000);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "shows that both outcomes occur")]
fn real_files_cut_and_changed_do_no_harm() {
    for name in SAMPLES {
        let Some(file) = sample(name) else { return };
        // Large files take long to open.
        let rounds = if file.len() > 80_000 { 100 } else { 400 };
        println!("{name}: {:?}, {:?}", cut_and_flip(name, &file, 2 * rounds), change_json(name, &file, rounds));
    }
}

/// Opens a file, converts it and opens the result. Errors of the conversion are ignored.
fn open_and_convert(bytes: &[u8], job: &Job) -> Result<Imported, ImportError> {
    let imported = import_bytes(bytes, job)?;
    if let Ok(file) = rig_glb(&imported.rig, &Progress::default()) {
        let _ = import_bytes(&file.bytes, job);
    }
    Ok(imported)
}

/// Changes the JSON of a VRM. Every other round changes only VRM data.
fn change_vrm(name: &str, file: &[u8], rounds: usize) -> Tally {
    let (json, bin) = split(file);
    let all = fuzz::addresses(&json);
    let of_vrm: Vec<String> = all.iter().filter(|address| address.contains("VRM")).cloned().collect();
    let (mut tally, job) = (Tally::default(), Job::with_memory_limit(MEMORY_LIMIT));
    fuzz::each_seed(rounds, |seed, random| {
        let mut changed = json.clone();
        let told = fuzz::mutate(&mut changed, if seed % 2 == 0 { &of_vrm } else { &all }, random);
        let bytes = container(changed.to_string().as_bytes(), bin);
        survive(&|| format!("{name}, {}, {told:?}", fuzz::again(seed)), &mut tally, || open_and_convert(&bytes, &job));
    });
    tally
}

/// Changes VRM files: those built in code, and the samples. `RIGSCOPE_FUZZ_ROUNDS` sets the number of rounds per file.
#[test]
#[expect(clippy::print_stdout, reason = "shows that both outcomes occur")]
fn changed_vrms_do_no_harm() {
    let rounds = std::env::var("RIGSCOPE_FUZZ_ROUNDS").ok().map(|rounds| rounds.parse().expect("a number of rounds"));
    let made = [("VRM 0", common::vrm::vrm_0().build()), ("VRM 1", common::vrm::vrm_1().build())];
    for (name, file) in made {
        let tally = change_vrm(name, &file, rounds.unwrap_or(400));
        println!("{name}: {tally:?}");
        assert!(tally.opened > 100 && tally.refused > 10);
    }
    let Some(samples) = common::samples() else {
        println!("skipped without samples: changed VRMs of the samples");
        return;
    };
    for path in common::files_below(&samples, &["vrm"]) {
        let file = std::fs::read(&path).expect("a sample");
        let name = path.display().to_string();
        println!("{name}: {:?}", change_vrm(&name, &file, rounds.unwrap_or(60)));
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "shows that both outcomes occur")]
fn a_ktx2_picture_changed_does_no_harm() {
    let Some(file) = sample("derived/CesiumMan_ktx2_etc1s.glb") else { return };
    let start = file.windows(7).position(|w| w == b"\xABKTX 20").unwrap();
    let mut tally = Tally::default();
    for round in 0..150 {
        let mut bytes = file.clone();
        // The header and the tables that follow it, then some of the blocks.
        let at = start + if round < 100 { 12 + round * 3 } else { round * 499 % (file.len() - start) };
        bytes[at] ^= 0xFF;
        survive_bytes("KTX2", &at, &bytes, &mut tally);
    }
    println!("{tally:?}");
    assert_eq!(tally.refused, 0, "a texture is no reason to refuse a file");
}

#[test]
#[expect(clippy::print_stdout, reason = "shows that both outcomes occur")]
fn draco_data_cut_and_changed_does_no_harm() {
    let Some(json) = sample("khronos/RiggedFigure/draco/RiggedFigure.gltf") else { return };
    let Some(bin) = sample("khronos/RiggedFigure/draco/RiggedFigure0.bin") else { return };
    let mut json: Value = serde_json::from_slice(&json).unwrap();
    json["buffers"][0].as_object_mut().unwrap().remove("uri");
    let file = common::glb::container(json.to_string().as_bytes(), &bin);
    assert_eq!(import_bytes(&file, &Job::default()).unwrap().rig.joint_count(), 19);
    println!("bytes {:?}", cut_and_flip("Draco", &file, 2000));
}

#[test]
#[expect(clippy::print_stdout, reason = "shows that both outcomes occur")]
fn collections_of_broken_files_do_no_harm() {
    let Some(samples) = common::samples() else { return };
    for folder in ["bad-gltf-validator", "bad-asset-generator", "bad-cgltf", "bad-lfs-pointer"] {
        let mut tally = Tally::default();
        let files =
            common::files_below(&samples.join(folder), &["gltf", "glb", "bin", "json", "png", "jpg", "webp", "dict"]);
        assert!(!files.is_empty(), "{folder}");
        for path in files {
            let job = Job::with_memory_limit(MEMORY_LIMIT);
            survive(&|| path.display().to_string(), &mut tally, || import_file(&path, &job));
        }
        println!("{folder}: {tally:?}");
    }
}

#[test]
fn the_deepest_and_longest_chains_are_no_problem() {
    let nodes: Vec<Value> =
        (0..20_000).map(|i| if i < 19_999 { json!({"children": [i + 1]}) } else { json!({"mesh": 0}) }).collect();
    let mut b = common::glb::triangle();
    b.json["nodes"] = json!(nodes);
    b.json["scenes"][0]["nodes"] = json!((0..20_000).rev().collect::<Vec<_>>());
    let mut tally = Tally::default();
    survive_bytes("chain", &20_000, &b.build(), &mut tally);
    assert_eq!(tally.opened, 1);
    assert!(import_file(Path::new("/dev/null"), &Job::default()).is_err());
}
