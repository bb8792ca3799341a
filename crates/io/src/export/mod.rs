//! Exported files: poses, posed meshes, test kits, whole rigs, images and videos.

mod animated_png;
mod error;
mod export_file;
mod glb;
mod kit;
mod mesh_format;
mod mesh_json;
mod missing;
mod numbers;
mod numpy_array;
mod obj;
mod picture;
mod ply;
mod png_rows;
mod pose_file;
mod posed_meshes;
mod srgb;
mod video;
mod video_target;

pub use animated_png::AnimatedPng;
pub use error::ExportError;
pub use export_file::ExportFile;
pub use glb::{check_rig_name, check_vrm_name, reweighted_glb, rig_glb, rig_glb_with};
pub use kit::{Kit, KitSample};
pub use mesh_format::MeshFormat;
pub use missing::{LostTexture, MissingTextures};
pub use numbers::numbers_json;
pub use picture::{ImageKind, image_png, small_image};
pub use png_rows::{AddRows, write_png};
pub use pose_file::{PoseFile, PoseFileError, PoseFileWarning};
pub use posed_meshes::{PosedMeshes, make_finite, not_finite};
pub use video::{FfmpegFormat, VideoEncoder, VideoError, find_ffmpeg};
pub use video_target::VideoTarget;
