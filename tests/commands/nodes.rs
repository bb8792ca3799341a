//! `rigscope nodes`, and VRM node constraints compared with three-vrm.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine as _;
use common::character::Character;
use common::command::{Run, rigscope};
use glam::{Affine3, Mat4, Quat, Vec3};
use rigscope::import::{Job, import_file};
use rigscope::rows::csv_rows;
use serde_json::{Value, json};

fn nodes(args: &[&str]) -> Run {
    rigscope(&[&["nodes"], args].concat())
}

fn run_json(args: &[&str]) -> Value {
    let run = nodes(&[args, &["--json"]].concat()).ok();
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    serde_json::from_str::<Value>(&run.stdout).unwrap()["nodes"].clone()
}

fn numbers<const N: usize>(value: &Value) -> [f32; N] {
    let list = value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect::<Vec<_>>();
    list.try_into().unwrap()
}

#[test]
fn every_node_is_listed_with_its_local_and_world_transform() {
    let found = run_json(&["builtin:figure", "--clip", "walk", "--time", "0.3"]);
    let none = ["look-at", "expression", "constraint", "spring"].map(|kind| json!({"kind": kind, "count": 0}));
    assert_eq!((&found["clip"], &found["behaviours"]), (&json!("walk"), &json!(none)));
    let list = found["nodes"].as_array().unwrap();
    let mut world: BTreeMap<u64, Affine3> = BTreeMap::new();
    for node in list {
        let trs = |of: &Value| {
            Affine3::from_scale_rotation_translation(
                Vec3::from_array(numbers(&of["scale"])),
                Quat::from_array(numbers(&of["rotation"])),
                Vec3::from_array(numbers(&of["translation"])),
            )
        };
        let above = node["parent"].as_u64().map_or(Affine3::IDENTITY, |parent| world[&parent]);
        let made = above * trs(node);
        let whole = Affine3::from_mat4(Mat4::from_cols_array(&numbers(&node["world"]["matrix"])));
        assert!(made.abs_diff_eq(whole, 1e-5) && trs(&node["world"]).abs_diff_eq(whole, 1e-5), "{node}");
        world.insert(node["node"].as_u64().unwrap(), whole);
    }
    let text = nodes(&["builtin:figure", "--clip", "walk", "--time", "0.3"]).ok().stdout;
    assert_eq!(text.lines().count(), 2 + list.len());
    assert!(text.lines().next().unwrap().ends_with("clip \"walk\" at 0.3 s"), "{text}");
}

/// Returns the rows of a table, each as cells by column.
fn table(args: &[&str]) -> Vec<BTreeMap<String, String>> {
    let text = nodes(&[args, &["--csv", "-"]].concat()).ok().stdout;
    let mut rows = csv_rows(&text).into_iter();
    let header = rows.next().unwrap();
    rows.map(|row| header.iter().cloned().zip(row).collect()).collect()
}

fn matrix(row: &BTreeMap<String, String>, name: &str) -> Affine3 {
    let number = |row_of: usize, column: usize| row[&format!("{name}_{row_of}{column}")].parse::<f32>().unwrap();
    let column = |column: usize| Vec3::from_array([0, 1, 2].map(|row_of| number(row_of, column)));
    Affine3::from_cols(column(0), column(1), column(2), column(3))
}

#[test]
fn a_table_has_the_transforms_of_all_frames() {
    let walk = ["builtin:figure", "--clip", "walk"];
    let all = table(&[&walk[..], &["--fps", "10"]].concat());
    let count = run_json(&walk)["nodes"].as_array().unwrap().len();
    let third: Vec<_> = all.iter().filter(|row| row["frame"] == "3").collect();
    assert_eq!((all.len() % count, third.len()), (0, count));
    assert!(all.len() / count > 8 && all[0]["clip"] == "walk" && third[0]["time_secs"] == "0.3");
    let listed = run_json(&[&walk[..], &["--time", "0.3"]].concat());
    for (row, node) in third.iter().zip(listed["nodes"].as_array().unwrap()) {
        assert_eq!(
            (&row["node"], &row["name"]),
            (&node["node"].to_string(), &node["name"].as_str().unwrap().to_owned())
        );
        let world = Affine3::from_mat4(Mat4::from_cols_array(&numbers(&node["world"]["matrix"])));
        assert_eq!(matrix(row, "world"), world, "{row:?}");
        assert_eq!(row["x_m"].parse::<f32>().unwrap(), numbers::<3>(&node["translation"])[0], "{row:?}");
    }
    assert_ne!(matrix(third[4], "world"), matrix(&all[4], "world"));
}

