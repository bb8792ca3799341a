//! A closed shell of the figure: its mesh (the half with x >= 0, or a whole left part), its field, its material.

use glam::DVec3;

use super::super::mesh::Mesh;

/// The file's materials: one primitive each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Material {
    Skin,
    Eyes,
    Hair,
    Shirt,
    Trousers,
    Shoes,
}

/// A signed distance field over the model.
pub type Field = Box<dyn Fn(DVec3) -> f64>;

/// A shell before its colours and weights.
pub struct Piece {
    /// Which primitive it goes to.
    pub material: Material,
    /// Its triangles.
    pub mesh: Mesh,
    /// Its field: normals come from it, and the shade that it throws on the others.
    pub field: Field,
    /// Whether the mesh is the half of a shell that crosses the mirror plane.
    pub is_half: bool,
    /// The one joint that moves it; none: the weight function says.
    pub rigid: Option<&'static str>,
}

impl Piece {
    /// A piece that follows the weight function.
    pub fn new(material: Material, mesh: Mesh, field: Field, is_half: bool) -> Self {
        Self { material, mesh, field, is_half, rigid: None }
    }

    /// The piece, moved by one joint alone.
    pub fn rigid(self, joint: &'static str) -> Self {
        Self { rigid: Some(joint), ..self }
    }
}
