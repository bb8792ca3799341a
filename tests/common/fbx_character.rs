//! A character as an FBX file: a strip of six points along y, two joints, a blend shape with one in-between shape, materials, an embedded texture, two clips.

use super::fbx::{Fbx, Record, Value, int, ints, properties, reals, word};

/// IDs of objects.
pub const MESH: i64 = 100;
pub const BODY: i64 = 101;
pub const ROOT: i64 = 110;
pub const TIP: i64 = 111;
pub const SKIN: i64 = 120;
pub const ROOT_CLUSTER: i64 = 121;
pub const TIP_CLUSTER: i64 = 122;
pub const BIND_POSE: i64 = 130;
pub const MATERIAL: i64 = 140;

/// One second in the time unit of FBX.
const SECOND: i64 = 46_186_158_000;

/// Returns a matrix that translates by `y`, by columns.
pub fn moved(y: f64) -> [f64; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, y, 0.0, 1.0]
}

pub fn character() -> Fbx {
    let mut fbx = Fbx::default();
    model(&mut fbx, BODY, ("Body", "Mesh"), 0, &[]);
    model(&mut fbx, ROOT, ("Root", "LimbNode"), 0, &[("Lcl Translation", "Lcl Translation", &[0.0, 0.0, 0.0])]);
    model(&mut fbx, TIP, ("Tip", "LimbNode"), ROOT, &[("Lcl Translation", "Lcl Translation", &[0.0, 100.0, 0.0])]);
    fbx.object(MESH, "Geometry", ("Strip", "Mesh"), BODY, mesh());
    fbx.object(SKIN, "Deformer", ("Skin", "Skin"), MESH, vec![int("Version", 101)]);
    cluster(&mut fbx, ROOT_CLUSTER, ROOT, &[(0, 1.0), (1, 1.0), (2, 0.5), (3, 0.5)], 0.0);
    cluster(&mut fbx, TIP_CLUSTER, TIP, &[(2, 0.5), (3, 0.5), (4, 1.0), (5, 1.0)], 100.0);
    bind_pose(&mut fbx, &[(ROOT, 0.0), (TIP, 100.0)]);
    blend_shape(&mut fbx);
    looks(&mut fbx);
    clip(&mut fbx, 200, "Wave", TIP, 24836);
    clip(&mut fbx, 300, "Step", TIP, 2);
    fbx
}

/// Adds a node.
pub fn model(fbx: &mut Fbx, id: i64, kind: (&str, &str), owner: i64, list: &[(&str, &str, &[f64])]) {
    fbx.object(id, "Model", kind, owner, vec![int("Version", 232), properties(list)]);
}

fn mesh() -> Vec<Record> {
    let points: Vec<f64> =
        (0..3).flat_map(|y| [[-50.0, f64::from(y) * 100.0, 0.0], [50.0, f64::from(y) * 100.0, 0.0]].concat()).collect();
    let layer = |name: &str, mapping: &str, reference: &str, values: Record| {
        let head = [
            int("Version", 101),
            word("Name", ""),
            word("MappingInformationType", mapping),
            word("ReferenceInformationType", reference),
        ];
        Record::new(name, [Value::Int(0)]).with(head).with([values])
    };
    let normals: Vec<f64> = (0..8).flat_map(|_| [0.0, 0.0, 1.0]).collect();
    let uvs: Vec<f64> = (0..6).flat_map(|i| [f64::from(i % 2), f64::from(i / 2) * 0.5]).collect();
    let corners = [0, 1, 3, -3, 2, 3, 5, -5];
    let uv_indices: Vec<i32> = corners.iter().map(|&c: &i32| if c < 0 { !c } else { c }).collect();
    vec![
        reals("Vertices", &points),
        ints("PolygonVertexIndex", &corners),
        layer("LayerElementNormal", "ByPolygonVertex", "Direct", reals("Normals", &normals)),
        layer("LayerElementUV", "ByPolygonVertex", "IndexToDirect", reals("UV", &uvs))
            .with([ints("UVIndex", &uv_indices)]),
        layer("LayerElementMaterial", "ByPolygon", "IndexToDirect", ints("Materials", &[0, 1])),
    ]
}

pub fn cluster(fbx: &mut Fbx, id: i64, joint: i64, weights: &[(i32, f64)], y: f64) {
    let (points, shares): (Vec<i32>, Vec<f64>) = weights.iter().copied().unzip();
    let records = vec![
        int("Version", 100),
        ints("Indexes", &points),
        reals("Weights", &shares),
        reals("Transform", &moved(-y)),
        reals("TransformLink", &moved(y)),
    ];
    fbx.object(id, "Deformer", ("Cluster", "Cluster"), SKIN, records);
    fbx.connect(joint, id);
}

