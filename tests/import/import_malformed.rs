//! Broken files, built in code. Each one gives the exact error or warning, and never a panic.

use crate::common;
use crate::common::allocations;

use std::sync::Arc;

use allocations::allocated;
use common::glb::{Builder, F32, I8, U8, U16, container, f32_bytes, make_skinned_glb, triangle};
use rigscope::analysis::lint::{Code, Target};
use rigscope::import::{ImportError, Imported, Job, WarningScope, import_bytes, import_file};
use rigscope::rig::HierarchyError;
use serde_json::{Value, json};

fn try_open(builder: Builder) -> Result<Imported, ImportError> {
    import_bytes(&builder.build(), &Job::default())
}

/// Returns the messages of a file's warnings.
fn warnings(builder: Builder) -> Vec<String> {
    common::messages(&try_open(builder).unwrap_or_else(|e| panic!("{e}")).warnings)
}

/// Returns the messages of warnings that change how a file is read.
fn warnings_of_reading(builder: Builder) -> Vec<String> {
    common::messages(&common::of_reading(&try_open(builder).unwrap_or_else(|e| panic!("{e}")).warnings))
}

/// Returns the part of a message between this beginning and this end.
fn between(message: &str, beginning: &str, end: &str) -> String {
    let rest = message.strip_prefix(beginning).and_then(|rest| rest.strip_suffix(end));
    rest.unwrap_or_else(|| panic!("{message}")).to_owned()
}

/// Returns why the only primitive of a file can't be shown.
fn primitive_fault(builder: Builder) -> String {
    match try_open(builder) {
        Err(ImportError::NothingUsable { reason }) => between(&reason, "Mesh 0, primitive 0 was left out: ", "."),
        other => panic!("{other:?}"),
    }
}

/// Returns why the positions of a triangle can't be read after a change.
fn positions_fault(change: impl FnOnce(&mut Builder)) -> String {
    let mut b = triangle();
    change(&mut b);
    between(&primitive_fault(b), "its positions cannot be read: ", "")
}

fn set(b: &mut Builder, pointer: &str, value: Value) {
    *b.json.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
}

#[test]
fn files_that_are_not_glb_or_gltf_are_refused() {
    let open = |bytes: &[u8]| import_bytes(bytes, &Job::default()).expect_err("refused");
    assert!(matches!(open(b""), ImportError::UnknownFormat { found: "an empty file" }));
    #[cfg(not(feature = "fbx"))]
    assert!(matches!(open(b"Kaydara FBX Binary  \0"), ImportError::UnknownFormat { found: "an FBX file" }));
    assert!(matches!(open(b"{\"name\": 1}"), ImportError::UnknownFormat { .. }));
    assert!(open(b"{\"asset\": {\"version\": \"1.0\"}}").to_string().starts_with("glTF 1.0 is not read"));
    assert!(open(b"{").to_string().starts_with("The glTF JSON is broken at line 1, column "));
    let whole = triangle().build();
    assert!(open(&whole[..50]).to_string().contains("it is cut short, 50 of "));
    let folder = tempfile::tempdir().unwrap();
    let open = |path| import_file(path, &Job::default()).expect_err("refused");
    assert!(matches!(open(folder.path()), ImportError::NotAFile { .. }));
    assert!(matches!(open(&folder.path().join("none.glb")), ImportError::Read { .. }));
}

#[test]
fn a_cancelled_import_ends() {
    let job = Job::default();
    job.progress.cancel();
    assert!(matches!(import_bytes(&triangle().build(), &job), Err(ImportError::Cancelled)));
}

#[test]
fn import_cancelled_while_decoding_images_reports_it() {
    let mut b = triangle();
    let uvs = b.floats(&[0.0; 6], "VEC2");
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::new(700, 700).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let view = b.view(&png.into_inner());
    let count = 500;
    for i in 0..count {
        b.push("images", json!({"bufferView": view}));
        b.push("textures", json!({"source": i}));
        b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}}));
    }
    b.json["meshes"][0]["primitives"] = json!(
        (0..count)
            .map(|i| json!({"attributes": {"POSITION": 0, "TEXCOORD_0": uvs}, "material": i}))
            .collect::<Vec<_>>()
    );
    let bytes = b.build();
    let job = Arc::new(Job::default());
    let theirs = Arc::clone(&job);
    let import =
        std::thread::Builder::new().name("import".to_owned()).spawn(move || import_bytes(&bytes, &theirs)).unwrap();
    while job.progress.stage() != "Decoding textures" && !import.is_finished() {
        std::thread::yield_now();
    }
    job.progress.cancel();
    let result = import.join().unwrap();
    assert!(matches!(result, Err(ImportError::Cancelled)), "{:?}", result.map(|i| i.warnings));
}

