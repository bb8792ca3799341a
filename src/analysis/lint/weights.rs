//! Rules about the influences of single vertices: too many, too light, the same joint twice.

use super::Code;
use super::finding::{FindingList, LintedPrimitive};
use crate::rig::VertexList;
use crate::text::counted;

/// Smallest weight above 0 that 8 bits can hold.
const TINY: f32 = 1.0 / 255.0;
/// Influences per vertex that most engines keep.
const COMMON_SLOTS: usize = 4;

/// Finds more influences than 4, influences under 1/255, and joints named twice.
pub(super) fn slots(part: &LintedPrimitive<'_>, findings: &mut FindingList) {
    let Some(influences) = &part.primitive.influences else { return };
    let (mut many, mut tiny, mut repeated) = (VertexList::default(), VertexList::default(), VertexList::default());
    let mut most = 0;
    let mut used: Vec<(usize, f32)> = Vec::new();
    for vertex in 0..influences.len() {
        used.clear();
        used.extend(influences.of(vertex).filter(|(_, weight)| *weight > 0.0));
        if used.len() > COMMON_SLOTS {
            many.push(vertex);
            most = most.max(used.len());
        }
        if used.iter().any(|(_, weight)| *weight < TINY) {
            tiny.push(vertex);
        }
        if used.iter().enumerate().any(|(i, (joint, _))| used[..i].iter().any(|(other, _)| other == joint)) {
            repeated.push(vertex);
        }
    }
    let vertices = |list: &VertexList| counted(list.count(), "vertex", "vertices");
    let text = format!("{} with more than {COMMON_SLOTS} influences, up to {most}", vertices(&many));
    findings.vertices(Code::ManyInfluences, part, many, text);
    let text = format!("{} with an influence under 1/255", vertices(&tiny));
    findings.vertices(Code::TinyInfluence, part, tiny, text);
    let text = format!("{} with the same joint in two slots", vertices(&repeated));
    findings.vertices(Code::RepeatedJoint, part, repeated, text);
}
