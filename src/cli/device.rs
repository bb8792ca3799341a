//! The option on where vertices are skinned for pictures.

use clap::Args;

use crate::render::{Scene, SkinningDevice};

/// `--skin`, shared by the window and the subcommands that draw.
#[derive(Args, Clone, Copy, Debug)]
pub struct DeviceArgs {
    /// Where vertices are skinned: cpu; gpu; or gpu by compute (OpenGL 4.3, ES 3.1) or feedback (any version) [default: cpu with a software driver, else gpu]
    #[arg(long = "skin", global = true, value_name = "DEVICE", env = "RIGSCOPE_SKIN", hide_env_values = true)]
    pub device: Option<SkinningDevice>,
}

impl DeviceArgs {
    /// Makes a scene skin on the device that the user asked for.
    pub(super) fn apply_to(self, scene: &mut Scene) {
        if let Some(device) = self.device {
            scene.skin_on(device);
        }
    }
}
