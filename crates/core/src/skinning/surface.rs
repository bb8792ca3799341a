use glam::{Vec3, Vec4};

/// Input arrays for skinning, in skin space, each with one entry per vertex.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surface<'a> {
    /// Metres.
    pub positions: &'a [Vec3],
    /// Unit length.
    pub normals: Option<&'a [Vec3]>,
    /// Unit length, with the handedness of the bitangent, ±1, in w.
    pub tangents: Option<&'a [Vec4]>,
}

/// A skinned surface in world space, with vertices in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deformed {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Normals of unit length, or zero if undefined; `None` if the file has no normals.
    pub normals: Option<Vec<Vec3>>,
    /// Tangents as in [`Surface::tangents`]; `None` if the file has no tangents.
    pub tangents: Option<Vec<Vec4>>,
}

impl Deformed {
    pub(super) fn fit(&mut self, surface: Surface<'_>) {
        fn fit<T: Clone + Default>(values: &mut Option<Vec<T>>, length: Option<usize>) {
            match length {
                Some(length) => values.get_or_insert_default().resize(length, T::default()),
                None => *values = None,
            }
        }
        self.positions.resize(surface.positions.len(), Vec3::ZERO);
        fit(&mut self.normals, surface.normals.map(<[_]>::len));
        fit(&mut self.tangents, surface.tangents.map(<[_]>::len));
    }
}
