use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use super::system::refuse_device;
use super::{is_pipe, is_standard, kind};

/// Maximum size of a pose, session or config file, in bytes: twice the size of a complete pose of 65,536 joints.
pub const MAX_BYTES: u64 = 64 << 20;

/// Opens a regular file without blocking. *Errors*: I/O errors; not a regular file; on Windows, the name of a device.
pub fn open(path: &Path) -> Result<File> {
    let check = |metadata: std::fs::Metadata| {
        let fault =
            || Error::new(ErrorKind::InvalidInput, format!("it is {}, and only a file is read", kind(&metadata)));
        if metadata.is_file() { Ok(()) } else { Err(fault()) }
    };
    refuse_device(path)?;
    // Checks before opening, because opening a pipe blocks until there is a writer.
    check(path.metadata()?)?;
    let file = File::open(path)?;
    check(file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file, or standard input for `-`. *Errors*: same as [`open()`]; more than [`MAX_BYTES`].
pub fn read(path: &Path) -> Result<Vec<u8>> {
    if is_standard(path) {
        return read_bounded(std::io::stdin().lock(), MAX_BYTES);
    }
    read_bounded(open(path)?, MAX_BYTES)
}

/// Like [`read`], but also reads pipes. May block, so call it only from the command line, never from a window.
pub fn read_waiting(path: &Path) -> Result<Vec<u8>> {
    if is_pipe(path) { read_bounded(open_stream(path)?, MAX_BYTES) } else { read(path) }
}

/// Returns whether a path is a stream that can be read only once: `-`, or an inherited pipe, such as a shell's `<(…)`.
pub fn is_stream(path: &Path) -> bool {
    let is_given = ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|given| path.starts_with(given));
    is_standard(path) || is_given && is_pipe(path)
}

/// Opens a stream or pipe; see [`is_stream`] and [`is_pipe`]. May block.
pub fn open_stream(path: &Path) -> Result<Box<dyn Read>> {
    if is_standard(path) { Ok(Box::new(std::io::stdin().lock())) } else { Ok(Box::new(File::open(path)?)) }
}

/// Reads to the end. *Errors*: I/O errors; more than `limit` bytes, so an endless source also fails.
pub fn read_bounded(from: impl Read, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let problem = format!("it has more than {} MiB, and no more is read", limit >> 20);
        return Err(Error::new(ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_input_is_rejected_early() {
        let problem = read_bounded(std::io::repeat(0), 1 << 20).unwrap_err();
        assert_eq!(problem.to_string(), "it has more than 1 MiB, and no more is read");
        assert_eq!(read_bounded(&[7; 9][..], 9).unwrap(), [7; 9]);
    }

    #[test]
    fn a_file_beyond_the_bound_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(MAX_BYTES + 1).unwrap();
        assert_eq!(read(file.path()).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_a_socket_and_a_folder_are_named_and_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for (path, what) in [(Path::new("/dev/zero"), "a device"), (&socket, "a socket"), (folder.path(), "a folder")] {
            assert_eq!(read(path).unwrap_err().to_string(), format!("it is {what}, and only a file is read"));
        }
    }
}