#[test]
fn accessors_must_exist_and_fit_their_use() {
    type Change = fn(&mut Builder);
    let cases: [(Change, &str); 7] = [
        (|b| set(b, "/accessors", json!([])), "accessor 0 does not exist, there are 0"),
        (|b| set(b, "/accessors/0/type", json!("VEC9")), "accessor 0 is malformed"),
        (|b| set(b, "/accessors/0/count", json!(-3)), "accessor 0 is malformed"),
        (|b| set(b, "/accessors/0/count", json!(0)), "accessor 0 has no elements"),
        (|b| set(b, "/accessors/0/type", json!("VEC4")), "accessor 0 is Vec4, expected Vec3"),
        (|b| set(b, "/accessors/0/bufferView", json!(7)), "buffer view 7 does not exist or is malformed"),
        (|b| set(b, "/bufferViews/0/byteLength", json!("x")), "buffer view 0 does not exist or is malformed"),
    ];
    for (change, fault) in cases {
        assert_eq!(positions_fault(change), fault);
    }
    for actual in [5124, 5125, 0, u32::MAX] {
        let fault = positions_fault(|b| set(b, "/accessors/0/componentType", json!(actual)));
        let expected = format!("accessor 0 has component type {actual}, expected ");
        assert!(fault.starts_with(&expected), "{fault}");
    }
}

#[test]
fn accessors_must_lie_in_their_views_and_views_in_their_buffers() {
    let range = |needed: u64| format!("accessor 0 ends at byte {needed} of buffer view 0, which has 36");
    assert_eq!(positions_fault(|b| set(b, "/accessors/0/count", json!(4))), range(48));
    assert_eq!(positions_fault(|b| b.json["accessors"][0]["byteOffset"] = json!(4)), range(40));
    let huge = u64::MAX;
    assert_eq!(positions_fault(|b| set(b, "/accessors/0/count", json!(huge))), range(huge));
    assert_eq!(positions_fault(|b| b.json["accessors"][0]["byteOffset"] = json!(huge)), range(huge));
    let stride = |stride| positions_fault(move |b| b.json["bufferViews"][0]["byteStride"] = json!(stride));
    assert_eq!(stride(11), "buffer view 0 has a stride of 11 bytes, but an element of accessor 0 takes 12");
    assert_eq!(stride(16), range(44));
    assert_eq!(stride(usize::MAX), range(huge));
    let view_range = |needed: u64| format!("buffer view 0 ends at byte {needed} of buffer 0, which has 36");
    assert_eq!(positions_fault(|b| set(b, "/bufferViews/0/byteLength", json!(40))), view_range(40));
    assert_eq!(positions_fault(|b| set(b, "/bufferViews/0/byteOffset", json!(huge))), view_range(huge));
    assert_eq!(positions_fault(|b| set(b, "/bufferViews/0/buffer", json!(1))), "buffer 1 has no data");
}

#[test]
fn sparse_storage_is_checked_too() {
    let sparse = |change: fn(&mut Value)| {
        positions_fault(|b| {
            let (indices, values) = (b.view(&[1, 2, 0, 0]), b.view(&f32_bytes(&[0.0; 6])));
            b.json["accessors"][0]["sparse"] = json!({"count": 2, "indices": {"bufferView": indices, "componentType": U8},
                "values": {"bufferView": values}});
            change(&mut b.json["accessors"][0]["sparse"]);
        })
    };
    assert_eq!(
        sparse(|s| s["indices"]["byteOffset"] = json!(3)),
        "accessor 0 ends at byte 5 of buffer view 1, which has 4"
    );
    assert_eq!(sparse(|s| s["count"] = json!(4)), "sparse storage replaces 4 elements of accessor 0, which has 3");
    assert_eq!(sparse(|s| s["count"] = json!(3)), "accessor 0 ends at byte 36 of buffer view 2, which has 24");
    assert_eq!(
        sparse(|s| s["indices"]["componentType"] = json!(U16)),
        "sparse storage replaces element 513 of accessor 0, which has 3"
    );
    assert!(sparse(|s| s["indices"]["componentType"] = json!(I8)).starts_with("accessor 0 has component type 5120"));
    assert_eq!(sparse(|s| s["values"]["bufferView"] = json!(9)), "buffer view 9 does not exist or is malformed");
}

