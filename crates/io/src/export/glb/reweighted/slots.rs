use std::ops::RangeFrom;

use super::draft::Draft;
use crate::export::glb::buffer::Component;
use rigscope_core::rig::Influences;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WeightType {
    Float,
    /// Normalized integers that sum to this value.
    Fractions(u16),
}

impl WeightType {
    pub(super) fn from_component(component: Option<u64>) -> Self {
        match component.map(u32::try_from) {
            Some(Ok(u8::TYPE)) => Self::Fractions(u8::MAX.into()),
            Some(Ok(u16::TYPE)) => Self::Fractions(u16::MAX),
            _ => Self::Float,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SetFormat {
    pub are_joints_bytes: bool,
    pub weights: WeightType,
}

pub(super) fn is_of_set(attribute: &str, sets: RangeFrom<usize>) -> bool {
    let number = attribute.strip_prefix("JOINTS_").or_else(|| attribute.strip_prefix("WEIGHTS_"));
    number.and_then(|number| number.parse().ok()).is_some_and(|number| sets.contains(&number))
}

pub(super) fn sets(influences: &Influences, format: SetFormat, draft: &mut Draft<'_>) -> Vec<[usize; 2]> {
    let count = influences.len();
    let set_count = influences.per_vertex().div_ceil(4).max(1);
    let (mut joints, mut weights) = (vec![Vec::new(); set_count], vec![Vec::new(); set_count]);
    for vertex in 0..count {
        let mut slots: Vec<(u16, f32)> =
            influences.vertex(vertex).map(|(joint, weight)| (joint as u16, weight)).collect();
        slots.resize(set_count * 4, (0, 0.0));
        let fractions = match format.weights {
            WeightType::Float => Vec::new(),
            WeightType::Fractions(whole) => fractions(&slots, whole),
        };
        for (slot, &(joint, weight)) in slots.iter().enumerate() {
            let bytes = &mut weights[slot / 4];
            let is_used = match format.weights {
                WeightType::Float => {
                    weight.push(bytes);
                    weight > 0.0
                }
                WeightType::Fractions(whole) if whole == u16::from(u8::MAX) => {
                    (fractions[slot] as u8).push(bytes);
                    fractions[slot] > 0
                }
                WeightType::Fractions(_) => {
                    fractions[slot].push(bytes);
                    fractions[slot] > 0
                }
            };
            // glTF requires joint 0 in zero-weight slots.
            let joint = if is_used { joint } else { 0 };
            if format.are_joints_bytes {
                (joint as u8).push(&mut joints[slot / 4]);
            } else {
                joint.push(&mut joints[slot / 4]);
            }
        }
    }
    let joint_type = if format.are_joints_bytes { u8::TYPE } else { u16::TYPE };
    let (weight_type, is_normalized) = match format.weights {
        WeightType::Float => (f32::TYPE, false),
        WeightType::Fractions(whole) if whole == u16::from(u8::MAX) => (u8::TYPE, true),
        WeightType::Fractions(_) => (u16::TYPE, true),
    };
    let both = joints.iter().zip(&weights);
    both.map(|(joints, weights)| {
        [draft.accessor(joints, joint_type, false, count), draft.accessor(weights, weight_type, is_normalized, count)]
    })
    .collect()
}

/// Rounds weights that sum to 1 to integers that sum to `whole`, by the largest remainder method.
fn fractions(slots: &[(u16, f32)], whole: u16) -> Vec<u16> {
    let exact = |weight: f32| f64::from(weight) * f64::from(whole);
    let mut numbers: Vec<u16> = slots.iter().map(|(_, weight)| exact(*weight) as u16).collect();
    let sum: u32 = numbers.iter().map(|number| u32::from(*number)).sum();
    let left = u32::from(whole).saturating_sub(sum) as usize;
    let mut order: Vec<usize> = (0..slots.len()).collect();
    let lost = |slot: &usize| exact(slots[*slot].1).fract();
    order.sort_by(|a, b| lost(b).total_cmp(&lost(a)).then(a.cmp(b)));
    for slot in order.into_iter().cycle().take(left) {
        numbers[slot] += 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_weights_sum_to_the_whole() {
        let of = |weights: &[f32], whole| fractions(&weights.iter().map(|w| (0, *w)).collect::<Vec<_>>(), whole);
        assert_eq!(of(&[0.5, 0.25, 0.25, 0.0], 255), [127, 64, 64, 0]);
        assert_eq!(of(&[1.0, 0.0, 0.0, 0.0], 65535), [65535, 0, 0, 0]);
        assert_eq!(of(&[1.0 / 3.0; 3], 255), [85, 85, 85]);
        assert_eq!(of(&[0.25; 4], 255).iter().sum::<u16>(), 255);
    }

    #[test]
    fn attribute_sets_are_recognised_by_name() {
        assert!(is_of_set("JOINTS_1", 1..) && is_of_set("WEIGHTS_2", 1..) && is_of_set("JOINTS_0", 0..));
        assert!(!is_of_set("JOINTS_0", 1..) && !is_of_set("_JOINTS_1", 0..) && !is_of_set("WEIGHTS_x", 0..));
    }
}
