//! Rules about the influences of individual vertices: too many, too light, repeated joints, unusual order.

use super::Code;
use super::finding::{FindingList, LintedPrimitive};
use rigscope_core::rig::VertexList;
use rigscope_core::text::counted;

const TINY: f32 = 1.0 / 255.0;
/// Number of influences per vertex that most engines support.
const COMMON_SLOTS: usize = 4;

/// Finds vertices with more than 4 influences, with influences below 1/255, or with repeated joints.
pub(super) fn slots(part: &LintedPrimitive<'_>, findings: &mut FindingList) {
    let Some(influences) = &part.primitive.influences else { return };
    let (mut many, mut tiny, mut repeated) = (VertexList::default(), VertexList::default(), VertexList::default());
    let mut max_influences = 0;
    let mut used: Vec<(usize, f32)> = Vec::new();
    for vertex in 0..influences.len() {
        used.clear();
        used.extend(influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0));
        if used.len() > COMMON_SLOTS {
            many.push(vertex);
            max_influences = max_influences.max(used.len());
        }
        if used.iter().any(|(_, weight)| *weight < TINY) {
            tiny.push(vertex);
        }
        if used.iter().enumerate().any(|(i, (joint, _))| used[..i].iter().any(|(other, _)| other == joint)) {
            repeated.push(vertex);
        }
    }
    let vertices = |list: &VertexList| counted(list.count(), "vertex", "vertices");
    let text = format!("{} with more than {COMMON_SLOTS} influences, up to {max_influences}", vertices(&many));
    findings.vertices(Code::ManyInfluences, part, many, text);
    let text = format!("{} with an influence under 1/255", vertices(&tiny));
    findings.vertices(Code::TinyInfluence, part, tiny, text);
    let text = format!("{} with the same joint in two slots", vertices(&repeated));
    findings.vertices(Code::RepeatedJoint, part, repeated, text);
}

/// Finds vertices whose heaviest weights are not in the file's first set of influences.
pub(super) fn stored_order(part: &LintedPrimitive<'_>, findings: &mut FindingList) {
    let Some(stored) = &part.primitive.stored_influences else { return };
    let (mut outside, mut empty) = (VertexList::default(), VertexList::default());
    let mut max_lost = 0.0_f32;
    for (vertex, _, weights) in stored.iter() {
        let (first, further) = weights.split_at(weights.len().min(COMMON_SLOTS));
        let heaviest = further.iter().copied().fold(0.0, f32::max);
        if heaviest < TINY {
            continue;
        }
        if first.iter().all(|weight| *weight == 0.0) {
            empty.push(vertex as usize);
        } else if first.iter().any(|weight| *weight < heaviest) {
            outside.push(vertex as usize);
            let sum = |weights: &[f32]| weights.iter().sum::<f32>();
            max_lost = max_lost.max(sum(further) / sum(weights));
        }
    }
    let vertices = |list: &VertexList| counted(list.count(), "vertex", "vertices");
    let text = format!(
        "{} with heavier weights behind the first four as stored: engines that read one set lose up to {:.0} % of the weight",
        vertices(&outside),
        100.0 * max_lost
    );
    findings.vertices(Code::HeavyOutsideFirst, part, outside, text);
    let text = format!(
        "{} whose first set of weights is all zero: engines that read one or two sets collapse them",
        vertices(&empty)
    );
    findings.vertices(Code::FirstSetEmpty, part, empty, text);
}
