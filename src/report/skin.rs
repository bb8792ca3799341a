//! Skin of the interactive view: bind positions, joints and weights of all skins in one common space.

use std::collections::{BTreeMap, HashMap};

use glam::{Affine3, DAffine3, DMat3, Vec3};
use serde_json::{Value, json};

use super::model::primitive;
use super::quantization::{QuantizedRange, signed, unsigned};
use crate::rig::{Influences, NodeIndex, Pose, Posed, PrimitiveIndex, Rig, evaluate, polar_f64};
use crate::skinning::{JointTransform, Palette, morphed, subset};

/// Maximum number of joints per vertex; only the heaviest joints are stored.
const MAX_SLOTS: usize = 8;
/// Minimum number of joints stored per vertex.
const FEW_SLOTS: usize = 4;
const WHOLE_WEIGHT: f32 = 65535.0;

pub(super) struct PageSkin {
    range: QuantizedRange,
    whole: Vec<[i16; 3]>,
    /// Influences with dequantised weights that sum to 1.
    pub influences: Influences,
    weights: Vec<u16>,
    pub joints: Vec<PageJoint>,
}

/// A joint of a skin, or the node of an unskinned primitive.
pub(super) struct PageJoint {
    node: NodeIndex,
    /// `IB_j` times the transform from the common space to the skin's space.
    inverse_bind: Affine3,
    /// `x_j`, the bind position in the common space.
    pub bind_position: Vec3,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum JointKey {
    OfSkin(usize, usize),
    Node(NodeIndex),
}

impl PageSkin {
    /// Creates the skin. Applies `morph_weights` to the positions.
    pub(super) fn new(rig: &Rig, vertices: &[(PrimitiveIndex, usize)], morph_weights: &[Vec<f32>]) -> Self {
        let rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let mut joints = Joints { rig, list: Vec::new(), numbers: HashMap::new() };
        let mut positions = vec![Vec3::ZERO; vertices.len()];
        let mut slots = vec![Vec::new(); vertices.len()];
        let mut by_part: BTreeMap<PrimitiveIndex, Vec<usize>> = BTreeMap::new();
        for (number, (part, _)) in vertices.iter().enumerate() {
            by_part.entry(*part).or_default().push(number);
        }
        for (part, numbers) in by_part {
            let placed: Vec<u32> = numbers.iter().map(|&number| vertices[number].1 as u32).collect();
            let some = subset(primitive(rig, part), &placed);
            let to_common = common_from_skin(rig, &rest, part);
            let weights = morph_weights.get(part.instance).map_or(&[][..], Vec::as_slice);
            let morphed = morphed(&some, weights);
            for (at, (&number, position)) in numbers.iter().zip(morphed.surface().positions).enumerate() {
                let position = to_common.transform_point3(position.as_dvec3()).as_vec3();
                positions[number] = if position.is_finite() { position } else { Vec3::ZERO };
                slots[number] = joints.slots(part, some.influences.as_ref(), at, &to_common);
            }
        }
        let range = QuantizedRange::from_points(positions.iter().copied());
        let whole = positions.iter().map(|position| range.quantize(*position)).collect();
        let slot_count = slots.iter().map(Vec::len).max().unwrap_or(0);
        let per_vertex = if slot_count > FEW_SLOTS { MAX_SLOTS } else { FEW_SLOTS };
        let filled = slots.iter().flat_map(|slots| {
            let first = slots.first().map_or(0, |(joint, _)| *joint);
            (0..per_vertex).map(move |slot| slots.get(slot).copied().unwrap_or((first, 0)))
        });
        let (numbers, weights): (Vec<u16>, Vec<u16>) = filled.unzip();
        let shares = weights.chunks_exact(per_vertex).flat_map(|weights| {
            let sum: f32 = weights.iter().map(|&weight| f32::from(weight)).sum();
            weights.iter().map(move |&weight| f32::from(weight) / sum.max(1.0))
        });
        let influences = Influences::new(per_vertex, numbers, shares.collect());
        Self { range, whole, influences, weights, joints: joints.list }
    }

    pub(super) fn positions(&self) -> Vec<Vec3> {
        self.whole.iter().map(|whole| self.range.point(*whole)).collect()
    }

