//! Every lint code: a file with the fault has exactly this code, and its twin without the fault doesn't have it.

use crate::common;

use std::collections::BTreeSet;

use common::character::{Character, vertex};
use common::glb::Builder;
use rigscope::analysis::lint::{Code, Finding, Severity, Target};
use rigscope::export::rig_glb;
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::project::findings;
use rigscope::rig::VertexList;
use serde_json::{Value, json};

fn lint(file: &[u8]) -> Vec<Finding> {
    let imported = import_bytes(file, &Job::default()).unwrap_or_else(|e| panic!("{e}"));
    findings(&imported.rig, &imported.warnings, &Progress::default()).expect("not cancelled")
}

fn codes(file: &[u8]) -> BTreeSet<Code> {
    lint(file).iter().map(|f| f.code).collect()
}

/// Returns the character after a change.
fn with(change: impl FnOnce(&mut Character)) -> Vec<u8> {
    let mut character = Character::default();
    change(&mut character);
    character.builder().build()
}

/// Returns the character's file after a change.
fn file(change: impl FnOnce(&mut Builder)) -> Vec<u8> {
    let mut builder = Character::default().builder();
    change(&mut builder);
    builder.build()
}

fn clean() -> Vec<u8> {
    with(|_| ())
}

/// A file with a fault, its twin without the fault, and other codes that necessarily come with the fault.
struct Case {
    code: Code,
    faulty: fn() -> Vec<u8>,
    sound: fn() -> Vec<u8>,
    also: &'static [Code],
}

fn case(code: Code, faulty: fn() -> Vec<u8>, sound: fn() -> Vec<u8>) -> Case {
    Case { code, faulty, sound, also: &[] }
}

fn cases() -> Vec<Case> {
    let cases = [of_files(), of_weights(), of_skins(), of_binds(), of_nodes_and_geometry(), of_constraints()];
    let cases = cases.into_iter().chain([of_springs(), of_keys(), of_clips_and_looks()]);
    let cases = cases.chain([of_form(), of_odd_nodes(), of_odd_channels(), of_vrm()]).flatten();
    #[cfg(feature = "fbx")]
    let cases = cases.chain(of_fbx());
    cases.collect()
}

/// Returns cases that only FBX files can have.
#[cfg(feature = "fbx")]
fn of_fbx() -> Vec<Case> {
    use common::fbx::{Fbx, int};
    use common::fbx_character::{BIND_POSE, MESH, ROOT, SKIN, TIP, character, cluster, moved};

    fn fbx(change: impl FnOnce(&mut Fbx)) -> Vec<u8> {
        let mut fbx = character();
        change(&mut fbx);
        fbx.text()
    }
    fn pose_of_tip(y: f64) -> Vec<u8> {
        fbx(|fbx| {
            fbx.object(131, "Pose", ("Other", "BindPose"), 0, vec![common::fbx::word("Type", "BindPose")]);
            fbx.disconnect(131);
            let node = common::fbx::Record::new("PoseNode", []);
            fbx.extend(131, [node.with([int("Node", TIP), common::fbx::reals("Matrix", &moved(y))])]);
        })
    }
    fn further_cluster(has_joint: bool) -> Vec<u8> {
        fbx(|fbx| {
            cluster(fbx, 123, TIP, &[], 100.0);
            if !has_joint {
                fbx.disconnect_from(TIP, 123);
            }
        })
    }
    fn scaled(inherit_type: f64) -> Vec<u8> {
        fbx(|fbx| {
            fbx.property(ROOT, ("Lcl Scaling", "Lcl Scaling", &[2.0, 2.0, 2.0]));
            fbx.property(TIP, ("InheritType", "enum", &[inherit_type]));
        })
    }
    fn ordered(order: f64) -> Vec<u8> {
        fbx(|fbx| {
            fbx.property(TIP, ("RotationActive", "bool", &[1.0]));
            fbx.property(TIP, ("RotationOrder", "enum", &[order]));
        })
    }
    fn constraint(is_active: f64) -> Vec<u8> {
        fbx(|fbx| {
            let active = common::fbx::properties(&[("Active", "bool", &[is_active])]);
            fbx.object(500, "Constraint", ("Look", "Aim"), 0, vec![common::fbx::word("Type", "Aim"), active]);
            fbx.disconnect(500);
        })
    }
    vec![
        case(Code::UnusualUnit, || fbx(|fbx| fbx.set("UnitScaleFactor", 100.0)), || fbx(|_| ())),
        case(
            Code::SeveralSkins,
            || fbx(|fbx| fbx.object(124, "Deformer", ("Second", "Skin"), MESH, vec![int("Version", 101)])),
            || fbx(|fbx| fbx.connect(SKIN, BIND_POSE)),
        ),
        case(Code::ClusterWithoutJoint, || further_cluster(false), || further_cluster(true)),
        case(Code::BindPosesDiffer, || pose_of_tip(150.0), || pose_of_tip(100.0)),
        case(Code::ScaleNotInherited, || scaled(2.0), || scaled(1.0)),
        case(Code::RotationOrder, || ordered(5.0), || ordered(0.0)),
        case(Code::NotEvaluated, || constraint(1.0), || constraint(0.0)),
        case(Code::Repaired, || fbx(|fbx| fbx.connect(BIND_POSE, 0)), || fbx(|_| ())),
    ]
}

