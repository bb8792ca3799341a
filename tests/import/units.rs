//! One character in several units: every method gives the same result, on the CPU and the GPU.
//!
//! The built-in figure is rewritten as other programs write such characters: in centimetres below a node scaled by
//! 0.01, with quantised positions whose scale is in the inverse bind matrices, with axes stretched in the same way, and
//! mirrored by a node above.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed helper is a failed test, and a test says what it measured"
)]

use crate::common;

use std::sync::Arc;

use common::glb::{container, split, width};
use common::gpu::{Still, assert_skinner_agrees, with_scene};
use glam::{Affine3, Quat, Vec3};
use rigscope::import::{Job, import_bytes};
use rigscope::rig::{ClipMoment, Pose, Rig, RigData, Trs};
use rigscope::skinning::{Method, ScaleHandling, Skinner, Skinning};
use serde_json::{Value, json};

const FIGURE: &[u8] = include_bytes!("../../assets/figure.glb");

const WALK: usize = 1;

/// The JSON and the binary chunk of the figure's file.
struct File {
    json: Value,
    bin: Vec<u8>,
}

impl File {
    fn figure() -> Self {
        let (json, bin) = split(FIGURE);
        Self { bin: bin.to_vec(), json }
    }

    /// Returns the rig with a DQ blend weight on every vertex.
    fn rig(&self) -> Arc<Rig> {
        let file = container(self.json.to_string().as_bytes(), &self.bin);
        let rig = import_bytes(&file, &Job::default()).unwrap().rig;
        let mut meshes = rig.meshes.clone();
        for primitive in meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            primitive.dq_weights = (0..primitive.positions.len()).map(|vertex| (vertex % 5) as f32 * 0.25).collect();
        }
        Arc::new(Rig::new(RigData { meshes, ..RigData::clone(&rig) }))
    }

    /// Changes each element of a float accessor.
    fn edit(&mut self, accessor: usize, edit: impl Fn(&mut [f32])) {
        let (start, count, width) = self.place(accessor);
        for element in self.bin[start..start + count * width * 4].chunks_exact_mut(width * 4) {
            let mut values: Vec<f32> =
                element.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
            edit(&mut values);
            for (bytes, value) in element.chunks_exact_mut(4).zip(values) {
                bytes.copy_from_slice(&value.to_le_bytes());
            }
        }
    }

    fn place(&self, accessor: usize) -> (usize, usize, usize) {
        let accessor = &self.json["accessors"][accessor];
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let view = &self.json["bufferViews"][number(&accessor["bufferView"])];
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        (start, number(&accessor["count"]), width(accessor["type"].as_str().unwrap()))
    }

    fn accessors(&self, of: impl Fn(&Value) -> Vec<u64>) -> Vec<usize> {
        let mut all: Vec<usize> = of(&self.json).into_iter().map(|a| a as usize).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn positions(&self) -> Vec<usize> {
        self.accessors(|json| {
            let primitives =
                json["meshes"].as_array().unwrap().iter().flat_map(|m| m["primitives"].as_array().unwrap());
            primitives.map(|p| p["attributes"]["POSITION"].as_u64().unwrap()).collect()
        })
    }

    fn binds(&self) -> Vec<usize> {
        self.accessors(|json| {
            json["skins"].as_array().unwrap().iter().map(|s| s["inverseBindMatrices"].as_u64().unwrap()).collect()
        })
    }

    fn clip_translations(&self) -> Vec<usize> {
        self.accessors(|json| {
            let moving = |clip: &Value| {
                let channels = clip["channels"].as_array().unwrap().clone();
                let translations = channels.into_iter().filter(|c| c["target"]["path"] == "translation");
                let samplers = clip["samplers"].clone();
                translations
                    .map(move |c| samplers[c["sampler"].as_u64().unwrap() as usize]["output"].as_u64().unwrap())
                    .collect::<Vec<_>>()
            };
            json["animations"].as_array().unwrap().iter().flat_map(moving).collect()
        })
    }

    /// Moves all nodes below a new root with this scale.
    fn below(mut self, scale: Vec3) -> Self {
        let roots = self.json["scenes"][0]["nodes"].take();
        let nodes = self.json["nodes"].as_array_mut().unwrap();
        nodes.push(json!({"name": "Armature", "scale": scale.to_array(), "children": roots}));
        self.json["scenes"][0]["nodes"] = json!([nodes.len() - 1]);
        self
    }

    /// Stores mesh and skeleton with `per_metre` units per metre, below a node that undoes the scale.
    fn in_units(mut self, per_metre: f32) -> Self {
        for accessor in self.positions() {
            self.edit(accessor, |v| v.iter_mut().for_each(|v| *v *= per_metre));
        }
        for accessor in self.binds() {
            self.edit(accessor, |m| m[12..15].iter_mut().for_each(|v| *v *= per_metre));
        }
        self.skeleton_in_units(per_metre)
    }

    /// Stores only the skeleton with `per_metre` units per metre. The inverse bind matrices scale the mesh.
    fn on_skeleton_in_units(mut self, per_metre: f32) -> Self {
        for accessor in self.binds() {
            self.edit(accessor, |m| {
                for column in m.chunks_exact_mut(4) {
                    column[..3].iter_mut().for_each(|v| *v *= per_metre);
                }
            });
        }
        self.skeleton_in_units(per_metre)
    }

    /// Stretches the mesh along the axes. The inverse bind matrices undo this.
    fn stretched(mut self, by: Vec3) -> Self {
        for accessor in self.positions() {
            self.edit(accessor, |p| p.copy_from_slice(&(Vec3::from_slice(p) * by).to_array()));
        }
        for accessor in self.binds() {
            self.edit(accessor, |m| {
                let matrix = glam::Mat4::from_cols_slice(m) * glam::Mat4::from_scale(by.recip());
                m.copy_from_slice(&matrix.to_cols_array());
            });
        }
        self
    }

    fn skeleton_in_units(mut self, per_metre: f32) -> Self {
        for accessor in self.clip_translations() {
            self.edit(accessor, |v| v.iter_mut().for_each(|v| *v *= per_metre));
        }
        for node in self.json["nodes"].as_array_mut().unwrap() {
            for value in node["translation"].as_array_mut().into_iter().flatten() {
                *value = json!(value.as_f64().unwrap() as f32 * per_metre);
            }
        }
        self.below(Vec3::splat(per_metre.recip()))
    }

    /// Stores positions as 16-bit fractions of a box of `size` metres around the figure. The inverse bind matrices undo
    /// this.
    fn quantised(mut self, size: f32) -> Self {
        for accessor in self.positions() {
            let (start, count, _) = self.place(accessor);
            for element in self.bin[start..start + count * 12].chunks_exact_mut(12) {
                let value = |axis: usize| f32::from_le_bytes(element[axis * 4..axis * 4 + 4].try_into().unwrap());
                let steps = [0, 1, 2].map(|axis| step(value(axis), axis, size));
                element[..6].copy_from_slice(&steps.map(u16::to_le_bytes).concat());
            }
            let view = self.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
            self.json["bufferViews"][view]["byteStride"] = json!(12);
            let accessor = &mut self.json["accessors"][accessor];
            accessor["componentType"] = json!(5123);
            accessor["normalized"] = json!(true);
            accessor.as_object_mut().unwrap().retain(|key, _| key != "min" && key != "max");
        }
        let corner = CORNER * size;
        let unquantised = Affine3::from_scale_rotation_translation(Vec3::splat(size), Quat::IDENTITY, corner);
        for accessor in self.binds() {
            self.edit(accessor, |m| {
                let matrix = glam::Mat4::from_cols_slice(m) * glam::Mat4::from(unquantised);
                m.copy_from_slice(&matrix.to_cols_array());
            });
        }
        self.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
        self.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        self
    }

    /// Rounds positions like [`Self::quantised`], but keeps them in metres.
    fn rounded(mut self, size: f32) -> Self {
        for accessor in self.positions() {
            self.edit(accessor, |p| {
                for (axis, value) in p.iter_mut().enumerate() {
                    *value = (CORNER[axis] + f32::from(step(*value, axis, size)) / 65535.0) * size;
                }
            });
        }
        self
    }
}

