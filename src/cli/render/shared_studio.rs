use crate::cli::{Console, DeviceArgs};
use crate::studio::{RgbaImage, Studio};

/// A studio for the images of many files, created with the first image. Creating an OpenGL context and compiling its
/// shaders takes longer than a small image.
#[derive(Default)]
pub(in crate::cli) struct SharedStudio {
    studio: Option<Studio>,
    has_warned: bool,
    /// Images of a sheet, with their captions.
    pub(super) images: Vec<(String, RgbaImage)>,
}

impl From<Studio> for SharedStudio {
    fn from(studio: Studio) -> Self {
        Self { studio: Some(studio), ..Self::default() }
    }
}

impl SharedStudio {
    /// Returns the studio. *Errors*: there is no OpenGL context, or the driver is too old.
    pub(in crate::cli) fn studio(&mut self, device: DeviceArgs) -> Result<&mut Studio, String> {
        let studio = match self.studio.take() {
            Some(studio) => studio,
            None => Studio::new(device.device)?,
        };
        Ok(self.studio.insert(studio))
    }

    /// Warns once if fonts that the captions need are not installed.
    pub(in crate::cli) fn warn_of_missing_fonts(&mut self, console: &Console) {
        let advice = self.studio.as_ref().and_then(|studio| studio.fonts().advice()).filter(|_| !self.has_warned);
        if let Some(advice) = advice {
            console.warn(&advice);
            self.has_warned = true;
        }
    }
}
