//! Clips of one figure applied to another: the height of the soles above the ground, relative to the length of the leg,
//! stays the same.

use crate::common;

use std::sync::Arc;

use common::samples;
use common::walker::{Mover, Walker, z_up};
use glam::{Affine3, Vec3};
use rigscope::import::{Job, import_file};
use rigscope::matching::NodeMatch;
use rigscope::posing::transferred_clips;
use rigscope::rig::{ClipMoment, NodeIndex, Pose, Rig, evaluate};
use rigscope::skinning::{Method, Skinner, Skinning};

/// Number of moments compared: one per key of the built figures.
const MOMENTS: usize = 17;

fn is_below(rig: &Rig, node: NodeIndex, top: NodeIndex) -> bool {
    rig.hierarchy.subtree(top).contains(&node.index())
}

fn at_rest(rig: &Rig) -> Vec<Affine3> {
    evaluate(rig, None, &Pose::rest(&rig.hierarchy)).world_from_node
}

/// Leg joints that two skeletons share: the hips, and the shared joints below the hips in either skeleton.
struct Legs {
    hips: NodeIndex,
    joints: Vec<NodeIndex>,
}

impl Legs {
    fn of_both([from, onto]: [&Rig; 2], hips: [&str; 2]) -> [Self; 2] {
        let nodes = NodeMatch::between(from, onto);
        let partners = nodes.all();
        let shared = from.hierarchy.nodes().filter_map(|node| Some((node, partners[node.index()]?)));
        let shared: Vec<_> = shared.filter(|&(node, other)| from.is_joint(node) && onto.is_joint(other)).collect();
        let [top, other] =
            [from.hierarchy.node_named(hips[0]), onto.hierarchy.node_named(hips[1])].map(|hips| hips.expect("hips"));
        let legs = shared.into_iter().filter(|&(a, b)| is_below(from, a, top) || is_below(onto, b, other));
        let (theirs, ours) = legs.unzip();
        [Self { hips: top, joints: theirs }, Self { hips: other, joints: ours }]
    }

    fn lowest(&self, world: &[Affine3]) -> NodeIndex {
        let height = |joint: &NodeIndex| world[joint.index()].translation.y;
        *self.joints.iter().min_by(|a, b| height(a).total_cmp(&height(b))).expect("a joint")
    }

    fn hangs(&self, rig: &Rig) -> bool {
        is_below(rig, self.lowest(&at_rest(rig)), self.hips)
    }

    /// Returns the length of the bones from the hips to the lowest joint at rest. Without `along_bones`, returns the
    /// height of the hips above that joint.
    fn length(&self, rig: &Rig, along_bones: bool) -> f32 {
        let world = at_rest(rig);
        let place = |node: NodeIndex| world[node.index()].translation;
        let lowest = self.lowest(&world);
        if !along_bones {
            return place(self.hips).y - place(lowest).y;
        }
        let above = rig.hierarchy.ancestors(lowest).take_while(|node| *node != self.hips).chain([self.hips]);
        let bones = [lowest].into_iter().chain(above).collect::<Vec<_>>();
        bones.windows(2).map(|bone| place(bone[0]).distance(place(bone[1]))).sum()
    }

    /// Returns the height of the lowest joint above its height while standing, at several times of a clip, in leg
    /// lengths.
    fn lifts(&self, rig: &Rig, clip: usize, [sole, length]: [f32; 2]) -> Vec<f32> {
        let pose = Pose::rest(&rig.hierarchy);
        let moment = |n: usize| n as f32 / (MOMENTS - 1) as f32 * rig.clips[clip].duration_secs;
        let lift = |time_secs: f32| {
            let world = evaluate(rig, Some(ClipMoment::new(clip, time_secs)), &pose).world_from_node;
            (world[self.lowest(&world).index()].translation.y - sole) / length
        };
        (0..MOMENTS).map(moment).map(lift).collect()
    }
}

