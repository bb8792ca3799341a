//! Broken files, built in code: each gives the exact error or warning, and never a panic.

use crate::common;
use crate::common::allocations;

use std::sync::Arc;

use allocations::allocated;
use common::glb::{Builder, F32, I8, U8, U16, container, f32_bytes, make_skinned_glb, triangle};
use rigscope::import::{
    AccessorFault, ChannelFault, GlbFault, ImportError, ImportWarning, Imported, Job, Place, PrimitiveFault, Shape,
    SkinFault, SourceFault, TextureFault, UnskinnedReason, import_bytes, import_file,
};
use rigscope::rig::HierarchyError;
use serde_json::{Value, json};

fn try_open(builder: Builder) -> Result<Imported, ImportError> {
    import_bytes(&builder.build(), &Job::default())
}

fn warnings(builder: Builder) -> Vec<ImportWarning> {
    try_open(builder).unwrap_or_else(|e| panic!("{e}")).warnings
}

/// The reason why nothing of a file with one primitive can be shown.
fn primitive_fault(builder: Builder) -> PrimitiveFault {
    match try_open(builder) {
        Err(ImportError::NothingUsable { reason }) => match *reason {
            ImportWarning::PrimitiveSkipped { fault, .. } => fault,
            other => panic!("{other}"),
        },
        other => panic!("{other:?}"),
    }
}

/// A triangle whose positions were changed so that they cannot be read.
fn positions_fault(change: impl FnOnce(&mut Builder)) -> AccessorFault {
    let mut b = triangle();
    change(&mut b);
    match primitive_fault(b) {
        PrimitiveFault::Positions(fault) => fault,
        other => panic!("{other}"),
    }
}

fn set(b: &mut Builder, pointer: &str, value: Value) {
    *b.json.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
}

fn tube() -> Place {
    Place { mesh: 0, name: "tube".to_owned(), primitive: 0 }
}

fn nameless() -> Place {
    Place { mesh: 0, name: String::new(), primitive: 0 }
}

