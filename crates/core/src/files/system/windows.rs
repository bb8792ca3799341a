use std::borrow::Cow;
use std::env::var_os;
use std::ffi::OsString;
use std::fs::{File, FileType, Metadata, remove_dir, remove_file, rename};
use std::io::{Error, ErrorKind, Result, stdin};
use std::mem::MaybeUninit;
use std::os::windows::ffi::OsStringExt as _;
use std::os::windows::fs::{FileExt as _, MetadataExt as _};
use std::os::windows::io::{AsHandle as _, AsRawHandle as _, BorrowedHandle};
use std::os::windows::process::CommandExt as _;
use std::path::{Component, Path, PathBuf, Prefix};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};
use windows_sys::Win32::Foundation::{ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, FALSE, TRUE};
use windows_sys::Win32::Storage::FileSystem::{BY_HANDLE_FILE_INFORMATION, GetFileInformationByHandle};
use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
use windows_sys::Win32::System::Threading::{CREATE_NO_WINDOW, GetCurrentProcess, TerminateProcess};
use windows_sys::core::BOOL;

use super::Held;

/// Returns the volume's serial number and the index of a regular file, which are the same for all its hard
/// links. Without a path, of the file from which standard input is redirected.
pub(in crate::files) fn identity(path: Option<&Path>) -> Option<(u64, u64)> {
    let Some(path) = path else { return index(stdin().as_handle()) };
    path.metadata().ok().filter(Metadata::is_file)?;
    index(File::open(path).ok()?.as_handle())
}

#[expect(unsafe_code, reason = "the standard library has no stable function for this")]
fn index(file: BorrowedHandle<'_>) -> Option<(u64, u64)> {
    let mut found = MaybeUninit::<BY_HANDLE_FILE_INFORMATION>::uninit();
    // SAFETY: the handle is open, and the structure has the type that the function fills.
    if unsafe { GetFileInformationByHandle(file.as_raw_handle(), found.as_mut_ptr()) } == FALSE {
        return None;
    }
    // SAFETY: the function filled the structure.
    let found = unsafe { found.assume_init() };
    let index = u64::from(found.nFileIndexHigh) << 32 | u64::from(found.nFileIndexLow);
    Some((found.dwVolumeSerialNumber.into(), index))
}

/// Always `None`: devices and pipes are recognized by their names, see [`refuse_device`].
pub(in crate::files) fn special_kind(_kind: FileType) -> Option<&'static str> {
    None
}

/// Fails if a path is the name of a device, such as `NUL`, `con.glb` or `\\.\pipe\x`. Opening one may block, or lose what
/// is written.
pub(in crate::files) fn refuse_device(path: &Path) -> Result<()> {
    let problem = "Windows reserves this name for a device; choose another name";
    if is_device(path) { Err(Error::new(ErrorKind::InvalidInput, problem)) } else { Ok(()) }
}

