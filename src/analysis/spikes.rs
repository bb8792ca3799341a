//! Spikes: changes of velocity far beyond what is usual in their clip, of vertices as of joints.

/// Times the median of a clip beyond which a change is a spike, and times the changes two before and two after it. Those right beside a spike change with it.
const MOST_TIMES: f32 = 6.0;
const MOST_BESIDE: f32 = 3.0;

/// Share of the speed into and out of a spike up to which the steps beside it are slow: at the end of a swing they are nearly as fast.
const SLOW: f32 = 0.5;

/// True where a step beside a spike is slow against the slower of the steps into and out of it.
pub(super) fn is_slow_beside(beside: f32, spike: f32) -> bool {
    beside < SLOW * spike
}

/// Median of some numbers, of two in the middle the larger; 0 of none.
pub(super) fn median(numbers: &[f32]) -> f32 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// True where a change is more than six times the median of all, and more than three times those two before and two after it.
pub(super) fn stands_out(changes: &[f32], at: usize, median: f32) -> bool {
    let beside = |at: Option<usize>| at.and_then(|at| changes.get(at)).copied().unwrap_or(0.0);
    let usual = beside(at.checked_sub(2)).max(beside(Some(at + 2)));
    changes[at] > MOST_TIMES * median && changes[at] > MOST_BESIDE * usual
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_stands_out_from_the_median_and_from_those_two_away() {
        let of = |changes: [f32; 7]| stands_out(&changes, 3, median(&changes));
        assert!(of([1.0, 1.0, 5.0, 10.0, 5.0, 1.0, 1.0]));
        assert!(!of([1.0, 1.0, 5.0, 6.0, 5.0, 1.0, 1.0]), "six times the median is not beyond it");
        assert!(!of([1.0, 4.0, 1.0, 10.0, 1.0, 1.0, 1.0]), "beside an unsteady stretch");
        assert!(!of([1.0, 1.0, 1.0, 10.0, 1.0, 4.0, 1.0]));
        assert_eq!((median(&[]), median(&[3.0, 1.0, 2.0])), (0.0, 2.0));
    }
}
