//! How the parts of a rig are drawn: programs by what a part has and by what it is drawn for.

pub mod actor_look;
pub mod cast;
pub mod draw_material;
mod maps;
pub mod part_programs;
pub mod posed_primitive;
pub mod wire;

#[cfg(test)]
mod tests;
