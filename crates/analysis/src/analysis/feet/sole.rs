//! Soles: the vertices on which a foot stands.

use glam::Vec3;

use crate::analysis::dominant_joint;
use rigscope_core::matching::{HumanBone, Humanoid};
use rigscope_core::rig::{NodeIndex, Posed, PrimitiveIndex, Rig};

/// Maximum height of a sole's vertices above the lowest one, relative to the foot's height at rest.
const SOLE: f32 = 0.1;

/// Contact height per metre of leg, metres: 2.5 cm for a 0.9 m leg.
const HEIGHT: f32 = 0.025 / 0.9;

const WORDS: [&str; 3] = ["foot", "paw", "hoof"];

/// Returns the feet of a humanoid; for other rigs, the topmost joints whose names contain `foot`, `paw` or `hoof`.
pub fn feet(rig: &Rig) -> Vec<NodeIndex> {
    let humanoid = Humanoid::from_rig(rig);
    let bones = ["leftFoot", "rightFoot"].into_iter().filter_map(HumanBone::named);
    let of_human: Vec<NodeIndex> = bones.filter_map(|bone| humanoid.node(bone)).collect();
    if of_human.len() == 2 {
        return of_human;
    }
    let hierarchy = &rig.hierarchy;
    let is_named = |node: NodeIndex| {
        let name = hierarchy.name(node).to_lowercase();
        rig.is_joint(node) && WORDS.iter().any(|word| name.contains(word))
    };
    hierarchy.nodes().filter(|&node| is_named(node) && !hierarchy.ancestors(node).any(is_named)).collect()
}

pub(super) struct Sole {
    pub foot: NodeIndex,
    /// Indices into the concatenated vertices of all drawn primitives.
    pub vertices: Vec<usize>,
    /// The sole can be in contact only below this height above the floor, metres.
    pub contact_height: f32,
    /// World-space Y of the lowest vertex at rest, metres.
    pub rest_height: f32,
}

impl Sole {
    /// Finds the sole of a foot; returns `None` if the foot moves no vertices. `positions` holds the rest positions of
    /// all drawn vertices.
    pub(super) fn new(
        rig: &Rig,
        rest: &Posed,
        positions: &[Vec3],
        foot: NodeIndex,
        feet: &[NodeIndex],
    ) -> Option<Self> {
        let below = rig.hierarchy.subtree(foot);
        let mut of_foot = Vec::new();
        let mut first = 0;
        for (PrimitiveIndex { instance, primitive }, (_, drawn)) in rig.parts().zip(rig.primitives()) {
            let count = drawn.positions.len();
            let follows = |vertex: &usize| {
                let joint = dominant_joint(rig, instance, primitive, *vertex);
                joint.is_some_and(|joint| below.contains(&joint.index()))
            };
            of_foot.extend((0..count).filter(follows).map(|vertex| first + vertex));
            first += count;
        }
        let height = |vertex: &usize| positions[*vertex].y;
        let rest_height = of_foot.iter().map(height).filter(|y| y.is_finite()).reduce(f32::min)?;
        let top = of_foot.iter().map(height).filter(|y| y.is_finite()).fold(rest_height, f32::max);
        let limit = rest_height + SOLE * (top - rest_height);
        let vertices = of_foot.into_iter().filter(|vertex| height(vertex) <= limit).collect();
        Some(Self { foot, vertices, contact_height: HEIGHT * leg(rig, rest, foot, feet), rest_height })
    }
}

/// Returns the length of a foot's leg in metres, from the foot to the topmost ancestor joint that carries no other
/// foot.
fn leg(rig: &Rig, rest: &Posed, foot: NodeIndex, feet: &[NodeIndex]) -> f32 {
    let hierarchy = &rig.hierarchy;
    let place = |node: NodeIndex| rest.world_from_node[node.index()].translation;
    let bears_another = |node: NodeIndex| {
        let below = hierarchy.subtree(node);
        feet.iter().any(|&other| other != foot && below.contains(&other.index()))
    };
    let mut length = 0.0;
    let mut at = foot;
    for above in hierarchy.ancestors(foot).take_while(|&node| rig.is_joint(node) && !bears_another(node)) {
        length += place(at).distance(place(above));
        at = above;
    }
    // The length is unknown if there is only one foot or if the feet are at the root.
    if length > 0.0 && feet.len() > 1 { length } else { rig.size() / 2.0 }
}