    pub(super) fn palette(&self, posed: &Posed) -> Palette {
        let transform = |joint: &PageJoint| {
            let matrix = posed.world_from_node[joint.node.index()] * joint.inverse_bind;
            let matrix = if matrix.is_finite() { matrix } else { Affine3::IDENTITY };
            JointTransform::new(matrix, joint.bind_position)
        };
        Palette::from(self.joints.iter().map(transform).collect::<Vec<_>>())
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "center": self.range.center.to_array(),
            "reach": self.range.reach,
            "positions": signed(self.whole.as_flattened().iter().copied()),
            "slots": self.influences.per_vertex(),
            "joints": unsigned(self.influences.joints().iter().copied()),
            "weights": unsigned(self.weights.iter().copied()),
            "bind": self.joints.iter().flat_map(|joint| joint.bind_position.to_array()).collect::<Vec<f32>>(),
        })
    }
}

struct Joints<'a> {
    rig: &'a Rig,
    list: Vec<PageJoint>,
    numbers: HashMap<JointKey, u16>,
}

impl Joints<'_> {
    /// Returns the joint numbers and quantised weights of a vertex, heaviest first. Zero weights are left out.
    fn slots(
        &mut self,
        part: PrimitiveIndex,
        influences: Option<&Influences>,
        vertex: usize,
        to_common: &DAffine3,
    ) -> Vec<(u16, u16)> {
        let placed = &self.rig.instances[part.instance];
        let (Some(influences), Some(skin)) = (influences, placed.skin) else {
            return vec![(self.number(JointKey::Node(placed.node), to_common), WHOLE_WEIGHT as u16)];
        };
        let heaviest: Vec<(usize, f32)> = influences.vertex(vertex).take(MAX_SLOTS).collect();
        let sum: f32 = heaviest.iter().map(|(_, weight)| weight).sum();
        let whole = heaviest.into_iter().map(|(joint, weight)| (joint, (weight / sum * WHOLE_WEIGHT).round() as u16));
        let counted: Vec<(usize, u16)> = whole.filter(|(_, weight)| *weight > 0).collect();
        counted
            .into_iter()
            .map(|(joint, weight)| (self.number(JointKey::OfSkin(skin, joint), to_common), weight))
            .collect()
    }

    fn number(&mut self, known: JointKey, to_common: &DAffine3) -> u16 {
        if let Some(number) = self.numbers.get(&known) {
            return *number;
        }
        let (node, inverse_bind) = match known {
            JointKey::OfSkin(skin, joint) => {
                (self.rig.skins[skin].joints[joint], self.rig.skins[skin].inverse_bind[joint])
            }
            JointKey::Node(node) => (node, Affine3::IDENTITY),
        };
        let from_common = inverse_bind.as_daffine3() * to_common.inverse();
        let bound = from_common.inverse().translation;
        let bind_position = if bound.is_finite() { bound } else { to_common.translation }.as_vec3();
        // A number too large for 16 bits would need 10,000 vertices with seven joints each, none of them shared.
        let number = u16::try_from(self.list.len()).unwrap_or(u16::MAX);
        self.list.push(PageJoint { node, inverse_bind: from_common.as_affine3(), bind_position });
        self.numbers.insert(known, number);
        number
    }
}

/// Returns the transform from a primitive's skin space to the common space: the primitive's transform at rest, with the
/// stretch replaced by a uniform scale.
fn common_from_skin(rig: &Rig, rest: &Posed, part: PrimitiveIndex) -> DAffine3 {
    let placed = &rig.instances[part.instance];
    let skin = placed.skin.map(|skin| &rig.skins[skin]).filter(|skin| !skin.joints.is_empty());
    let world_from_skin = skin.map_or(rest.world_from_node[placed.node.index()], |skin| {
        rest.world_from_node[skin.joints[0].index()] * skin.inverse_bind[0]
    });
    let (rotation, stretch) = polar_f64(world_from_skin.as_daffine3().matrix3);
    let scale = stretch.determinant().abs().cbrt();
    let common =
        DAffine3 { matrix3: DMat3::from_quat(rotation) * scale, translation: world_from_skin.translation.as_dvec3() };
    if common.is_finite() && scale > 1e-9 { common } else { DAffine3::IDENTITY }
}
