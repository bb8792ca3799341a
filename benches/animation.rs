//! Clip sampling and forward kinematics, compared with plain glam code.

mod common;

use std::hint::black_box;

use common::{Contestant, head, line, shortest};
use glam::{Affine3, Affine3A, Mat4, Quat, Vec3};
use rayon::prelude::*;
use rigscope::actor::{PoseEvaluator, SharedPose};
use rigscope::analysis::motion::motions;
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::rig::{
    Channel, Clip, ClipMoment, Collider, ColliderShape, Hierarchy, KeySpans, NodeDescription, NodeIndex, Pose,
    Property, Rig, RigData, SpringBones, SpringChain, SpringJoint, SpringState, Trs, evaluate, forward_kinematics_into,
};
use rigscope::skinning::{Deformed, Method, Skinner, Skinning};
use rigscope::stage::{BuiltIn, Document, Source, Stage};
use rigscope::view::PerSide;

const KEYS: usize = 300;
const FRAMES: usize = 600;

/// Creates a chain in which every joint is rotated.
fn chain(joints: usize) -> Hierarchy {
    let node = |i: usize| NodeDescription {
        children: if i + 1 < joints { vec![i + 1] } else { Vec::new() },
        rest: Trs { translation: Vec3::Y * 0.1, rotation: Quat::from_rotation_z(0.02), ..Trs::IDENTITY },
        ..NodeDescription::default()
    };
    Hierarchy::new(&(0..joints).map(node).collect::<Vec<_>>()).expect("a chain is a tree")
}

/// Creates a rig with a 10 s clip: 30 keys per second for translation, rotation and scale. If `shares`, all channels share one array of times.
fn animated(joints: usize, shares: bool) -> Rig {
    let times: std::sync::Arc<[f32]> = (0..KEYS).map(|k| k as f32 / 30.0).collect();
    let channel = |joint: usize, property| {
        let value = |key: usize| {
            let at = (key * 7 + joint * 3) as f32 * 0.1;
            match property {
                Property::Rotation => Quat::from_rotation_x(at.sin()).to_array().to_vec(),
                _ => vec![at.sin(), at.cos(), 1.0],
            }
        };
        let times_secs = if shares { times.clone() } else { times.iter().copied().collect() };
        Channel::linear(NodeIndex(joint as u32), property, times_secs, (0..KEYS).flat_map(value).collect())
    };
    let properties = [Property::Translation, Property::Rotation, Property::Scale];
    let channels = (0..joints).flat_map(|j| properties.map(|p| channel(j, p))).collect();
    let clip = Clip { name: String::new(), duration_secs: KEYS as f32 / 30.0, channels, ..Clip::default() };
    Rig::new(RigData { hierarchy: chain(joints), clips: vec![clip], ..RigData::default() })
}

/// Samples a clip as plain glam code would: with one search and one interpolation per channel.
fn plain_sample(clip: &Clip, time: f32, locals: &mut [Trs]) {
    for channel in &clip.channels {
        let next = channel.times_secs.partition_point(|&t| t <= time).clamp(1, channel.times_secs.len() - 1);
        let (from, to) = (channel.times_secs[next - 1], channel.times_secs[next]);
        let fraction = ((time - from) / (to - from)).clamp(0.0, 1.0);
        let local = &mut locals[channel.node.index()];
        if channel.property == Property::Rotation {
            let [a, b] = [next - 1, next].map(|key| Quat::from_slice(&channel.values[key * 4..]));
            local.rotation = a.slerp(b, fraction);
        } else {
            let [a, b] = [next - 1, next].map(|key| Vec3::from_slice(&channel.values[key * 3..]));
            let value = a.lerp(b, fraction);
            *if channel.property == Property::Scale { &mut local.scale } else { &mut local.translation } = value;
        }
    }
}