#[test]
fn counts_that_the_file_does_not_pay_for_are_limited() {
    let mut b = triangle();
    b.json["accessors"][0] = json!({"componentType": F32, "type": "VEC3", "count": 1_000_000_000});
    let more = "more than the rest of the memory limit for one file";
    let fault = format!("its positions cannot be read: accessor 0 would need 12000000000 bytes, {more}");
    assert_eq!(primitive_fault(b), fault);
    let mut b = triangle();
    b.json["nodes"] = json!(vec![json!({"mesh": 0}); 1000]);
    b.json["scenes"][0]["nodes"] = json!((0..1000).collect::<Vec<_>>());
    let bytes = b.build();
    // Enough for the file and its document, plus 100,000 bytes.
    let imported = import_bytes(&bytes, &Job::with_memory_limit(100_000 + 2 * bytes.len() as u64)).unwrap();
    let placed = imported.rig.instances.len();
    assert!((300..400).contains(&placed), "{placed}");
    let message = imported.warnings[0].to_string();
    assert!(message.starts_with(&format!("Node {placed} was left out: another instance of mesh 0 ")), "{message}");
}

#[test]
fn zeros_without_data_are_limited_by_the_size_of_the_file() {
    let faults = |is_sparse: bool, count: u64| {
        let mut b = triangle();
        b.json["accessors"][0] = json!({"componentType": F32, "type": "VEC3", "count": count});
        if is_sparse {
            let (indices, values) = (b.view(&[2, 0, 0, 0]), b.view(&f32_bytes(&[1.0; 3])));
            b.json["accessors"][0]["sparse"] = json!({"count": 1, "indices": {"bufferView": indices, "componentType": U8},
                "values": {"bufferView": values}});
        }
        // The memory limit alone would permit two of these accessors.
        b.json["meshes"][0]["primitives"] = json!(vec![json!({"attributes": {"POSITION": 0, "NORMAL": 0}}); 3]);
        primitive_fault(b)
    };
    for is_sparse in [false, true] {
        let zeros = "its positions cannot be read: accessor 0 needs 720000000 bytes of zeros without data, but only ";
        let left = between(&faults(is_sparse, 60_000_000), zeros, " are left for a file of this size");
        let left: u64 = left.parse().unwrap();
        assert!((1 << 26..70_000_000).contains(&left), "{left}");
    }
    let mut b = triangle();
    let few = b.push("accessors", json!({"componentType": F32, "type": "VEC3", "count": 2_000_000}));
    b.json["meshes"][0]["primitives"] =
        json!((0..5).map(|i| json!({"attributes": {"POSITION": if i < 4 { few } else { 0 }}})).collect::<Vec<_>>());
    let (imported, bytes) = allocated(|| try_open(b).unwrap());
    assert_eq!(imported.rig.primitives().map(|(_, p)| p.source).collect::<Vec<_>>(), [0, 1, 4]);
    // Memory for the positions and indices of the shown primitives, but not for the rejected ones.
    assert!((48_000_000..200_000_000).contains(&bytes), "{bytes}");
}