#[test]
fn a_clip_of_any_length_has_few_rows_or_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.glb");
    for (last_secs, fps, frames) in
        [(1.0_f32, "4", Some(5)), (1.0, "0.7", Some(2)), (1e6, "1000", None), (1e30, "0.1", None)]
    {
        let mut builder = Character::default().builder();
        let times = builder.floats(&[0.0, last_secs], "SCALAR");
        builder.json["animations"][0]["samplers"][1]["input"] = json!(times);
        std::fs::write(&path, builder.build()).unwrap();
        let args = [path.to_str().unwrap(), "--clip", "0", "--fps", fps];
        if let Some(frames) = frames {
            let rows = table(&args);
            assert_eq!(rows.last().unwrap()["frame"], (frames - 1).to_string(), "{last_secs} s at {fps}");
            assert_eq!(rows.last().unwrap()["time_secs"], last_secs.to_string(), "{last_secs} s at {fps}");
        } else {
            let run = nodes(&[&args[..], &["--csv", "-"]].concat());
            assert!(run.code == Some(2) && run.stderr.contains("use a lower --fps"), "{}", run.stderr);
        }
    }
}

#[test]
fn skinning_matrices_of_joints_move_nothing_at_rest() {
    let rest = table(&["builtin:figure", "--skinning"]);
    assert!(rest.len() > 10 && rest.iter().all(|row| row["skin"] == "0" && row["time_secs"].is_empty()));
    assert!(rest.iter().all(|row| matrix(row, "skinning").abs_diff_eq(Affine3::IDENTITY, 1e-5)));
    assert!(rest.iter().any(|row| !matrix(row, "world").abs_diff_eq(Affine3::IDENTITY, 1e-2)));
    let posed = table(&["builtin:figure", "--skinning", "--clip", "walk", "--time", "0.3"]);
    assert!(posed.iter().any(|row| !matrix(row, "skinning").abs_diff_eq(Affine3::IDENTITY, 1e-2)));
}

#[test]
fn missing_clip_and_missing_file_are_reported() {
    for (args, said) in [
        (&["builtin:tube", "--clip", "no"][..], "There is no clip"),
        (&["gone.glb"], "gone.glb"),
        (&["builtin:figure", "--csv", "-", "--fps", "30"], "No clip is chosen"),
        (&["builtin:figure", "--clip", "walk", "--fps", "30"], "--csv"),
        (&["builtin:figure", "--csv", "-", "--json"], "standard output"),
    ] {
        let run = nodes(args);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{run:?}");
    }
}

/// Local rotation and world position of a node.
#[derive(serde::Deserialize)]
struct Golden {
    t: Vec3,
    q: Quat,
}

