use std::fs::{DirBuilder, Permissions, metadata, remove_file, set_permissions, symlink_metadata};
use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

use super::PATIENCE;

/// Returns the path of the user's socket. The socket is in the runtime folder of the login session or, without one, in
/// a private subfolder of the data folder.
pub(super) fn address() -> Option<PathBuf> {
    let session = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = session.filter(|folder| is_private(folder)).or_else(|| {
        let folder = eframe::storage_dir("rigscope")?.join("run");
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
        is_private(&folder).then_some(folder)
    })?;
    Some(folder.join("rigscope.sock"))
}

/// Returns true if only the owner can access a folder.
fn is_private(folder: &Path) -> bool {
    metadata(folder).is_ok_and(|found| found.is_dir() && found.mode().trailing_zeros() >= 6)
}

/// The socket of an open window.
pub(super) struct Acceptor(UnixListener);

/// Deletes the socket on drop.
pub(super) struct Cleanup {
    path: PathBuf,
    inode: u64,
}

/// Creates the socket. Replaces a socket that a killed window left behind, but no other file.
pub(super) fn bind(path: &Path) -> Result<(Acceptor, Cleanup)> {
    if symlink_metadata(path).is_ok_and(|left| left.file_type().is_socket()) {
        remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    set_permissions(path, Permissions::from_mode(0o600))?;
    let inode = metadata(path)?.ino();
    Ok((Acceptor(listener), Cleanup { path: path.to_owned(), inode }))
}

impl Acceptor {
    /// Waits for the next connection.
    pub(super) fn accept(&mut self) -> Result<Peer> {
        self.0.accept().map(|(stream, _)| Peer(stream))
    }
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        if metadata(&self.path).is_ok_and(|found| found.ino() == self.inode) {
            _ = remove_file(&self.path);
        }
    }
}

/// One end of a connection.
pub(super) struct Peer(pub(super) UnixStream);

impl Peer {
    /// Connects to a window. Gives up after a second, because the system call blocks while the window's queue is full.
    pub(super) fn connect(path: &Path) -> Result<Self> {
        let (sender, connected) = channel();
        let path = path.to_owned();
        let connect = move || _ = sender.send(UnixStream::connect(path));
        std::thread::Builder::new().name("connect".to_owned()).spawn(connect)?;
        let is_late = |_| Err(Error::new(ErrorKind::TimedOut, "the window takes no more connections"));
        connected.recv_timeout(PATIENCE).unwrap_or_else(is_late).map(Self)
    }

    /// Reads at least one byte. Returns 0 at the end. *Errors*: I/O errors; nothing arrives in time.
    pub(super) fn read(&mut self, block: &mut [u8], patience: Duration) -> Result<usize> {
        self.0.set_read_timeout(Some(patience))?;
        self.0.read(block)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.set_write_timeout(Some(PATIENCE))?;
        self.0.write_all(bytes)
    }
}
