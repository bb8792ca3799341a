//! Surfaces before and after skinning.

use glam::{Vec3, Vec4};

/// The arrays of a surface that skinning moves, in skin space.
///
/// *Shapes*: normals and tangents, if present, are as many as positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surface<'a> {
    /// Positions, metres.
    pub positions: &'a [Vec3],
    /// Normals, of unit length.
    pub normals: Option<&'a [Vec3]>,
    /// Tangents, of unit length, with the side of the bitangent, ±1, in w.
    pub tangents: Option<&'a [Vec4]>,
}

/// A skinned surface in world space, vertices in the file's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deformed {
    /// Positions, metres.
    pub positions: Vec<Vec3>,
    /// Normals, of unit length or zero where the deformation leaves no direction; `None` where the file has none.
    pub normals: Option<Vec<Vec3>>,
    /// Tangents as in [`Surface::tangents`]; `None` where the file has none.
    pub tangents: Option<Vec<Vec4>>,
}

impl Deformed {
    /// Resizes the arrays to fit the surface.
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
