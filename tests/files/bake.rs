//! `rigscope bake`, run as a program: its output compared with the reference, and read back in every format.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use common::command::{Run, rigscope};
use common::formats::{JsonFile, ObjFile, PlyFile};
use common::glb::Builder;
use common::reference;
use glam::{Vec2, Vec3, Vec4};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::rig::{Alpha, Rig, Trs, Wrap};
use rigscope::skinning::Method;
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{AppState, Command, ExportJob, ExportKind, JobResult, NoticeKind, PathUse, Request, Settings};
use rigscope::view::Side;
use serde_json::json;

const CLIP: [&str; 4] = ["--clip", "1", "--time", "0.4"];

/// Bakes `file` to `output` with additional arguments.
fn bake(file: &str, output: &Path, further: &[&str]) -> Run {
    let mut args = vec!["bake", file, "-o", output.to_str().unwrap()];
    args.extend(further);
    rigscope(&args)
}

/// Backends that the program is built with.
const BACKENDS: &[&str] = if cfg!(feature = "gl") { &["cpu", "gpu"] } else { &["cpu"] };

fn baked_json(file: &str, folder: &Path, further: &[&str]) -> JsonFile {
    let path = folder.join("out.json");
    bake(file, &path, further).ok();
    JsonFile::read(&path)
}

fn assert_reference(samples: &Path, backend: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let pose = folder.path().join("pose.json");
    let cases = reference::all(samples);
    for (name, golden) in &cases {
        std::fs::write(&pose, golden.pose.to_string()).unwrap();
        let (method, time) = (golden.method.to_string(), golden.time.to_string());
        let clip = golden.clip.map(|c| c.to_string());
        let mut args = vec!["--method", &method, "--backend", backend, "--pose", pose.to_str().unwrap()];
        if let Some(clip) = &clip {
            args.extend(["--clip", clip, "--time", &time]);
        }
        let found = baked_json(samples.join(&golden.file).to_str().unwrap(), folder.path(), &args);
        assert_eq!((found.version, &found.method), (1, &method), "{name}");
        let found: BTreeMap<_, _> = found.primitives.iter().map(|p| ((p.node, p.mesh, p.primitive), p)).collect();
        for expected in &golden.primitives {
            let key = (expected.node, expected.mesh, expected.primitive);
            let part = found.get(&key).unwrap_or_else(|| panic!("{name}: no primitive {key:?}"));
            expected.assert_near(name, golden.size, &part.positions, part.normals.as_deref());
        }
    }
    cases.len()
}

#[test]
fn poses_of_real_files_agree_with_the_reference_on_the_cpu() {
    let Some(samples) = common::samples() else { return };
    assert_eq!(assert_reference(&samples, "cpu"), reference::EXPECTED_CASES);
}

#[cfg(feature = "gl")]
#[test]
fn poses_of_real_files_agree_with_the_reference_on_the_graphics_card() {
    let Some(samples) = common::samples() else { return };
    assert_eq!(assert_reference(&samples, "gpu"), reference::EXPECTED_CASES);
}

