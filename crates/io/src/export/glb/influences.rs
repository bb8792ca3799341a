use serde_json::{Map, Value, json};

use super::buffer::{Component, GlbBuffer, ViewContent};
use rigscope_core::rig::Influences;

/// Adds `JOINTS_n` and `WEIGHTS_n`, in enough sets for the vertex with the most influences. As glTF requires, the
/// joints of a vertex are unique, and zero-weight slots refer to joint 0.
pub(super) fn add_influences(influences: &Influences, attributes: &mut Map<String, Value>, buffer: &mut GlbBuffer) {
    let merged;
    let influences = if (0..influences.len()).any(|vertex| has_repeated(influences, vertex)) {
        merged = merge_repeated(influences);
        &merged
    } else {
        influences
    };
    let used = (0..influences.len()).map(|v| influences.vertex(v).filter(|(_, w)| *w > 0.0).count()).max().unwrap_or(0);
    for set in 0..used.div_ceil(4) {
        let slots = |vertex: usize| {
            let mut slots = influences.vertex(vertex).skip(set * 4).filter(|(_, weight)| *weight > 0.0);
            std::array::from_fn::<_, 4, _>(|_| slots.next().unwrap_or_default())
        };
        let vertices = || (0..influences.len()).map(slots);
        let joints = if influences.joint_count() <= usize::from(u8::MAX) + 1 {
            joints(vertices(), |joint| joint as u8, buffer)
        } else {
            joints(vertices(), |joint| joint as u16, buffer)
        };
        let weights = buffer.rows(vertices().map(|slots| slots.map(|(_, weight)| weight)), ViewContent::Vertices);
        attributes.insert(format!("JOINTS_{set}"), json!(joints));
        attributes.insert(format!("WEIGHTS_{set}"), json!(weights));
    }
}

fn joints<T: Component>(
    vertices: impl ExactSizeIterator<Item = [(usize, f32); 4]>,
    number: fn(usize) -> T,
    buffer: &mut GlbBuffer,
) -> usize {
    buffer.rows(vertices.map(|slots| slots.map(|(joint, _)| number(joint))), ViewContent::Vertices)
}

fn has_repeated(influences: &Influences, vertex: usize) -> bool {
    let weighted = || influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0).enumerate();
    weighted().any(|(slot, (joint, _))| weighted().take(slot).any(|(_, (before, _))| before == joint))
}

fn merge_repeated(influences: &Influences) -> Influences {
    let per_vertex = influences.per_vertex();
    let (mut joints, mut weights) = (influences.joints().to_vec(), influences.weights().to_vec());
    let slots = joints.chunks_exact_mut(per_vertex).zip(weights.chunks_exact_mut(per_vertex));
    for (vertex, (joints, weights)) in slots.enumerate().filter(|(vertex, _)| has_repeated(influences, *vertex)) {
        let mut sums: Vec<(usize, f64)> = Vec::with_capacity(per_vertex);
        for (joint, weight) in influences.vertex(vertex) {
            match sums.iter_mut().find(|(known, _)| *known == joint) {
                Some((_, sum)) => *sum += f64::from(weight),
                None => sums.push((joint, weight.into())),
            }
        }
        sums.sort_by(|a, b| b.1.total_cmp(&a.1));
        sums.resize(per_vertex, (0, 0.0));
        let all: f64 = sums.iter().map(|(_, sum)| sum).sum();
        for ((joint, weight), (summed, sum)) in joints.iter_mut().zip(weights).zip(sums) {
            (*joint, *weight) = (summed as u16, (sum / all) as f32);
        }
    }
    Influences::new(per_vertex, joints, weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_that_comes_twice_has_the_sum_and_the_heaviest_is_first() {
        let influences = Influences::new(3, vec![1, 2, 2, 5, 6, 0], vec![0.4, 0.35, 0.25, 0.5, 0.5, 0.0]);
        let merged = merge_repeated(&influences);
        assert_eq!(merged.joints(), [2, 1, 0, 5, 6, 0]);
        assert_eq!(merged.weights(), [0.6, 0.4, 0.0, 0.5, 0.5, 0.0]);
    }

    #[test]
    fn there_are_as_many_sets_as_some_vertex_needs() {
        for (used, sets) in [(1, 1), (4, 1), (5, 2), (9, 3)] {
            let weights = (0..12).map(|slot| if slot < used { 1.0 / used as f32 } else { 0.0 }).collect();
            let influences = Influences::new(12, (0..12).collect(), weights);
            let mut attributes = Map::new();
            add_influences(&influences, &mut attributes, &mut GlbBuffer::default());
            assert_eq!(attributes.len(), 2 * sets, "{used}");
        }
    }
}
