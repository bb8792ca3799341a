//! Converts the indices of a primitive to a list of triangles, lines or points. *Source*: glTF 2.0, 3.7.2.1.

use crate::import::warning::{NO_ELEMENTS, Reason};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PrimitiveTopology {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

impl PrimitiveTopology {
    pub(super) fn from_mode(mode: u32) -> Result<Self, Reason> {
        const ALL: [PrimitiveTopology; 7] = [
            PrimitiveTopology::Points,
            PrimitiveTopology::Lines,
            PrimitiveTopology::LineLoop,
            PrimitiveTopology::LineStrip,
            PrimitiveTopology::Triangles,
            PrimitiveTopology::TriangleStrip,
            PrimitiveTopology::TriangleFan,
        ];
        ALL.get(mode as usize).copied().ok_or_else(|| format!("it has mode {mode}, which glTF does not define"))
    }

    pub(super) fn corners(self) -> usize {
        match self {
            Self::Points => 1,
            Self::Lines | Self::LineLoop | Self::LineStrip => 2,
            Self::Triangles | Self::TriangleStrip | Self::TriangleFan => 3,
        }
    }
}

/// Returns a list of triangles, lines or points, and the number of leftover indices. `restart`: index that splits a
/// strip, loop or fan (forbidden in glTF, but supported by GPUs). Drops degenerate elements of strips, loops and fans
/// unless all are degenerate.
pub(super) fn elements(
    topology: PrimitiveTopology,
    mut indices: Vec<u32>,
    restart: Option<u32>,
    vertex_count: usize,
) -> Result<(Vec<u32>, usize), Reason> {
    let of_run = match topology {
        PrimitiveTopology::Points | PrimitiveTopology::Lines | PrimitiveTopology::Triangles => None,
        PrimitiveTopology::LineLoop => Some(line_loop as fn(&[u32], &mut Vec<u32>)),
        PrimitiveTopology::LineStrip => Some(line_strip as _),
        PrimitiveTopology::TriangleStrip => Some(strip as _),
        PrimitiveTopology::TriangleFan => Some(fan as _),
    };
    let restart = restart.filter(|_| of_run.is_some());
    check(&indices, restart, vertex_count)?;
    let (list, left_over) = match of_run {
        None => {
            let left_over = indices.len().checked_rem(topology.corners()).unwrap_or(0);
            indices.truncate(indices.len().saturating_sub(left_over));
            (indices, left_over)
        }
        Some(of_run) => {
            let mut list = Vec::with_capacity(indices.len().saturating_mul(topology.corners()));
            indices.split(|&i| Some(i) == restart).for_each(|run| of_run(run, &mut list));
            (without_seams(list, topology.corners()), 0)
        }
    };
    if list.is_empty() { Err(NO_ELEMENTS.to_owned()) } else { Ok((list, left_over)) }
}

fn check(indices: &[u32], restart: Option<u32>, count: usize) -> Result<(), Reason> {
    // Indices are nearly always valid, and a maximum is faster than a search for the first invalid one.
    if indices.iter().copied().max().is_none_or(|largest| (largest as usize) < count) {
        return Ok(());
    }
    let is_bad = |&vertex: &u32| vertex as usize >= count && Some(vertex) != restart;
    match indices.iter().position(is_bad).map(|p| (p, indices.get(p).copied())) {
        Some((position, Some(vertex))) => {
            Err(format!("index {position} refers to vertex {vertex}, but there are {count} vertices"))
        }
        _ => Ok(()),
    }
}

fn without_seams(mut list: Vec<u32>, corners: usize) -> Vec<u32> {
    let is_whole = |element: &[u32]| match *element {
        [a, b] => a != b,
        [a, b, c] => a != b && b != c && c != a,
        _ => false,
    };
    if list.chunks_exact(corners).any(is_whole) {
        list = list.chunks_exact(corners).filter(|element| is_whole(element)).flatten().copied().collect();
    }
    list
}

fn line_strip(run: &[u32], list: &mut Vec<u32>) {
    list.extend(run.windows(2).flatten());
}

fn line_loop(run: &[u32], list: &mut Vec<u32>) {
    line_strip(run, list);
    if let [first, _, .., last] = run {
        line_strip(&[*last, *first], list);
    }
}

fn strip(run: &[u32], list: &mut Vec<u32>) {
    for (i, window) in run.windows(3).enumerate() {
        if let &[a, b, c] = window {
            let is_odd = i & 1 == 1;
            list.extend(if is_odd { [a, c, b] } else { [a, b, c] });
        }
    }
}

fn fan(run: &[u32], list: &mut Vec<u32>) {
    let Some((&hub, rim)) = run.split_first() else { return };
    for window in rim.windows(2) {
        if let &[a, b] = window {
            list.extend([a, b, hub]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(topology: PrimitiveTopology, indices: &[u32]) -> Vec<u32> {
        elements(topology, indices.to_vec(), Some(255), 9).unwrap().0
    }

    #[test]
    fn strips_keep_their_winding() {
        assert_eq!(list(PrimitiveTopology::TriangleStrip, &[0, 1, 2, 3, 4]), [0, 1, 2, 1, 3, 2, 2, 3, 4]);
    }

    #[test]
    fn fans_turn_about_their_first_vertex() {
        assert_eq!(list(PrimitiveTopology::TriangleFan, &[0, 1, 2, 3]), [1, 2, 0, 2, 3, 0]);
    }

    #[test]
    fn seams_and_restarts_make_no_triangles() {
        assert_eq!(list(PrimitiveTopology::TriangleStrip, &[0, 1, 2, 2, 3, 3, 4, 5]), [0, 1, 2, 3, 5, 4]);
        assert_eq!(list(PrimitiveTopology::TriangleStrip, &[0, 1, 2, 255, 3, 4, 5]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(list(PrimitiveTopology::TriangleFan, &[0, 1, 2, 255, 3, 4, 5]), [1, 2, 0, 4, 5, 3]);
    }

    #[test]
    fn elements_without_any_extent_stay_where_there_are_no_others() {
        assert_eq!(list(PrimitiveTopology::TriangleStrip, &[0, 1, 1, 0]), [0, 1, 1, 1, 0, 1]);
        assert_eq!(list(PrimitiveTopology::TriangleFan, &[4, 4, 4]), [4, 4, 4]);
        assert_eq!(list(PrimitiveTopology::Triangles, &[4, 4, 4]), [4, 4, 4]);
        assert_eq!(list(PrimitiveTopology::LineStrip, &[4, 4]), [4, 4]);
        let too_few = elements(PrimitiveTopology::TriangleStrip, vec![0, 1, 255, 2, 3], Some(255), 9);
        assert_eq!(too_few, Err(NO_ELEMENTS.to_owned()));
    }

    #[test]
    fn leftover_indices_are_counted() {
        assert_eq!(elements(PrimitiveTopology::Triangles, vec![0, 1, 2, 0, 1], None, 3), Ok((vec![0, 1, 2], 2)));
        assert_eq!(elements(PrimitiveTopology::Triangles, vec![0, 1], None, 3), Err(NO_ELEMENTS.to_owned()));
        assert_eq!(elements(PrimitiveTopology::TriangleStrip, vec![0, 1], None, 3), Err(NO_ELEMENTS.to_owned()));
    }

    #[test]
    fn indices_must_name_vertices() {
        let fault = "index 2 refers to vertex 255, but there are 9 vertices".to_owned();
        assert_eq!(elements(PrimitiveTopology::Triangles, vec![0, 1, 255], Some(255), 9), Err(fault));
        assert_eq!(
            elements(PrimitiveTopology::TriangleStrip, vec![0, 9, 1], Some(255), 9),
            Err("index 1 refers to vertex 9, but there are 9 vertices".to_owned())
        );
    }

    #[test]
    fn lines_are_pairs_strips_or_loops() {
        assert_eq!(list(PrimitiveTopology::Lines, &[0, 1, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(list(PrimitiveTopology::LineStrip, &[0, 1, 1, 2, 255, 3, 4]), [0, 1, 1, 2, 3, 4]);
        assert_eq!(list(PrimitiveTopology::LineLoop, &[0, 1, 2, 255, 3, 4]), [0, 1, 1, 2, 2, 0, 3, 4]);
        assert_eq!(elements(PrimitiveTopology::Lines, vec![0, 1, 2], None, 3), Ok((vec![0, 1], 1)));
        assert_eq!(elements(PrimitiveTopology::LineStrip, vec![0], None, 3), Err(NO_ELEMENTS.to_owned()));
        assert_eq!(list(PrimitiveTopology::Points, &[2, 0, 1]), [2, 0, 1]);
    }

    #[test]
    fn modes_are_the_numbers_of_gltf() {
        assert_eq!(PrimitiveTopology::from_mode(5), Ok(PrimitiveTopology::TriangleStrip));
        assert_eq!(
            (0..7).map(|m| PrimitiveTopology::from_mode(m).unwrap().corners()).collect::<Vec<_>>(),
            [1, 2, 2, 2, 3, 3, 3]
        );
        assert_eq!(PrimitiveTopology::from_mode(7), Err("it has mode 7, which glTF does not define".to_owned()));
    }
}