/// Writes a pose file that rotates one joint. Returns its path.
fn turned(folder: &Path, joint: &str, rotation: [f32; 4]) -> String {
    let path = folder.join("pose.json");
    let joints = json!({joint: {"rotation": rotation}});
    std::fs::write(&path, json!({"version": 1, "joints": joints}).to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Closed form of `docs/mathematics.md`: the tube's axis is y = 1/2, z = 0. The twisted joint and its descendants
/// rotate about it.
#[test]
fn a_twisted_tube_has_the_closed_form() {
    let rig = built_in(BuiltIn::Tube);
    let primitive = &rig.meshes[0].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    let turns = |joint: usize| rig.hierarchy.path(rig.skins[0].joints[joint]).contains("Middle");
    let folder = tempfile::tempdir().unwrap();
    for degrees in [0.0_f32, 45.0, 90.0, 135.0, 179.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (half_sin, half_cos) = (0.5 * degrees.to_radians()).sin_cos();
        let pose = turned(folder.path(), "Middle", [half_sin, 0.0, 0.0, half_cos]);
        let methods = ["lbs", "dqs", "blend:0.25", "dqs-compensated", "sclerp"].into_iter();
        for (method, backend) in methods.flat_map(|m| BACKENDS.iter().map(move |&backend| (m, backend))) {
            let args = ["--pose", &pose, "--method", method, "--backend", backend];
            let found = baked_json("builtin:tube", folder.path(), &args);
            assert_eq!(found.method, method);
            let [part] = &found.primitives[..] else { panic!("the tube is one primitive") };
            for (vertex, (rest, found)) in primitive.positions.iter().zip(&part.positions).enumerate() {
                let w: f32 =
                    influences.vertex(vertex).filter(|&(joint, _)| turns(joint)).map(|(_, weight)| weight).sum();
                // Image of the vector (1, 0) in the plane perpendicular to the axis.
                let linear = Vec2::new(1.0 - w + w * cos, w * sin);
                let dual = Vec2::from_angle(2.0 * (w * half_sin).atan2(1.0 - w + w * half_cos));
                let turn = match method {
                    "lbs" => linear,
                    "dqs" | "dqs-compensated" => dual,
                    "sclerp" => Vec2::from_angle(w * degrees.to_radians()),
                    _ => linear.lerp(dual, 0.25),
                };
                let across = turn.rotate(Vec2::new(rest.y - 0.5, rest.z));
                let expected = Vec3::new(rest.x, across.x + 0.5, across.y);
                let off = expected.distance(Vec3::from(*found));
                assert!(off < 2e-6, "{method}, {backend}, {degrees} degrees, vertex {vertex}: {off}");
            }
        }
    }
}

fn built_in(character: BuiltIn) -> Rig {
    import_bytes(character.bytes(), &Job::default()).unwrap().rig
}

/// Creates a file with a mirrored textured sheet, a glass sheet with vertex colours, an untextured sheet, and a bare
/// triangle. The first three are primitives of one mesh.
fn rich() -> Vec<u8> {
    let mut b = Builder::default();
    let sheet = b.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.1, 1.0, 0.25], "VEC3");
    let normals = b.floats(&[0.0, 0.0, 1.0].repeat(4), "VEC3");
    let uvs = b.floats(&[0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.125, 0.0], "VEC2");
    let colors = b.floats(&[1.0, 0.5, 0.25, 0.75].repeat(4), "VEC4");
    let indices = b.indices(&[0, 1, 2, 0, 2, 3]);
    let png = b.view(&checker_png());
    b.push("images", json!({"bufferView": png, "mimeType": "image/png"}));
    b.push("samplers", json!({"wrapS": 33071, "wrapT": 33648, "magFilter": 9728}));
    b.push("textures", json!({"source": 0, "sampler": 0}));
    b.push(
        "materials",
        json!({"name": "old paint", "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true, "pbrMetallicRoughness":
            {"baseColorTexture": {"index": 0}, "baseColorFactor": [0.1, 0.2, 0.3, 1.0], "metallicFactor": 0.25, "roughnessFactor": 0.75}}),
    );
    b.push(
        "materials",
        json!({"alphaMode": "BLEND", "extensions": {"KHR_materials_unlit": {}},
            "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.3, 0.9, 0.5]}}),
    );
    let with = |attributes: serde_json::Value, material: usize| json!({"attributes": attributes, "indices": indices, "material": material});
    let painted = with(json!({"POSITION": sheet, "NORMAL": normals, "TEXCOORD_0": uvs}), 0);
    let glass = with(json!({"POSITION": sheet, "NORMAL": normals, "COLOR_0": colors}), 1);
    // Its material has a texture, but it has no texture coordinates.
    let unlaid = with(json!({"POSITION": sheet, "NORMAL": normals}), 0);
    let mesh = b.push("meshes", json!({"name": "sheets", "primitives": [painted, glass, unlaid]}));
    b.root(json!({"name": "mirror", "mesh": mesh, "scale": [-1, 1, 2], "translation": [0.3, 0.1, -0.7]}));
    let triangle = b.push("meshes", json!({"primitives": [{"attributes": {"POSITION": sheet}}]}));
    b.json["meshes"][triangle]["primitives"][0]["indices"] = json!(b.indices(&[0, 1, 2]));
    b.root(json!({"name": "bare", "mesh": triangle, "rotation": [0.0, 0.6, 0.0, 0.8]}));
    b.build()
}

fn checker_png() -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let pixel = |x, y| image::Rgba([x as u8 * 100, y as u8 * 100, 7, if x == y { 255 } else { 0 }]);
    image::RgbaImage::from_fn(3, 2, pixel).write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

/// Writes [`rich`] to a file in a temporary folder.
fn rich_file() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rich.glb");
    std::fs::write(&path, rich()).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

/// Asserts that a GLB reads back as the source rig with the posed vertices, and returns the rig read back.
fn assert_glb_equals(bytes: &[u8], source: &Rig, posed: &JsonFile) -> Rig {
    let again = import_bytes(bytes, &Job::default()).unwrap();
    assert_eq!(again.warnings.len(), 0, "{:?}", again.warnings);
    let gltf = gltf::Gltf::from_slice(bytes).expect("the gltf crate calls it valid");
    assert!(gltf.skins().next().is_none() && gltf.animations().next().is_none());
    let parts: Vec<_> = again.rig.primitives().zip(source.primitives()).zip(&posed.primitives).collect();
    assert_eq!((again.rig.primitives().count(), parts.len()), (posed.primitives.len(), posed.primitives.len()));
    for (((_, found), (instance, expected)), part) in parts {
        let arrays = |v: &[Vec3]| v.iter().map(Vec3::to_array).collect::<Vec<_>>();
        assert_eq!(arrays(&found.positions), part.positions);
        assert_eq!(found.normals.as_deref().map(arrays), part.normals);
        assert_eq!((&found.tex_coords, &found.colors), (&expected.tex_coords, &expected.colors));
        let is_mirrored = source.hierarchy.name(instance.node) == "mirror";
        let turned = |t: &[u32]| if is_mirrored { [t[0], t[2], t[1]] } else { [t[0], t[1], t[2]] };
        let triangles: Vec<u32> = expected.indices.chunks(3).flat_map(turned).collect();
        assert_eq!(found.indices, triangles);
    }
    for (found, expected) in again.rig.materials.iter().zip(&source.materials) {
        assert_eq!(found.name, expected.name);
        assert_eq!((found.base_color, found.alpha), (expected.base_color, expected.alpha));
        assert_eq!((found.roughness, found.metallic), (expected.roughness, expected.metallic));
        assert_eq!((found.is_double_sided, found.is_unlit), (expected.is_double_sided, expected.is_unlit));
        let texture = |m: &rigscope::rig::Material, rig: &Rig| {
            m.texture.as_ref().map(|t| {
                let image = &rig.images[t.image];
                (t.wrap, t.is_nearest, image.width, image.height, image.rgba.to_vec())
            })
        };
        assert_eq!(texture(found, &again.rig), texture(expected, source), "{}", found.name);
    }
    again.rig
}

#[test]
fn a_glb_opens_again_as_what_was_posed() {
    let (folder, path) = rich_file();
    let output = folder.path().join("again.glb");
    let run = bake(&path, &output, &[]).ok();
    assert!(run.stdout.is_empty() && !run.stderr.contains("note"), "GLB holds all of it: {}", run.stderr);
    let source = import_bytes(&rich(), &Job::default()).unwrap().rig;
    let posed = baked_json(&path, folder.path(), &[]);
    let again = assert_glb_equals(&std::fs::read(&output).unwrap(), &source, &posed);
    // The file has the properties that are compared.
    let paint = &again.materials[0];
    assert_eq!(paint.texture.as_ref().map(|t| (t.wrap, t.is_nearest)), Some(([Wrap::Clamp, Wrap::Mirror], true)));
    assert_eq!(
        (paint.alpha, again.materials[1].alpha, again.materials[1].is_unlit),
        (Alpha::Mask(0.25), Alpha::Blend, true)
    );
    assert_eq!(again.primitives().nth(1).unwrap().1.colors.as_ref().unwrap()[0], Vec4::new(1.0, 0.5, 0.25, 0.75));
    let unlaid = &again.materials[again.primitives().nth(2).unwrap().1.material.unwrap().0];
    assert_eq!((unlaid.name.as_str(), unlaid.texture.is_none()), ("old paint", true));
    assert_eq!(again.primitives().nth(3).unwrap().1.material, None);
    let names: Vec<_> = again.hierarchy.nodes().map(|n| again.hierarchy.name(n).to_owned()).collect();
    assert_eq!(names, ["mirror", "bare"]);
}

#[test]
fn a_glb_of_a_posed_character_opens_again() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("figure.glb");
    for backend in BACKENDS {
        let args = [&CLIP[..], &["--method", "dqs", "--backend", backend]].concat();
        bake("builtin:figure", &output, &args).ok();
        let posed = baked_json("builtin:figure", folder.path(), &args);
        assert_glb_equals(&std::fs::read(&output).unwrap(), &built_in(BuiltIn::Figure), &posed);
    }
}

#[test]
fn real_files_open_again_as_glb() {
    let Some(samples) = common::samples() else { return };
    let folder = tempfile::tempdir().unwrap();
    for file in ["kaykit/Knight.glb", "threejs/RobotExpressive.glb", "khronos/Fox/Fox.glb"] {
        let path = samples.join(file);
        let output = folder.path().join("out.glb");
        bake(path.to_str().unwrap(), &output, &CLIP).ok();
        let posed = baked_json(path.to_str().unwrap(), folder.path(), &CLIP);
        let source = rigscope::import::import_file(&path, &Job::default()).unwrap().rig;
        assert_glb_equals(&std::fs::read(&output).unwrap(), &source, &posed);
    }
}

#[test]
fn an_obj_parses_back_with_its_materials_and_textures() {
    let (folder, path) = rich_file();
    let output = folder.path().join("my mesh.obj");
    let run = bake(&path, &output, &[]).ok();
    for loss in
        ["1 alpha cutoff", "1 double-sided", "2 metal factors", "1 texture sampler", "1 alpha of vertex colours"]
    {
        assert!(run.stderr.contains(&format!("note: {loss}")), "{loss}: {}", run.stderr);
    }
    let obj = ObjFile::read(&output);
    let posed = baked_json(&path, folder.path(), &[]);
    let positions: Vec<_> = posed.primitives.iter().flat_map(|p| &p.positions).copied().collect();
    assert_eq!(obj.positions, positions);
    let normals: Vec<_> = posed.primitives.iter().flat_map(|p| p.normals.iter().flatten()).copied().collect();
    assert_eq!(obj.normals, normals);
    assert_eq!(obj.tex_coords, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.125, 1.0]]);
    assert_eq!(obj.colored, 4, "the glass");
    assert_eq!(obj.objects, ["mirror sheets", "bare"]);
    assert_eq!(obj.materials_used, ["old_paint", "material1", "old_paint", "default"]);
    // The winding is reversed because the node mirrors. Indices of vertices, texture coordinates and normals continue
    // from one primitive to the next.
    let first: Vec<_> = obj.faces.iter().step_by(2).map(|f| f[0]).collect();
    assert_eq!(first, [(1, Some(1), Some(1)), (5, None, Some(5)), (9, None, Some(9)), (13, None, None)]);
    assert_eq!(obj.faces[0].map(|c| c.0), [1, 3, 2]);
    assert_eq!(obj.faces[6].map(|c| c.0), [13, 14, 15]);
    let mtl = std::fs::read_to_string(folder.path().join(&obj.library)).unwrap();
    assert!(mtl.contains("newmtl old_paint\nKd 0.349") && mtl.contains("map_Kd my mesh-0.png"), "{mtl}");
    assert!(mtl.contains("newmtl material1\n") && mtl.contains("d 0.5\n") && mtl.contains("illum 0\n"), "{mtl}");
    assert_eq!(mtl.matches("newmtl").count(), 3);
    let picture = image::open(folder.path().join("my mesh-0.png")).unwrap().to_rgba8();
    assert_eq!(picture, image::load_from_memory(&checker_png()).unwrap().to_rgba8());
}

