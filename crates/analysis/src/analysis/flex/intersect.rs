//! Exact test whether two triangles intersect, and how far one reaches through the other.

use glam::{DVec2, DVec3, Vec3};
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Corners of a triangle, metres.
pub(super) type Triangle = [Vec3; 3];

/// Returns whether two triangles share at least one point. The result is exact for the given positions: touching counts,
/// and coplanar triangles are tested in their plane. A triangle without area intersects nothing.
///
/// *Source*: Guigue and Devillers 2003, *Fast and robust triangle-triangle overlap test using orientation predicates*,
/// with the predicates of Shewchuk 1997, *Adaptive precision floating-point arithmetic*.
pub(super) fn intersect(a: Triangle, b: Triangle) -> bool {
    let of_b = sides(a, b);
    if are_apart(of_b) {
        return false;
    }
    let of_a = sides(b, a);
    if are_apart(of_a) {
        return false;
    }
    if of_b == [0; 3] || of_a == [0; 3] {
        return coplanar(a, b);
    }
    crosses(b, of_b, a) || crosses(a, of_a, b)
}

/// Returns on which side of a triangle's plane the corners of the other triangle lie: -1, 0 or 1.
fn sides(plane: Triangle, corners: Triangle) -> [i8; 3] {
    corners.map(|corner| side(plane, corner))
}

fn are_apart(sides: [i8; 3]) -> bool {
    sides == [1; 3] || sides == [-1; 3]
}

fn side([a, b, c]: Triangle, d: Vec3) -> i8 {
    sign(orient3d(coord(a), coord(b), coord(c), coord(d)))
}

fn coord(Vec3 { x, y, z }: Vec3) -> Coord3D<f32> {
    Coord3D { x, y, z }
}

fn sign(number: f64) -> i8 {
    i8::from(number > 0.0) - i8::from(number < 0.0)
}

/// Returns whether an edge of `edges` crosses `face`. `sides` are the sides of the edges' ends.
fn crosses(edges: Triangle, sides: [i8; 3], face: Triangle) -> bool {
    let [a, b, c] = face;
    (0..3).any(|start| {
        let end = (start + 1) % 3;
        if sides[start] * sides[end] > 0 || sides[start] == 0 && sides[end] == 0 {
            // An edge in the plane ends on the other edges, which are tested too, unless it passes through the face
            // without ending in it; then the face's edges cross it.
            return sides[start] == 0 && sides[end] == 0 && is_edge_on(edges[start], edges[end], face);
        }
        let (p, q) = (edges[start], edges[end]);
        let turns = [side([p, q, a], b), side([p, q, b], c), side([p, q, c], a)];
        turns.iter().all(|turn| *turn >= 0) || turns.iter().all(|turn| *turn <= 0)
    })
}

/// Returns whether an edge in the plane of a triangle meets the triangle.
fn is_edge_on(p: Vec3, q: Vec3, face: Triangle) -> bool {
    let Some(flat) = flat_axes(face) else { return false };
    let ([p, q], face) = ([p, q].map(flat), face.map(flat));
    is_inside(p, face) || (0..3).any(|at| edges_meet([p, q], [face[at], face[(at + 1) % 3]]))
}

fn coplanar(a: Triangle, b: Triangle) -> bool {
    // If one triangle has no area, every point is in its plane.
    let Some(flat) = flat_axes(a).filter(|_| flat_axes(b).is_some()) else { return false };
    if sides(a, b) != [0; 3] {
        return false;
    }
    let (a, b) = (a.map(flat), b.map(flat));
    let edges = |corners: [DVec2; 3]| (0..3).map(move |at| [corners[at], corners[(at + 1) % 3]]);
    is_inside(a[0], b) || is_inside(b[0], a) || edges(a).any(|edge| edges(b).any(|other| edges_meet(edge, other)))
}

/// Returns the projection along a coordinate axis in which the triangle has an area; `None` if it has none.
fn flat_axes(triangle: Triangle) -> Option<fn(Vec3) -> DVec2> {
    const PROJECTIONS: [fn(Vec3) -> DVec2; 3] = [
        |p| DVec2::new(p.x.into(), p.y.into()),
        |p| DVec2::new(p.y.into(), p.z.into()),
        |p| DVec2::new(p.z.into(), p.x.into()),
    ];
    PROJECTIONS.into_iter().find(|flat| {
        let [a, b, c] = triangle.map(flat);
        turn(a, b, c) != 0
    })
}

fn turn(a: DVec2, b: DVec2, c: DVec2) -> i8 {
    let [a, b, c] = [a, b, c].map(|DVec2 { x, y }| Coord { x, y });
    sign(orient2d(a, b, c))
}

fn is_inside(point: DVec2, [a, b, c]: [DVec2; 3]) -> bool {
    let turns = [turn(a, b, point), turn(b, c, point), turn(c, a, point)];
    turns.iter().all(|turn| *turn >= 0) || turns.iter().all(|turn| *turn <= 0)
}