fn of_files() -> Vec<Case> {
    fn extension(list: &str, name: &str) -> Vec<u8> {
        file(|b| b.json[list] = json!([name]))
    }
    fn missing_nodes(count: usize) -> Vec<u8> {
        file(|b| {
            let roots = b.json["scenes"][0]["nodes"].as_array_mut().expect("a list");
            roots.extend((0..count).map(|i| json!(1000 + i)));
        })
    }
    fn second_body(in_scene: bool) -> Vec<u8> {
        file(|b| {
            let body = json!({"name": "Second", "mesh": 0, "skin": 0});
            if in_scene {
                b.root(body)
            } else {
                b.push("nodes", body)
            };
        })
    }
    vec![
        case(
            Code::ExtensionRequired,
            || extension("extensionsRequired", "ACME_unknown"),
            || extension("extensionsRequired", "KHR_mesh_quantization"),
        ),
        case(
            Code::ExtensionIgnored,
            || extension("extensionsUsed", "ACME_unknown"),
            || extension("extensionsUsed", "KHR_materials_unlit"),
        ),
        case(
            Code::DataMissing,
            || {
                file(|b| {
                    let own = b.bin.len().next_multiple_of(4);
                    b.json["buffers"] = json!([{"byteLength": own}, {"byteLength": 16, "uri": "missing.bin"}]);
                })
            },
            clean,
        ),
        case(Code::Malformed, || file(|b| b.json["scene"] = json!(7)), clean),
        case(Code::TrailingBytes, || [clean(), vec![0; 8]].concat(), clean),
        case(
            Code::NotShown,
            || file(|b| b.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}})),
            clean,
        ),
        case(Code::OutsideScene, || second_body(false), || second_body(true)),
        Case { also: &[Code::Malformed], ..case(Code::MoreFindings, || missing_nodes(1001), || missing_nodes(10)) },
        case(
            Code::TransformUnusable,
            || with(|c| c.nodes[1]["rotation"] = json!([0, 0, 0, 0])),
            || with(|c| c.nodes[1]["rotation"] = json!([0, 0, 0, 1])),
        ),
    ]
}