#[test]
fn a_ply_parses_back() {
    let (folder, path) = rich_file();
    let output = folder.path().join("out.ply");
    let run = bake(&path, &output, &[]).ok();
    for loss in ["2 materials", "1 set of texture coordinates", "3 sets of normals", "2 names"] {
        assert!(run.stderr.contains(&format!("note: {loss} left out")), "{loss}: {}", run.stderr);
    }
    let ply = PlyFile::read(&output);
    let posed = baked_json(&path, folder.path(), &[]);
    let positions: Vec<_> = posed.primitives.iter().flat_map(|p| &p.positions).copied().collect();
    assert_eq!(ply.positions, positions);
    assert_eq!(ply.normals, None);
    let colors = ply.colors.unwrap();
    assert_eq!((colors[0], colors[4], colors[12]), ([255; 4], [255, 188, 137, 191], [255; 4]));
    assert_eq!(ply.triangles[..3], [[0, 2, 1], [0, 3, 2], [4, 6, 5]]);
    assert_eq!(ply.triangles[6], [12, 13, 14]);

    bake("builtin:tube", &output, &CLIP).ok();
    let (ply, posed) = (PlyFile::read(&output), baked_json("builtin:tube", folder.path(), &CLIP));
    assert_eq!(Some(&ply.positions), posed.primitives.first().map(|p| &p.positions));
    assert_eq!(ply.normals, posed.primitives[0].normals);
    let indices = &built_in(BuiltIn::Tube).meshes[0].primitives[0].indices;
    assert_eq!(ply.triangles.as_flattened(), indices);
}

