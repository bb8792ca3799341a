//! What leaves the program: pose files, posed meshes and pictures.

mod error;
mod glb;
mod glb_buffer;
mod joint_names;
mod mesh_file;
mod mesh_format;
mod mesh_json;
mod numbers;
mod obj;
mod picture;
mod ply;
mod pose_file;
mod posed_meshes;
mod srgb;

pub use error::ExportError;
pub use joint_names::{joint_names, joints_found, joints_named};
pub use mesh_file::MeshFile;
pub use mesh_format::MeshFormat;
pub use numbers::numbers_json;
pub use picture::PictureFormat;
pub use pose_file::{PoseFile, PoseFileError, PoseFileWarning};
pub use posed_meshes::{PosedMeshes, make_finite, not_finite};
