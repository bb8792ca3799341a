//! Operations on the weights of a point. Locked bones keep their weights; free bones share the rest.

use crate::weights::bone_weights::Row;

const MIN_WEIGHT: f32 = 1e-5;

#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub is_locked: &'a [bool],
    /// Maximum number of influences. Locked influences always stay; free ones fill the rest of the limit.
    pub max_influences: usize,
}

impl Rules<'_> {
    fn is_free(&self, bone: u16) -> bool {
        !self.is_locked[usize::from(bone)]
    }

    /// Returns the locked influences, and the weight left for the unlocked influences.
    fn locked(&self, row: &[(u16, f32)]) -> (Row, f64) {
        let locked: Row = row.iter().copied().filter(|(bone, _)| !self.is_free(*bone)).collect();
        let left = (1.0 - sum(&locked)).max(0.0);
        (locked, left)
    }

    /// Returns the heaviest free influences, as many as the limit allows besides `taken` others, in descending order.
    fn heaviest(&self, row: impl IntoIterator<Item = (u16, f32)>, taken: usize) -> Row {
        let mut free: Row =
            row.into_iter().filter(|(bone, weight)| self.is_free(*bone) && *weight > MIN_WEIGHT).collect();
        free.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        free.truncate(self.max_influences.saturating_sub(taken));
        free
    }

    /// Replaces the free influences of `before` by `wanted`, limited and scaled to the weight that locked bones
    /// leave. Returns `before` if no weight or no influence is left.
    pub(super) fn settled(&self, before: &[(u16, f32)], wanted: impl IntoIterator<Item = (u16, f32)>) -> Row {
        let (mut row, left) = self.locked(before);
        let free = self.heaviest(wanted, row.len());
        let total = sum(&free);
        if left <= f64::from(MIN_WEIGHT) || total <= 0.0 {
            return before.to_vec();
        }
        row.extend(free.into_iter().map(|(bone, weight)| (bone, (f64::from(weight) * left / total) as f32)));
        row
    }

    /// Sets the weight of a bone as far as locked bones allow; other free bones share the rest proportionally.
    /// Returns `before` if the bone has no slot or no other bone can take the rest.
    pub(super) fn assigned(&self, before: &[(u16, f32)], bone: u16, weight: f32) -> Row {
        let (mut row, left) = self.locked(before);
        let weight = f64::from(weight).clamp(0.0, left);
        let others = before.iter().copied().filter(|(other, _)| *other != bone);
        let others = self.heaviest(others, row.len() + usize::from(weight > 0.0));
        let total = sum(&others);
        let rest = left - weight;
        let has_place = self.is_free(bone) && row.len() < self.max_influences && left > f64::from(MIN_WEIGHT);
        if !has_place || total <= 0.0 && rest > f64::from(MIN_WEIGHT) {
            return before.to_vec();
        }
        row.extend((weight > f64::from(MIN_WEIGHT)).then_some((bone, weight as f32)));
        if rest > f64::from(MIN_WEIGHT) {
            row.extend(others.into_iter().map(|(other, own)| (other, (f64::from(own) * rest / total) as f32)));
        }
        row
    }
}

pub(super) fn bone_weight(row: &[(u16, f32)], bone: u16) -> f32 {
    row.iter().find(|(own, _)| *own == bone).map_or(0.0, |(_, weight)| *weight)
}

fn sum(row: &[(u16, f32)]) -> f64 {
    row.iter().map(|(_, weight)| f64::from(*weight)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BONES: usize = 6;

    fn rules(is_locked: &[bool], max_influences: usize) -> Rules<'_> {
        Rules { is_locked, max_influences }
    }

    fn sorted(mut row: Row) -> Row {
        row.sort_by_key(|(bone, _)| *bone);
        row
    }

    #[test]
    fn assigned_weight_is_exact_and_others_keep_their_proportions() {
        let free = [false; BONES];
        let before = [(0, 0.5), (1, 0.25), (2, 0.25)];
        let assigned = |bone, weight| sorted(rules(&free, 4).assigned(&before, bone, weight));
        assert_eq!(assigned(3, 0.5), [(0, 0.25), (1, 0.125), (2, 0.125), (3, 0.5)]);
        assert_eq!(assigned(1, 0.25), before);
        assert_eq!(assigned(0, 0.0), [(1, 0.5), (2, 0.5)], "what has no weight is no influence");
        assert_eq!(assigned(2, 7.0), [(2, 1.0)], "at most 1");
    }

    #[test]
    fn where_no_other_joint_takes_the_rest_nothing_changes() {
        let before = [(2, 1.0)];
        assert_eq!(rules(&[false; BONES], 4).assigned(&before, 2, 0.3), before);
    }

    #[test]
    fn locked_joints_keep_theirs_and_what_is_assigned_has_room_beside_them_alone() {
        let is_locked = [true, false, false, false, false, false];
        let before = [(0, 0.5), (1, 0.25), (2, 0.25)];
        let rules = rules(&is_locked, 4);
        assert_eq!(sorted(rules.assigned(&before, 1, 0.9)), [(0, 0.5), (1, 0.5)]);
        assert_eq!(sorted(rules.assigned(&before, 3, 0.25)), [(0, 0.5), (1, 0.125), (2, 0.125), (3, 0.25)]);
        assert_eq!(rules.assigned(&before, 0, 0.1), before, "the joint is locked");
        assert_eq!(sorted(rules.settled(&before, [(0, 0.9), (4, 0.1)])), [(0, 0.5), (4, 0.5)]);
    }

    #[test]
    fn of_more_influences_than_have_a_place_the_lightest_go_and_never_the_assigned_one() {
        let before = [(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)];
        let assigned = sorted(rules(&[false; BONES], 4).assigned(&before, 4, 0.1));
        assert_eq!(assigned.iter().map(|(bone, _)| *bone).collect::<Vec<_>>(), [0, 1, 2, 4]);
        assert_eq!(bone_weight(&assigned, 4), 0.1);
        assert!((bone_weight(&assigned, 0) - 0.4).abs() < 1e-6, "of 0.9, four ninths");
    }

    fn any_row() -> impl Strategy<Value = Row> {
        prop::collection::btree_map(0..BONES as u16, 0.01_f32..1.0, 1..=BONES).prop_map(|row| {
            let total: f32 = row.values().sum();
            row.into_iter().map(|(bone, weight)| (bone, weight / total)).collect()
        })
    }

    proptest! {
        #[test]
        fn rows_sum_to_1_are_not_negative_and_leave_locked_joints_alone(
            before in any_row(),
            wanted in any_row(),
            is_locked in prop::array::uniform6(any::<bool>()),
            bone in 0..BONES as u16,
            weight in -0.5_f32..1.5,
            max_influences in 1_usize..=BONES,
        ) {
            let rules = rules(&is_locked, max_influences);
            for row in [rules.assigned(&before, bone, weight), rules.settled(&before, wanted)] {
                prop_assert!((sum(&row) - 1.0).abs() < 1e-5, "{row:?}");
                prop_assert!(row.iter().all(|(_, weight)| *weight >= 0.0));
                for locked in (0..BONES as u16).filter(|bone| is_locked[usize::from(*bone)]) {
                    prop_assert_eq!(bone_weight(&row, locked), bone_weight(&before, locked));
                }
                let locked = before.iter().filter(|(bone, _)| is_locked[usize::from(*bone)]).count();
                prop_assert!(row.len() <= max_influences.max(locked) || sorted(row) == before);
            }
        }
    }
}
