//! The option on how much memory a file may ask for.

use clap::Args;

use crate::import::Job;

/// `--memory-limit`, shared by the window and the subcommands.
#[derive(Args, Clone, Copy, Debug)]
pub struct MemoryArgs {
    /// Decoded data that a file may ask for, in MiB; one that asks for more is refused or shown without it
    #[arg(long, global = true, value_name = "MIB", default_value_t = (Job::DEFAULT_MEMORY_LIMIT >> 20) as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    memory_limit: u32,
}

impl MemoryArgs {
    /// The limit in bytes.
    pub fn bytes(self) -> u64 {
        u64::from(self.memory_limit) << 20
    }

    /// An import within the limit, which reads named pipes too.
    pub fn job(self) -> Job {
        Job::with_memory_limit(self.bytes()).waiting_for_pipes()
    }
}