/// Transfers all clips. For each clip, returns the largest difference in the height of the soles, in leg lengths.
fn farthest([from, onto]: [&Arc<Rig>; 2], legs: &[Legs; 2], [soles, lengths]: [[f32; 2]; 2]) -> Vec<f32> {
    let (own, found) = (onto.clips.len(), transferred_clips(from, onto));
    let names: Vec<String> = found.clips.iter().map(|clip| clip.name.clone()).collect();
    let both = Rig::clone(onto).with_clips(found.clips);
    let clip = |(number, name): (usize, &String)| {
        let theirs = from.clips.iter().position(|clip| clip.name == *name).expect("the clip");
        let lifts = [
            legs[0].lifts(from, theirs, [soles[0], lengths[0]]),
            legs[1].lifts(&both, own + number, [soles[1], lengths[1]]),
        ];
        lifts[0].iter().zip(&lifts[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    names.iter().enumerate().map(clip).collect()
}

#[test]
fn soles_of_built_figures_stand_where_they_stood() {
    let plain = Walker::default();
    let with = |change: fn(&mut Walker)| {
        let mut walker = Walker::default();
        change(&mut walker);
        walker
    };
    let others = [
        ("a long back", with(|w| w.bone_of_back = 0.6)),
        ("longer legs on thicker soles", with(|w| (w.thigh, w.shin, w.sole) = (0.63, 0.56, 0.15))),
        ("a child", with(|w| (w.thigh, w.shin, w.sole) = (0.225, 0.2, 0.08))),
        ("centimetres below an armature of a hundredth", with(|w| w.unit = 0.01)),
        ("Z up", with(|w| w.axes = z_up())),
        ("arms that hang", with(|w| w.arms = 0.9)),
        ("a root that stands aside", with(|w| w.root = Vec3::new(0.3, 0.1, -0.2))),
        ("motion of the root", with(|w| w.mover = Mover::Root)),
        ("hips of another name", with(|w| w.hips = "Pelvis")),
        ("motion of a joint that the other lacks", with(|w| w.mover = Mover::Carrier)),
        ("a step at rest", with(|w| w.rests_in_step = true)),
        (
            "all of it",
            with(|w| {
                (w.thigh, w.shin, w.sole, w.bone_of_back, w.arms) = (0.54, 0.48, 0.1, 0.3, 0.5);
                (w.axes, w.unit, w.hips, w.mover) = (z_up(), 0.01, "Pelvis", Mover::Root);
            }),
        ),
    ];
    let mut wrong = Vec::new();
    for (name, other) in &others {
        for (way, [from, onto]) in [("to", [&plain, other]), ("from", [other, &plain])] {
            let rigs = [from, onto].map(Walker::rig);
            let legs = Legs::of_both([&rigs[0], &rigs[1]], [from.hips, onto.hips]);
            let apart = farthest(rigs.each_ref(), &legs, [[from, onto].map(|w| w.sole), [from, onto].map(Walker::leg)]);
            assert_eq!(apart.len(), 1, "{name}: clips");
            if apart[0] > 0.01 {
                wrong.push(format!("{way} {name}: {:.1} % of the leg", 100.0 * apart[0]));
            }
        }
    }
    let (loose, onto) = (Walker { has_loose_feet: true, ..Walker::default() }.rig(), plain.rig());
    let legs = Legs::of_both([&loose, &onto], ["Hips"; 2]);
    let apart = farthest([&loose, &onto], &legs, [[plain.sole; 2], [plain.leg(); 2]]);
    if apart[0] > 0.01 {
        wrong.push(format!("from feet on the root: {:.1} % of the leg", 100.0 * apart[0]));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const TORSO: &str = "Skeleton_torso_joint_1";
const CESIUM: &str = "khronos/CesiumMan/CesiumMan.glb";
const CESIUM_FBX: &str = "fbx/blender42_CesiumMan.fbx";
const FIGURE: &str = "khronos/RiggedFigure/RiggedFigure.glb";
const FOX: &str = "khronos/Fox/Fox.glb";
const FOX_FBX: &str = "fbx/blender42_Fox.fbx";
const ROBOT: &str = "threejs/RobotExpressive.glb";
const KNIGHT: &str = "kaykit/Knight.glb";

/// Pairs of samples with shared joints: source, target, hips of both, and the maximum difference in the height of the
/// soles, in leg lengths, for the worst clip and for the median clip.
///
/// If clips only contain rotations, the soles keep their heights exactly if limbs have the same proportions and
/// hierarchy. The feet of `RiggedFigure` are farther in front of its thighs than those of `CesiumMan`. The robot's
/// thigh is two thirds as long as its shin, and its feet are children of the root; the knight's thigh is one and a half
/// times as long as its shin.
const PAIRS: &[(&str, &str, [&str; 2], [f32; 2])] = &[
    (CESIUM, CESIUM_FBX, [TORSO; 2], [0.01; 2]),
    (CESIUM_FBX, CESIUM, [TORSO; 2], [0.01; 2]),
    (CESIUM, FIGURE, [TORSO, "torso_joint_1"], [0.03; 2]),
    (FIGURE, CESIUM, ["torso_joint_1", TORSO], [0.01; 2]),
    (CESIUM_FBX, FIGURE, [TORSO, "torso_joint_1"], [0.04; 2]),
    (FIGURE, CESIUM_FBX, ["torso_joint_1", TORSO], [0.01; 2]),
    (FOX, FOX_FBX, ["b_Hip_01"; 2], [0.01; 2]),
    (FOX_FBX, FOX, ["b_Hip_01"; 2], [0.01; 2]),
    ("derived/Fox_quantized.glb", FOX_FBX, ["b_Hip_01"; 2], [0.01; 2]),
    (FOX_FBX, "derived/Fox_quantized.glb", ["b_Hip_01"; 2], [0.01; 2]),
    (ROBOT, KNIGHT, ["Hips", "hips"], [0.4, 0.25]),
];

/// Returns the rest height of the lowest joint above the lowest point of the skin, which is the joint's height while
/// the character stands.
fn sole(rig: &Arc<Rig>, legs: &Legs) -> f32 {
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    let skin = Skinner::new(rig, &Skinning::new(Method::Lbs)).expect("a skin").deform(&posed);
    let floor = skin.iter().flatten().flat_map(|part| &part.positions).map(|p| p.y).fold(f32::MAX, f32::min);
    posed.world_from_node[legs.lowest(&posed.world_from_node).index()].translation.y - floor
}

#[test]
fn soles_of_samples_stand_where_they_stood() {
    let Some(samples) = samples() else { return };
    let open = |name: &str| Arc::new(import_file(&samples.join(name), &Job::default()).expect("a sample opens").rig);
    let mut wrong = Vec::new();
    let is_read = |name: &str| cfg!(feature = "fbx") || !name.starts_with("fbx/");
    for (from, onto, hips, [worst, middle]) in PAIRS.iter().filter(|(from, onto, ..)| is_read(from) && is_read(onto)) {
        let rigs = [open(from), open(onto)];
        let legs = Legs::of_both([&rigs[0], &rigs[1]], *hips);
        let along_bones = legs[0].hangs(&rigs[0]) && legs[1].hangs(&rigs[1]);
        let both = |measure: &dyn Fn(&Arc<Rig>, &Legs) -> f32| [0, 1].map(|side| measure(&rigs[side], &legs[side]));
        let lengths = both(&|rig, legs| legs.length(rig, along_bones));
        let mut apart = farthest([&rigs[0], &rigs[1]], &legs, [both(&sole), lengths]);
        assert_eq!(apart.len(), rigs[0].clips.len(), "clips of {from}");
        apart.sort_by(f32::total_cmp);
        let found = [apart[apart.len() - 1], apart[apart.len() / 2]];
        if found[0] > *worst || found[1] > *middle {
            wrong.push(format!("{from} on {onto}: {:.1} %, {:.1} % in the middle", 100.0 * found[0], 100.0 * found[1]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
