//! The option on how much memory a file may ask for.
//!
//! The count is an estimate: the bytes of the file, what its meshes, clips and textures with mipmaps are decoded to, and temporary memory of
//! decoders. Measured below by the smallest limit with which `info` and `check` show a file completely, beside the peak memory of the process less
//! that for a built-in character, 40 MiB:
//!
//! | file | counted, MiB | process, MiB |
//! | --- | --- | --- |
//! | GLB with 490,000 vertices, 26 MiB | 66 | 24 |
//! | GLB with a PNG of 4096 x 4096 pixels, 16 MiB | 102 | 76 to 80 |
//! | `Knight.glb`, 3.5 MiB | 10 | 11 to 17 |
//! | `CesiumMan.glb`, 0.5 MiB | 7 | 4 to 6 |
//! | the same as FBX, 0.6 MiB | 9 | 7 to 10 |
//!
//! The bytes of a file are counted although its pages are mapped, and released once they are read; some memory of allocators and threads is not counted.

use clap::Args;

use crate::import::Job;

/// `--memory-limit`, shared by the window and the subcommands.
#[derive(Args, Clone, Copy, Debug)]
pub struct MemoryArgs {
    /// Most decoded data per file, in MiB; a file that needs more is refused, or shown without the excess. This is an estimate, made before anything is allocated:
    /// the program itself takes 40 MiB plus 0.4 to 1.7 times as much, and more for what it computes from the file
    #[arg(long, global = true, value_name = "MIB", default_value_t = (Job::DEFAULT_MEMORY_LIMIT >> 20) as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    memory_limit: u32,
}

impl MemoryArgs {
    /// The limit in bytes.
    pub fn bytes(self) -> u64 {
        u64::from(self.memory_limit) << 20
    }

    /// An import job with this limit, which also reads named pipes.
    pub fn job(self) -> Job {
        Job::with_memory_limit(self.bytes()).waiting_for_pipes()
    }
}
