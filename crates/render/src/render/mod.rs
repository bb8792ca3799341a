//! Renders actors, panes and a view to an image. Only this module uses three-d, cgmath, glow and glutin.
//!
//! [`Scene`] draws offscreen, then copies the image to the window or returns it; it redraws only what has changed.
//! [`Headless`] provides an OpenGL context without a window; [`SceneHost`] lets other threads draw in a window's
//! context.
//!
//! A frame lists actors and panes; a pane shows one or two actors. A wipe clips both actors at its line; a ghost is
//! drawn over the other actor. Actors with the same geometry share their GPU data; see [`FrameInput`]. Overlays and
//! recomputed normals are data textures, read by vertex index.
//!
//! After each change, vertices are skinned once, into buffers from which every pass draws. Skinning runs in a compute
//! or vertex shader (`skinning.glsl`, with the formulas of [`rigscope_core::skinning`]) or, on software drivers, in the CPU
//! kernels of [`rigscope_core::skinning`]; see [`SkinningDevice`]. A test compares the two by means of [`Scene::skinned`].
//!
//! Light is computed per pixel. On software drivers, meshes whose triangles cover only a few pixels are lit per vertex,
//! unless a texture other than the base colour affects lighting. This halves the rendering time and changes channel
//! values by at most 2 of 255.
//!
//! | folder | contents | imports |
//! | --- | --- | --- |
//! | `gl` | OpenGL wrappers: buffers, textures, programs, framebuffers | |
//! | `panes` | cameras, viewports and the pixels that an actor may touch | `gl` |
//! | `rig` | pose-independent rig data on the graphics card | `gl` |
//! | `light` | environments, reflections and the key light's shadow | `gl`, `panes` |
//! | `overlay` | overlay values per vertex | `gl`, `rig` |
//! | `skinning` | posed vertices | `gl`, `rig` |
//! | `surface` | mesh primitives, their materials and lighting | all above |
//! | `background` | background, ground and contact shadow | `gl`, `panes`, `light`, `surface` |
//! | `annotations` | bones, marks and trails drawn over the skin | `gl`, `panes`, `surface` |
//! | `compare` | dividing line, glass, outline | `gl`, `panes` |
//! | `scene` | the passes of an image, in order | all |
//!
//! Shader files are in the folder of the code that uses them.

mod annotations;
mod background;
mod color;
mod compare;
mod error;
mod frame;
mod gl;
mod headless;
mod light;
mod overlay;
mod panes;
mod remote;
mod rig;
mod scene;
mod skinning;
mod surface;

pub use error::RenderError;
pub use frame::{FrameInput, PaneContent, PaneInput, Tile};
pub use gl::card::Card;
pub use headless::Headless;
pub use remote::{RemoteScene, RemoteScenes, SceneHost};
pub use scene::Scene;
pub use skinning::skinning_device::SkinningDevice;
