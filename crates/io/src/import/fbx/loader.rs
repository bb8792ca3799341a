use std::path::Path;

use image::ImageFormat;
use ufbx::SceneRoot;

use crate::import::budget::MemoryBudget;
use crate::import::decoding::{DecodedImageCache, DecodingLimits};
use crate::import::report::ImportReport;
use crate::import::warning::{PrimitiveLocation, short};
use crate::import::{ImportError, ImportWarning, Job};
use rigscope_core::findings::{Code, Target};

/// Texture formats, including older formats that glTF does not allow.
const FORMATS: [ImageFormat; 5] =
    [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Bmp, ImageFormat::Tga];

#[derive(Clone, Copy)]
pub(super) struct FbxLoader<'a> {
    pub scene: &'a SceneRoot,
    /// Size of the file, in bytes.
    pub size: u64,
    pub folder: Option<&'a Path>,
    pub job: &'a Job,
    pub budget: &'a MemoryBudget,
    pub pictures: &'a DecodedImageCache,
    pub report: &'a ImportReport,
}

impl<'a> FbxLoader<'a> {
    pub(super) fn warn(&self, code: Code, target: Target, message: String) {
        self.report.warn(ImportWarning::new(code, target, message));
    }

    pub(super) fn decoding_limits(&self) -> DecodingLimits<'a> {
        DecodingLimits { budget: self.budget, job: self.job, formats: &FORMATS, known: self.pictures }
    }

    pub(super) fn nothing_shown(&self) -> ImportError {
        match self.report.first_loss() {
            Some(reason) => ImportError::NothingUsable { reason },
            None => {
                ImportError::Empty { meshes: self.scene.meshes.count, nodes: self.scene.nodes.count.saturating_sub(1) }
            }
        }
    }
}

pub(super) fn location(mesh: &ufbx::Mesh, primitive: usize) -> PrimitiveLocation {
    PrimitiveLocation { mesh: number(&mesh.element), name: short(&mesh.element.name), primitive }
}

pub(super) fn number(element: &ufbx::Element) -> usize {
    element.typed_id as usize
}
