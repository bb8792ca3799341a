use glam::{Quat, Vec3};

/// Solves positions for inverse kinematics: moves the last point to `target` or as close as possible, keeping the first
/// point and all bone lengths. If the target is out of reach, the chain is straight.
///
/// The chain is first rotated towards the target and, if it is nearly straight, bent to the side of `bend` (any
/// vector). A chain of two bones is then solved in closed form, keeping its side. Longer chains use FABRIK, which keeps
/// points close to their previous positions. *Source*: Aristidou and Lasenby 2011, *FABRIK: a fast, iterative solver
/// for the inverse kinematics problem*.
pub(super) fn reach(points: &[Vec3], target: Vec3, bend: Vec3) -> Vec<Vec3> {
    let mut points = points.to_vec();
    let (Some(&root), Some(&end)) = (points.first(), points.last()) else { return points };
    let lengths: Vec<f32> = points.windows(2).map(|p| p[0].distance(p[1])).collect();
    let total: f32 = lengths.iter().sum();
    let longest = lengths.iter().copied().fold(0.0, f32::max);
    let toward = (target - root).try_normalize().or_else(|| (end - root).try_normalize()).unwrap_or(Vec3::Y);
    let nearest = (2.0 * longest - total).max(0.0);
    let distance = target.distance(root).clamp(nearest, total);
    if distance >= total * (1.0 - 1e-6) {
        straighten(&mut points, &lengths, toward);
        return points;
    }
    let target = root + toward * distance;
    turn_about(&mut points, root, toward);
    bend_if_straight(&mut points, toward, bend, total);
    if lengths.len() == 2 {
        points[1] = knee(&points, [lengths[0], lengths[1]], toward, distance);
        points[2] = target;
    } else {
        fabrik(&mut points, &lengths, target, total);
    }
    points
}

fn straighten(points: &mut [Vec3], lengths: &[f32], toward: Vec3) {
    for i in 1..points.len() {
        points[i] = points[i - 1] + toward * lengths[i - 1];
    }
}

/// Bends a nearly straight chain to the side of `bend`. The straighter the chain, the more it is bent, so that the
/// result changes continuously with the points.
fn bend_if_straight(points: &mut [Vec3], toward: Vec3, bend: Vec3, total: f32) {
    /// A chain bends to the side to which it is bent already, if one of its joints is at least this far from the line
    /// between its ends, as a fraction of its length.
    const BENT: f32 = 0.05;
    let root = points[0];
    let off = |p: &Vec3| (*p - root).reject_from_normalized(toward).length();
    let bent = points.iter().map(off).fold(0.0, f32::max) / (BENT * total);
    if bent >= 1.0 {
        return;
    }
    let side = bend.reject_from_normalized(toward).try_normalize().unwrap_or_else(|| toward.any_orthonormal_vector());
    let last = points.len() - 1;
    for (i, point) in points.iter_mut().enumerate().take(last).skip(1) {
        let along = i as f32 / last as f32;
        *point += side * (2.0 * BENT * total * (1.0 - bent) * (std::f32::consts::PI * along).sin());
    }
}

fn knee(points: &[Vec3], [upper, lower]: [f32; 2], toward: Vec3, distance: f32) -> Vec3 {
    let side = (points[1] - points[0]).reject_from_normalized(toward).normalize_or_zero();
    let along = if distance > 0.0 {
        ((upper * upper - lower * lower + distance * distance) / (2.0 * distance)).clamp(-upper, upper)
    } else {
        0.0
    };
    points[0] + toward * along + side * (upper * upper - along * along).max(0.0).sqrt()
}

fn fabrik(points: &mut [Vec3], lengths: &[f32], target: Vec3, total: f32) {
    const MAX_PASSES: usize = 200;
    let (root, last) = (points[0], points.len() - 1);
    let at_distance = |from: Vec3, to: Vec3, length: f32| from + (to - from).normalize_or(Vec3::Y) * length;
    for _ in 0..MAX_PASSES {
        points[last] = target;
        for i in (0..last).rev() {
            points[i] = at_distance(points[i + 1], points[i], lengths[i]);
        }
        points[0] = root;
        for i in 0..last {
            points[i + 1] = at_distance(points[i], points[i + 1], lengths[i]);
        }
        if points[last].distance(target) < 1e-6 * total {
            return;
        }
    }
    close_gap(points, target);
}