#[test]
fn buffers_without_data_are_reported() {
    let fault = |buffer: Value| {
        let mut b = triangle();
        b.json["buffers"] = json!([buffer]);
        match import_bytes(b.json.to_string().as_bytes(), &Job::default()) {
            Err(ImportError::Buffer { buffer: 0, reason }) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(fault(json!({"byteLength": 36})), "it has neither a uri nor data of its own");
    assert_eq!(
        fault(json!({"uri": "data:,abc", "byteLength": 36})),
        "it has 3 of 36 bytes: it was cut short, fetch or export it again"
    );
    assert_eq!(fault(json!({"uri": 3, "byteLength": 36})), "it is malformed");
    assert_eq!(
        fault(json!({"uri": "a.bin", "byteLength": 36})),
        "it is in the file \"a.bin\", but the model was opened without its folder"
    );
    let broken = fault(json!({"uri": "data:;base64,%%%", "byteLength": 1}));
    assert!(broken.starts_with("its data URI cannot be decoded: "), "{broken}");
}

#[test]
fn files_must_lie_beside_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.gltf");
    for (uri, part) in [
        ("../a.bin", "outside of the model's folder"),
        ("file:///etc/passwd", "is a URL"),
        ("https://localhost/a.bin", "is a URL"),
        ("none.bin", "is missing, looked for as"),
    ] {
        let mut b = triangle();
        b.json["buffers"] = json!([{"uri": uri, "byteLength": 36}]);
        std::fs::write(&file, b.json.to_string()).unwrap();
        let text = import_file(&file, &Job::default()).expect_err("refused").to_string();
        assert!(text.contains(part) && text.contains(uri), "{text}");
    }
}

#[test]
fn a_broken_part_does_not_spoil_the_rest() {
    let mut b = triangle();
    let good = b.json["meshes"][0]["primitives"][0].clone();
    let attributes = good["attributes"].clone();
    let indices = b.indices(&[0, 1, 3]);
    let few = b.indices(&[0, 1]);
    let over = b.indices(&[0, 1, 2, 0]);
    b.json["meshes"][0]["primitives"] = json!([
        good,
        {"attributes": attributes, "mode": 0},
        {"attributes": attributes, "mode": 9},
        {"attributes": {}},
        {"attributes": 7},
        {"attributes": attributes, "indices": indices},
        {"attributes": attributes, "indices": few},
        {"attributes": attributes, "indices": 77},
        {"attributes": attributes, "indices": over, "material": 3},
        {"attributes": {"POSITION": few}},
        {"attributes": attributes, "extensions": {"KHR_draco_mesh_compression": {}}},
    ]);
    let imported = try_open(b).unwrap();
    let skipped = |primitive: usize, fault: &str| format!("Mesh 0, primitive {primitive} was left out: {fault}.");
    assert_eq!(
        common::messages(&common::of_reading(&imported.warnings)),
        [
            skipped(2, "it has mode 9, which glTF does not define"),
            skipped(3, "it has no positions"),
            skipped(4, "it is malformed"),
            skipped(5, "index 2 refers to vertex 3, but there are 3 vertices"),
            skipped(6, "it has too few vertices or indices for one triangle, line or point"),
            skipped(7, "its indices cannot be read: accessor 77 does not exist, there are 4"),
            "Mesh 0, primitive 8: 1 index is left over after the last triangle or line, and ignored.".to_owned(),
            "Material 3 is malformed, or does not exist; it was left out.".to_owned(),
            skipped(9, "its positions cannot be read: accessor 2 is Scalar, expected Vec3"),
        ]
    );
    // Primitive 10 has uncompressed positions in addition to compressed ones.
    assert_eq!(imported.rig.primitives().map(|(_, p)| p.source).collect::<Vec<_>>(), [0, 1, 8, 10]);
}

#[test]
fn undecodable_draco_compression_reports_the_reason() {
    let reason_of = |extension: Value| {
        let mut b = triangle();
        b.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
        b.json["meshes"][0]["primitives"][0]["extensions"] = json!({"KHR_draco_mesh_compression": extension});
        let end = ": fetch the file again, or export it without Draco";
        between(&primitive_fault(b), "its Draco compression cannot be decoded, ", end)
    };
    assert!(reason_of(json!({"bufferView": 0})).contains("not in the form"));
    assert!(reason_of(json!({"bufferView": 9, "attributes": {}})).contains("buffer view 9"));
    assert!(!reason_of(json!({"bufferView": 0, "attributes": {"POSITION": 0}})).is_empty());
}

#[test]
fn broken_compression_is_reported_without_an_uncompressed_fallback() {
    let extension = |form: Value| json!({"EXT_meshopt_compression": form});
    let compressed = |b: &mut Builder, form: Value| {
        b.json["buffers"] =
            json!([{"byteLength": 36}, {"byteLength": 36, "extensions": extension(json!({"fallback": true}))}]);
        b.json["bufferViews"][0]["buffer"] = json!(1);
        b.json["bufferViews"][0]["extensions"] = extension(form);
    };
    let form =
        |count: usize| json!({"buffer": 0, "byteLength": 36, "byteStride": 12, "count": count, "mode": "ATTRIBUTES"});
    for form in [json!({"buffer": 0}), form(3)] {
        assert_eq!(
            positions_fault(|b| compressed(b, form)),
            "the compressed data of buffer view 0 is broken: fetch or export the file again"
        );
    }
    let bytes = 12_u64 << 40;
    let large = positions_fault(|b| compressed(b, form(1 << 40)));
    assert!(large.starts_with(&format!("buffer view 0 would take {bytes} bytes when decompressed, ")), "{large}");
    let mut b = triangle();
    b.json["bufferViews"][0]["extensions"] = extension(json!({"buffer": 0}));
    assert_eq!(try_open(b).unwrap().rig.vertex_count(), 3);
}

#[test]
fn broken_attributes_are_dropped_before_geometry() {
    let mut b = triangle();
    let short = b.floats(&[0.0, 0.0, 1.0], "VEC3");
    let nan = b.floats(&[f32::NAN, 0.0, 0.0, 0.5, 0.5, 0.5, 1.0, f32::INFINITY, 1.0], "VEC3");
    b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    let primitive = &mut b.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(0);
    primitive["attributes"]["NORMAL"] = json!(short);
    primitive["attributes"]["COLOR_0"] = json!(nan);
    let fault = format!("accessor {short} has 1 elements, expected 3");
    let reference = "it names texture 0, which does not exist or is malformed";
    let found = try_open(b).unwrap().warnings;
    assert_eq!(
        common::messages(&found),
        [
            format!("Mesh 0, primitive 0: NORMAL is ignored, {fault}. The shape is right, but shading may differ."),
            "Mesh 0, primitive 0: COLOR_0 of 2 vertices is not a finite number; it counts as 0.".to_owned(),
            "Mesh 0, primitive 0 has a texture, but not the coordinates TEXCOORD_0; the texture is not shown."
                .to_owned(),
            format!("The base colour texture of material 0 is replaced by a checker: {reference}."),
        ]
    );
    let scopes = [WarningScope::Shape, WarningScope::Colors, WarningScope::Appearance, WarningScope::Appearance];
    assert_eq!(found.iter().map(|warning| warning.scope).collect::<Vec<_>>(), scopes);
    assert!(WarningScope::Shape < WarningScope::Colors && WarningScope::Colors < WarningScope::Appearance);
    let vertices = [0, 2].into_iter().collect();
    assert_eq!(found[1].finding.target, Target::Primitive { mesh: 0, primitive: 0, vertices, joint: None });
}

/// Returns why the only texture of a file is replaced.
fn checker_reason(imported: &Imported) -> String {
    let [warning] = &imported.warnings[..] else { panic!("{:?}", imported.warnings) };
    between(&warning.to_string(), "The base colour texture of material 0 is replaced by a checker: ", ".")
}

fn too_large(width: u32, height: u32) -> String {
    let more = "takes more memory than is left for this file, or more than half of --memory-limit";
    format!("decoding the {width} x {height} pixels of image 0 {more}")
}

#[test]
fn broken_textures_become_a_checker() {
    let fault = |texture: Value, image: Value, bytes: &[u8]| {
        let mut b = triangle();
        let uvs = b.floats(&[0.0; 6], "VEC2");
        b.view(bytes);
        b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
        b.push("textures", texture);
        b.push("images", image);
        let primitive = &mut b.json["meshes"][0]["primitives"][0];
        primitive["material"] = json!(0);
        primitive["attributes"]["TEXCOORD_0"] = json!(uvs);
        let imported = try_open(b).unwrap();
        assert_eq!((imported.rig.images.len(), imported.rig.images[0].width), (1, 16));
        assert!(imported.rig.materials[0].texture.is_some());
        checker_reason(&imported)
    };
    let (texture, image) = (json!({"source": 0}), json!({"bufferView": 2}));
    let png = fault(texture.clone(), image.clone(), b"\x89PNG\r\n\x1a\nxxxx");
    assert!(png.starts_with("image 0 cannot be decoded: "), "{png}");
    let gif = fault(texture.clone(), image.clone(), b"GIF89a");
    assert!(gif.starts_with("image 0 is a GIF image, and only PNG, JPEG, WebP and KTX2 are read"), "{gif}");
    assert_eq!(fault(json!({}), image.clone(), b"x"), "it has no image");
    assert_eq!(
        fault(json!({"source": 4}), image.clone(), b"x"),
        "it names image 4, which does not exist or is malformed"
    );
    assert_eq!(fault(json!({"source": "?"}), image, b"x"), "it names texture 0, which does not exist or is malformed");
    let fault = fault(texture, json!({"uri": "skin.png"}), b"x");
    let no_folder = "it is in the file \"skin.png\", but the model was opened without its folder";
    assert_eq!(fault, format!("image 0: {no_folder}"));
}

#[test]
fn ktx2_images_are_refused_by_the_sizes_that_they_give() {
    let fault = |width: u32, inflated: u64| {
        let mut bytes = b"\xABKTX 20\xBB\r\n\x1A\n".to_vec();
        bytes.resize(104, 0);
        bytes[20..24].copy_from_slice(&width.to_le_bytes());
        bytes[24..28].copy_from_slice(&4_u32.to_le_bytes());
        bytes[44] = 2;
        bytes[96..].copy_from_slice(&inflated.to_le_bytes());
        let mut b = triangle();
        let view = b.view(&bytes);
        let uvs = b.floats(&[0.0; 6], "VEC2");
        b.push("images", json!({"bufferView": view}));
        b.push("textures", json!({"extensions": {"KHR_texture_basisu": {"source": 0}}}));
        b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
        b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        b.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
        checker_reason(&try_open(b).unwrap())
    };
    assert_eq!(fault(u32::MAX, 0), too_large(u32::MAX, 4));
    assert_eq!(fault(4, 1 << 60), too_large(4, 4));
    assert!(fault(4, 64).starts_with("image 0 cannot be decoded: "));
}

#[test]
fn large_images_need_memory_that_is_left() {
    let mut b = triangle();
    let uvs = b.floats(&[0.0; 6], "VEC2");
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::new(1000, 1000).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let view = b.view(&png.into_inner());
    b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    b.push("textures", json!({"source": 0}));
    b.push("images", json!({"bufferView": view}));
    b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    b.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
    let bytes = b.build();
    assert_eq!(import_bytes(&bytes, &Job::default()).unwrap().warnings, []);
    let imported = import_bytes(&bytes, &Job::with_memory_limit(1_000_000)).unwrap();
    assert_eq!(checker_reason(&imported), too_large(1000, 1000));
    // A header that announces an image of 13 GB. It is rejected before any memory is allocated.
    let header = bytes.windows(4).position(|w| w == b"IHDR").unwrap();
    let mut huge = bytes.clone();
    huge[header + 4..header + 8].copy_from_slice(&60_000_u32.to_be_bytes());
    huge[header + 8..header + 12].copy_from_slice(&60_000_u32.to_be_bytes());
    let checked = crc32(&huge[header..header + 17]);
    huge[header + 17..header + 21].copy_from_slice(&checked.to_be_bytes());
    let imported = import_bytes(&huge, &Job::default()).unwrap();
    assert_eq!(checker_reason(&imported), too_large(60_000, 60_000));
}

/// Returns the CRC-32 of a PNG chunk.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &b| (0..8).fold(crc ^ u32::from(b), step))
}

