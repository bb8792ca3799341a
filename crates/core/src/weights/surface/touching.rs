use crate::rig::{DisjointSets, JaggedArray};

/// Counts the points at which more than two triangles share an edge, or at which the triangles form several fans.
pub(in crate::weights) fn touching_points(point_count: usize, triangles: &[[u32; 3]]) -> usize {
    let corners: Vec<u32> = triangles.iter().flatten().copied().collect();
    let next = |corner: usize| if corner % 3 == 2 { corner - 2 } else { corner + 1 };
    // Each edge appears twice, once for the corner at either end.
    let edges = (0..corners.len()).flat_map(|corner| {
        let (from, to) = (corners[corner], corners[next(corner)]);
        [(from, (to, corner as u32)), (to, (from, next(corner) as u32))]
    });
    let edges = JaggedArray::new(point_count, edges);
    let mut corners_of_fans = DisjointSets::new(corners.len());
    let mut sorted = Vec::new();
    let is_touching = |point: &usize| {
        sorted.clear();
        sorted.extend_from_slice(edges.row(*point));
        sorted.sort_unstable();
        let (mut fans, mut is_touching) = (sorted.len() / 2, false);
        for around in sorted.chunk_by(|a, b| a.0 == b.0) {
            is_touching |= around.len() > 2;
            for pair in around.windows(2) {
                fans -= usize::from(corners_of_fans.join(pair[0].1, pair[1].1));
            }
        }
        is_touching || fans > 1
    };
    (0..point_count).filter(is_touching).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_corners_and_edges_of_many_triangles_touch() {
        let fan = [[0, 1, 2], [0, 2, 3]];
        assert_eq!(touching_points(4, &fan), 0, "neighbours");
        assert_eq!(touching_points(5, &[[0, 1, 2], [0, 3, 4]]), 1, "two fans");
        assert_eq!(touching_points(5, &[[0, 1, 2], [1, 0, 3], [0, 1, 4]]), 2, "three pages of a book");
    }
}
