//! Joint colours, per node and mixed per vertex.

use std::f32::consts::TAU;

use glam::Vec3;

use super::each_vertex;
use rigscope_core::rig::{Influences, MeshInstance, Primitive, Rig};
use rigscope_core::view::srgb_from_oklab;

const UNSKINNED: [u8; 3] = [128; 3];

/// Hue step between siblings, as a fraction of the hue circle. The golden ratio spreads any number of hues evenly.
const HUE_STEP: f32 = 0.618_034;
/// `OKLab` chroma of joint colours.
const CHROMA: f32 = 0.13;
/// `OKLab` lightnesses of joint colours; successive children alternate between the two.
const LIGHTNESS: [f32; 2] = [0.72, 0.82];

/// Returns the sRGB colour of each vertex: the colours of its joints, mixed by weight in the perceptually uniform
/// `OKLab`.
pub fn joint_colors(rig: &Rig) -> Vec<Vec<[u8; 3]>> {
    parts(rig, |influences, v, lab| {
        influences.vertex(v).fold(Vec3::ZERO, |sum, (joint, weight)| sum + lab[joint] * weight)
    })
}

/// Returns the sRGB colour of each vertex's heaviest joint.
pub fn dominant_joint(rig: &Rig) -> Vec<Vec<[u8; 3]>> {
    parts(rig, |influences, v, lab| influences.vertex(v).next().map_or(Vec3::ZERO, |(joint, _)| lab[joint]))
}

/// Returns the sRGB colour of each node. Its hue differs clearly from the hues of the parent, siblings and children.
pub fn node_colors(rig: &Rig) -> Vec<[u8; 3]> {
    lab_of_nodes(rig).into_iter().map(srgb_from_oklab).collect()
}

/// Computes the sRGB colour of each vertex. `lab` returns the colour in `OKLab`, given the influences, the vertex index
/// and the joint colours.
fn parts(rig: &Rig, lab: impl Fn(&Influences, usize, &[Vec3]) -> Vec3 + Sync) -> Vec<Vec<[u8; 3]>> {
    let nodes = lab_of_nodes(rig);
    let of_part = |(instance, primitive): (&MeshInstance, &Primitive)| {
        let count = primitive.positions.len();
        let Some((influences, skin)) = primitive.influences.as_ref().zip(instance.skin) else {
            return vec![UNSKINNED; count];
        };
        let joints: Vec<Vec3> = rig.skins[skin].joints.iter().map(|joint| nodes[joint.index()]).collect();
        each_vertex(count, |v| srgb_from_oklab(lab(influences, v, &joints)))
    };
    rig.primitives().map(of_part).collect()
}

fn lab_of_nodes(rig: &Rig) -> Vec<Vec3> {
    let hierarchy = &rig.hierarchy;
    let mut hues = vec![0.0_f32; hierarchy.len()];
    let mut colors = vec![Vec3::ZERO; hierarchy.len()];
    let mut children = vec![0_usize; hierarchy.len()];
    for node in hierarchy.nodes() {
        let (from, number) = match hierarchy.parent(node) {
            Some(parent) => {
                children[parent.index()] += 1;
                (hues[parent.index()], children[parent.index()])
            }
            None => (0.0, 0),
        };
        let hue = (from + number as f32 * HUE_STEP).fract();
        hues[node.index()] = hue;
        let (sin, cos) = (hue * TAU).sin_cos();
        colors[node.index()] = Vec3::new(LIGHTNESS[number % 2], CHROMA * cos, CHROMA * sin);
    }
    colors
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::testing::chain;
    use rigscope_core::rig::{RigData, Trs};

    #[test]
    fn joints_near_in_the_tree_are_far_in_colour() {
        let rig = Rig::new(RigData { hierarchy: chain(1000, Trs::IDENTITY), ..RigData::default() });
        let colors = lab_of_nodes(&rig);
        for near in 1..=3 {
            let min_distance = colors.windows(near + 1).map(|w| w[0].distance(w[near])).fold(f32::MAX, f32::min);
            assert!(min_distance > 0.09, "{near} steps apart: {min_distance}");
        }
    }
}