fn bind_pose(fbx: &mut Fbx, joints: &[(i64, f64)]) {
    let node =
        |&(joint, y): &(i64, f64)| Record::new("PoseNode", []).with([int("Node", joint), reals("Matrix", &moved(y))]);
    let records =
        [word("Type", "BindPose"), int("Version", 100), int("NbPoseNodes", i64::try_from(joints.len()).unwrap())];
    let records = records.into_iter().chain(joints.iter().map(node)).collect();
    fbx.object(BIND_POSE, "Pose", ("Bind", "BindPose"), 0, records);
    fbx.disconnect(BIND_POSE);
}

fn blend_shape(fbx: &mut Fbx) {
    fbx.object(150, "Deformer", ("Shapes", "BlendShape"), MESH, vec![int("Version", 100)]);
    let channel = vec![
        int("Version", 100),
        Record::new("DeformPercent", [Value::Real(25.0)]),
        reals("FullWeights", &[50.0, 100.0]),
    ];
    fbx.object(151, "Deformer", ("Bulge", "BlendShapeChannel"), 150, channel);
    for (id, far) in [(152, 10.0), (153, 40.0)] {
        let records = vec![
            int("Version", 100),
            ints("Indexes", &[4, 5]),
            reals("Vertices", &[0.0, 0.0, far, 0.0, 0.0, far]),
            reals("Normals", &[0.0, 0.1, 0.0, 0.0, 0.1, 0.0]),
        ];
        fbx.object(id, "Geometry", ("Bulge", "Shape"), 151, records);
    }
}

fn looks(fbx: &mut Fbx) {
    let material =
        |list: &[(&str, &str, &[f64])]| vec![int("Version", 102), word("ShadingModel", "phong"), properties(list)];
    fbx.object(MATERIAL, "Material", ("Skin", ""), BODY, material(&[("DiffuseColor", "Color", &[0.8, 0.8, 0.8])]));
    let cloth: &[(&str, &str, &[f64])] =
        &[("DiffuseColor", "Color", &[0.25, 0.5, 1.0]), ("TransparencyFactor", "Number", &[0.25])];
    fbx.object(MATERIAL + 1, "Material", ("Cloth", ""), BODY, material(cloth));
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = image::RgbaImage::from_fn(4, 4, |x, y| image::Rgba([x as u8 * 60, y as u8 * 60, 99, 255]));
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let names = |name: &str| [word("FileName", &format!("C:/work/{name}")), word("RelativeFilename", name)];
    let video = Record::new("Content", [Value::Bytes(png.into_inner())]);
    fbx.object(161, "Video", ("Skin", "Clip"), 0, names("skin.png").into_iter().chain([video]).collect());
    fbx.object(160, "Texture", ("Skin", ""), 0, names("skin.png").into());
    fbx.disconnect(160);
    fbx.disconnect(161);
    fbx.connect(161, 160);
    fbx.connect_to(160, MATERIAL, "DiffuseColor");
}

/// Adds an animation stack with one layer, which rotates a joint by 90° about z in one second and animates its blend shape. `flags` select the interpolation.
fn clip(fbx: &mut Fbx, id: i64, name: &str, joint: i64, flags: i32) {
    let stop = ("LocalStop", "KTime", &[SECOND as f64][..]);
    fbx.object(id, "AnimationStack", (name, ""), 0, vec![properties(&[stop])]);
    fbx.object(id + 1, "AnimationLayer", ("Base", ""), id, vec![]);
    fbx.disconnect(id);
    for (node, property, of, part, values) in [
        (id + 2, "Lcl Rotation", joint, "d|Z", [0.0, 30.0, 90.0]),
        (id + 4, "DeformPercent", 151, "d|DeformPercent", [0.0, 100.0, 25.0]),
    ] {
        fbx.object(node, "AnimationCurveNode", ("R", ""), id + 1, vec![properties(&[])]);
        fbx.connect_to(node, of, property);
        let curve = vec![
            Record::new("Default", [Value::Real(0.0)]),
            int("KeyVer", 4009),
            Record::new("KeyTime", [Value::Longs(vec![0, SECOND / 2, SECOND])]),
            Record::new("KeyValueFloat", [Value::Floats(values.to_vec())]),
            ints("KeyAttrFlags", &[flags]),
            Record::new("KeyAttrDataFloat", [Value::Floats(vec![0.0, 0.0, 0.0, 0.0])]),
            ints("KeyAttrRefCount", &[3]),
        ];
        fbx.object(node + 1, "AnimationCurve", ("", ""), node, curve);
        fbx.disconnect(node + 1);
        fbx.connect_to(node + 1, node, part);
    }
}
