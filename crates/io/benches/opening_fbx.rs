//! Opening an FBX file of a hundred megabytes, beside what its reader takes to parse it and to sample its clips.
//!
//! Ratios are of minima over interleaved runs, which a machine that is busy otherwise disturbs least.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run should say so")]
#![expect(clippy::cast_possible_wrap, reason = "counts of a sheet are small")]
#![allow(dead_code, clippy::allow_attributes, reason = "of what tests make files by, some is not needed here")]

#[path = "../../../tests/common/fbx.rs"]
mod fbx;
#[path = "../../../tests/common/fuzz.rs"]
mod fuzz;

#[path = "../../../benches/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::path::Path;

use common::{Contestant, head, line, shortest};
use fbx::{Fbx, Record, Value, int, ints, properties, reals, word};
use rigscope_io::import::{Job, import_file};
use ufbx::{BakeOpts, LoadOpts};

/// Points along a side of the sheet.
const SIDE: usize = 690;
const JOINTS: usize = 60;
const FRAMES: usize = 600;
const SECOND: i64 = 46_186_158_000;

/// A sheet over a chain of joints, four influences a point, normals at every corner, texture coordinates and one clip that turns every joint.
fn write_sheet(path: &Path) {
    let mut fbx = Fbx::default();
    let model = |list: &[(&str, &str, &[f64])]| vec![int("Version", 232), properties(list)];
    fbx.object(1, "Model", ("Sheet", "Mesh"), 0, model(&[]));
    fbx.object(2, "Geometry", ("Sheet", "Mesh"), 1, sheet());
    fbx.object(3, "Deformer", ("Skin", "Skin"), 2, vec![int("Version", 101)]);
    fbx.object(4, "AnimationStack", ("Wave", ""), 0, vec![properties(&[])]);
    fbx.object(5, "AnimationLayer", ("Base", ""), 4, vec![]);
    for joint in 0..JOINTS {
        let (id, y) = (100 + 10 * joint as i64, if joint == 0 { 0.0 } else { 1.0 });
        let owner = if joint == 0 { 0 } else { id - 10 };
        let place: &[(&str, &str, &[f64])] = &[("Lcl Translation", "Lcl Translation", &[0.0, y, 0.0])];
        fbx.object(id, "Model", (&format!("Joint{joint}"), "LimbNode"), owner, model(place));
        fbx.object(id + 1, "Deformer", ("Cluster", "Cluster"), 3, cluster(joint));
        fbx.connect(id, id + 1);
        fbx.object(id + 2, "AnimationCurveNode", ("R", ""), 5, vec![properties(&[])]);
        fbx.connect_to(id + 2, id, "Lcl Rotation");
        for (axis, part) in ["d|X", "d|Y", "d|Z"].into_iter().enumerate() {
            let curve = id + 3 + axis as i64;
            fbx.object(curve, "AnimationCurve", ("", ""), id + 2, keys(joint * 3 + axis));
            fbx.disconnect(curve);
            fbx.connect_to(curve, id + 2, part);
        }
    }
    std::fs::write(path, fbx.binary()).unwrap();
}

fn sheet() -> Vec<Record> {
    let points =
        (0..SIDE * SIDE).flat_map(|i| [(i % SIDE) as f64 * 0.1, (i / SIDE) as f64 * 0.1, (i as f64 * 0.01).sin()]);
    let corners = |i: usize| [i, i + 1, i + SIDE + 1, i + SIDE].map(|c| c as i32);
    let quads = || (0..SIDE * (SIDE - 1)).filter(|i| i % SIDE < SIDE - 1).map(corners);
    let normals = quads().flatten().flat_map(|c| [0.1 * (f64::from(c) * 0.01).sin(), 0.0, 1.0]);
    let uvs = (0..SIDE * SIDE).flat_map(|i| [(i % SIDE) as f64, (i / SIDE) as f64].map(|x| x / SIDE as f64));
    let layer = |name: &str, reference: &str, values: Vec<Record>| {
        let mapping = word("MappingInformationType", "ByPolygonVertex");
        Record::new(name, [Value::Int(0)])
            .with([int("Version", 101), mapping, word("ReferenceInformationType", reference)])
            .with(values)
    };
    let numbers: Vec<i32> = quads().flatten().collect();
    vec![
        reals("Vertices", &points.collect::<Vec<_>>()),
        ints("PolygonVertexIndex", &quads().flat_map(|[a, b, c, d]| [a, b, c, !d]).collect::<Vec<_>>()),
        layer("LayerElementNormal", "Direct", vec![reals("Normals", &normals.collect::<Vec<_>>())]),
        layer(
            "LayerElementUV",
            "IndexToDirect",
            vec![reals("UV", &uvs.collect::<Vec<_>>()), ints("UVIndex", &numbers)],
        ),
    ]
}

/// Every point follows four joints that are neighbours.
fn cluster(joint: usize) -> Vec<Record> {
    let first = |point: usize| (point / SIDE * (JOINTS - 4)) / SIDE;
    let points: Vec<i32> =
        (0..SIDE * SIDE).filter(|&p| (first(p)..first(p) + 4).contains(&joint)).map(|p| p as i32).collect();
    let matrix = |y: f64| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, y, 0.0, 1.0];
    let share = 0.1 + 0.1 * (joint % 4) as f64;
    vec![
        ints("Indexes", &points),
        reals("Weights", &vec![share; points.len()]),
        reals("Transform", &matrix(-(joint as f64))),
        reals("TransformLink", &matrix(joint as f64)),
    ]
}

fn keys(seed: usize) -> Vec<Record> {
    let times = (0..FRAMES as i64).map(|frame| frame * SECOND / 24).collect();
    let values = (0..FRAMES).map(|frame| ((frame + seed) as f32 * 0.1).sin() * 10.0).collect();
    vec![
        int("KeyVer", 4009),
        Record::new("KeyTime", [Value::Longs(times)]),
        Record::new("KeyValueFloat", [Value::Floats(values)]),
        ints("KeyAttrFlags", &[24836]),
        Record::new("KeyAttrDataFloat", [Value::Floats(vec![0.0; 4])]),
        ints("KeyAttrRefCount", &[FRAMES as i32]),
    ]
}

fn main() {
    // The tests of a bench build run it too, and need no figures.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.fbx");
    write_sheet(&path);
    let megabytes = path.metadata().unwrap().len() >> 20;
    let by_reader = || {
        let bytes = std::fs::read(&path).unwrap();
        let scene = ufbx::load_memory(&bytes, LoadOpts::default()).map_err(|e| e.description.to_string()).unwrap();
        for stack in &scene.anim_stacks {
            black_box(
                ufbx::bake_anim(&scene, &stack.anim, BakeOpts::default())
                    .map_err(|e| e.description.to_string())
                    .unwrap(),
            );
        }
    };
    let by_us = || {
        let imported = import_file(&path, &Job::default()).unwrap();
        assert_eq!((imported.rig.vertex_count(), imported.rig.clips.len()), (SIDE * SIDE, 1));
    };
    let times = shortest(7, &mut [Contestant::new("open", by_us), Contestant::new("reader", by_reader)]);
    head(&format!("Opening an FBX file of {megabytes} MB"));
    line("open it as a rig", "parse it and sample its clip", [times[0], times[1]], 1.5);
}
