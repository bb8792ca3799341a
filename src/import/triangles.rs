//! Triangle lists from what primitives are made of. *Source*: glTF 2.0, 3.7.2.1.

use super::PrimitiveFault;

/// How consecutive indices form triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topology {
    List,
    Strip,
    Fan,
}

impl Topology {
    /// Of a primitive's `mode`, if it makes triangles.
    pub fn from_mode(mode: u32) -> Result<Self, PrimitiveFault> {
        let other = match mode {
            4 => return Ok(Self::List),
            5 => return Ok(Self::Strip),
            6 => return Ok(Self::Fan),
            0 => "points".to_owned(),
            1..=3 => "lines".to_owned(),
            _ => format!("mode {mode}, which glTF does not define"),
        };
        Err(PrimitiveFault::Mode { mode: other })
    }
}

/// A triangle list, and how many indices were left over.
///
/// `restart` is the index that cuts a strip or fan in two (glTF forbids it, graphics cards know it). Triangles of strips and fans that name
/// a vertex twice are only seams and are dropped.
pub(super) fn triangles(
    topology: Topology,
    indices: Vec<u32>,
    restart: Option<u32>,
    vertex_count: usize,
) -> Result<(Vec<u32>, usize), PrimitiveFault> {
    let restart = restart.filter(|_| topology != Topology::List);
    check(&indices, restart, vertex_count)?;
    let (list, left_over) = match topology {
        Topology::List => whole_triangles(indices),
        Topology::Strip | Topology::Fan => {
            let mut list = Vec::with_capacity(indices.len().saturating_mul(3));
            for run in indices.split(|&i| Some(i) == restart) {
                if topology == Topology::Strip { strip(run, &mut list) } else { fan(run, &mut list) }
            }
            (list, 0)
        }
    };
    if list.is_empty() { Err(PrimitiveFault::NoTriangles) } else { Ok((list, left_over)) }
}

fn check(indices: &[u32], restart: Option<u32>, count: usize) -> Result<(), PrimitiveFault> {
    let is_bad = |&vertex: &u32| vertex as usize >= count && Some(vertex) != restart;
    match indices.iter().position(is_bad).map(|p| (p, indices.get(p).copied())) {
        Some((position, Some(vertex))) => Err(PrimitiveFault::VertexIndex { position, vertex, count }),
        _ => Ok(()),
    }
}

fn whole_triangles(mut indices: Vec<u32>) -> (Vec<u32>, usize) {
    let left_over = indices.as_chunks::<3>().1.len();
    indices.truncate(indices.len().saturating_sub(left_over));
    (indices, left_over)
}

fn strip(run: &[u32], list: &mut Vec<u32>) {
    for (i, window) in run.windows(3).enumerate() {
        if let &[a, b, c] = window {
            let is_odd = i & 1 == 1;
            push(if is_odd { [a, c, b] } else { [a, b, c] }, list);
        }
    }
}

fn fan(run: &[u32], list: &mut Vec<u32>) {
    let Some((&hub, rim)) = run.split_first() else { return };
    for window in rim.windows(2) {
        if let &[a, b] = window {
            push([a, b, hub], list);
        }
    }
}

fn push(triangle: [u32; 3], list: &mut Vec<u32>) {
    let [a, b, c] = triangle;
    if a != b && b != c && c != a {
        list.extend(triangle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(topology: Topology, indices: &[u32]) -> Vec<u32> {
        triangles(topology, indices.to_vec(), Some(255), 9).unwrap().0
    }

    #[test]
    fn strips_keep_their_winding() {
        assert_eq!(list(Topology::Strip, &[0, 1, 2, 3, 4]), [0, 1, 2, 1, 3, 2, 2, 3, 4]);
    }

    #[test]
    fn fans_turn_about_their_first_vertex() {
        assert_eq!(list(Topology::Fan, &[0, 1, 2, 3]), [1, 2, 0, 2, 3, 0]);
    }

    #[test]
    fn seams_and_restarts_make_no_triangles() {
        assert_eq!(list(Topology::Strip, &[0, 1, 2, 2, 3, 3, 4, 5]), [0, 1, 2, 3, 5, 4]);
        assert_eq!(list(Topology::Strip, &[0, 1, 2, 255, 3, 4, 5]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(list(Topology::Fan, &[0, 1, 2, 255, 3, 4, 5]), [1, 2, 0, 4, 5, 3]);
    }

    #[test]
    fn what_is_left_over_is_told() {
        assert_eq!(triangles(Topology::List, vec![0, 1, 2, 0, 1], None, 3), Ok((vec![0, 1, 2], 2)));
        assert_eq!(triangles(Topology::List, vec![0, 1], None, 3), Err(PrimitiveFault::NoTriangles));
        assert_eq!(triangles(Topology::Strip, vec![0, 1], None, 3), Err(PrimitiveFault::NoTriangles));
    }

    #[test]
    fn indices_must_name_vertices() {
        let fault = PrimitiveFault::VertexIndex { position: 2, vertex: 255, count: 9 };
        assert_eq!(triangles(Topology::List, vec![0, 1, 255], Some(255), 9), Err(fault));
        assert_eq!(
            triangles(Topology::Strip, vec![0, 9, 1], Some(255), 9),
            Err(PrimitiveFault::VertexIndex { position: 1, vertex: 9, count: 9 })
        );
    }

    #[test]
    fn only_triangles_are_made() {
        assert_eq!(Topology::from_mode(5), Ok(Topology::Strip));
        for mode in [0, 1, 2, 3, 7] {
            assert!(matches!(Topology::from_mode(mode), Err(PrimitiveFault::Mode { .. })));
        }
    }
}
