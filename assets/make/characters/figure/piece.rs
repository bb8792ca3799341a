//! A closed shell of the figure: mesh (the half with x >= 0, or a whole left part), distance field, material.

use glam::DVec3;

use super::super::mesh::Mesh;

/// Materials of the file. Each one has its own primitive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Material {
    Skin,
    Eyes,
    Hair,
    Shirt,
    Trousers,
    Shoes,
}

/// A signed distance field in model space, metres.
pub type Field = Box<dyn Fn(DVec3) -> f64>;

/// A shell without colours and weights.
pub struct Piece {
    /// Material, which selects the primitive.
    pub material: Material,
    /// Mesh of the shell.
    pub mesh: Mesh,
    /// Distance field, used for normals and for the ambient occlusion of all pieces.
    pub field: Field,
    /// True if the mesh is half of a shell that crosses the mirror plane.
    pub is_half: bool,
    /// The only joint that moves the piece; `None` to use the weight function.
    pub rigid: Option<&'static str>,
}

impl Piece {
    /// Creates a piece that uses the weight function.
    pub fn new(material: Material, mesh: Mesh, field: Field, is_half: bool) -> Self {
        Self { material, mesh, field, is_half, rigid: None }
    }

    /// Makes one joint move the whole piece.
    pub fn rigid(self, joint: &'static str) -> Self {
        Self { rigid: Some(joint), ..self }
    }
}
