//! Matching of joints and vertices between files: every matcher is tested with the same odd pairs.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use common::limbs::dense;
use common::odd_pairs::{self, OddPair};
use glam::{Quat, Vec3};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::matching::{RigCounterparts, VertexPairs, rounding_m};
use rigscope::posing::transferred_clips;
use rigscope::rig::{Channel, Clip, Influences, NodeIndex, Property, Rig, RigData, Trs};
use rigscope::stage::{Document, Source};
use rigscope::state::{AfterLoad, AppState, Command, JobResult, PathUse, Settings};
use rigscope::view::Side;
use rigscope::weights::transfer;

/// A pair after opening its files.
struct Opened<'a> {
    pair: &'a OddPair,
    rigs: [Arc<Rig>; 2],
    paths: [&'a Path; 2],
}

/// Result of a matcher: for each joint or vertex of the first file, the index of the node or vertex in the second file.
type Answer = Vec<Option<usize>>;

/// Runs a matcher.
type Ask = fn(&Opened<'_>) -> Answer;

/// Joint matchers, with their names.
const JOINTS: [(&str, Ask); 5] = [
    ("side B", joints_of_side_b),
    ("diff", joints_of_diff),
    ("clips", joints_of_clips),
    ("weights", joints_of_weights),
    ("reload", joints_of_reload),
];
const VERTICES: [(&str, Ask); 2] = [("side B", vertices_of_side_b), ("diff", vertices_of_diff)];

impl Opened<'_> {
    fn joints(&self) -> &[NodeIndex] {
        &self.rigs[0].skins[0].joints
    }

    /// Returns the file's index of a node of the second rig.
    fn number(&self, node: NodeIndex) -> usize {
        self.rigs[1].hierarchy.source(node)
    }

    fn opened(&self) -> AppState {
        AppState::new(self.document(0), Settings::default())
    }

    fn document(&self, side: usize) -> Document {
        Document::open(&Source::File(self.paths[side].to_owned()), &Job::default()).unwrap()
    }

    fn compared(&self) -> AppState {
        let mut state = self.opened();
        state.apply(Command::UsePath(PathUse::CompareWith, self.paths[1].to_owned()));
        state.open.stage.compute_pending(&Job::default());
        state
    }

    fn matched(&self) -> RigCounterparts {
        RigCounterparts::between(&self.rigs[0], &self.rigs[1], rounding_m(&self.rigs[0]), &Progress::default()).unwrap()
    }
}

fn turn(number: usize) -> Quat {
    Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.1 * (number + 1) as f32)
}

/// Rotates one joint at a time. Returns the joint of side B that rotates.
fn joints_of_side_b(opened: &Opened<'_>) -> Answer {
    let mut state = opened.compared();
    let locals = |state: &mut AppState| -> Vec<Quat> {
        state.open.stage.refresh();
        let posed = Arc::clone(&state.open.stage.actor(Side::B).pose.posed);
        let hierarchy = &opened.rigs[1].hierarchy;
        let world = |node: NodeIndex| posed.world_from_node[node.index()];
        let local = |node| hierarchy.parent(node).map_or(world(node), |parent| world(parent).inverse() * world(node));
        hierarchy.nodes().map(|node| Quat::from_mat3(&local(node).matrix3)).collect()
    };
    let rest = locals(&mut state);
    let turned = |&joint: &NodeIndex| {
        state.apply(Command::Edit { node: joint, user_local: Trs::from_rotation(turn(3)) });
        let now = locals(&mut state);
        state.apply(Command::Edit { node: joint, user_local: Trs::IDENTITY });
        let mut moved = (0..).map(NodeIndex).zip(rest.iter().zip(&now));
        moved.find(|(_, (rest, now))| rest.angle_between(**now) > 0.01).map(|(node, _)| opened.number(node))
    };
    opened.joints().to_vec().iter().map(turned).collect()
}

fn joints_of_diff(opened: &Opened<'_>) -> Answer {
    let matched = opened.matched();
    opened.joints().iter().map(|joint| Some(opened.number(matched.joints.new_for(*joint)?))).collect()
}

/// Transfers a clip that scales one joint at a time. Returns the joint that the transferred clip scales.
fn joints_of_clips(opened: &Opened<'_>) -> Answer {
    let clip = |node: NodeIndex| Clip {
        duration_secs: 1.0,
        channels: vec![Channel::linear(node, Property::Scale, [0.0, 1.0], [[1.0; 3], [2.0; 3]].concat())],
        ..Clip::default()
    };
    let scaled = |&joint: &NodeIndex| {
        let from = Rig::new(RigData { clips: vec![clip(joint)], ..(**opened.rigs[0]).clone() });
        let found = transferred_clips(&from, &opened.rigs[1]).clips;
        let channel = found.first()?.channels.iter().find(|channel| channel.property == Property::Scale)?;
        Some(opened.number(channel.node))
    };
    opened.joints().iter().map(scaled).collect()
}

