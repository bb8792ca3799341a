//! Pixels: a rig, its palettes and a view in, a picture out. Sole user of three-d, cgmath, glow and glutin.
//!
//! [`Scene`] draws offscreen and copies the result to the window, or hands it out as an image; [`Headless`] gives it an OpenGL
//! context where there is no window. A picture is drawn again only when something that it shows has changed.
//!
//! A picture is made of panes, and each shows one or both sides of a comparison: a wipe cuts every fragment by the line, a split has a pane a side,
//! a ghost is drawn over the other side. What is painted over a side is looked up by vertex number, and coloured in the fragment shader. Normals
//! that the CPU recomputed are looked up likewise, in place of those that skinning turns.
//!
//! Vertices are skinned once when something that moves them changes, into buffers that every pass draws from: by the vertex shader of
//! `skinning.glsl`, with the same formulas as in [`crate::skinning`], or by the kernels there where the driver draws on the processor,
//! see [`SkinningDevice`]. [`Scene::skinned`] reads the buffers back, and a test holds the two together.

mod background;
mod bounds;
mod centers;
mod color;
mod convert;
mod data_texture;
mod divider;
mod dots;
mod draws;
mod edges;
mod error;
mod eye;
mod features;
mod frame;
mod frame_data;
mod framebuffer;
#[cfg(test)]
mod gl_calls;
mod gl_state;
mod glass;
mod gpu_buffer;
mod gpu_program;
mod gpu_rig;
mod gpu_texture;
mod ground;
#[cfg(not(target_os = "macos"))]
mod headless;
mod joint_shares;
mod loaded;
mod marks;
mod mipmaps;
#[cfg(target_os = "macos")]
mod no_headless;
mod normals;
mod outline;
mod paint;
mod pane;
mod part_programs;
mod picture;
mod pictures;
mod pose_data;
mod posed_primitive;
mod primitive;
mod program;
mod quad;
mod readback;
mod scene;
mod shadow;
mod skeleton;
mod skin_variant;
mod skinned;
mod skinning_device;
mod skinning_stage;
mod surface;
mod textures;
mod upload;
mod vertex_data;
mod vertex_program;
mod wire;

pub use error::RenderError;
pub use frame::FrameInput;
#[cfg(not(target_os = "macos"))]
pub use headless::Headless;
#[cfg(target_os = "macos")]
pub use no_headless::Headless;
pub use scene::Scene;
pub use skinning_device::SkinningDevice;