#[test]
fn the_hierarchy_must_be_a_tree() {
    let fault = |nodes: Value| {
        let mut b = triangle();
        b.json["nodes"] = nodes;
        match try_open(b) {
            Err(ImportError::Hierarchy(fault)) => fault,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(fault(json!([{"children": [0]}])), HierarchyError::OwnParent { node: 0 });
    assert_eq!(fault(json!([{"children": [5]}])), HierarchyError::MissingChild { node: 0, child: 5, count: 1 });
    assert!(matches!(fault(json!([{"children": [2]}, {"children": [2]}, {}])), HierarchyError::TwoParents { .. }));
    let mut b = triangle();
    set(&mut b, "/nodes/0", json!({"children": "all"}));
    assert!(try_open(b).unwrap_err().to_string().starts_with("The glTF JSON is broken at "));
}

#[test]
fn transforms_and_scenes_that_mean_nothing_are_left_out() {
    let mut b = triangle();
    b.root(json!({"rotation": [0, 0, 0, 0], "translation": [1e39, 0, 0], "scale": [1, 1, -1e39]}));
    b.root(json!({"matrix": vec![1e39; 16]}));
    b.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(44));
    b.json["scene"] = json!(9);
    b.json["nodes"][1]["camera"] = json!(0);
    b.json["nodes"][1]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    let transform = |node: usize, property: &str| {
        format!("The {property} of node {node} is not a usable transform; it was left out.")
    };
    let malformed = |object: &str| format!("{object} is malformed, or does not exist; it was left out.");
    assert_eq!(
        warnings(b),
        [
            malformed("Scene 9"),
            transform(1, "translation"),
            transform(1, "scale"),
            transform(1, "rotation"),
            transform(2, "matrix"),
            malformed("Node 44"),
            malformed("Camera 0"),
            "1 light is ignored; the viewer has its own.".to_owned(),
        ]
    );
}

#[test]
fn skins_that_cannot_be_used_are_left_out() {
    let found = |change: fn(&mut Builder)| {
        let mut b = make_skinned_glb(2, 3, 3, 1);
        change(&mut b);
        let imported = try_open(b).unwrap();
        assert!(imported.rig.instances[0].skin.is_none());
        match &common::of_reading(&imported.warnings)[..] {
            [skipped, unskinned] if unskinned.finding.code == Code::NoSkin => {
                let message = skipped.to_string();
                let reason = message.split_once(" was left out: ").expect("a reason").1;
                between(reason, "", ". Meshes bound to it do not follow the joints.")
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(found(|b| set(b, "/skins/0/joints", json!([]))), "it has no joints");
    assert_eq!(found(|b| set(b, "/skins/0/joints", json!([1, 9]))), "its joint 1 is node 9, but there are 3 nodes");
    assert_eq!(found(|b| set(b, "/skins/0", json!({}))), "it is malformed");
    assert_eq!(found(|b| set(b, "/nodes/0/skin", json!(3))), "it does not exist");
    let many = |b: &mut Builder| set(b, "/skins/0/joints", json!(vec![1; 65_537]));
    assert_eq!(found(many), "it has 65537 joints, more than the 65536 that a vertex can refer to");
}

#[test]
fn inverse_binds_that_cannot_be_used_are_the_identity() {
    let mut b = make_skinned_glb(3, 3, 3, 1);
    b.json["skins"][0]["joints"] = json!([1, 2, 3, 3]);
    let message = "Skin 0 has 3 inverse bind matrices for 4 joints; missing ones count as the identity.";
    assert_eq!(warnings_of_reading(b), [message]);
    let mut b = make_skinned_glb(2, 3, 3, 1);
    b.json["skins"][0]["inverseBindMatrices"] = json!(0);
    let message = "The inverse bind matrices of skin 0 cannot be read: accessor 0 is Vec3, expected Mat4. They count as the identity.";
    assert_eq!(warnings(b), [message]);
    let mut b = make_skinned_glb(1, 3, 3, 0);
    let nan = b.floats(&[f32::NAN; 16], "MAT4");
    b.json["skins"][0]["inverseBindMatrices"] = json!(nan);
    let message = "Skin 0: 1 inverse bind matrix is not finite; the identity is used instead.";
    assert_eq!(warnings(b), [message]);
}

#[test]
fn unusable_influences_are_reported() {
    // There must be one JOINTS_0 element per position.
    let tube = "Mesh 0 \"tube\", primitive 0";
    let reason = "JOINTS_0 cannot be read: accessor 2 has 3 elements, expected 4";
    assert_eq!(warnings(make_skinned_glb(2, 4, 3, 0)), [format!("{tube} is drawn without skinning: {reason}.")]);
    // The skin has only joints 0 and 1, but the vertices refer to joint 2.
    let refer = "4 vertices refer to joints up to index 2, but the skin has 2; their weights count as 0";
    let zero = "4 vertices have no weight; they follow the first joint that the file lists for them";
    let found = try_open(make_skinned_glb(2, 4, 4, 2)).unwrap().warnings;
    assert_eq!(common::messages(&found), [format!("{tube}: {refer}."), format!("{tube}: {zero}.")]);
    for warning in &found {
        let vertices = (0..4).collect();
        assert_eq!(warning.finding.target, Target::Primitive { mesh: 0, primitive: 0, vertices, joint: None });
    }
    let mut b = make_skinned_glb(2, 4, 4, 0);
    let joints = &mut b.json["meshes"][0]["primitives"][0]["attributes"];
    joints["WEIGHTS_1"] = joints["WEIGHTS_0"].clone();
    joints["JOINTS_2"] = joints["JOINTS_0"].clone();
    let ignored =
        |attribute: &str| format!("{tube}: {attribute} is ignored: joints and weights are used only together.");
    assert_eq!(warnings_of_reading(b), [ignored("WEIGHTS_1"), ignored("JOINTS_2")]);
    let mut b = make_skinned_glb(2, 4, 4, 0);
    let weights = b.floats(&[f32::NAN, 1.0, -1.0, 0.0].repeat(4), "VEC4");
    b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let invalid = "4 vertices have weights that are negative or not finite; these count as 0";
    assert_eq!(warnings(b), [format!("{tube}: {invalid}.")]);
}

#[test]
fn the_smallest_skin_of_a_mesh_counts() {
    let mut b = make_skinned_glb(3, 4, 4, 2);
    b.push("skins", json!({"joints": [1, 2]}));
    b.root(json!({"mesh": 0, "skin": 1}));
    let imported = try_open(b).unwrap();
    let messages = common::messages(&imported.warnings);
    let refer = "refer to joints up to index 2, but the skin has 2;";
    assert!(messages.iter().any(|message| message.contains(refer)), "{messages:?}");
}

#[test]
fn morph_targets_that_cannot_be_used_move_nothing() {
    let mut b = triangle();
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 9}, {"NORMAL": 0}, 3]);
    b.json["nodes"][0]["weights"] = json!([1]);
    let imported = try_open(b).unwrap();
    assert_eq!(
        common::messages(&common::of_reading(&imported.warnings)),
        [
            "Mesh 0, primitive 0: POSITION of morph target 0 is ignored, accessor 9 does not exist, there are 1.",
            "Morph target 2 is malformed, or does not exist; it was left out.",
            "Node 0 has 1 morph weights for 3 targets; missing ones count as 0.",
        ]
    );
    assert_eq!(imported.rig.instances[0].morph_weights, [1.0, 0.0, 0.0]);
}

#[test]
fn channels_that_cannot_be_played_are_left_out() {
    let fault = |change: fn(&mut Builder)| {
        let mut b = make_skinned_glb(2, 3, 3, 0);
        change(&mut b);
        let imported = try_open(b).unwrap();
        assert!(imported.rig.clips[0].channels.is_empty());
        let [warning] = &imported.warnings[..] else { panic!("{:?}", imported.warnings) };
        assert_eq!(warning.finding.target, Target::clip(0));
        between(&warning.to_string(), "Channel 0 of clip \"turn\" was left out: ", ".")
    };
    assert_eq!(fault(|b| set(b, "/animations/0/channels/0/target/node", Value::Null)), "it has no target node");
    assert_eq!(
        fault(|b| set(b, "/animations/0/channels/0/target/node", json!(9))),
        "it animates node 9, but there are 3 nodes"
    );
    assert_eq!(
        fault(|b| set(b, "/animations/0/channels/0/target/path", json!("pointer"))),
        "it moves \"pointer\", which is not read"
    );
    assert_eq!(
        fault(|b| set(b, "/animations/0/channels/0/target/path", json!("weights"))),
        "it animates morph weights of node 1, whose mesh has no morph targets"
    );
    assert_eq!(
        fault(|b| set(b, "/animations/0/channels/0/sampler", json!(4))),
        "its sampler 4 does not exist or is malformed"
    );
    assert_eq!(fault(|b| set(b, "/animations/0/channels/0", json!(4))), "it is malformed");
    let times = fault(|b| set(b, "/animations/0/samplers/0/input", json!(0)));
    assert!(times.starts_with("its times cannot be read: "), "{times}");
    let values = fault(|b| set(b, "/animations/0/samplers/0/output", json!(0)));
    assert!(values.starts_with("its values cannot be read: "), "{values}");
    let interpolation = fault(|b| b.json["animations"][0]["samplers"][0]["interpolation"] = json!("WARP"));
    assert_eq!(interpolation, "its interpolation \"WARP\" is unknown");
    let spline = fault(|b| b.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE"));
    assert!(spline.ends_with(" has 2 elements, expected 6"), "{spline}");
    let falling = fault(|b| {
        let times = b.floats(&[1.0, 0.5], "SCALAR");
        set(b, "/animations/0/samplers/0/input", json!(times));
    });
    assert_eq!(falling, "its times fall or are not finite numbers at key 1");
    let nan = fault(|b| {
        let values = b.floats(&[f32::NAN; 8], "VEC4");
        set(b, "/animations/0/samplers/0/output", json!(values));
    });
    assert_eq!(nan, "its values are not finite numbers");
}

#[test]
fn channels_left_out_for_one_kind_of_reason_are_one_warning_for_each_clip() {
    let mut b = make_skinned_glb(2, 3, 3, 0);
    let falling = b.floats(&[1.0, 0.5], "SCALAR");
    let twice = b.floats(&[1.0, 1.0], "SCALAR");
    let output = b.json["animations"][0]["samplers"][0]["output"].clone();
    b.json["animations"][0]["samplers"] =
        json!([{"input": falling, "output": output}, {"input": twice, "output": output}]);
    let channel = |sampler: usize, path: &str| json!({"sampler": sampler, "target": {"node": 1, "path": path}});
    let mut channels = vec![channel(1, "rotation"); 40];
    channels.extend(vec![channel(0, "rotation"); 71]);
    channels.push(channel(0, "pointer"));
    b.json["animations"][0]["channels"] = json!(channels);
    let second = b.json["animations"][0].clone();
    b.push("animations", second);
    let imported = try_open(b).unwrap();
    let texts: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
    let expected = [
        "110 channels move in clip \"turn\" the same property of the same node as an earlier channel, first channel 1; the last one counts.",
        "Clip \"turn\" has 40 keys at the time of the key before them, in 40 channels; it jumps there, first at 1 s in channel 0.",
        "71 channels of clip \"turn\" were left out, channel 40 the first: its times fall or are not finite numbers at key 1.",
        "Channel 111 of clip \"turn\" was left out: it moves \"pointer\", which is not read.",
    ];
    assert_eq!(texts, [expected, expected].concat());
    assert!(imported.rig.clips.iter().all(|c| c.channels.len() == 40));
}

#[test]
fn unsupported_extensions_are_reported_once() {
    let mut b = triangle();
    b.json["extensionsUsed"] = json!(["KHR_mesh_quantization", "KHR_materials_iridescence", "A_b", "X_y"]);
    b.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "X_y"]);
    let found = warnings(b);
    let ignored = |name: &str, effect: &str| format!("The extension {name} is not read; {effect}.");
    assert_eq!(
        found,
        [
            "The file requires the extension X_y, which is not read; what depends on it is wrong or missing."
                .to_owned(),
            ignored("A_b", "what it describes is missing"),
            ignored("KHR_materials_iridescence", "surfaces may look different"),
        ]
    );
}

#[test]
fn a_million_warnings_are_cut_short() {
    let mut b = triangle();
    let positions = json!({"attributes": {"POSITION": 0}});
    b.json["meshes"][0]["primitives"] = json!([vec![positions], vec![json!({}); 5000]].concat());
    b.json["meshes"][0]["name"] = json!("long ".repeat(10_000));
    let found = warnings(b);
    assert_eq!((found.len(), &*found[1000]), (1001, "4000 further warnings are not listed."));
    assert!(found[0].len() < 300);
}

#[test]
fn empty_files_are_reported() {
    assert!(matches!(try_open(Builder::default()), Err(ImportError::Empty { meshes: 0, nodes: 0 })));
    let mut b = triangle();
    b.json["nodes"] = json!([]);
    b.json["scenes"] = json!([]);
    b.json.as_object_mut().unwrap().remove("scene");
    assert!(matches!(try_open(b), Err(ImportError::Empty { meshes: 1, nodes: 0 })));
    assert!(import_bytes(&container(b"{\"asset\":{\"version\":\"2.0\"}}", b""), &Job::default()).is_err());
}