/// Lowest corner of the box around the figure, as a fraction of the box's size.
const CORNER: Vec3 = Vec3::new(-0.5, 0.0, -0.5);

fn step(value: f32, axis: usize, size: f32) -> u16 {
    ((value / size - CORNER[axis]) * 65535.0).round() as u16
}

/// Returns the middle of a step, with limbs bent and twisted by large angles. `root` is the user's scale of the hips.
fn posed(rig: &Arc<Rig>, root: f32) -> Still {
    let mut pose = Pose::rest(&rig.hierarchy);
    let turns = [
        ("LeftLowerArm", Vec3::X, 110.0),
        ("RightUpperArm", Vec3::new(0.3, 1.0, 0.2), 80.0),
        ("LeftLowerLeg", Vec3::X, 95.0),
        ("Chest", Vec3::Y, 60.0),
        ("Head", Vec3::new(0.2, 1.0, 0.0), 70.0),
    ];
    for (name, axis, degrees) in turns {
        let node = rig.hierarchy.node_named(name).unwrap();
        let rotation = Quat::from_axis_angle(axis.normalize_or_zero(), f32::to_radians(degrees));
        pose.set_user_local(node, Trs { rotation, ..Trs::IDENTITY });
    }
    let hips = rig.hierarchy.node_named("Hips").unwrap();
    pose.set_user_local(hips, Trs { scale: Vec3::splat(root), ..Trs::IDENTITY });
    Still::at(rig, Some(ClipMoment::new(WALK, 0.3)), pose)
}

fn positions(still: &Still, skinning: &Skinning) -> Vec<Vec3> {
    let skinner = Skinner::new(&still.rig, skinning).unwrap();
    skinner.deform(still.posed()).into_iter().flatten().flat_map(|deformed| deformed.positions).collect()
}

