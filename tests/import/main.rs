//! Import of valid, broken and malicious files in every format, and its warnings.

#[path = "../common/mod.rs"]
mod common;

mod clips_of;
mod fbx;
mod fbx_robust;
mod hostile;
mod import_complaints;
mod import_malformed;
mod import_samples;
mod import_valid;
#[cfg(feature = "gl")]
mod odd_files;
mod robust;
#[cfg(feature = "gl")]
mod units;