fn edges_meet([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let (of_c, of_d, of_a, of_b) = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
    if [of_c, of_d, of_a, of_b] == [0; 4] {
        // On one line: the bounds overlap.
        return a.min(b).cmple(c.max(d)).all() && c.min(d).cmple(a.max(b)).all();
    }
    of_c * of_d <= 0 && of_a * of_b <= 0
}

/// Returns how far two intersecting triangles reach through each other, metres: the smallest distance by which one must
/// move along the normal of either triangle until they no longer cross.
pub(super) fn depth(a: Triangle, b: Triangle) -> f32 {
    let through = |[p, q, r]: Triangle, other: Triangle| {
        let normal = (q - p).as_dvec3().cross((r - p).as_dvec3()).normalize_or(DVec3::ZERO);
        let distances = other.map(|corner| normal.dot((corner - p).as_dvec3()));
        let (low, high) = distances.into_iter().fold((0.0_f64, 0.0_f64), |(low, high), d| (low.min(d), high.max(d)));
        high.min(-low)
    };
    through(a, b).min(through(b, a)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rigscope_core::rig::testing::any_vector;

    const FLAT: Triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];

    fn moved(triangle: Triangle, by: Vec3) -> Triangle {
        triangle.map(|corner| corner + by)
    }

    fn both(a: Triangle, b: Triangle) -> bool {
        let found = intersect(a, b);
        assert_eq!(found, intersect(b, a), "{a:?} and {b:?} in the other order");
        found
    }

    #[test]
    fn triangles_that_cross_touch_or_miss_each_other() {
        let upright = [Vec3::new(0.2, 0.2, -1.0), Vec3::new(0.3, 0.2, 1.0), Vec3::new(0.2, 0.3, 1.0)];
        assert!(both(FLAT, upright), "pierces");
        assert!(!both(FLAT, moved(upright, Vec3::Z * 2.0)), "above");
        assert!(both(FLAT, moved(upright, Vec3::Z)), "touches with a corner");
        let just_above = moved(upright, Vec3::Z * 1.000_001);
        assert!(!both(FLAT, just_above), "no tolerance");
        assert!(!both(FLAT, moved(upright, Vec3::X)), "beside");
        let wide = [Vec3::new(-5.0, 0.3, -5.0), Vec3::new(5.0, 0.3, -5.0), Vec3::new(0.0, 0.3, 5.0)];
        assert!(both(FLAT, wide), "edges of the small one cross the wide one");
    }

    #[test]
    fn coplanar_triangles_intersect_if_they_overlap_in_their_plane() {
        assert!(both(FLAT, moved(FLAT, Vec3::X * 0.25)), "overlap");
        assert!(both(FLAT, FLAT.map(|corner| corner * 0.25 + Vec3::new(0.2, 0.2, 0.0))), "inside");
        assert!(both(FLAT, moved(FLAT, Vec3::X)), "touch in a corner");
        assert!(!both(FLAT, moved(FLAT, Vec3::X * 1.5)), "apart");
        assert!(!both(FLAT, moved(FLAT, Vec3::Z * 1e-7)), "parallel");
        let star = [Vec3::new(0.5, -0.2, 0.0), Vec3::new(0.5, 0.8, 0.0), Vec3::new(-0.4, 0.3, 0.0)];
        assert!(both(FLAT, star), "edges cross although no corner is inside");
    }

    #[test]
    fn an_edge_in_the_plane_of_the_other_meets_it_or_not() {
        let standing = |from: [f32; 2], to: [f32; 2]| {
            let [from, to] = [from, to].map(|[x, y]| Vec3::new(x, y, 0.0));
            [from, to, (from + to) / 2.0 + Vec3::Z]
        };
        assert!(both(FLAT, standing([-1.0, 0.3], [2.0, 0.3])), "passes through");
        assert!(both(FLAT, standing([0.2, 0.2], [0.4, 0.3])), "lies inside");
        assert!(!both(FLAT, standing([-1.0, 1.5], [2.0, 1.5])), "passes by");
    }

    #[test]
    fn a_triangle_without_area_intersects_nothing() {
        let line = [Vec3::new(0.2, 0.2, -1.0), Vec3::new(0.2, 0.2, 0.0), Vec3::new(0.2, 0.2, 1.0)];
        assert!(!intersect(line, line));
        assert!(!intersect([Vec3::NAN; 3], FLAT));
    }

    #[test]
    fn depth_is_how_far_the_corner_is_through() {
        let pierced = [Vec3::new(0.2, 0.2, -0.1), Vec3::new(0.5, 0.2, 2.0), Vec3::new(0.2, 0.5, 2.0)];
        assert!((depth(FLAT, pierced) - 0.1).abs() < 1e-6, "{}", depth(FLAT, pierced));
    }

    proptest! {
        /// Two triangles that share a point inside both intersect; moved apart along an axis, they do not.
        #[test]
        fn triangles_through_one_point_intersect(corners in prop::array::uniform6(any_vector(1.0)), at in any_vector(1.0)) {
            let [a, b, c, d, e, f] = corners;
            let center = |[a, b, c]: Triangle| (a + b + c) / 3.0;
            let (one, other) = ([a, b, c], [d, e, f]);
            let area = |[a, b, c]: Triangle| (b - a).cross(c - a).length();
            prop_assume!(area(one) > 0.05 && area(other) > 0.05);
            let angle = (b - a).cross(c - a).normalize().cross((e - d).cross(f - d).normalize()).length();
            prop_assume!(angle > 0.1);
            let (one, other) = (moved(one, at - center(one)), moved(other, at - center(other)));
            prop_assert!(both(one, other));
            prop_assert!(!both(one, moved(other, Vec3::X * 10.0)));
        }
    }
}