fn sampling(joints: usize) {
    let (shared, apart) = (animated(joints, true), animated(joints, false));
    let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| (KeySpans::default(), vec![Trs::IDENTITY; joints]));
    let mut contestants = [
        Contestant::new("plain glam", || {
            (0..FRAMES).for_each(|f| plain_sample(&shared.clips[0], f as f32 / 60.0, black_box(&mut a.1)));
        }),
        Contestant::new("shared times", || {
            (0..FRAMES).for_each(|f| sample(&shared, f as f32 / 60.0, black_box(&mut b)));
        }),
        Contestant::new("own times", || {
            (0..FRAMES).for_each(|f| sample(&apart, f as f32 / 60.0, black_box(&mut c)));
        }),
        Contestant::new("random access", || {
            (0..FRAMES).for_each(|f| sample(&shared, (f * 397 % FRAMES) as f32 / 60.0, black_box(&mut d)));
        }),
    ];
    let times = shortest(100, &mut contestants).into_iter().map(|t| t / FRAMES as u32).collect::<Vec<_>>();
    head(&format!("A clip of {joints} joints, translation, rotation and scale, {KEYS} keys, a moment of it"));
    line("forwards", "plain glam", [times[1], times[0]], 0.25);
    line("forwards, each channel its own times", "plain glam", [times[2], times[0]], 0.35);
    line("to and fro", "plain glam", [times[3], times[0]], 0.3);
}

fn sample(rig: &Rig, time: f32, (spans, locals): &mut (KeySpans, Vec<Trs>)) {
    let tracks = rig.clip_tracks(0).expect("there is a clip");
    tracks.sample_into(&rig.clips[0], time, spans, locals);
}

/// Times forward kinematics for a pose that changes every joint.
fn kinematics(joints: usize) -> [std::time::Duration; 3] {
    let hierarchy = chain(joints);
    let local = hierarchy.rest_locals().to_vec();
    let user: Vec<Trs> =
        (0..joints).map(|j| Trs::from_rotation(Quat::from_rotation_x(0.1 + j as f32 * 1e-6))).collect();
    let (mut pose, mut world) = (Pose::rest(&hierarchy), vec![Affine3::IDENTITY; joints]);
    let mut posed = Pose::rest(&hierarchy);
    user.iter().zip(hierarchy.nodes()).for_each(|(user, node)| posed.set_user_local(node, *user));
    let mut again = world.clone();
    let padded: Vec<Affine3A> = local.iter().map(|a| Affine3A::from(*a)).collect();
    let mut plain = vec![Mat4::IDENTITY; joints];
    let repeat = (64_000 / joints).max(1);
    let mut contestants = [
        Contestant::new("plain glam", || {
            for _ in 0..repeat {
                for node in hierarchy.nodes() {
                    let user = black_box(&user)[node.index()];
                    let user = Affine3A::from_scale_rotation_translation(user.scale, user.rotation, user.translation);
                    let local = Mat4::from(padded[node.index()] * user);
                    plain[node.index()] = hierarchy.parent(node).map_or(local, |p| plain[p.index()] * local);
                }
                black_box(&plain);
            }
        }),
        Contestant::new("pose and kinematics", || {
            for _ in 0..repeat {
                for (user, node) in black_box(&user).iter().zip(hierarchy.nodes()) {
                    pose.set_user_local(node, *user);
                }
                forward_kinematics_into(black_box(&hierarchy), &local, &pose, &mut world);
                black_box(&world);
            }
        }),
        Contestant::new("kinematics alone", || {
            for _ in 0..repeat {
                forward_kinematics_into(black_box(&hierarchy), &local, &posed, &mut again);
                black_box(&again);
            }
        }),
    ];
    let times = shortest(100, &mut contestants);
    [0, 1, 2].map(|i| times[i] / (repeat * joints) as u32)
}

