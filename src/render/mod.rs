//! Pixels: actors, panes and a view in, a picture out. Sole user of three-d, cgmath, glow and glutin.
//!
//! [`Scene`] draws offscreen and copies the result to the window, or hands it out as an image; [`Headless`] gives it an OpenGL
//! context where there is no window, and [`SceneHost`] lets other threads draw in a window's. A picture is drawn again only when something that it shows has changed.
//!
//! A frame names its actors, and a picture is made of panes that show one or two of them: a wipe cuts every fragment by the line, a ghost is drawn over
//! the other. A character is on the graphics card once for all actors that have its geometry, and as long as a frame names one of them; see
//! [`FrameInput`]. What is painted over an actor is looked up by vertex number, and coloured in the fragment shader. Normals
//! that the CPU recomputed are looked up likewise, in place of those that skinning turns.
//!
//! Vertices are skinned once when something that moves them changes, into buffers that every pass draws from: by a compute
//! shader or a vertex shader, both with `skinning.glsl` and the formulas of [`crate::skinning`], or by the kernels there where the driver draws on the
//! processor; see [`SkinningDevice`]. [`Scene::skinned`] reads the buffers back, and a test holds the two together.
//!
//! Light is computed on each pixel. Where the driver draws on the processor, it is computed on the vertices of meshes whose triangles are a few pixels
//! small, unless a texture besides the base colour's sets it: that takes a half of the time, and the picture is the same but for a step or two of 255.
//!
//! | folder | what is in it | imports |
//! | --- | --- | --- |
//! | `gl` | buffers, textures, programs, framebuffers: what is near OpenGL | |
//! | `panes` | who looks, into which part of the picture, and what is seen there | `gl` |
//! | `rig` | what of a rig is on the graphics card, whatever its pose | `gl` |
//! | `light` | environments, what surfaces mirror of them, and the shadow of the key light | `gl`, `panes` |
//! | `paint` | values painted over vertices | `gl`, `rig` |
//! | `skinning` | vertices in a pose | `gl`, `rig`, `paint` |
//! | `surface` | how parts are drawn, their materials and light | all above |
//! | `backdrop` | background, ground and contact shadow | `gl`, `panes`, `surface` |
//! | `signs` | bones, marks and trails over the surface | `gl`, `panes`, `surface` |
//! | `compare` | dividing line, glass, outline | `gl`, `panes` |
//! | `scene` | what a picture is made of, in its order | all |
//!
//! GLSL lies beside what uses it.

mod backdrop;
mod color;
mod compare;
mod error;
mod frame;
mod gl;
#[cfg(not(target_os = "macos"))]
mod headless;
mod light;
#[cfg(target_os = "macos")]
mod no_headless;
mod paint;
mod panes;
mod remote;
mod rig;
mod scene;
mod signs;
mod skinning;
mod surface;

pub use error::RenderError;
pub use frame::{FrameInput, PaneInput, Shows, Tile};
pub use gl::card::Card;
#[cfg(not(target_os = "macos"))]
pub use headless::Headless;
#[cfg(all(test, not(target_os = "macos")))]
pub(crate) use headless::testing as headless_testing;
#[cfg(target_os = "macos")]
pub use no_headless::Headless;
pub use remote::{RemoteScene, RemoteScenes, SceneHost};
pub use scene::Scene;
pub use skinning::skinning_device::SkinningDevice;
