//! Options shared by the window and the subcommands.

use clap::Args;

use crate::import::Job;

// The limit applies to an estimate: file size, decoded meshes, clips, textures with mipmaps, and temporary memory of
// decoders. "counted" is the smallest limit with which `info` and `check` show the whole file; "process" is the peak
// memory of the process minus 40 MiB, the peak for a built-in character:
//
// | file | counted, MiB | process, MiB |
// | --- | --- | --- |
// | GLB with 490,000 vertices, 26 MiB | 66 | 24 |
// | GLB with a PNG of 4096 x 4096 pixels, 16 MiB | 102 | 76 to 80 |
// | `Knight.glb`, 3.5 MiB | 10 | 11 to 17 |
// | `CesiumMan.glb`, 0.5 MiB | 7 | 4 to 6 |
// | the same as FBX, 0.6 MiB | 9 | 7 to 10 |
//
// The file size counts, although the file is only mapped and is released after reading. Some of the memory that
// allocators and threads use doesn't count.
#[derive(Args, Clone, Copy, Debug)]
pub struct MemoryArgs {
    /// Maximum decoded data per file, in MiB; larger files are refused, or shown without the excess
    #[arg(long, global = true, value_name = "MIB", default_value_t = (Job::DEFAULT_MEMORY_LIMIT >> 20) as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    memory_limit: u32,
}

impl MemoryArgs {
    pub fn bytes(self) -> u64 {
        u64::from(self.memory_limit) << 20
    }

    /// Returns an import job with this memory limit. The job also reads named pipes.
    pub fn job(self) -> Job {
        Job::with_memory_limit(self.bytes()).waiting_for_pipes()
    }
}

#[cfg(feature = "gl")]
#[derive(Args, Clone, Copy, Debug)]
pub struct DeviceArgs {
    /// Device that skins vertices: cpu, gpu, compute or feedback [default: gpu, or cpu with a software driver]
    ///
    /// gpu is compute where the driver has it (OpenGL 4.3, ES 3.1), else transform feedback.
    #[arg(long = "skin", global = true, value_name = "DEVICE", env = "RIGSCOPE_SKIN", hide_env_values = true)]
    pub device: Option<crate::render::SkinningDevice>,
}

#[cfg(feature = "gl")]
impl DeviceArgs {
    pub(super) fn apply_to(self, scene: &mut crate::render::Scene) {
        if let Some(device) = self.device {
            scene.set_skinning_device(device);
        }
    }
}