/// Times a step of springs (rows of ten, one collider per row) and the forward kinematics of the same joints.
fn springs(joints: usize) -> [std::time::Duration; 2] {
    const ROW: usize = 10;
    let node = |i: usize| NodeDescription {
        children: if (i + 1).is_multiple_of(ROW) { Vec::new() } else { vec![i + 1] },
        rest: Trs::from_translation(Vec3::Y * 0.1),
        ..NodeDescription::default()
    };
    let hierarchy = Hierarchy::new(&(0..joints).map(node).collect::<Vec<_>>()).expect("chains are a forest");
    let joint = |node: usize| SpringJoint {
        node: NodeIndex(node as u32),
        tail: Vec3::Y * 0.1,
        is_leaf: false,
        stiffness: 0.5,
        gravity: Vec3::NEG_Z * 0.3,
        drag: 0.4,
        hit_radius: 0.02,
    };
    let rows = 0..joints / ROW;
    let shape = ColliderShape::Sphere { offset: Vec3::new(0.0, 0.2, -0.1), radius: 0.05, is_inside: false };
    let bones = SpringBones {
        colliders: rows.clone().map(|row| Collider { node: NodeIndex((row * ROW) as u32), shape }).collect(),
        chains: rows
            .map(|row| SpringChain {
                joints: (1..ROW - 1).map(|at| joint(row * ROW + at)).collect(),
                colliders: vec![row],
                ..SpringChain::default()
            })
            .collect(),
    };
    let rig = Rig::new(RigData { hierarchy, spring_bones: bones, ..RigData::default() });
    let (springs, hierarchy) = (rig.behaviours().springs(), &rig.hierarchy);
    let pose = Pose::rest(hierarchy);
    let posed = evaluate(&rig, None, &pose);
    let mut state = SpringState::at_rest(springs, hierarchy, &pose, &posed);
    let (local, mut world) = (posed.clip_local.clone(), posed.world_from_node.clone());
    let mut contestants = [
        Contestant::new("forward kinematics", || {
            forward_kinematics_into(black_box(hierarchy), &local, &pose, &mut world);
            black_box(&world);
        }),
        Contestant::new("springs", || state.step(black_box(springs), hierarchy, &pose, &posed)),
    ];
    let times = shortest(1000, &mut contestants);
    [times[0], times[1]]
}

/// Times the measures of a clip with both methods, and posing and skinning alone.
fn motion(name: &str, source: &Source, clip: &str) {
    let document = Document::open(source, &Job::default()).expect("the file opens");
    let rig = std::sync::Arc::clone(&document.rig);
    let number = rig.clips.iter().position(|c| c.name == clip).unwrap_or(0);
    let stage = Stage::new(document);
    let skinners = PerSide::from([Method::Lbs, Method::Dqs])
        .map(|method| std::sync::Arc::new(Skinner::new(&rig, &Skinning::new(method)).expect("it suits")));
    let job = stage.motion_job(skinners.clone(), vec![number], None);
    let found = motions(&job, &Progress::default()).expect("nobody cancels it");
    let times = &found.clips[0].times_secs;
    let skinned = |(poser, pose, deformed): &mut (PoseEvaluator, SharedPose, Deformed), time: &f32| {
        let moment = ClipMoment::new(number, *time);
        poser.pose_into(&rig, Some(moment), &Pose::rest(&rig.hierarchy), pose);
        for skinner in skinners.iter() {
            rig.parts().for_each(|part| skinner.deform_positions_into(part, pose.skin_pose(), deformed));
            black_box(&*deformed);
        }
    };
    let mut contestants = [
        Contestant::new("posing and skinning", || times.par_iter().for_each_init(Default::default, skinned)),
        Contestant::new("motion", || _ = black_box(motions(&job, &Progress::default()))),
    ];
    let shortest = shortest(40, &mut contestants);
    head(&format!("{} frames of {name}, both sides", times.len()));
    line("all measures", "posing and skinning alone", [shortest[1], shortest[0]], 4.0);
}

fn main() {
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    sampling(64);
    head("Forward kinematics of a chain, a joint of it");
    for joints in [64, 1000, 10_000, 100_000] {
        let [plain, whole, alone] = kinematics(joints);
        line(&format!("{joints} joints, from the user's pose"), "plain glam, no pose", [whole, plain], 1.4);
        line(&format!("{joints} joints, already posed"), "plain glam, no pose", [alone, plain], 0.8);
    }
    head("Springs, a step of 1/60 s");
    for joints in [500, 5000] {
        let [kinematics, step] = springs(joints);
        line(&format!("{joints} joints, 8 of 10 of them springs"), "forward kinematics", [step, kinematics], 40.0);
    }
    motion("the figure's walk", &Source::BuiltIn(BuiltIn::Figure), "walk");
    let folder = std::env::var("RIGSCOPE_SAMPLES").unwrap_or_else(|_| "../shared/samples".to_owned());
    let man = std::path::Path::new(&folder).join("khronos/CesiumMan/CesiumMan.glb");
    if man.is_file() {
        motion("CesiumMan's walk", &Source::File(man), "");
    }
}
