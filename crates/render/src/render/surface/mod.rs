pub(super) mod cast;
pub(super) mod draw_material;
mod maps;
pub(super) mod posed_primitive;
pub(super) mod primitive_programs;
pub(super) mod wire;

#[cfg(test)]
mod tests;