#[test]
fn json_names_unskinned_meshes_too_and_missing_normals() {
    let (folder, path) = rich_file();
    let posed = baked_json(&path, folder.path(), &["--method", "DQS"]);
    assert_eq!((posed.version, posed.method.as_str()), (1, "dqs"));
    let keys: Vec<_> = posed.primitives.iter().map(|p| (p.node, p.mesh, p.primitive, p.normals.is_some())).collect();
    assert_eq!(keys, [(0, 0, 0, true), (0, 0, 1, true), (0, 0, 2, true), (1, 1, 0, false)]);
    assert_eq!(posed.primitives[0].positions[2], [-0.7, 1.1, -0.7]);
    let text = std::fs::read_to_string(folder.path().join("out.json")).unwrap();
    assert!(
        text.starts_with(
            r#"{"version":1,"method":"dqs","primitives":[{"node":0,"mesh":0,"primitive":0,"positions":[["#
        ),
        "{text}"
    );
    assert!(text.ends_with("\"normals\":null}]}\n"), "{text}");
}

/// Creates a triangle with positions close to the maximum of an f32, on a node that doubles them.
fn overflowing() -> Vec<u8> {
    let mut b = Builder::default();
    let position = b.floats(&[0.0, 0.0, 0.0, 3e38, 1.0, 0.0, 0.0, 1.0, -3e38], "VEC3");
    let mesh = b.push("meshes", json!({"primitives": [{"attributes": {"POSITION": position}}]}));
    b.root(json!({"mesh": mesh, "scale": [2, 2, 2]}));
    b.build()
}

