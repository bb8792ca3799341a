use std::borrow::Cow;
use std::env::home_dir;
use std::ffi::OsString;
use std::fs::{File, FileType, Metadata, Permissions};
use std::io::Result;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{FileExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::sync::mpsc::channel;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use tempfile::{Builder, NamedTempFile};

use super::Held;

/// Returns the device and inode numbers of a regular file, which are the same for all its hard links. Without a
/// path, of the file from which standard input is redirected.
pub(in crate::files) fn identity(path: Option<&Path>) -> Option<(u64, u64)> {
    let metadata = path.unwrap_or(Path::new("/dev/stdin")).metadata().ok().filter(Metadata::is_file)?;
    Some((metadata.dev(), metadata.ino()))
}

/// Returns the kind of a file-system object that only Unix has.
pub(in crate::files) fn special_kind(kind: FileType) -> Option<&'static str> {
    if kind.is_fifo() {
        Some("a named pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else if kind.is_char_device() || kind.is_block_device() {
        Some("a device")
    } else {
        None
    }
}

/// Does nothing, because devices have no reserved names.
#[expect(clippy::unnecessary_wraps, reason = "the same function fails on Windows")]
pub(in crate::files) fn refuse_device(_path: &Path) -> Result<()> {
    Ok(())
}

/// Returns whether a path is a pipe. Opening a named pipe blocks until there is a writer, perhaps forever.
pub fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo())
}

/// Sets the mode of a new temporary file or folder, less the user's mask. Temporary files are private by default, but
/// saved files should have the user's default mode.
pub(in crate::files) fn set_mode(builder: &mut Builder<'_, '_>, mode: u32) {
    builder.permissions(Permissions::from_mode(mode));
}

pub(in crate::files) fn keep_owner_and_mode(file: &File, old: &Metadata) -> Result<()> {
    // Only the superuser can change the owner. For others, the file belongs to the current user.
    let _ = fchown(file, None, Some(old.gid()));
    let _ = fchown(file, Some(old.uid()), None);
    // The mode is set after the owner, because changing the owner clears mode bits.
    file.set_permissions(old.permissions())
}

/// Returns an existing path with symbolic links resolved.
pub(in crate::files) fn real_path(path: &Path) -> Result<PathBuf> {
    path.canonicalize()
}

/// Moves a temporary file to its final path and replaces any file there.
pub(in crate::files) fn persist(file: NamedTempFile, place: &Path) -> Result<()> {
    file.persist(place).map(drop).map_err(|e| e.error)
}

/// Does nothing, because a folder replaces an empty folder atomically.
#[expect(clippy::unnecessary_wraps, reason = "the same function fails on Windows")]
pub(in crate::files) fn make_room(_place: &Path) -> Result<()> {
    Ok(())
}

/// Makes SIGINT and SIGTERM call a function before they end the program. Its result is held until then.
pub(in crate::files) fn watch(clean_up: fn() -> Held) {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let (ready, is_ready) = channel();
        // The thread itself registers the handlers, so that signals keep their default action if the thread cannot
        // start.
        let work = move || {
            let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
            let _ = ready.send(());
            for signal in signals.forever() {
                let _held = clean_up();
                let _ = emulate_default_handler(signal);
            }
        };
        if std::thread::Builder::new().name("signals".to_owned()).spawn(work).is_ok() {
            let _ = is_ready.recv();
        }
    });
}

/// Exits at once. Skips exit handlers, because those of graphics drivers expect idle threads.
pub(in crate::files) fn exit(code: u8) -> ! {
    signal_hook::low_level::exit(code.into())
}

/// Returns the system's folder for caches.
pub(in crate::files) fn usual_cache_folder() -> Option<PathBuf> {
    let below_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    Some(home_dir()?.join(below_home))
}

/// Reads a part of a file that starts at byte `start`. *Errors*: I/O errors; the file ends before.
pub fn read_exact_at(file: &File, out: &mut [u8], start: u64) -> Result<()> {
    file.read_exact_at(out, start)
}

/// Returns whether a file is a program.
pub fn is_executable(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.mode() & 0o111 != 0
}

/// Does nothing, because only Windows opens consoles for programs.
pub fn without_console(_command: &mut Command) {}

/// Returns the file name with these bytes, which need not be UTF-8. The inverse of
/// [`as_encoded_bytes`](std::ffi::OsStr::as_encoded_bytes).
pub fn os_string(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// Returns times and inode of a file. Any change to a file changes at least one of these.
pub fn change_stamp(metadata: &Metadata) -> Vec<i64> {
    // Includes the time of the last status change (ctime), because programs can't set it.
    let changed = [metadata.ctime(), metadata.ctime_nsec()];
    [&[metadata.mtime(), metadata.mtime_nsec()], &changed[..], &[metadata.ino().cast_signed()]].concat()
}

/// Returns a path as reports and saved files contain it, the same on all systems.
pub fn portable(path: &str) -> Cow<'_, str> {
    path.into()
}