#[test]
fn files_that_are_not_glb_or_gltf_are_refused() {
    let open = |bytes: &[u8]| import_bytes(bytes, &Job::default()).expect_err("refused");
    assert!(matches!(open(b""), ImportError::UnknownFormat { found: "an empty file" }));
    #[cfg(not(feature = "fbx"))]
    assert!(matches!(open(b"Kaydara FBX Binary  \0"), ImportError::UnknownFormat { found: "an FBX file" }));
    assert!(matches!(open(b"{\"name\": 1}"), ImportError::UnknownFormat { .. }));
    assert!(matches!(open(b"{\"asset\": {\"version\": \"1.0\"}}"), ImportError::OldVersion { .. }));
    assert!(matches!(open(b"{"), ImportError::Json { line: 1, .. }));
    let whole = triangle().build();
    assert!(matches!(open(&whole[..50]), ImportError::Glb(GlbFault::Length { actual: 50, .. })));
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
fn an_import_that_is_cancelled_among_its_images_says_so() {
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
    let cases: [(Change, AccessorFault); 7] = [
        (|b| set(b, "/accessors", json!([])), AccessorFault::Missing { accessor: 0, count: 0 }),
        (|b| set(b, "/accessors/0/type", json!("VEC9")), AccessorFault::Malformed { accessor: 0 }),
        (|b| set(b, "/accessors/0/count", json!(-3)), AccessorFault::Malformed { accessor: 0 }),
        (|b| set(b, "/accessors/0/count", json!(0)), AccessorFault::Empty { accessor: 0 }),
        (
            |b| set(b, "/accessors/0/type", json!("VEC4")),
            AccessorFault::Shape { accessor: 0, expected: Shape::Vec3, actual: Shape::Vec4 },
        ),
        (|b| set(b, "/accessors/0/bufferView", json!(7)), AccessorFault::View { view: 7 }),
        (|b| set(b, "/bufferViews/0/byteLength", json!("x")), AccessorFault::View { view: 0 }),
    ];
    for (change, fault) in cases {
        assert_eq!(positions_fault(change), fault);
    }
    for actual in [5124, 5125, 0, u32::MAX] {
        let fault = positions_fault(|b| set(b, "/accessors/0/componentType", json!(actual)));
        assert!(matches!(fault, AccessorFault::Component { accessor: 0, actual: a, .. } if a == actual), "{fault}");
    }
}

#[test]
fn accessors_must_lie_in_their_views_and_views_in_their_buffers() {
    let range = |needed| AccessorFault::Range { accessor: 0, view: 0, needed, available: 36 };
    assert_eq!(positions_fault(|b| set(b, "/accessors/0/count", json!(4))), range(48));
    assert_eq!(positions_fault(|b| b.json["accessors"][0]["byteOffset"] = json!(4)), range(40));
    let huge = u64::MAX;
    assert_eq!(positions_fault(|b| set(b, "/accessors/0/count", json!(huge))), range(huge));
    assert_eq!(positions_fault(|b| b.json["accessors"][0]["byteOffset"] = json!(huge)), range(huge));
    let stride = |stride| positions_fault(move |b| b.json["bufferViews"][0]["byteStride"] = json!(stride));
    assert_eq!(stride(11), AccessorFault::Stride { accessor: 0, view: 0, stride: 11, element: 12 });
    assert_eq!(stride(16), range(44));
    assert_eq!(stride(usize::MAX), range(huge));
    let view_range = |needed| AccessorFault::ViewRange { view: 0, buffer: 0, needed, available: 36 };
    assert_eq!(positions_fault(|b| set(b, "/bufferViews/0/byteLength", json!(40))), view_range(40));
    assert_eq!(positions_fault(|b| set(b, "/bufferViews/0/byteOffset", json!(huge))), view_range(huge));
    assert_eq!(positions_fault(|b| set(b, "/bufferViews/0/buffer", json!(1))), AccessorFault::Buffer { buffer: 1 });
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
        AccessorFault::Range { accessor: 0, view: 1, needed: 5, available: 4 }
    );
    assert_eq!(sparse(|s| s["count"] = json!(4)), AccessorFault::SparseCount { accessor: 0, replaced: 4, count: 3 });
    assert_eq!(
        sparse(|s| s["count"] = json!(3)),
        AccessorFault::Range { accessor: 0, view: 2, needed: 36, available: 24 }
    );
    assert_eq!(
        sparse(|s| s["indices"]["componentType"] = json!(U16)),
        AccessorFault::SparseIndex { accessor: 0, index: 513, count: 3 }
    );
    assert!(matches!(sparse(|s| s["indices"]["componentType"] = json!(I8)), AccessorFault::Component { .. }));
    assert_eq!(sparse(|s| s["values"]["bufferView"] = json!(9)), AccessorFault::View { view: 9 });
}

#[test]
fn counts_that_the_file_does_not_pay_for_are_limited() {
    let mut b = triangle();
    b.json["accessors"][0] = json!({"componentType": F32, "type": "VEC3", "count": 1_000_000_000});
    let fault = PrimitiveFault::Positions(AccessorFault::TooLarge { accessor: 0, bytes: 12_000_000_000 });
    assert_eq!(primitive_fault(b), fault);
    let mut b = triangle();
    b.json["nodes"] = json!(vec![json!({"mesh": 0}); 1000]);
    b.json["scenes"][0]["nodes"] = json!((0..1000).collect::<Vec<_>>());
    let bytes = b.build();
    // Beside the file itself and its document.
    let imported = import_bytes(&bytes, &Job::with_memory_limit(100_000 + 2 * bytes.len() as u64)).unwrap();
    let placed = imported.rig.instances.len();
    assert!((300..400).contains(&placed), "{placed}");
    assert_eq!(imported.warnings[0], ImportWarning::InstanceSkipped { node: placed, mesh: 0 });
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
        // The limit on memory alone would let two of them through.
        b.json["meshes"][0]["primitives"] = json!(vec![json!({"attributes": {"POSITION": 0, "NORMAL": 0}}); 3]);
        primitive_fault(b)
    };
    for is_sparse in [false, true] {
        let PrimitiveFault::Positions(AccessorFault::Zeros { accessor: 0, bytes, left }) =
            faults(is_sparse, 60_000_000)
        else {
            panic!()
        };
        assert_eq!(bytes, 720_000_000);
        assert!((1 << 26..70_000_000).contains(&left), "{left}");
    }
    let mut b = triangle();
    let few = b.push("accessors", json!({"componentType": F32, "type": "VEC3", "count": 2_000_000}));
    b.json["meshes"][0]["primitives"] =
        json!((0..5).map(|i| json!({"attributes": {"POSITION": if i < 4 { few } else { 0 }}})).collect::<Vec<_>>());
    let (imported, bytes) = allocated(|| try_open(b).unwrap());
    assert_eq!(imported.rig.primitives().map(|(_, p)| p.source).collect::<Vec<_>>(), [0, 1, 4]);
    // Positions and indices of what is shown, and nothing for what is refused.
    assert!((48_000_000..200_000_000).contains(&bytes), "{bytes}");
}