fn of_weights() -> Vec<Case> {
    fn first(joints: [u16; 4], weights: [f32; 4]) -> Vec<u8> {
        with(|c| c.weigh(0, joints, weights))
    }
    fn stray_horn(c: &mut Character, ring: usize) {
        (0..12).for_each(|side| c.weigh(vertex(24, side), [3, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
        c.weigh(vertex(ring, 0), [4, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
    }
    vec![
        case(
            Code::WeightSum,
            || first([0, 0, 0, 0], [1.2, 0.0, 0.0, 0.0]),
            || first([0, 0, 0, 0], [1.0005, 0.0, 0.0, 0.0]),
        ),
        case(Code::WeightZero, || first([0, 0, 0, 0], [0.0; 4]), clean),
        case(
            Code::WeightInvalid,
            || first([0, 1, 0, 0], [1.0, -0.2, 0.0, 0.0]),
            || first([0, 1, 0, 0], [1.0, -0.0, 0.0, 0.0]),
        ),
        case(
            Code::JointOutOfRange,
            || first([0, 200, 0, 0], [1.0, 0.0, 0.0, 0.0]),
            || first([0, 4, 0, 0], [1.0, 0.0, 0.0, 0.0]),
        ),
        case(Code::ManyInfluences, || five_influences(0.1), || five_influences(0.0)),
        case(
            Code::TinyInfluence,
            || first([0, 1, 0, 0], [0.998, 0.002, 0.0, 0.0]),
            || first([0, 1, 0, 0], [0.995, 0.005, 0.0, 0.0]),
        ),
        case(
            Code::RepeatedJoint,
            || first([0, 0, 0, 0], [0.5, 0.5, 0.0, 0.0]),
            || first([0, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]),
        ),
        case(
            Code::HeavyOutsideFirst,
            || second_set([0.5, 0.0, 0.1, 0.1], 2, 0.3),
            || second_set([0.5, 0.3, 0.1, 0.1], 2, 0.0),
        ),
        case(Code::FirstSetEmpty, || second_set([0.0; 4], 1, 1.0), || second_set([1.0, 0.0, 0.0, 0.0], 1, 0.0)),
        // In the skeleton, Horn is far from Root but near Tip.
        case(Code::WeightJump, || with(|c| stray_horn(c, 2)), || with(|c| stray_horn(c, 22))),
        case(
            Code::WeightIsland,
            || with(|c| c.weigh(vertex(22, 0), [3, 0, 0, 0], [0.7, 0.3, 0.0, 0.0])),
            || with(|c| c.weigh(vertex(19, 0), [3, 2, 0, 0], [0.7, 0.3, 0.0, 0.0])),
        ),
        case(
            Code::DrawnUnskinned,
            || {
                file(|b| {
                    let attributes = &mut b.json["meshes"][0]["primitives"][0]["attributes"];
                    attributes.as_object_mut().expect("an object").retain(|name, _| !name.ends_with("S_0"));
                })
            },
            clean,
        ),
        case(
            Code::InfluenceSetIgnored,
            || {
                file(|b| {
                    let attributes = &mut b.json["meshes"][0]["primitives"][0]["attributes"];
                    attributes["WEIGHTS_1"] = attributes["WEIGHTS_0"].clone();
                })
            },
            || five_influences(0.0),
        ),
    ]
}

/// Returns a file in which a vertex has four influences, and a fifth one of this weight in a second set.
fn five_influences(fifth: f32) -> Vec<u8> {
    second_set([0.5 - fifth, 0.3, 0.1, 0.1], 4, fifth)
}

/// Returns a file in which a vertex has these weights in its first set, and one influence in a second set.
fn second_set(first: [f32; 4], joint: u8, fifth: f32) -> Vec<u8> {
    let mut character = Character::default();
    let middle = vertex(12, 0);
    character.weigh(middle, [1, 2, 0, 3], first);
    let count = character.positions.len();
    let mut builder = character.builder();
    let mut weights = vec![[0.0_f32; 4]; count];
    weights[middle][0] = fifth;
    let joints = builder.accessor(&[joint, 0, 0, 0].repeat(count), common::glb::U8, "VEC4", count);
    let weights = builder.floats(weights.as_flattened(), "VEC4");
    let attributes = &mut builder.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_1"] = json!(joints);
    attributes["WEIGHTS_1"] = json!(weights);
    builder.build()
}

fn of_skins() -> Vec<Case> {
    fn second_skin(joints: Value) -> Vec<u8> {
        file(|b| {
            let mut skin = b.json["skins"][0].clone();
            skin["joints"] = joints;
            b.push("skins", skin);
        })
    }
    /// Adds a joint that moves the lowest ring slightly.
    fn other_joint(c: &mut Character, below: Option<usize>) {
        let other = c.add_joint("Other", below);
        (0..12).for_each(|side| c.weigh(vertex(0, side), [0, other, 0, 0], [0.9, 0.1, 0.0, 0.0]));
    }
    fn many_joints(count: u16) -> Vec<u8> {
        with(|c| {
            for i in 0..count - 5 {
                let joint = c.add_joint(&format!("Extra{i}"), Some(1));
                let v = usize::from(i);
                let heaviest = c.joints[v][usize::from(c.weights[v][1] > c.weights[v][0])];
                c.weigh(v, [heaviest, joint, 0, 0], [0.95, 0.05, 0.0, 0.0]);
            }
        })
    }
    vec![
        case(Code::SkinSkipped, || second_skin(json!([])), || second_skin(json!([1, 2, 3, 4, 5]))),
        case(Code::JointUnused, || with(|c| _ = c.add_joint("Extra", Some(1))), || with(|c| other_joint(c, Some(1)))),
        case(Code::JointOutside, || file(|b| b.json["scenes"] = json!([{"nodes": [0]}])), clean),
        case(Code::NoCommonRoot, || with(|c| other_joint(c, None)), || with(|c| other_joint(c, Some(1)))),
        case(
            Code::SeveralRoots,
            || {
                with(|c| {
                    other_joint(c, None);
                    c.nodes.push(json!({"name": "Armature", "children": [1, 6]}));
                })
            },
            || with(|c| other_joint(c, Some(1))),
        ),
        case(Code::ManyJoints, || many_joints(257), || many_joints(256)),
        case(Code::NoSkin, || with(|c| _ = c.nodes[0].as_object_mut().and_then(|n| n.remove("skin"))), clean),
        case(Code::NameRepeated, || with(|c| c.nodes[4]["name"] = json!("Lower")), clean),
        case(
            Code::NameEmpty,
            || with(|c| c.nodes[4]["name"] = json!("")),
            || with(|c| c.nodes[4]["name"] = json!("node")),
        ),
    ]
}

/// Sheared, and moved down by three units.
const SHEARED: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -3.0, 0.0, 1.0];

fn of_binds() -> Vec<Case> {
    const HORN: usize = 4;
    fn horn_bind(change: fn(&mut [f32; 16])) -> Vec<u8> {
        with(|c| change(&mut c.binds[HORN]))
    }
    vec![
        case(
            Code::BindsTooFew,
            || {
                file(|b| {
                    let accessor = b.json["skins"][0]["inverseBindMatrices"].as_u64().expect("a number") as usize;
                    b.json["accessors"][accessor]["count"] = json!(4);
                })
            },
            clean,
        ),
        Case {
            also: &[Code::RestUnlikeBind],
            ..case(
                Code::BindsAbsent,
                || file(|b| drop(b.json["skins"][0].as_object_mut().and_then(|s| s.remove("inverseBindMatrices")))),
                clean,
            )
        },
        case(Code::BindsUnreadable, || horn_bind(|m| m[0] = f32::NAN), clean),
        case(Code::BindSingular, || horn_bind(|m| m[0] = 0.0), || horn_bind(|m| m[0] = 0.995)),
        case(Code::BindNotAffine, || horn_bind(|m| m[3] = 0.5), || horn_bind(|m| m[3] = 1e-6)),
        case(
            Code::BindScale,
            || horn_bind(|m| [0, 5, 10].into_iter().for_each(|i| m[i] = 2.0)),
            || horn_bind(|m| [0, 5, 10].into_iter().for_each(|i| m[i] = 1.001)),
        ),
        // The node has the same shear, so that the rest pose matches the bind pose. The axes keep their lengths.
        Case {
            also: &[Code::MatrixNotTrs],
            ..case(
                Code::BindShear,
                || {
                    with(|c| {
                        c.nodes[HORN + 1] = json!({"name": "Horn", "matrix": SHEARED});
                        (c.binds[HORN][4], c.binds[HORN][5]) = (-0.75, 1.25);
                    })
                },
                clean,
            )
        },
        case(
            Code::RestUnlikeBind,
            || with(|c| c.nodes[4]["rotation"] = json!([0.0, 0.0, 0.6, 0.8])),
            || with(|c| c.nodes[4]["translation"] = json!([0.0, 1.001, 0.0])),
        ),
    ]
}

fn of_nodes_and_geometry() -> Vec<Case> {
    fn attributes(b: &mut Builder) -> &mut Value {
        &mut b.json["meshes"][0]["primitives"][0]["attributes"]
    }
    fn moved_body(by: f32) -> Vec<u8> {
        with(|c| c.nodes[0]["translation"] = json!([by, 0.0, 0.0]))
    }
    fn target(vertices: usize) -> Vec<u8> {
        file(|b| {
            let position = b.floats(&vec![0.1; vertices * 3], "VEC3");
            b.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": position}]);
        })
    }
    vec![
        case(
            Code::NegativeScale,
            || {
                with(|c| {
                    c.nodes[5]["scale"] = json!([-1, 1, 1]);
                    c.binds[4][0] = -1.0;
                })
            },
            clean,
        ),
        case(
            Code::NonUniformScale,
            || with(|c| c.nodes[5]["scale"] = json!([1, 2, 1])),
            || with(|c| c.nodes[5]["scale"] = json!([2, 2, 2])),
        ),
        case(
            Code::RotationNotUnit,
            || with(|c| c.nodes[1]["rotation"] = json!([0, 0, 0, 2])),
            || with(|c| c.nodes[1]["rotation"] = json!([0, 0, 0, 1.001])),
        ),
        case(Code::SkinnedNodeMoved, || moved_body(1.0), || moved_body(1e-5)),
        case(Code::ZeroArea, || with(|c| c.indices.extend([0, 1, 1])), clean),
        case(
            Code::UnusedVertices,
            || {
                with(|c| {
                    let one = c.positions.len() - 1;
                    c.positions.push(c.positions[one]);
                    c.normals.push(c.normals[one]);
                    c.joints.push(c.joints[one]);
                    c.weights.push(c.weights[one]);
                })
            },
            clean,
        ),
        case(
            Code::PrimitiveSkipped,
            || {
                file(|b| {
                    let list = b.json["meshes"][0]["primitives"].as_array_mut().expect("a list");
                    list.push(json!({"attributes": {}}));
                })
            },
            clean,
        ),
        case(
            Code::AttributeIgnored,
            || {
                file(|b| {
                    let short = b.floats(&[0.0, 1.0, 0.0], "VEC3");
                    attributes(b)["NORMAL"] = json!(short);
                })
            },
            clean,
        ),
        case(Code::VertexNotFinite, || with(|c| c.normals[0][1] = f32::INFINITY), clean),
        case(Code::IndicesLeftOver, || with(|c| c.indices.push(0)), clean),
        case(Code::MorphIgnored, || target(7), || target(300)),
    ]
}

/// Returns cases about glTF's requirements for meshes, accessors, scenes and skins, whether or not import tolerates
/// violations.
fn of_form() -> Vec<Case> {
    fn accessor<'a>(b: &'a mut Builder, attribute: &str) -> &'a mut Value {
        let index = b.json["meshes"][0]["primitives"][0]["attributes"][attribute].as_u64().expect("a number");
        &mut b.json["accessors"][index as usize]
    }
    fn second_primitive(targets: usize) -> Vec<u8> {
        file(|b| {
            let offsets = b.floats(&vec![0.1; 900], "VEC3");
            let primitives = b.json["meshes"][0]["primitives"].as_array_mut().expect("a list");
            primitives[0]["targets"] = json!([{"POSITION": offsets}]);
            let mut second = primitives[0].clone();
            second["targets"] = json!(vec![json!({"POSITION": offsets}); targets]);
            primitives.push(second);
        })
    }
    fn skeleton(node: usize) -> Vec<u8> {
        file(|b| b.json["skins"][0]["skeleton"] = json!(node))
    }
    fn other_root(node: usize) -> Vec<u8> {
        file(|b| b.json["scenes"][0]["nodes"] = json!([0, 1, node]))
    }
    vec![
        case(Code::AgainstRule, || file(|b| accessor(b, "POSITION")["max"] = json!([1, 2, 3])), clean),
        case(Code::SceneRootBelow, || other_root(3), || file(|b| _ = b.root(json!({"name": "Other"})))),
        case(Code::SkeletonNotRoot, || skeleton(2), || skeleton(1)),
        case(Code::UnequalTargets, || second_primitive(2), || second_primitive(1)),
        case(
            Code::DirectionsNotUnit,
            || with(|c| c.normals[0] = [1.01, 0.0, 0.0]),
            || with(|c| c.normals[0] = [1.005, 0.0, 0.0]),
        ),
        case(Code::AttributeFormat, || file(|b| accessor(b, "JOINTS_0")["normalized"] = json!(true)), clean),
    ]
}

fn of_odd_nodes() -> Vec<Case> {
    fn helper(below: Option<usize>) -> Vec<u8> {
        file(|b| {
            let mut primitive = b.json["meshes"][0]["primitives"][0].clone();
            primitive["attributes"].as_object_mut().expect("an object").retain(|name, _| !name.ends_with("S_0"));
            let mesh = b.push("meshes", json!({"primitives": [primitive]}));
            let node = json!({"name": "Icosphere", "mesh": mesh});
            match below {
                None => _ = b.root(node),
                Some(joint) => {
                    let node = b.push("nodes", node);
                    b.json["nodes"][joint]["children"] = json!([node]);
                }
            }
        })
    }
    fn other_node(matrix: [f32; 16]) -> Vec<u8> {
        file(|b| _ = b.root(json!({"name": "Other", "matrix": matrix})))
    }
    fn armature(scale: f32) -> Vec<u8> {
        with(|c| c.nodes.push(json!({"name": "Armature", "scale": [scale, scale, scale], "children": [1]})))
    }
    /// Returns a file with a joint beside the body that moves the lowest ring slightly.
    fn joint_at(x: f32) -> Vec<u8> {
        with(|c| {
            let other = c.add_joint("Other", Some(1));
            c.nodes[usize::from(other) + 1]["translation"] = json!([x, 0.0, 0.0]);
            c.binds[usize::from(other)] = common::character::moved(-x, 0.0, 0.0);
            (0..12).for_each(|side| c.weigh(vertex(0, side), [0, other, 0, 0], [0.9, 0.1, 0.0, 0.0]));
        })
    }
    vec![
        case(
            Code::MatrixWithTrs,
            || {
                let matrix = common::character::moved(0.0, -3.0, 0.0);
                with(|c| c.nodes[5] = json!({"name": "Horn", "matrix": matrix, "translation": [0, -3, 0]}))
            },
            || with(|c| c.nodes[5] = json!({"name": "Horn", "matrix": common::character::moved(0.0, -3.0, 0.0)})),
        ),
        case(Code::MatrixNotTrs, || other_node(SHEARED), || other_node(common::character::moved(0.0, -3.0, 0.0))),
        case(
            Code::ScaleZero,
            || with(|c| c.nodes[5]["scale"] = json!([0, 0, 0])),
            || with(|c| c.nodes[5]["scale"] = json!([0.001, 0.001, 0.001])),
        ),
        case(Code::ArmatureScale, || armature(0.01), || armature(0.02)),
        case(Code::StrayMesh, || helper(None), || helper(Some(5))),
        case(Code::JointFarFromSkin, || joint_at(100.0), || joint_at(2.0)),
    ]
}

fn of_odd_channels() -> Vec<Case> {
    fn repeated(node: usize) -> Vec<u8> {
        file(|b| {
            let channel = json!({"sampler": 0, "target": {"node": node, "path": "rotation"}});
            b.json["animations"][0]["channels"].as_array_mut().expect("a list").push(channel);
        })
    }
    fn late_clip(start: f32) -> Vec<u8> {
        file(|b| {
            let times = b.floats(&[start, start + 1.0], "SCALAR");
            let turns = b.floats(&[0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8], "VEC4");
            let channel = json!({"sampler": 0, "target": {"node": 2, "path": "rotation"}});
            b.push("animations", json!({"samplers": [{"input": times, "output": turns}], "channels": [channel]}));
        })
    }
    vec![
        case(Code::ChannelsTwice, || repeated(1), || repeated(2)),
        case(Code::LateStart, || late_clip(8.0), || late_clip(0.1)),
        case(
            Code::MatrixAnimated,
            || {
                with(|c| {
                    c.nodes[4] =
                        json!({"name": "Tip", "children": [5], "matrix": common::character::moved(0.0, 1.0, 0.0)});
                })
            },
            clean,
        ),
    ]
}

fn of_vrm() -> Vec<Case> {
    fn vrm(extension: &Value) -> Vec<u8> {
        file(|b| b.json["extensions"] = json!({"VRM": extension}))
    }
    fn bones(second: &str) -> Vec<u8> {
        vrm(&json!({"humanoid": {"humanBones": [{"bone": "hips", "node": 1}, {"bone": second, "node": 2}]}}))
    }
    vec![
        case(Code::HumanBoneTwice, || bones("hips"), || bones("spine")),
        case(Code::VrmShape, || vrm(&json!({"meta": [], "humanoid": {}})), || vrm(&json!({"meta": {}}))),
    ]
}

fn of_constraints() -> Vec<Case> {
    fn constrained(constraint: &Value) -> Vec<u8> {
        with(|c| {
            let extension = json!({"specVersion": "1.0", "constraint": constraint});
            c.nodes[5]["extensions"] = json!({"VRMC_node_constraint": extension});
        })
    }
    fn rolls(source: usize, weight: f32) -> Vec<u8> {
        constrained(&json!({"roll": {"source": source, "rollAxis": "Y", "weight": weight}}))
    }
    /// Returns a file with a twist helper of an arm, and a constraint on node `constrained`.
    fn twist(constrained: usize) -> Vec<u8> {
        with(|c| {
            let constraint = json!({"rotation": {"source": 1, "weight": 0.5}});
            c.nodes[constrained]["extensions"] =
                json!({"VRMC_node_constraint": {"specVersion": "1.0", "constraint": constraint}});
            c.nodes[2]["name"] = json!("leftLowerArm");
            c.nodes[3]["name"] = json!("leftLowerArmTwist");
        })
    }
    vec![
        case(Code::ConstraintUnusable, || rolls(4, 1.5), || rolls(4, 0.5)),
        case(Code::ConstraintCircle, || rolls(5, 0.5), || rolls(3, 0.5)),
        case(Code::TwistWithoutConstraint, || twist(5), || twist(3)),
    ]
}

/// Returns a file with a spring chain of two joints, and a sphere collider far from it, after a change.
fn sprung(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    file(|b| {
        let mut springs = json!({"specVersion": "1.0",
            "colliders": [{"node": 3, "shape": {"sphere": {"offset": [50.0, 0.0, 0.0], "radius": 0.01}}}],
            "colliderGroups": [{"colliders": [0]}],
            "springs": [{"joints": [{"node": 3, "hitRadius": 0.001}, {"node": 4}], "colliderGroups": [0]}, {"joints": []}]});
        change(&mut springs);
        b.json["extensions"] = json!({"VRMC_springBone": springs});
    })
}

fn of_springs() -> Vec<Case> {
    fn fine() -> Vec<u8> {
        sprung(|_| {})
    }
    fn long(by: f32) -> Vec<u8> {
        file(|b| {
            let nodes = b.json["nodes"].as_array_mut().expect("a list");
            let first = nodes.len();
            nodes.push(json!({"name": "Lock", "children": [first + 1]}));
            nodes.push(json!({"name": "Lock end", "translation": [0.0, by, 0.0]}));
            nodes[5]["children"] = json!([first]);
            let springs = json!([{"joints": [{"node": first}, {"node": first + 1}]}]);
            b.json["extensions"] = json!({"VRMC_springBone": {"specVersion": "1.0", "springs": springs}});
        })
    }
    let everywhere = || sprung(|springs| springs["colliders"][0]["shape"]["sphere"]["radius"] = json!(100.0));
    let shared = || sprung(|springs| springs["springs"][1]["joints"] = json!([{"node": 3}, {"node": 4}]));
    let thick = || sprung(|springs| springs["springs"][0]["joints"][0]["hitRadius"] = json!(20.0));
    vec![
        case(Code::SpringInCollider, everywhere, fine),
        case(Code::SpringWithoutLength, || long(0.0), || long(0.5)),
        case(Code::SpringShared, shared, fine),
        case(Code::SpringTooThick, thick, fine),
    ]
}

/// Returns cases of clips that repeat others or that jerk.
fn of_keys() -> Vec<Case> {
    fn second_clip(turn: f32) -> Vec<u8> {
        file(|b| {
            let times = b.floats(&[0.0, 1.0], "SCALAR");
            let keys = b.floats(&[0.0, 0.0, 0.0, 1.0, turn, 0.0, 0.0, (1.0 - turn * turn).sqrt()], "VEC4");
            let mut clip = b.json["animations"][0].clone();
            clip["samplers"][1] = json!({"input": times, "output": keys});
            b.push("animations", clip);
        })
    }
    fn turning_clip(spike: f32) -> Vec<u8> {
        file(|b| {
            let angle = |key: u8| f32::from(key) * 0.02 + if key == 5 { spike } else { 0.0 };
            let times: Vec<f32> = (0..12_u8).map(|key| f32::from(key) / 30.0).collect();
            let turns: Vec<f32> =
                (0..12).flat_map(|key| [0.0, 0.0, (angle(key) / 2.0).sin(), (angle(key) / 2.0).cos()]).collect();
            let (times, turns) = (b.floats(&times, "SCALAR"), b.floats(&turns, "VEC4"));
            b.push(
                "animations",
                json!({"samplers": [{"input": times, "output": turns}],
                    "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}),
            );
        })
    }
    vec![
        case(Code::ClipsSame, || second_clip(0.6), || second_clip(0.8)),
        case(Code::KeySpike, || turning_clip(0.4), || turning_clip(0.05)),
        case(Code::KeysBeforeStart, || with(|c| c.times = vec![-0.5, 1.0]), || with(|c| c.times = vec![0.5, 1.0])),
    ]
}

fn of_clips_and_looks() -> Vec<Case> {
    fn textured(image: impl FnOnce(&mut Builder) -> Value) -> Vec<u8> {
        file(|b| {
            let image = image(b);
            b.push("images", image);
            b.push("textures", json!({"source": 0}));
            b.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
            b.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        })
    }
    fn embedded(bytes: &[u8]) -> Vec<u8> {
        textured(|b| {
            let view = b.view(bytes);
            json!({"bufferView": view, "mimeType": "image/png"})
        })
    }
    fn png() -> Vec<u8> {
        encode_png(1)
    }
    fn encode_png(width: u32) -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::RgbaImage::new(width, 1).write_to(&mut bytes, image::ImageFormat::Png).expect("PNG is written");
        bytes.into_inner()
    }
    fn other_channel(path: &str) -> Vec<u8> {
        file(|b| {
            let channel = json!({"sampler": 0, "target": {"node": 2, "path": path}});
            b.json["animations"][0]["channels"].as_array_mut().expect("a list").push(channel);
        })
    }
    fn still_clip(rotation: [f32; 4]) -> Vec<u8> {
        file(|b| {
            let times = b.floats(&[0.0, 1.0], "SCALAR");
            let keys = b.floats(&[[0.0, 0.0, 0.0, 1.0], rotation].concat(), "VEC4");
            b.push(
                "animations",
                json!({"samplers": [{"input": times, "output": keys}],
                    "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}),
            );
        })
    }
    vec![
        case(Code::ClipMovesNothing, || still_clip([0.0, 0.0, 0.0, 1.0]), || still_clip([0.0, 0.0, 0.28, 0.96])),
        case(Code::KeyTimesOrder, || with(|c| c.times = vec![1.0, 0.0]), clean),
        case(
            Code::KeyTimesRepeat,
            || {
                with(|c| {
                    c.times = vec![1.0, 1.0];
                    // Between keys at the same time, a change of sign doesn't count as a flip.
                    c.rotations[1] = [0.0, -0.6, 0.0, -0.8];
                })
            },
            clean,
        ),
        case(Code::ChannelSkipped, || other_channel("visibility"), || other_channel("rotation")),
        case(Code::QuaternionFlip, || with(|c| c.rotations[1] = [0.0, -0.6, 0.0, -0.8]), clean),
        case(
            Code::KeysNotUnit,
            || with(|c| c.rotations[1] = [0.0, 0.66, 0.0, 0.88]),
            || with(|c| c.rotations[1] = [0.0, 0.603, 0.0, 0.801]),
        ),
        case(Code::ImageMissing, || textured(|_| json!({"uri": "missing.png"})), || embedded(&png())),
        case(Code::TextureReplaced, || embedded(b"this is no picture"), || embedded(&png())),
        case(Code::ImageShrunk, || embedded(&encode_png(8193)), || embedded(&encode_png(8192))),
    ]
}

#[test]
fn vertices_of_lines_and_points_are_in_use() {
    for mode in [0, 1, 3] {
        let found = codes(&file(|b| b.json["meshes"][0]["primitives"][0]["mode"] = json!(mode)));
        assert!(!found.contains(&Code::UnusedVertices), "mode {mode}: {found:?}");
    }
}

#[test]
fn the_character_of_the_tests_is_clean() {
    assert_eq!(lint(&clean()), []);
}

#[test]
fn every_code_has_a_faulty_file_and_a_twin() {
    let covered: Vec<Code> = cases().iter().map(|c| c.code).collect();
    // Findings about a project's rules need its config. `tests/commands/check_pipeline.rs` has files for them.
    let is_read = |code: &&Code| match **code as u16 {
        80..90 => cfg!(feature = "fbx"),
        100..163 | 170..180 => true,
        number => number < 90,
    };
    for code in Code::ALL.iter().filter(is_read) {
        assert_eq!(covered.iter().filter(|c| *c == code).count(), 1, "{code} {code:?}");
    }
}

#[test]
fn a_fault_has_its_code_and_no_other() {
    for Case { code, faulty, also, .. } in cases() {
        let expected: BTreeSet<Code> = also.iter().copied().chain([code]).collect();
        let found = lint(&faulty());
        assert_eq!(found.iter().map(|f| f.code).collect::<BTreeSet<_>>(), expected, "{code} {code:?}: {found:#?}");
        for finding in &found {
            assert!(finding.message.ends_with('.') && !finding.message.contains("  "), "{}", finding.message);
        }
    }
}

#[test]
fn a_twin_without_the_fault_does_not_have_the_code() {
    for Case { code, sound, also, .. } in cases() {
        let found = codes(&sound());
        assert!(!found.contains(&code), "{code} {code:?}");
        // The twin must not lack the code only because it is a completely different file.
        assert!(found.iter().all(|c| also.contains(c) || c.severity() == Severity::Note), "{code}: {found:?}");
    }
}

/// Returns the character after a change, with a clip of one channel.
fn moving(node: usize, path: &str, keys: &[f32], nodes: impl FnOnce(&mut Character)) -> Vec<u8> {
    let mut character = Character::default();
    nodes(&mut character);
    let mut b = character.builder();
    let times = b.floats(&[0.0, 1.0], "SCALAR");
    let keys = b.floats(keys, "VEC3");
    let channel = json!({"sampler": 0, "target": {"node": node, "path": path}});
    b.push("animations", json!({"samplers": [{"input": times, "output": keys}], "channels": [channel]}));
    b.build()
}

#[test]
fn clip_motion_is_measured_in_world_space() {
    let tiny = [0.0, 1.0, 0.0, 3e-6, 1.0, 0.0];
    assert!(
        codes(&moving(2, "translation", &tiny, |_| ())).contains(&Code::ClipMovesNothing),
        "3 µm of a character of 5 m"
    );
    // The same character, scaled down by a million, below a node that scales it up again.
    let scaled = |c: &mut Character| {
        c.nodes.push(json!({"name": "Armature", "scale": [1e6, 1e6, 1e6], "children": [1]}));
        for node in &mut c.nodes[2..6] {
            let y = node["translation"][1].as_f64().expect("a number") * 1e-6;
            node["translation"] = json!([0.0, y, 0.0]);
        }
        c.positions.as_flattened_mut().iter_mut().for_each(|x| *x *= 1e-6);
        c.binds.iter_mut().for_each(|bind| bind[13] *= 1e-6);
    };
    let found = codes(&moving(2, "translation", &[0.0, 1e-6, 0.0, 3e-6, 1e-6, 0.0], scaled));
    assert!(!found.contains(&Code::ClipMovesNothing), "3 m of a character of 5 m: {found:?}");
    let small = [1e-6_f32, 1e-6, 1e-6, 2e-6, 2e-6, 2e-6];
    let found = codes(&moving(5, "scale", &small, |c| c.nodes[5]["scale"] = json!([1e-6, 1e-6, 1e-6])));
    assert!(!found.contains(&Code::ClipMovesNothing), "twice the scale: {found:?}");
}

#[test]
fn a_joint_that_is_scaled_to_nothing_has_no_angle() {
    let found = lint(&with(|c| {
        c.nodes[5]["scale"] = json!([0, 0, 0]);
        c.nodes[5]["translation"] = json!([0, -2, 0]);
    }));
    let unlike = found.iter().find(|f| f.code == Code::RestUnlikeBind).expect("it is moved");
    assert!(unlike.message.contains("0.0° and 1.000 m"), "{}", unlike.message);
}

#[test]
fn colliders_without_a_shape_are_called_so() {
    let found = lint(&sprung(|springs| springs["colliders"][0] = json!({"node": 3})));
    let springs = found.iter().find(|f| f.code == Code::Malformed).expect("a collider");
    assert_eq!(springs.message, "Left out of the spring bones: 1 collider without a known shape.");
}

#[cfg(feature = "fbx")]
#[test]
fn weights_of_fbx_that_do_not_sum_to_1_are_a_note() {
    use common::fbx_character::{TIP, character, cluster};
    let mut fbx = character();
    cluster(&mut fbx, 123, TIP, &[(2, 0.25)], 100.0);
    let found = lint(&fbx.text());
    let sums: Vec<Severity> = found.iter().filter(|f| f.code == Code::WeightSum).map(|f| f.severity).collect();
    assert!(sums.contains(&Severity::Note) && sums.iter().all(|s| *s == Severity::Note), "{found:#?}");
}

#[test]
fn the_gravest_come_first() {
    let file = with(|c| {
        c.nodes[0]["translation"] = json!([1, 0, 0]);
        c.nodes[4]["name"] = json!("Lower");
        c.weigh(0, [0; 4], [0.0; 4]);
    });
    let found: Vec<Code> = lint(&file).iter().map(|f| f.code).collect();
    assert_eq!(found, [Code::WeightZero, Code::NameRepeated, Code::SkinnedNodeMoved]);
}

#[test]
fn a_finding_names_its_vertices_and_its_joint() {
    let stray = vertex(22, 0);
    let found = lint(&with(|c| c.weigh(stray, [3, 0, 0, 0], [0.7, 0.3, 0.0, 0.0])));
    let vertices: VertexList = [stray].into_iter().collect();
    assert_eq!(found[0].target, Target::Primitive { mesh: 0, primitive: 0, vertices, joint: Some(1) });
    assert!(found[0].message.contains("\"Root\" moves 1 vertex"), "{}", found[0].message);
}

/// Horn moves a large patch, a small patch on the other side of a window in the tube, and the window between them.
fn windowed(has_window: bool) -> Vec<u8> {
    let mut character = Character::default();
    let large = (5..16).flat_map(|ring| [vertex(ring, 10), vertex(ring, 11)]);
    let across = (0..8).map(|side| vertex(10, side));
    for v in large.chain(across).collect::<Vec<_>>() {
        character.weigh(v, [1, 4, 0, 0], [0.5, 0.5, 0.0, 0.0]);
    }
    let quads = character.indices.chunks(6).enumerate();
    let (window, rest): (Vec<_>, Vec<_>) = quads.partition(|(quad, _)| (8..12).contains(&(quad / 12)) && quad % 12 < 6);
    let joined = |quads: Vec<(usize, &[u16])>| quads.into_iter().flat_map(|(_, i)| i.to_vec()).collect::<Vec<u16>>();
    let (window, rest) = (joined(window), joined(rest));
    let mut builder = character.builder();
    let (window, rest) = (builder.indices(&window), builder.indices(&rest));
    let primitives = builder.json["meshes"][0]["primitives"].as_array_mut().expect("a list");
    primitives[0]["indices"] = json!(rest);
    if has_window {
        let mut second = primitives[0].clone();
        second["indices"] = json!(window);
        primitives.push(second);
    }
    builder.build()
}

#[test]
fn weight_islands_are_found_across_primitives() {
    assert!(!codes(&windowed(true)).contains(&Code::WeightIsland));
    assert!(codes(&windowed(false)).contains(&Code::WeightIsland), "without the window the patch is cut off");
}

#[test]
fn long_list_of_one_code_is_truncated_with_a_note() {
    let file = file(|b| {
        let clip = json!({"samplers": [], "channels": []});
        b.json["animations"].as_array_mut().expect("a list").extend(vec![clip; 300]);
    });
    let found = lint(&file);
    assert_eq!(found.iter().filter(|f| f.code == Code::ClipMovesNothing).count(), 200);
    let more = found.iter().find(|f| f.code == Code::MoreFindings).expect("the rest is reported");
    assert_eq!(more.message, "100 further RIG060 are not listed.");
}

#[test]
fn a_deep_hierarchy_costs_no_more_than_a_flat_one() {
    const DEPTH: usize = 60_000;
    const JOINTS: usize = 60_000;
    let file = file(|b| {
        let first = b.json["nodes"].as_array().expect("a list").len();
        for i in 0..DEPTH {
            let node = b.push("nodes", json!({"name": format!("link {i}")}));
            b.json["nodes"][node - 1]["children"] = json!([node]);
        }
        let joints: Vec<usize> = (0..JOINTS).map(|i| b.push("nodes", json!({"name": format!("leaf {i}")}))).collect();
        b.json["nodes"][first + DEPTH - 1]["children"] = json!(joints);
        b.push("skins", json!({"joints": joints}));
    });
    // This takes less than a second. Rules that walk up from every joint would take 3600 million steps, and far longer
    // than the limit.
    let begun = std::time::Instant::now();
    assert!(codes(&file).contains(&Code::SeveralRoots));
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

#[test]
fn lint_stops_where_it_is_cancelled() {
    let imported = import_bytes(&clean(), &Job::default()).unwrap();
    assert!(findings(&imported.rig, &imported.warnings, &Progress::cancelled()).is_none());
}

#[test]
fn explanations_agree_with_convert() {
    let is_said = |code: Code| code.explanation().rigscope.is_some_and(|text| text.starts_with("`rigscope convert "));
    let cases: Vec<Case> = cases().into_iter().filter(|case| is_said(case.code)).collect();
    assert!(cases.len() > 10, "{}", cases.len());
    for Case { code, faulty, .. } in cases {
        let imported = import_bytes(&faulty(), &Job::default()).unwrap_or_else(|e| panic!("{e}"));
        let file = rig_glb(&imported.rig, &Progress::default()).expect("small");
        assert!(!codes(&file.bytes).contains(&code), "{code} {code:?}");
    }
}