#[test]
fn numbers_that_are_not_finite_are_written_as_zero_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.glb");
    std::fs::write(&path, overflowing()).unwrap();
    for extension in ["json", "glb", "obj", "ply"] {
        let output = folder.path().join(format!("out.{extension}"));
        let run = bake(path.to_str().unwrap(), &output, &[]).ok();
        assert!(run.stderr.contains("2 positions or normals are not finite"), "{}", run.stderr);
        let positions = match extension {
            "json" => JsonFile::read(&output).primitives[0].positions.clone(),
            "obj" => ObjFile::read(&output).positions,
            "ply" => PlyFile::read(&output).positions,
            _ => {
                let again = import_bytes(&std::fs::read(&output).unwrap(), &Job::default()).unwrap();
                again.rig.meshes[0].primitives[0].positions.iter().map(Vec3::to_array).collect()
            }
        };
        assert_eq!(positions, [[0.0; 3], [0.0, 2.0, 0.0], [0.0, 2.0, 0.0]], "{extension}");
    }
}

/// Asserts exit code 2, no standard output, and an error message that contains all `words`.
fn assert_refused(run: &Run, words: &[&str]) {
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
    for word in words {
        assert!(run.stderr.contains(word), "{word}: {}", run.stderr);
    }
}

#[test]
fn invalid_bake_options_are_rejected_with_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let tube = |output: &Path, further: &[&str]| bake("builtin:tube", output, further);
    assert_refused(&tube(&at("tube.fbx"), &[]), &["tube.fbx", ".glb, .obj, .ply or .json"]);
    assert_refused(&tube(&at("glb"), &[]), &[".glb, .obj, .ply or .json"]);
    assert_refused(&tube(&at("missing/tube.glb"), &[]), &["missing", "does not exist"]);
    assert_refused(&tube(&at("a.ply"), &["--clip", "dance"]), &["no clip \"dance\"", "twist, bend"]);
    assert_refused(&tube(&at("a.ply"), &["--clip", "2"]), &["no clip \"2\""]);
    assert_refused(&tube(&at("a.ply"), &["--time", "1"]), &["--clip"]);
    assert_refused(&tube(&at("a.ply"), &["--clip", "bend", "--time", "nan"]), &["seconds"]);
    assert_refused(&tube(&at("a.ply"), &["--method", "linear"]), &["linear", "lbs", "cor"]);
    let (_rich, unskinned) = rich_file();
    assert_refused(&bake(&unskinned, &at("a.ply"), &["--method", "cor"]), &["needs a skin", "choose LBS"]);
    assert_refused(&tube(&at("a.ply"), &["--backend", "tpu"]), &["cpu", "gpu"]);
    assert_refused(&bake("nothing.glb", &at("a.ply"), &[]), &["nothing.glb"]);
    assert_refused(&rigscope(&["bake", "builtin:tube"]), &["--output"]);
    let pose = at("pose.json");
    for (text, words) in [
        ("{\"version\":1,\n \"joints\":{\"Near\":{\"rotation\":[0,0,0]}}}", &["line 2 column", "pose.json"][..]),
        ("{\"version\":1,\n\"joints\":{\n\"Near\":{\"rotation\":[0,0,0,0]}}}", &["line 3 column", "length 0"]),
        ("{\"version\":1,", &["line 1 column 13"]),
        ("{\"version\":4}", &["version 4"]),
    ] {
        std::fs::write(&pose, text).unwrap();
        assert_refused(&tube(&at("a.ply"), &["--pose", pose.to_str().unwrap()]), words);
    }
    assert_refused(&tube(&at("a.ply"), &["--pose", at("none.json").to_str().unwrap()]), &["none.json"]);
    assert_refused(&tube(&pose, &["--pose", pose.to_str().unwrap()]), &["pose.json", "another OUT"]);
    assert_eq!(std::fs::read(&pose).unwrap(), b"{\"version\":4}", "a pose file stays what it was");
    assert!(!at("a.ply").exists());
}