/// *Source*: "Naming Files, Paths, and Namespaces" in Microsoft's documentation of Win32.
fn is_device(path: &Path) -> bool {
    const NAMES: [&str; 6] = ["AUX", "CON", "CONIN$", "CONOUT$", "NUL", "PRN"];
    const NUMBERED: [&str; 2] = ["COM", "LPT"];
    let is_in_namespace = match path.components().next() {
        Some(Component::Prefix(prefix)) => matches!(prefix.kind(), Prefix::DeviceNS(_)),
        _ => false,
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split(['.', ':']).next().unwrap_or_default().trim_end_matches(' ').to_ascii_uppercase();
    let is_number =
        |rest: &str| matches!(rest, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³");
    let is_numbered = NUMBERED.iter().any(|name| stem.strip_prefix(name).is_some_and(is_number));
    is_in_namespace || is_numbered || NAMES.contains(&stem.as_str())
}

/// Always false: named pipes are devices, see [`refuse_device`].
pub fn is_pipe(_path: &Path) -> bool {
    false
}

/// Does nothing: new files inherit the permissions of their folder.
pub(in crate::files) fn set_mode(_builder: &mut Builder<'_, '_>, _mode: u32) {}

/// Does nothing: new files inherit the permissions of their folder.
#[expect(clippy::unnecessary_wraps, reason = "the same function fails on Unix")]
pub(in crate::files) fn keep_owner_and_mode(_file: &File, _old: &Metadata) -> Result<()> {
    Ok(())
}

/// Returns an existing path with symbolic links resolved, without the prefix `\\?\`, which not every program accepts.
pub(in crate::files) fn real_path(path: &Path) -> Result<PathBuf> {
    let real = path.canonicalize()?;
    Ok(real.to_str().map(|text| PathBuf::from(portable(text).as_ref())).unwrap_or(real))
}

/// Interval and number of attempts to replace a file that another program has open. Virus scanners and search indexers
/// open new files for a moment.
const PAUSE: Duration = Duration::from_millis(50);
const MAX_ATTEMPTS: usize = 20;

/// Moves a temporary file to its final path and replaces any file there.
pub(in crate::files) fn persist(file: NamedTempFile, place: &Path) -> Result<()> {
    let (file, path) = file.keep().map_err(|e| e.error)?;
    drop(file);
    let moved = retry(|| rename(&path, place));
    if moved.is_err() {
        let _ = remove_file(&path);
    }
    moved
}

fn retry(mut attempt: impl FnMut() -> Result<()>) -> Result<()> {
    let is_busy = |problem: &Error| {
        let code = problem.raw_os_error().map(i32::cast_unsigned);
        code == Some(ERROR_ACCESS_DENIED) || code == Some(ERROR_SHARING_VIOLATION)
    };
    for _ in 1..MAX_ATTEMPTS {
        match attempt() {
            Err(problem) if is_busy(&problem) => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
    attempt()
}

/// Removes an empty folder, because no folder can replace it.
pub(in crate::files) fn make_room(place: &Path) -> Result<()> {
    if place.is_dir() { remove_dir(place) } else { Ok(()) }
}

static CLEAN_UP: OnceLock<fn() -> Held> = OnceLock::new();

/// Makes Ctrl+C, Ctrl+Break and closing the console call a function before they end the program. Its result is held
/// until then.
#[expect(unsafe_code, reason = "a call of the system")]
pub(in crate::files) fn watch(clean_up: fn() -> Held) {
    CLEAN_UP.get_or_init(|| {
        // SAFETY: the handler is a function, so it lives as long as the process. If this fails, Ctrl+C keeps its default
        // action.
        let _ = unsafe { SetConsoleCtrlHandler(Some(before_end), TRUE) };
        clean_up
    });
}

/// Called by Windows on a thread of its own, which may take any lock. `FALSE` continues with the default action, which
/// ends the process.
#[expect(unsafe_code, reason = "Windows calls it")]
unsafe extern "system" fn before_end(_event: u32) -> BOOL {
    if let Some(clean_up) = CLEAN_UP.get() {
        std::mem::forget(clean_up());
    }
    FALSE
}

/// Exits at once. Skips exit handlers, because those of graphics drivers expect idle threads.
#[expect(unsafe_code, reason = "a call of the system")]
pub(in crate::files) fn exit(code: u8) -> ! {
    // SAFETY: the handle stands for this process.
    let _ = unsafe { TerminateProcess(GetCurrentProcess(), code.into()) };
    std::process::exit(code.into())
}

/// Returns the user's folder for data that stays on this machine.
pub(in crate::files) fn usual_cache_folder() -> Option<PathBuf> {
    var_os("LOCALAPPDATA").map(PathBuf::from)
}

/// Reads a part of a file that starts at byte `start`. *Errors*: I/O errors; the file ends before.
pub fn read_exact_at(file: &File, mut out: &mut [u8], mut start: u64) -> Result<()> {
    while !out.is_empty() {
        let count = file.seek_read(out, start)?;
        if count == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        out = out.get_mut(count..).unwrap_or_default();
        start = start.saturating_add(count as u64);
    }
    Ok(())
}

/// Returns whether a file is a program. Its extension tells.
pub fn is_executable(metadata: &Metadata) -> bool {
    metadata.is_file()
}

/// Starts a program without a console of its own, which would be visible for a moment.
pub fn without_console(command: &mut Command) {
    command.creation_flags(CREATE_NO_WINDOW);
}

/// Returns the file name with these bytes in WTF-8, which need not be Unicode. The inverse of
/// [`as_encoded_bytes`](std::ffi::OsStr::as_encoded_bytes). Bytes that aren't WTF-8 become U+FFFD.
pub fn os_string(bytes: Vec<u8>) -> OsString {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let length = if let [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..] = rest {
            // An unpaired surrogate, U+D800 to U+DFFF.
            units.push(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F));
            3
        } else {
            let character = |length: usize| std::str::from_utf8(rest.get(..length)?).ok();
            let found = (1..=4).find_map(character);
            units.extend(found.unwrap_or("\u{FFFD}").encode_utf16());
            found.map_or(1, str::len)
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    OsString::from_wide(&units)
}

/// Returns times of a file. A program that changes a file may set the times back.
pub fn change_stamp(metadata: &Metadata) -> Vec<i64> {
    [metadata.last_write_time(), metadata.creation_time()].map(u64::cast_signed).to_vec()
}

/// Returns a path as reports and saved files contain it, the same on all systems: with `/`, and without the prefix
/// `\\?\` of [`canonicalize`](Path::canonicalize). Windows opens such paths too.
pub fn portable(path: &str) -> Cow<'_, str> {
    let Some(verbatim) = path.strip_prefix(r"\\?\") else { return path.replace('\\', "/").into() };
    if let Some(share) = verbatim.strip_prefix(r"UNC\") {
        format!("//{}", share.replace('\\', "/")).into()
    } else if verbatim.get(1..2) == Some(":") {
        verbatim.replace('\\', "/").into()
    } else {
        path.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_are_refused_in_any_spelling() {
        for name in
            ["NUL", "nul.glb", r"models\con", "aux .txt", "COM1", "lpt².json", "C:/a/prn", r"\\.\pipe\x", r"\\.\C:"]
        {
            assert!(refuse_device(Path::new(name)).is_err(), "{name}");
        }
        for name in ["null.glb", "COM.glb", "COM10", "console", "a.con", r"\\?\C:\a.glb", "aux/a.glb"] {
            assert!(refuse_device(Path::new(name)).is_ok(), "{name}");
        }
    }

    #[test]
    fn names_that_are_no_unicode_come_back() {
        for units in [&[0x61, 0xD800, 0x62][..], &[0xDFFF], &[0x20AC, 0xD83D, 0xDE00, 0xD83D], &[]] {
            let name = OsString::from_wide(units);
            assert_eq!(os_string(name.as_encoded_bytes().to_vec()), name);
        }
        assert_eq!(os_string(b"a\xFF\xED".to_vec()), "a\u{FFFD}\u{FFFD}");
    }

    #[test]
    fn paths_in_reports_have_slashes() {
        for (path, expected) in [
            (r"models\a.glb", "models/a.glb"),
            (r"\\?\C:\models\a.glb", "C:/models/a.glb"),
            (r"\\?\UNC\server\share\a.glb", "//server/share/a.glb"),
            (r"\\server\share\a.glb", "//server/share/a.glb"),
            (r"\\?\Volume{1}\a.glb", r"\\?\Volume{1}\a.glb"),
        ] {
            assert_eq!(portable(path), expected);
        }
    }
}
