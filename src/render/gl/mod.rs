//! What is near OpenGL: buffers, textures, programs, framebuffers, and the state that drawing changes.

pub mod convert;
pub mod data_texture;
pub mod driver;
pub mod framebuffer;
#[cfg(test)]
pub mod gl_calls;
#[cfg(test)]
pub mod gl_faults;
pub mod gl_state;
pub mod gpu_buffer;
pub mod gpu_program;
pub mod gpu_texture;
pub mod picture;
pub mod program;
pub mod quad;
pub mod sample_mean;
pub mod sample_texture;
pub mod vertex_program;
pub mod vertex_room;