#[test]
fn constraints_turn_nodes_as_three_vrm_does() {
    let Some(samples) = common::samples() else { return };
    let (vrm, golden) = (samples.join("vrm/node_constraints.vrm"), samples.join("../reference/golden-vrm"));
    if !vrm.is_file() || !golden.is_dir() {
        return common::skipped("there is no golden VRM");
    }
    let read = |name: &str| serde_json::from_slice::<Value>(&std::fs::read(golden.join(name)).unwrap()).unwrap();
    let poses = read("scenarios.json")["constraints"]["poses"].clone();
    let expected: BTreeMap<u32, BTreeMap<usize, Golden>> =
        serde_json::from_value(read("node_constraints.json")["frames"].clone()).unwrap();
    assert_eq!(expected.len(), 4);
    let rig = import_file(&vrm, &Job::default()).unwrap().rig;
    let folder = tempfile::tempdir().unwrap();
    let mut joints = json!({});
    for (frame, expected) in expected {
        // Rotations stay in effect in later frames. A pose file stores them relative to rest.
        for (name, rotation) in poses.get(frame.to_string()).and_then(Value::as_object).into_iter().flatten() {
            let node = rig.hierarchy.node_named(name).unwrap();
            let turn = rig.hierarchy.rest(node).rotation.inverse() * Quat::from_array(numbers(rotation));
            joints[name] = json!({"rotation": turn.to_array()});
        }
        let pose = folder.path().join("pose.json");
        std::fs::write(&pose, json!({"version": 1, "joints": joints}).to_string()).unwrap();
        let args = [vrm.as_path(), Path::new("--pose"), &pose].map(|path| path.to_str().unwrap());
        let found = run_json(&args);
        assert_eq!(found["behaviours"][2], json!({"kind": "constraint", "count": 6}));
        for node in found["nodes"].as_array().unwrap() {
            let Golden { t, q } = &expected[&(node["node"].as_u64().unwrap() as usize)];
            let world = Vec3::from_array(numbers(&node["world"]["translation"]));
            let local = Quat::from_array(numbers(&node["rotation"]));
            let off = [world.distance(*t), (local - *q).length().min((local + *q).length())];
            assert!(off.iter().all(|off| *off < 1e-5), "frame {frame}, {}: {off:?}", node["name"]);
        }
        let still = run_json(&[&args[..], &["--no-behaviours"]].concat());
        assert!(still["nodes"].as_array().unwrap().iter().all(|node| node["rotated_by"].is_null()));
    }
    let told = nodes(&[vrm.to_str().unwrap()]).ok();
    assert!(told.stderr.contains("6 constraints run; --no-behaviours switches them off"), "{}", told.stderr);
    assert!(told.stdout.lines().next().unwrap().ends_with("turned by 6 constraints"), "{}", told.stdout);
}

/// Creates a glTF file with the nodes of a rig and a clip of 3 s in which rotations change in steps. `poses` has the
/// rotations by frame; a frame takes `dt` seconds.
fn stepping_clip(rig: &rigscope::rig::Rig, poses: &Value, dt: f64) -> Value {
    let hierarchy = &rig.hierarchy;
    let names: Vec<&str> = hierarchy.nodes().map(|node| hierarchy.name(node)).collect();
    let mut keys: BTreeMap<&str, Vec<(f32, [f32; 4])>> = BTreeMap::new();
    let mut frames: Vec<(u32, &Value)> =
        poses.as_object().unwrap().iter().map(|(frame, pose)| (frame.parse().unwrap(), pose)).collect();
    frames.sort_by_key(|(frame, _)| *frame);
    for (frame, pose) in frames {
        for (name, rotation) in pose.as_object().unwrap() {
            let at = ((f64::from(frame) - 0.5) * dt) as f32;
            keys.entry(names.iter().find(|n| *n == name).unwrap()).or_default().push((at, numbers(rotation)));
        }
    }
    let (mut bytes, mut views, mut accessors) = (Vec::<u8>::new(), Vec::new(), Vec::new());
    let mut accessor = |values: &[f32], kind: &str, range: Option<[f32; 2]>| {
        views.push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": 4 * values.len()}));
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let count = values.len() / if kind == "VEC4" { 4 } else { 1 };
        let mut made = json!({"bufferView": views.len() - 1, "componentType": 5126, "count": count, "type": kind});
        if let Some([min, max]) = range {
            (made["min"], made["max"]) = (json!([min]), json!([max]));
        }
        accessors.push(made);
        accessors.len() - 1
    };
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for (name, keys) in &keys {
        let node = names.iter().position(|n| n == name).unwrap();
        let rest = hierarchy.rest(hierarchy.nodes().nth(node).unwrap()).rotation.to_array();
        let all: Vec<(f32, [f32; 4])> =
            [(0.0, rest)].into_iter().chain(keys.iter().copied()).chain([(3.0, keys.last().unwrap().1)]).collect();
        let times: Vec<f32> = all.iter().map(|(time, _)| *time).collect();
        let turns: Vec<f32> = all.iter().flat_map(|(_, turn)| *turn).collect();
        let input = accessor(&times, "SCALAR", Some([0.0, 3.0]));
        samplers.push(json!({"input": input, "output": accessor(&turns, "VEC4", None), "interpolation": "STEP"}));
        channels.push(json!({"sampler": samplers.len() - 1, "target": {"node": node, "path": "rotation"}}));
    }
    let nodes: Vec<Value> = hierarchy
        .nodes()
        .map(|node| {
            let children: Vec<usize> = hierarchy.children(node).iter().map(|child| child.index()).collect();
            let mut made = json!({"name": hierarchy.name(node), "translation": hierarchy.rest(node).translation.to_array(),
                "rotation": hierarchy.rest(node).rotation.to_array()});
            if !children.is_empty() {
                made["children"] = json!(children);
            }
            made
        })
        .collect();
    let roots: Vec<usize> = hierarchy
        .nodes()
        .filter(|node| hierarchy.parent(*node).is_none())
        .map(rigscope::rig::NodeIndex::index)
        .collect();
    let uri =
        format!("data:application/octet-stream;base64,{}", base64::engine::general_purpose::STANDARD.encode(&bytes));
    json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": roots}], "nodes": nodes, "accessors": accessors,
        "bufferViews": views, "buffers": [{"byteLength": bytes.len(), "uri": uri}],
        "animations": [{"name": "steps", "samplers": samplers, "channels": channels}]})
}

