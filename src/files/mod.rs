//! File access: bounded reads, atomic writes, and protection of inputs against accidental overwriting.

mod byte_count;
mod cache_folder;
mod digest;
mod exclusion;
mod glob;
mod identity;
mod listing;
mod pending;
mod reading;
mod writing;

pub use byte_count::byte_count;
pub use cache_folder::cache_folder;
pub use digest::{digest, digest_of};
pub use exclusion::{Exclusion, Step};
pub use glob::Glob;
pub use identity::{first_same, is_standard, kind};
pub use listing::{FolderEntry, list};
pub use pending::{before_process_ends, end_process};
pub use reading::{MAX_BYTES, is_pipe, is_stream, open, open_stream, read, read_bounded, read_waiting};
pub use writing::{GrowingFile, write_atomically, write_together};