/// Transfers weights that follow one joint at a time. Returns the joint that gets them.
fn joints_of_weights(opened: &Opened<'_>) -> Answer {
    let joints = &opened.rigs[1].skins[0].joints;
    let carried = |number: usize| {
        let mut parts = (**opened.rigs[0]).clone();
        let primitive = &mut parts.meshes[0].primitives[0];
        let count = primitive.positions.len();
        primitive.influences = Some(Influences::new(1, vec![number as u16; count], vec![1.0; count]));
        let made = transfer(&opened.rigs[1], &Rig::new(parts), &Progress::default()).unwrap();
        let name = opened.rigs[0].hierarchy.name(opened.joints()[number]);
        if made.notes.iter().any(|note| note.starts_with("Joints that are not here, whose") && note.contains(name)) {
            return None;
        }
        let row = dense(made.weights.get(0, 0)?, joints.len()).swap_remove(0);
        row.iter().position(|share| *share > 0.5).map(|joint| opened.number(joints[joint]))
    };
    (0..opened.joints().len()).map(carried).collect()
}

/// Rotates all joints, then reloads with the second file in place of the first. Returns the joints that have the
/// rotations.
fn joints_of_reload(opened: &Opened<'_>) -> Answer {
    let mut state = opened.opened();
    for (number, joint) in opened.joints().iter().enumerate() {
        state.apply(Command::Edit { node: *joint, user_local: Trs::from_rotation(turn(number)) });
    }
    let again = JobResult::Document(Box::new(opened.document(1)), AfterLoad::Reload { is_asked: true });
    state.receive(again);
    let is_for = |node: NodeIndex, number: usize| {
        state.open.stage.pose().is_posed(node)
            && state.open.stage.pose().user_local(node).rotation.angle_between(turn(number)) < 0.01
    };
    let mut nodes = (0..opened.joints().len()).map(|number| {
        state.open.stage.rig().hierarchy.nodes().find(|node| is_for(*node, number)).map(|node| opened.number(node))
    });
    nodes.by_ref().collect()
}

fn vertices_of_side_b(opened: &Opened<'_>) -> Answer {
    let count = opened.pair.vertices.len();
    match opened.compared().open.stage.characters.matched_versions() {
        Some(Ok(matching)) => match &*matching {
            VertexPairs::InOrder => (0..count).map(Some).collect(),
            VertexPairs::ByPlace { to_second, .. } => {
                to_second.iter().map(|vertex| Some(*vertex as usize).filter(|vertex| *vertex < count)).collect()
            }
        },
        _ => vec![None; count],
    }
}

fn vertices_of_diff(opened: &Opened<'_>) -> Answer {
    let matched = opened.matched();
    let vertices = matched.vertices(0);
    (0..opened.pair.vertices.len()).map(|vertex| vertices?.new_for(vertex)).collect()
}

/// Formats node indices, with `-` for `None`.
fn joints_in_words(answer: &[Option<usize>]) -> String {
    answer.iter().map(|node| node.map_or_else(|| "-".to_owned(), |node| node.to_string())).collect()
}

/// Formats the number of correctly matched vertices.
fn vertices_in_words(answer: &[Option<usize>], expected: &[usize]) -> String {
    let right = answer.iter().zip(expected).filter(|(found, expected)| **found == Some(**expected)).count();
    if right == expected.len() { "all".to_owned() } else { format!("{right} of {}", expected.len()) }
}

#[test]
fn all_who_ask_which_is_which_give_the_right_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = String::new();
    let mut is_any_wrong = false;
    for pair in odd_pairs::all() {
        let paths = ["first.glb", "second.glb"].map(|name| folder.path().join(name));
        let built = pair.build();
        let rigs = [0, 1].map(|side| {
            std::fs::write(&paths[side], &built[side]).unwrap();
            Arc::new(import_bytes(&built[side], &Job::default()).unwrap().rig)
        });
        let opened = Opened { pair: &pair, rigs, paths: [&paths[0], &paths[1]] };
        let expected = joints_in_words(&pair.joints);
        let joints = JOINTS.map(|(_, ask)| (joints_in_words(&ask(&opened)), expected.clone()));
        let vertices = VERTICES.map(|(_, ask)| (vertices_in_words(&ask(&opened), &pair.vertices), "all".to_owned()));
        write!(table, "{:48} {expected:8}", pair.name).unwrap();
        for (says, expected) in joints.into_iter().chain(vertices) {
            write!(table, " {:12}", if says == expected { "." } else { &*says }).unwrap();
            is_any_wrong |= says != expected;
        }
        table.push('\n');
    }
    let heads: String = JOINTS
        .map(|(who, _)| format!(" {who:12}"))
        .into_iter()
        .chain(VERTICES.map(|(who, _)| format!(" {:12}", format!("v. {who}"))))
        .collect();
    assert!(!is_any_wrong, "{:48} {:8}{heads}\n{table}", "", "expected");
}