#[test]
fn springs_swing_as_in_three_vrm() {
    let Some(samples) = common::samples() else { return };
    let golden = samples.join("../reference/golden-vrm");
    if !golden.is_dir() {
        return common::skipped("there is no golden VRM");
    }
    let read = |name: &str| serde_json::from_slice::<Value>(&std::fs::read(golden.join(name)).unwrap()).unwrap();
    let scenario = read("scenarios.json")["springs"].clone();
    let dt = scenario["dt"].as_f64().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for name in ["smoke_spring", "springbone_collider_sphere_x0p02_r0p05", "springbone_collider_capsule_x0p02_r0p1"] {
        let vrm = samples.join(format!("vrm/{name}.vrm"));
        let rig = import_file(&vrm, &Job::default()).unwrap().rig;
        let clip = folder.path().join("steps.gltf");
        std::fs::write(&clip, stepping_clip(&rig, &scenario["poses"], dt).to_string()).unwrap();
        let length: f32 = rig.behaviours().springs().joints().iter().map(|joint| joint.tail.length()).sum();
        let frames: BTreeMap<u32, BTreeMap<usize, Golden>> =
            serde_json::from_value(read(&format!("{name}.json"))["frames"].clone()).unwrap();
        let clip = clip.to_str().unwrap();
        for (frame, expected) in frames {
            let time = (f64::from(frame) * dt).to_string();
            let args = [vrm.to_str().unwrap(), "--clips-of", clip, "--clip", "steps", "--time", &time];
            let found = run_json(&args);
            let springs = json!({"kind": "spring", "count": rig.behaviours().springs().joints().len()});
            assert_eq!(found["behaviours"][3], springs);
            for node in found["nodes"].as_array().unwrap() {
                let Golden { t, q } = &expected[&(node["node"].as_u64().unwrap() as usize)];
                let world = Vec3::from_array(numbers(&node["world"]["translation"]));
                let local = Quat::from_array(numbers(&node["rotation"]));
                let off = [world.distance(*t) / length, (local - *q).length().min((local + *q).length())];
                assert!(off.iter().all(|off| *off < 1e-4), "{name}, frame {frame}, {}: {off:?}", node["name"]);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 3 * 8 * 25);
}