#[test]
fn a_joint_that_the_rig_lacks_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let pose = turned(folder.path(), "Tail", [1.0, 0.0, 0.0, 0.0]);
    let run = bake("builtin:tube", &folder.path().join("a.json"), &["--pose", &pose]).ok();
    assert!(run.stderr.starts_with("warning: The pose names joint \"Tail\""), "{}", run.stderr);
    assert_eq!(JsonFile::read(&folder.path().join("a.json")).primitives.len(), 1);
}

#[test]
fn help_names_every_option() {
    let help = rigscope(&["bake", "--help"]).ok().stdout;
    for word in
        ["--output", ".glb", ".obj", ".ply", ".json", "--method", "--pose", "--clip", "--time", "--backend", "gpu"]
    {
        assert!(help.contains(word), "{word}: {help}");
    }
}

/// Returns the window's export job for the figure during its second clip, with one joint rotated, skinned by DQS.
fn export(path: &Path) -> ExportJob {
    let figure = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
    let mut state = AppState::new(figure, Settings::default());
    let hierarchy = &state.open.stage.rig().hierarchy;
    let node = hierarchy.node_named("LeftLowerArm").unwrap();
    let user_local = Trs::from_rotation(glam::Quat::from_array([0.5, 0.5, 0.5, 0.5]));
    let method = Command::SetMethod(Method::Dqs);
    for command in [Command::Edit { node, user_local }, Command::SetClip(Some(1)), Command::Seek(0.4), method] {
        state.apply(command);
    }
    state.open.stage.refresh();
    match state.apply(Command::UsePath(PathUse::Export(ExportKind::Mesh(Side::A)), path.to_owned())) {
        Some(Request::Export(saving)) => saving,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_window_exports_what_bake_writes() {
    let folder = tempfile::tempdir().unwrap();
    let pose = turned(folder.path(), "LeftLowerArm", [0.5, 0.5, 0.5, 0.5]);
    for name in ["out.glb", "out.obj", "out.ply", "out.json"] {
        let [by_bake, by_window] = ["bake", "window"].map(|who| folder.path().join(who).join(name));
        for path in [&by_bake, &by_window] {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        }
        bake("builtin:figure", &by_bake, &[&CLIP[..], &["--method", "dqs", "--pose", &pose]].concat()).ok();
        let job = Job::default();
        let told = match export(&by_window).run(&job) {
            Some(JobResult::Notice(notice)) => notice.text,
            other => panic!("{other:?}"),
        };
        assert!(told.contains(by_window.to_str().unwrap()) && job.progress.stage() == "Writing", "{told}");
        for entry in std::fs::read_dir(by_bake.parent().unwrap()).unwrap().flatten() {
            let [bake, window] =
                [entry.path(), folder.path().join("window").join(entry.file_name())].map(|p| std::fs::read(p).unwrap());
            assert!(bake == window, "{:?}", entry.file_name());
        }
    }
}

#[test]
fn an_export_that_was_cancelled_or_cannot_be_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["out.glb", "out.obj", "out.ply"] {
        assert!(
            export(&folder.path().join(name))
                .run(&Job::default().with_progress(Arc::new(Progress::cancelled())))
                .is_none()
        );
    }
    let problem = |saving: ExportJob| match saving.run(&Job::default()) {
        Some(JobResult::Notice(notice)) if notice.kind == NoticeKind::Error => notice.text,
        other => panic!("{other:?}"),
    };
    assert!(problem(export(&folder.path().join("out.fbx"))).contains(".glb, .obj, .ply or .json"));
    assert!(problem(export(&folder.path().join("none/out.glb"))).contains("create it first"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // A material file that would be written beside the OBJ may be an open file.
    let texture = folder.path().join("out.mtl");
    std::fs::write(&texture, "own").unwrap();
    let over = ExportJob { inputs: vec![texture.clone()], ..export(&folder.path().join("out.obj")) };
    assert!(problem(over).contains("would be lost"));
    assert_eq!(std::fs::read_to_string(texture).unwrap(), "own");
}