#[test]
fn buffers_without_data_are_told() {
    let fault = |buffer: Value| {
        let mut b = triangle();
        b.json["buffers"] = json!([buffer]);
        match import_bytes(b.json.to_string().as_bytes(), &Job::default()) {
            Err(ImportError::Buffer { buffer: 0, fault }) => fault,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(fault(json!({"byteLength": 36})), SourceFault::NoData);
    assert_eq!(fault(json!({"uri": "data:,abc", "byteLength": 36})), SourceFault::TooShort { expected: 36, actual: 3 });
    assert_eq!(fault(json!({"uri": 3, "byteLength": 36})), SourceFault::Malformed);
    assert_eq!(fault(json!({"uri": "a.bin", "byteLength": 36})), SourceFault::NoFolder { uri: "a.bin".to_owned() });
    assert!(matches!(fault(json!({"uri": "data:;base64,%%%", "byteLength": 1})), SourceFault::DataUri { .. }));
}

#[test]
fn files_must_lie_beside_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.gltf");
    for (uri, part) in [
        ("../a.bin", "outside of the model's folder"),
        ("file:///etc/passwd", "is an address"),
        ("https://localhost/a.bin", "is an address"),
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
    let place = |primitive| Place { primitive, ..nameless() };
    let skipped = |primitive, fault| ImportWarning::PrimitiveSkipped { place: place(primitive), fault };
    let shape = AccessorFault::Shape { accessor: 2, expected: Shape::Vec3, actual: Shape::Scalar };
    assert_eq!(
        common::of_reading(&imported.warnings),
        [
            skipped(2, PrimitiveFault::Mode { mode: 9 }),
            skipped(3, PrimitiveFault::NoPositions),
            skipped(4, PrimitiveFault::Malformed),
            skipped(5, PrimitiveFault::VertexIndex { position: 2, vertex: 3, count: 3 }),
            skipped(6, PrimitiveFault::NoElements),
            skipped(7, PrimitiveFault::Indices(AccessorFault::Missing { accessor: 77, count: 4 })),
            ImportWarning::IndicesLeftOver { place: place(8), count: 1 },
            ImportWarning::Malformed { kind: "Material", index: 3 },
            skipped(9, PrimitiveFault::Positions(shape)),
        ]
    );
    // The last one has positions beside its compressed ones.
    assert_eq!(imported.rig.primitives().map(|(_, p)| p.source).collect::<Vec<_>>(), [0, 1, 8, 10]);
}

#[test]
fn draco_compression_that_cannot_be_decoded_says_why() {
    let reason_of = |extension: Value| {
        let mut b = triangle();
        b.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
        b.json["meshes"][0]["primitives"][0]["extensions"] = json!({"KHR_draco_mesh_compression": extension});
        match primitive_fault(b) {
            PrimitiveFault::Draco { reason } => reason,
            other => panic!("{other}"),
        }
    };
    assert!(reason_of(json!({"bufferView": 0})).contains("not in the form"));
    assert!(reason_of(json!({"bufferView": 9, "attributes": {}})).contains("buffer view 9"));
    assert!(!reason_of(json!({"bufferView": 0, "attributes": {"POSITION": 0}})).is_empty());
}

#[test]
fn broken_compression_is_told_unless_the_same_is_there_uncompressed() {
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
        assert_eq!(positions_fault(|b| compressed(b, form)), AccessorFault::Compression { view: 0 });
    }
    let bytes = 12 << 40;
    assert_eq!(positions_fault(|b| compressed(b, form(1 << 40))), AccessorFault::Decompressed { view: 0, bytes });
    let mut b = triangle();
    b.json["bufferViews"][0]["extensions"] = extension(json!({"buffer": 0}));
    assert_eq!(try_open(b).unwrap().rig.vertex_count(), 3);
}

#[test]
fn looks_are_given_up_before_shape() {
    let mut b = triangle();
    let short = b.floats(&[0.0, 0.0, 1.0], "VEC3");
    let nan = b.floats(&[f32::NAN, 0.0, 0.0, 0.5, 0.5, 0.5, 1.0, f32::INFINITY, 1.0], "VEC3");
    b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    let primitive = &mut b.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(0);
    primitive["attributes"]["NORMAL"] = json!(short);
    primitive["attributes"]["COLOR_0"] = json!(nan);
    let place = nameless;
    let fault = AccessorFault::Count { accessor: short, expected: 3, actual: 1 };
    assert_eq!(
        warnings(b),
        [
            ImportWarning::AttributeIgnored { place: place(), attribute: "NORMAL".to_owned(), fault },
            ImportWarning::NotFinite {
                place: place(),
                attribute: "COLOR_0".to_owned(),
                vertices: [0, 2].into_iter().collect()
            },
            ImportWarning::TexCoordsMissing { place: place(), set: 0 },
            ImportWarning::TextureReplaced {
                material: 0,
                fault: TextureFault::Reference { what: "texture", index: 0 }
            },
        ]
    );
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
        match &imported.warnings[..] {
            [ImportWarning::TextureReplaced { material: 0, fault }] => fault.clone(),
            other => panic!("{other:?}"),
        }
    };
    let (texture, image) = (json!({"source": 0}), json!({"bufferView": 2}));
    assert!(matches!(
        fault(texture.clone(), image.clone(), b"\x89PNG\r\n\x1a\nxxxx"),
        TextureFault::Decode { image: 0, .. }
    ));
    let gif = fault(texture.clone(), image.clone(), b"GIF89a");
    assert_eq!(gif, TextureFault::Format { image: 0, found: "a GIF image" });
    assert_eq!(fault(json!({}), image.clone(), b"x"), TextureFault::NoImage);
    assert_eq!(fault(json!({"source": 4}), image.clone(), b"x"), TextureFault::Reference { what: "image", index: 4 });
    assert_eq!(fault(json!({"source": "?"}), image, b"x"), TextureFault::Reference { what: "texture", index: 0 });
    let fault = fault(texture, json!({"uri": "skin.png"}), b"x");
    assert_eq!(fault, TextureFault::Source { image: 0, fault: SourceFault::NoFolder { uri: "skin.png".to_owned() } });
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
        match &warnings(b)[..] {
            [ImportWarning::TextureReplaced { fault, .. }] => fault.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(fault(u32::MAX, 0), TextureFault::TooLarge { image: 0, width: u32::MAX, height: 4 });
    assert_eq!(fault(4, 1 << 60), TextureFault::TooLarge { image: 0, width: 4, height: 4 });
    assert!(matches!(fault(4, 64), TextureFault::Decode { image: 0, .. }));
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
    let fault = TextureFault::TooLarge { image: 0, width: 1000, height: 1000 };
    assert_eq!(imported.warnings, [ImportWarning::TextureReplaced { material: 0, fault }]);
    // A header that promises 13 gigabytes: refused before any of them.
    let header = bytes.windows(4).position(|w| w == b"IHDR").unwrap();
    let mut huge = bytes.clone();
    huge[header + 4..header + 8].copy_from_slice(&60_000_u32.to_be_bytes());
    huge[header + 8..header + 12].copy_from_slice(&60_000_u32.to_be_bytes());
    let checked = crc32(&huge[header..header + 17]);
    huge[header + 17..header + 21].copy_from_slice(&checked.to_be_bytes());
    let imported = import_bytes(&huge, &Job::default()).unwrap();
    let fault = TextureFault::TooLarge { image: 0, width: 60_000, height: 60_000 };
    assert_eq!(imported.warnings, [ImportWarning::TextureReplaced { material: 0, fault }]);
}

/// CRC-32 of a PNG chunk.
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
    assert!(matches!(try_open(b), Err(ImportError::Json { .. })));
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
    let transform = |node, property| ImportWarning::Transform { node, property };
    assert_eq!(
        warnings(b),
        [
            ImportWarning::Malformed { kind: "Scene", index: 9 },
            transform(1, "translation"),
            transform(1, "scale"),
            transform(1, "rotation"),
            transform(2, "matrix"),
            ImportWarning::Malformed { kind: "Node", index: 44 },
            ImportWarning::Malformed { kind: "Camera", index: 0 },
            ImportWarning::LightsIgnored { count: 1 },
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
            [
                ImportWarning::SkinSkipped { fault, .. },
                ImportWarning::UnskinnedReason { reason: UnskinnedReason::NoSkin, .. },
            ] => fault.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(found(|b| set(b, "/skins/0/joints", json!([]))), SkinFault::NoJoints);
    assert_eq!(
        found(|b| set(b, "/skins/0/joints", json!([1, 9]))),
        SkinFault::Joint { position: 1, node: 9, count: 3 }
    );
    assert_eq!(found(|b| set(b, "/skins/0", json!({}))), SkinFault::Malformed);
    assert_eq!(found(|b| set(b, "/nodes/0/skin", json!(3))), SkinFault::Missing);
    let many = |b: &mut Builder| set(b, "/skins/0/joints", json!(vec![1; 65_537]));
    assert_eq!(found(many), SkinFault::TooManyJoints { count: 65_537 });
}

#[test]
fn inverse_binds_that_cannot_be_used_are_the_identity() {
    let mut b = make_skinned_glb(3, 3, 3, 1);
    b.json["skins"][0]["joints"] = json!([1, 2, 3, 3]);
    assert_eq!(
        common::of_reading(&warnings(b)),
        [ImportWarning::InverseBindsMissing { skin: 0, expected: 4, actual: 3 }]
    );
    let mut b = make_skinned_glb(2, 3, 3, 1);
    b.json["skins"][0]["inverseBindMatrices"] = json!(0);
    let fault = AccessorFault::Shape { accessor: 0, expected: Shape::Mat4, actual: Shape::Vec3 };
    assert_eq!(warnings(b), [ImportWarning::InverseBindsIgnored { skin: 0, fault }]);
    let mut b = make_skinned_glb(1, 3, 3, 0);
    let nan = b.floats(&[f32::NAN; 16], "MAT4");
    b.json["skins"][0]["inverseBindMatrices"] = json!(nan);
    assert_eq!(warnings(b), [ImportWarning::InverseBindsNotFinite { skin: 0, count: 1 }]);
}

#[test]
fn influences_that_cannot_be_used_are_told() {
    // As many joints as positions are needed.
    let fault = AccessorFault::Count { accessor: 2, expected: 4, actual: 3 };
    let reason = UnskinnedReason::Unreadable { attribute: "JOINTS_0".to_owned(), fault };
    assert_eq!(warnings(make_skinned_glb(2, 4, 3, 0)), [ImportWarning::UnskinnedReason { place: tube(), reason }]);
    // Joint 2 of two.
    let out = ImportWarning::JointsOutOfRange { place: tube(), vertices: (0..4).collect(), largest: 2, joints: 2 };
    let zero = ImportWarning::WeightsZero { place: tube(), vertices: (0..4).collect() };
    assert_eq!(warnings(make_skinned_glb(2, 4, 4, 2)), [out, zero]);
    let mut b = make_skinned_glb(2, 4, 4, 0);
    let joints = &mut b.json["meshes"][0]["primitives"][0]["attributes"];
    joints["WEIGHTS_1"] = joints["WEIGHTS_0"].clone();
    joints["JOINTS_2"] = joints["JOINTS_0"].clone();
    let ignored =
        |attribute: &str| ImportWarning::InfluenceSetIgnored { place: tube(), attribute: attribute.to_owned() };
    assert_eq!(common::of_reading(&warnings(b)), [ignored("WEIGHTS_1"), ignored("JOINTS_2")]);
    let mut b = make_skinned_glb(2, 4, 4, 0);
    let weights = b.floats(&[f32::NAN, 1.0, -1.0, 0.0].repeat(4), "VEC4");
    b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    assert_eq!(warnings(b), [ImportWarning::WeightsInvalid { place: tube(), vertices: (0..4).collect() }]);
}

#[test]
fn the_smallest_skin_of_a_mesh_counts() {
    let mut b = make_skinned_glb(3, 4, 4, 2);
    b.push("skins", json!({"joints": [1, 2]}));
    b.root(json!({"mesh": 0, "skin": 1}));
    let imported = try_open(b).unwrap();
    let is_out = |w: &ImportWarning| matches!(w, ImportWarning::JointsOutOfRange { joints: 2, largest: 2, .. });
    assert!(imported.warnings.iter().any(is_out), "{:?}", imported.warnings);
}

#[test]
fn morph_targets_that_cannot_be_used_move_nothing() {
    let mut b = triangle();
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 9}, {"NORMAL": 0}, 3]);
    b.json["nodes"][0]["weights"] = json!([1]);
    let imported = try_open(b).unwrap();
    let fault = AccessorFault::Missing { accessor: 9, count: 1 };
    assert_eq!(
        common::of_reading(&imported.warnings),
        [
            ImportWarning::MorphTargetIgnored { place: nameless(), target: 0, attribute: "POSITION".to_owned(), fault },
            ImportWarning::Malformed { kind: "Morph target", index: 2 },
            ImportWarning::MorphWeights { node: 0, expected: 3, actual: 1 },
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
        match &imported.warnings[..] {
            [ImportWarning::ChannelsSkipped { number: 0, clip, channel: 0, fault, channels: 1 }] if clip == "turn" => {
                fault.clone()
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(fault(|b| set(b, "/animations/0/channels/0/target/node", Value::Null)), ChannelFault::NoNode);
    assert_eq!(
        fault(|b| set(b, "/animations/0/channels/0/target/node", json!(9))),
        ChannelFault::Node { node: 9, count: 3 }
    );
    assert_eq!(
        fault(|b| set(b, "/animations/0/channels/0/target/path", json!("pointer"))),
        ChannelFault::Path { path: "pointer".to_owned() }
    );
    assert_eq!(
        fault(|b| set(b, "/animations/0/channels/0/target/path", json!("weights"))),
        ChannelFault::NoTargets { node: 1 }
    );
    assert_eq!(fault(|b| set(b, "/animations/0/channels/0/sampler", json!(4))), ChannelFault::Sampler { sampler: 4 });
    assert_eq!(fault(|b| set(b, "/animations/0/channels/0", json!(4))), ChannelFault::Malformed);
    assert!(matches!(fault(|b| set(b, "/animations/0/samplers/0/input", json!(0))), ChannelFault::Times(_)));
    assert!(matches!(fault(|b| set(b, "/animations/0/samplers/0/output", json!(0))), ChannelFault::Values(_)));
    let interpolation = fault(|b| b.json["animations"][0]["samplers"][0]["interpolation"] = json!("WARP"));
    assert_eq!(interpolation, ChannelFault::Interpolation { found: "WARP".to_owned() });
    let spline = fault(|b| b.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE"));
    assert!(matches!(spline, ChannelFault::Values(AccessorFault::Count { expected: 6, actual: 2, .. })));
    let falling = fault(|b| {
        let times = b.floats(&[1.0, 0.5], "SCALAR");
        set(b, "/animations/0/samplers/0/input", json!(times));
    });
    assert_eq!(falling, ChannelFault::TimesOrder { key: 1 });
    let nan = fault(|b| {
        let values = b.floats(&[f32::NAN; 8], "VEC4");
        set(b, "/animations/0/samplers/0/output", json!(values));
    });
    assert_eq!(nan, ChannelFault::NotFinite);
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
fn extensions_that_are_not_read_are_told_once() {
    let mut b = triangle();
    b.json["extensionsUsed"] = json!(["KHR_mesh_quantization", "KHR_materials_iridescence", "A_b", "X_y"]);
    b.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "X_y"]);
    let found = warnings(b);
    let ignored = |name: &str, effect| ImportWarning::ExtensionIgnored { name: name.to_owned(), effect };
    assert_eq!(
        found,
        [
            ImportWarning::ExtensionRequired { name: "X_y".to_owned() },
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
    assert_eq!((found.len(), found.last()), (1001, Some(&ImportWarning::More { count: 4000 })));
    assert!(found[0].to_string().len() < 300);
}

#[test]
fn files_without_content_are_told() {
    assert!(matches!(try_open(Builder::default()), Err(ImportError::Empty { meshes: 0, nodes: 0 })));
    let mut b = triangle();
    b.json["nodes"] = json!([]);
    b.json["scenes"] = json!([]);
    b.json.as_object_mut().unwrap().remove("scene");
    assert!(matches!(try_open(b), Err(ImportError::Empty { meshes: 1, nodes: 0 })));
    assert!(import_bytes(&container(b"{\"asset\":{\"version\":\"2.0\"}}", b""), &Job::default()).is_err());
}
