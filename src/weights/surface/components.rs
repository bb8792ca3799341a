//! Connected components of a surface.

/// The connected component of each point, numbered in the order of their first points, and the number of components. A point of no triangle is one by
/// itself.
pub(in crate::weights) fn components(point_count: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, usize) {
    let mut above: Vec<u32> = (0..point_count as u32).collect();
    for &[a, b, c] in triangles {
        for other in [b, c] {
            let (first, second) = (root(&mut above, a), root(&mut above, other));
            // The root of a component is its first point.
            above[first.max(second) as usize] = first.min(second);
        }
    }
    let (mut component, mut count) = (vec![0; point_count], 0);
    for point in 0..point_count {
        let first = root(&mut above, point as u32) as usize;
        if first == point {
            (component[point], count) = (count, count + 1);
        } else {
            component[point] = component[first];
        }
    }
    (component, count as usize)
}

/// Root of a union-find forest, with path halving.
pub(super) fn root(above: &mut [u32], mut at: u32) -> u32 {
    while above[at as usize] != at {
        above[at as usize] = above[above[at as usize] as usize];
        at = above[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_that_share_a_point_are_one_component() {
        assert_eq!(components(7, &[[4, 5, 6], [2, 1, 3], [6, 1, 1]]), (vec![0, 1, 1, 1, 1, 1, 1], 2));
        assert_eq!(components(5, &[[4, 3, 2]]), (vec![0, 1, 2, 2, 2], 3));
        assert_eq!(components(0, &[]), (Vec::new(), 0));
    }
}
