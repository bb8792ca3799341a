//! Corners of polygons to vertices of triangles: corners that share everything are one vertex.

use super::attributes::Attributes;

/// Vertices of one primitive.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Corners {
    /// The corner of the mesh that each vertex was made of.
    pub of_vertex: Vec<u32>,
    /// Triangle list.
    pub indices: Vec<u32>,
}

/// Makes vertices of the corners of one primitive after another.
#[derive(Default)]
pub(super) struct CornerJoiner {
    /// By point of the mesh: the primitive that used it last, and the first vertex there.
    first: Vec<(u32, u32)>,
    part: u32,
    corners: Corners,
    /// By vertex: the next one at the same point.
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Vertices of a point that are compared before a corner becomes one more: a vertex too many costs little, and a broken file may have a million.
const MOST_COMPARED: usize = 64;

impl CornerJoiner {
    pub fn new(points: usize) -> Self {
        Self { first: vec![(0, NONE); points], ..Self::default() }
    }

    /// Begins a primitive.
    pub fn begin(&mut self, triangles: usize) {
        self.part = self.part.saturating_add(1);
        self.corners = Corners { of_vertex: Vec::new(), indices: Vec::with_capacity(triangles.saturating_mul(3)) };
        self.next.clear();
    }

    /// Ends the primitive.
    pub fn finish(&mut self) -> Corners {
        std::mem::take(&mut self.corners)
    }

    /// Adds a corner of a triangle, by its number in the mesh.
    pub fn add(&mut self, attributes: &Attributes<'_>, corner: u32) {
        let Some(point) = attributes.point(corner) else { return };
        let Some(first) = self.first.get_mut(point as usize) else { return };
        if first.0 != self.part {
            *first = (self.part, NONE);
        }
        let (mut vertex, mut last, mut compared) = (first.1, NONE, 0_usize);
        while vertex != NONE && compared < MOST_COMPARED {
            let other = self.corners.of_vertex.get(vertex as usize).copied().unwrap_or(NONE);
            if attributes.are_same(corner, other) {
                self.corners.indices.push(vertex);
                return;
            }
            last = vertex;
            vertex = self.next.get(vertex as usize).copied().unwrap_or(NONE);
            compared = compared.saturating_add(1);
        }
        let new = self.corners.of_vertex.len() as u32;
        match self.next.get_mut(last as usize) {
            // Beyond the last that is compared, vertices are not linked.
            Some(next) if *next == NONE => *next = new,
            Some(_) => {}
            None => first.1 = new,
        }
        self.corners.of_vertex.push(corner);
        self.next.push(NONE);
        self.corners.indices.push(new);
    }
}