/// Reaches targets close to the root, where FABRIK is slow, by splitting the chain into two rigid halves that form a
/// triangle with the target.
fn close_gap(points: &mut [Vec3], target: Vec3) {
    let (root, last) = (points[0], points.len() - 1);
    let distance = target.distance(root);
    let sides = |at: usize, points: &[Vec3]| [points[at].distance(root), points[last].distance(points[at])];
    let is_triangle = |at: &usize| {
        let [upper, lower] = sides(*at, points);
        (upper - lower).abs() <= distance && distance <= upper + lower
    };
    let (Some(at), Some(toward)) = ((1..last).find(is_triangle), (target - root).try_normalize()) else { return };
    let middle = knee(&[root, points[at]], sides(at, points), toward, distance);
    let moved = middle - points[at];
    turn_about(&mut points[..=at], root, middle - root);
    points[at + 1..].iter_mut().for_each(|point| *point += moved);
    turn_about(&mut points[at..], middle, target - middle);
}

/// Rotates points about `pivot` until the last point is in the direction `toward`.
fn turn_about(points: &mut [Vec3], pivot: Vec3, toward: Vec3) {
    let Some(&end) = points.last() else { return };
    let (Some(from), Some(to)) = ((end - pivot).try_normalize(), toward.try_normalize()) else { return };
    let turn = Quat::from_rotation_arc(from, to);
    for point in points {
        *point = pivot + turn * (*point - pivot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_direction() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0_f32..1.0)
            .prop_map(Vec3::from)
            .prop_filter("too short", |v| v.length() > 0.1)
            .prop_map(Vec3::normalize_or_zero)
    }

    fn any_points(bones: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec((any_direction(), 0.5_f32..1.5), bones).prop_map(|bones| {
            let mut points = vec![Vec3::ZERO];
            for (direction, length) in bones {
                points.push(points[points.len() - 1] + direction * length);
            }
            points
        })
    }

    fn lengths(points: &[Vec3]) -> Vec<f32> {
        points.windows(2).map(|p| p[0].distance(p[1])).collect()
    }

    fn assert_same_lengths(a: &[Vec3], b: &[Vec3]) -> Result<(), TestCaseError> {
        for (a, b) in lengths(a).into_iter().zip(lengths(b)) {
            prop_assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
        Ok(())
    }

    #[test]
    fn a_target_near_the_root_is_reached_though_fabrik_only_creeps_up_to_it() {
        let points = [
            [0.0, 0.0, 0.0],
            [0.0, -0.650_339_4, 0.0],
            [0.0, -0.650_339_4, -0.766_695_56],
            [0.0, -2.104_707_2, -0.766_695_56],
        ];
        let points = points.map(Vec3::from);
        let target = Vec3::NEG_Z * 0.178_852;
        let solved = reach(&points, target, Vec3::X);
        assert!(solved[3].distance(target) < 1e-5, "{}", solved[3].distance(target));
        assert_same_lengths(&solved, &points).unwrap();
    }

    proptest! {
        #[test]
        fn reachable_target_is_reached(points in any_points(2..7), toward in any_direction(), share in 0.05_f32..0.98) {
            let (total, longest) = (lengths(&points).iter().sum::<f32>(), lengths(&points).into_iter().fold(0.0, f32::max));
            let nearest = (2.0 * longest - total).max(0.0);
            let target = toward * (nearest + (total - nearest) * share);
            let solved = reach(&points, target, Vec3::X);
            prop_assert_eq!(solved[0], points[0]);
            prop_assert!(solved[solved.len() - 1].distance(target) < 1e-3 * total, "{}", solved[solved.len() - 1].distance(target));
            assert_same_lengths(&solved, &points)?;
        }

        #[test]
        fn chain_points_at_an_unreachable_target(points in any_points(1..7), toward in any_direction(), share in 1.0_f32..5.0) {
            let total: f32 = lengths(&points).iter().sum();
            let solved = reach(&points, toward * total * share, Vec3::X);
            for point in &solved {
                prop_assert!(point.reject_from_normalized(toward).length() < 1e-4 && point.dot(toward) > -1e-5);
            }
            assert_same_lengths(&solved, &points)?;
        }

        #[test]
        fn two_bones_straighten_without_a_flip(points in any_points(2..3), toward in any_direction(), bend in any_direction()) {
            let total: f32 = lengths(&points).iter().sum();
            let mut last: Option<Vec<Vec3>> = None;
            // Near the limit, the knee moves with the square root of the remaining distance: 0.01 for 1e-4.
            for step in 0..400 {
                let solved = reach(&points, toward * total * (0.96 + 1e-4 * step as f32), bend);
                if let Some(last) = last {
                    prop_assert!(solved[1].distance(last[1]) < 0.03 * total);
                }
                last = Some(solved);
            }
        }
    }

    #[test]
    fn a_straight_limb_bends_to_the_side_of_the_hint() {
        for bones in 2..5 {
            let straight: Vec<Vec3> = (0..=bones).map(|i| Vec3::NEG_Y * i as f32).collect();
            let solved = reach(&straight, Vec3::NEG_Y * (bones as f32 * 0.8), Vec3::Z);
            assert!(solved[1..bones].iter().all(|p| p.z > 0.1 && p.x.abs() < 1e-5), "{solved:?}");
        }
    }
}