/// Returns the largest distance as a fraction of the figure's size.
fn apart(still: &Still, skinning: &Skinning, expected: &[Vec3], carry: impl Fn(Vec3) -> Vec3) -> f32 {
    let found = positions(still, skinning);
    assert_eq!(found.len(), expected.len());
    let distances = found.iter().zip(expected).map(|(a, b)| a.distance(carry(*b)));
    distances.fold(0.0, f32::max) / still.rig.size()
}

fn methods() -> impl Iterator<Item = Skinning> {
    Method::CHOICES.into_iter().map(Skinning::new)
}

#[test]
fn every_method_skins_a_character_alike_in_every_unit() {
    let metres = posed(&File::figure().rig(), 1.0);
    let rounded = posed(&File::figure().rounded(2.5).rig(), 1.0);
    let pairs = [
        ("centimetres", &metres, File::figure().in_units(100.0)),
        ("millimetres", &metres, File::figure().in_units(1000.0)),
        ("hectometres", &metres, File::figure().in_units(0.01)),
        ("quantised", &rounded, File::figure().quantised(2.5)),
        ("quantised centimetres", &rounded, File::figure().quantised(2.5).on_skeleton_in_units(100.0)),
    ];
    let pairs = pairs.map(|(name, metres, file)| (name, metres, posed(&file.rig(), 1.0)));
    for skinning in methods() {
        for (name, metres, still) in &pairs {
            let off = apart(still, &skinning, &positions(metres, &skinning), |p| p);
            println!("{:10} {name}: {off:.1e}", skinning.method.to_string());
            assert!(off < 5e-6, "{} in {name}: {off}", skinning.method);
        }
    }
}

#[test]
fn a_root_joint_scaled_by_two_gives_twice_the_bent_figure() {
    let rig = File::figure().rig();
    let (once, twice) = (posed(&rig, 1.0), posed(&rig, 2.0));
    let hips = rig.hierarchy.node_named("Hips").unwrap();
    let root = once.posed().world_from_node[hips.index()].translation;
    for skinning in methods() {
        let off = apart(&twice, &skinning, &positions(&once, &skinning), |p| root + (p - root) * 2.0);
        println!("{:10} scaled root: {off:.1e}", skinning.method.to_string());
        assert!(off < 5e-6, "{}: {off}", skinning.method);
    }
}

#[test]
fn a_figure_below_a_mirroring_node_is_the_mirrored_figure() {
    let mirror = Vec3::new(-1.0, 1.0, 1.0);
    let (here, there) = (posed(&File::figure().rig(), 1.0), posed(&File::figure().below(mirror).rig(), 1.0));
    for skinning in methods() {
        let off = apart(&there, &skinning, &positions(&here, &skinning), |p| p * mirror);
        assert!(off < 5e-6, "{}: {off}", skinning.method);
    }
}

/// The first is like Maya characters with non-uniform scale and files quantised per axis. The second is mirrored as
/// well.
const STRETCHES: [Vec3; 2] = [Vec3::new(0.086, 0.124, 0.155), Vec3::new(-0.7, 1.3, 2.0)];

#[test]
fn a_figure_whose_mesh_is_stretched_by_axes_is_the_same_figure() {
    let plain = posed(&File::figure().rig(), 1.0);
    // A centre of rotation is an average weighted by areas, which change when the mesh is stretched.
    for skinning in methods().filter(|skinning| skinning.method != Method::Cor) {
        for by in STRETCHES {
            let still = posed(&File::figure().stretched(by).rig(), 1.0);
            let off = apart(&still, &skinning, &positions(&plain, &skinning), |p| p);
            println!("{:10} stretched by {by}: {off:.1e}", skinning.method.to_string());
            assert!(off < 1e-6, "{} stretched by {by}: {off}", skinning.method);
        }
    }
}

#[test]
fn about_the_joints_a_character_in_centimetres_flies_apart_where_it_bends() {
    let about_joints = Skinning { scale: ScaleHandling::AboutJoints, ..Skinning::new(Method::Dqs) };
    let metres = posed(&File::figure().rig(), 1.0);
    let expected = positions(&metres, &Skinning::new(Method::Dqs));
    assert!(apart(&metres, &about_joints, &expected, |p| p) < 1e-6, "rigid joints are rigid by either rule");
    let centimetres = posed(&File::figure().in_units(100.0).rig(), 1.0);
    let off = apart(&centimetres, &about_joints, &expected, |p| p);
    assert!(off > 0.2, "{off}");
}

#[test]
fn the_card_skins_a_character_in_centimetres_scaled_or_stretched_as_the_cpu_does() {
    with_scene(|scene| {
        let bent = posed(&File::figure().in_units(100.0).rig(), 1.0);
        let scaled_apart = posed(&File::figure().rig(), 2.0);
        let stretched = posed(&File::figure().stretched(STRETCHES[1]).rig(), 1.0);
        for (name, still) in [("centimetres", bent), ("a scaled root", scaled_apart), ("a stretched mesh", stretched)] {
            for skinning in methods() {
                let skinner = Skinner::new(&still.rig, &skinning).unwrap();
                assert_skinner_agrees(scene, &format!("{name}, {}", skinning.method), &still, &skinner);
            }
        }
    });
}
