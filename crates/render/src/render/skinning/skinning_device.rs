use std::fmt;
use std::str::FromStr;

use crate::render::gl::driver::is_software_name;

/// Device that skins vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinningDevice {
    /// Graphics card: [`Self::Compute`] if the driver supports it, otherwise [`Self::Feedback`].
    Gpu,
    /// Graphics card, compute shader. Falls back to [`Self::Feedback`].
    Compute,
    /// Graphics card, vertex shader with transform feedback.
    Feedback,
    /// CPU kernels of [`rigscope_core::skinning`].
    Cpu,
}

impl SkinningDevice {
    /// All devices.
    pub const ALL: [Self; 4] = [Self::Gpu, Self::Compute, Self::Feedback, Self::Cpu];

    /// Returns the fastest device for an OpenGL renderer name. Skinning on a software driver is fifty times slower than
    /// in the CPU kernels.
    pub fn for_driver(renderer: &str) -> Self {
        if is_software_name(renderer) { Self::Cpu } else { Self::Gpu }
    }
}

impl fmt::Display for SkinningDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gpu => "gpu",
            Self::Compute => "compute",
            Self::Feedback => "feedback",
            Self::Cpu => "cpu",
        })
    }
}

impl FromStr for SkinningDevice {
    type Err = String;

    /// Parses `gpu`, `compute`, `feedback` or `cpu`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|device| device.to_string() == text);
        named.ok_or_else(|| "expected gpu, compute, feedback or cpu".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn software_drivers_are_known_by_their_names() {
        let on_cpu = [
            "llvmpipe (LLVM 15.0.6, 256 bits)",
            "softpipe",
            "Software Rasterizer",
            "Apple Software Renderer",
            "Google SwiftShader",
            "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)",
            "Microsoft Basic Render Driver",
            "GDI Generic",
        ];
        for renderer in on_cpu {
            assert_eq!(SkinningDevice::for_driver(renderer), SkinningDevice::Cpu, "{renderer}");
        }
        let on_gpu = [
            "NVIDIA H200/PCIe/SSE2",
            "Mesa Intel(R) UHD Graphics 620 (KBL GT2)",
            "AMD Radeon RX 6800 XT (radeonsi, navi21, LLVM 15.0.7, DRM 3.49)",
            "Apple M1",
            "virgl",
            "",
        ];
        for renderer in on_gpu {
            assert_eq!(SkinningDevice::for_driver(renderer), SkinningDevice::Gpu, "{renderer}");
        }
    }
}
