//! What the vertices that an explanation doesn't explain have in common.

use glam::DVec3;

use rigscope_core::rig::NodeIndex;
use rigscope_core::text::counted;

use super::diagnosis::FITS;
use super::matching::MatchedPoints;
use super::raw::RawRig;

/// Describes the vertices that disagree: "120 of 4,000 vertices: below the joint \"Hips\""; `None` if all or none do.
pub(super) fn describe(raw: &RawRig<'_>, matched: &MatchedPoints, points: &[DVec3], size: f64) -> Option<String> {
    let is_off: Vec<bool> = points
        .iter()
        .zip(&matched.points)
        .map(|(a, b)| {
            let distance = a.distance(*b);
            !distance.is_finite() || distance > FITS * 0.1 * size
        })
        .collect();
    let count = is_off.iter().filter(|is_off| **is_off).count();
    if count == 0 || count == is_off.len() {
        return None;
    }
    let off = || matched.vertices.iter().zip(&is_off).filter(|(_, is_off)| **is_off).map(|(vertex, _)| *vertex);
    // Whether a property holds for all vertices that disagree and hardly any other.
    let is_shared = |has: &dyn Fn(usize, usize) -> bool| {
        let holds = matched.vertices.iter().filter(|(part, vertex)| has(*part, *vertex as usize)).count();
        off().all(|(part, vertex)| has(part, vertex as usize)) && holds <= count + count / 4
    };
    let many = |part: usize, vertex: usize| raw.parts[part].influence_count(vertex) > 4;
    let several = |part: usize, vertex: usize| raw.parts[part].influence_count(vertex) > 1;
    let (first, _) = off().next()?;
    let first = &raw.parts[first];
    let name = |node: usize| raw.rig.hierarchy.name(NodeIndex::from(node)).to_owned();
    let shared = if is_shared(&many) {
        "all have more than four influences".to_owned()
    } else if is_shared(&|part, _| {
        raw.parts[part].instance == first.instance && raw.parts[part].primitive.source == first.primitive.source
    }) {
        format!("primitive {} of the node \"{}\"", first.primitive.source, name(first.node))
    } else if is_shared(&|part, _| raw.parts[part].skin == first.skin) {
        first
            .skin
            .map_or_else(|| "meshes without a skin".to_owned(), |skin| format!("skin {}", raw.rig.skins[skin].source))
    } else {
        let joints = || off().filter_map(|(part, vertex)| heaviest(raw, part, vertex as usize));
        let common = joints().reduce(|a, b| common_ancestor(raw, a, b))?;
        let hierarchy = &raw.rig.hierarchy;
        let below = hierarchy.subtree(NodeIndex::from(common));
        let is_below =
            |part: usize, vertex: usize| heaviest(raw, part, vertex).is_some_and(|joint| below.contains(&joint));
        let inside = matched.vertices.iter().filter(|(part, vertex)| is_below(*part, *vertex as usize)).count();
        if inside < is_off.len() && count * 3 >= inside {
            format!("at or below the joint \"{}\"", name(common))
        } else if is_shared(&several) {
            "all have more than one influence".to_owned()
        } else {
            "they share no joint, mesh or number of influences".to_owned()
        }
    };
    Some(format!("{} of {} disagree: {shared}", count, counted(is_off.len(), "vertex", "vertices")))
}

fn heaviest(raw: &RawRig<'_>, part: usize, vertex: usize) -> Option<usize> {
    let part = raw.parts.get(part)?;
    let Some(skin) = part.skin else { return Some(part.node) };
    let influences = part.primitive.influences.as_ref()?;
    let (joint, _) = influences.vertex(vertex).next()?;
    raw.rig.skins.get(skin)?.joints.get(joint).map(|node| node.index())
}

fn common_ancestor(raw: &RawRig<'_>, mut a: usize, mut b: usize) -> usize {
    // Parents come before children.
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        match raw.nodes.get(*later).and_then(|node| node.parent) {
            Some(parent) => *later = parent,
            None => return 0,
        }
    }
    a
}
