pub(super) mod overlay_textures;
pub(super) mod readback;
