use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::{AsHandle as _, AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::time::{Duration, Instant};

use windows_sys::Win32::Foundation::{
    ERROR_BROKEN_PIPE, ERROR_PIPE_BUSY, ERROR_PIPE_CONNECTED, FALSE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, PIPE_ACCESS_DUPLEX, SECURITY_IDENTIFICATION,
};
use windows_sys::Win32::System::Pipes::{
    ConnectNamedPipe, CreateNamedPipeW, PIPE_READMODE_BYTE, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE,
    PIPE_UNLIMITED_INSTANCES, PIPE_WAIT, PeekNamedPipe,
};
use windows_sys::Win32::System::RemoteDesktop::ProcessIdToSessionId;

use super::PATIENCE;
use super::owner::Owner;

/// Interval at which a pipe is checked for data or a free instance.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
const BUFFER_BYTES: u32 = 1 << 16;

/// Returns the name of the user's pipe on this desktop. A user who has signed in twice has two desktops.
#[expect(unsafe_code, reason = "the standard library has no function for this")]
pub(super) fn address() -> Option<PathBuf> {
    let user = std::env::var("USERNAME").ok().filter(|user| !user.is_empty())?;
    let mut desktop = 0;
    // SAFETY: the pointer is valid. If this fails, the number stays 0.
    let _ = unsafe { ProcessIdToSessionId(std::process::id(), &raw mut desktop) };
    Some(format!(r"\\.\pipe\rigscope-{desktop}-{}", user.replace('\\', "-")).into())
}

/// The pipe of an open window.
pub(super) struct Acceptor {
    name: Vec<u16>,
    owner: Owner,
    /// Instance to which the next program connects.
    next: OwnedHandle,
}

/// Nothing: Windows removes the pipe with its last handle.
pub(super) struct Cleanup;

/// Creates the pipe. *Errors*: I/O errors; the pipe exists.
pub(super) fn bind(name: &Path) -> Result<(Acceptor, Cleanup)> {
    let name: Vec<u16> = name.as_os_str().encode_wide().chain([0]).collect();
    let owner = Owner::of_this_process()?;
    let next = instance(&name, &owner, FILE_FLAG_FIRST_PIPE_INSTANCE)?;
    Ok((Acceptor { name, owner, next }, Cleanup))
}

/// Creates an instance of a pipe that no other user can open.
#[expect(unsafe_code, reason = "the standard library has no pipes with names")]
fn instance(name: &[u16], owner: &Owner, flags: u32) -> Result<OwnedHandle> {
    let (open, mode) =
        (PIPE_ACCESS_DUPLEX | flags, PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS);
    let (count, size) = (PIPE_UNLIMITED_INSTANCES, BUFFER_BYTES);
    // SAFETY: the name ends with zero, and the attributes live longer than the call.
    let create = |attributes| unsafe { CreateNamedPipeW(name.as_ptr(), open, mode, count, size, size, 0, attributes) };
    let handle = owner.alone(create)?;
    if handle == INVALID_HANDLE_VALUE {
        return Err(Error::last_os_error());
    }
    // SAFETY: the handle was just created, and nothing else owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

impl Acceptor {
    /// Waits for the next connection.
    #[expect(unsafe_code, reason = "the standard library has no pipes with names")]
    pub(super) fn accept(&mut self) -> Result<Peer> {
        // SAFETY: the handle is a pipe without overlapped operations.
        let is_connected = unsafe { ConnectNamedPipe(self.next.as_raw_handle(), null_mut()) } != FALSE;
        let problem = Error::last_os_error();
        // Programs that connect in the meantime wait for the new instance.
        let connected = std::mem::replace(&mut self.next, instance(&self.name, &self.owner, 0)?);
        if is_connected || is_code(&problem, ERROR_PIPE_CONNECTED) {
            Ok(Peer(File::from(connected)))
        } else {
            Err(problem)
        }
    }
}

fn is_code(problem: &Error, code: u32) -> bool {
    problem.raw_os_error() == Some(code.cast_signed())
}

/// One end of a connection.
pub(super) struct Peer(File);

impl Peer {
    /// Connects to a window. Waits for a second if the window is busy. *Errors*: I/O errors; another user has created
    /// the pipe.
    pub(super) fn connect(name: &Path) -> Result<Self> {
        let end = Instant::now() + PATIENCE;
        loop {
            // The other end may ask who this user is, but not act in the user's name.
            let opened =
                OpenOptions::new().read(true).write(true).security_qos_flags(SECURITY_IDENTIFICATION).open(name);
            match opened {
                Err(problem) if is_code(&problem, ERROR_PIPE_BUSY) => wait(end)?,
                opened => return Self::of_same_user(opened?),
            }
        }
    }

    fn of_same_user(pipe: File) -> Result<Self> {
        let is_own = Owner::of_this_process()?.owns(pipe.as_handle())?;
        if is_own { Ok(Self(pipe)) } else { Err(Error::new(ErrorKind::PermissionDenied, "the pipe is another user's")) }
    }

    /// Reads at least one byte. Returns 0 at the end. *Errors*: I/O errors; nothing arrives in time.
    pub(super) fn read(&mut self, block: &mut [u8], patience: Duration) -> Result<usize> {
        let end = Instant::now() + patience;
        loop {
            match self.available() {
                Ok(0) => wait(end)?,
                Ok(_) => return self.0.read(block),
                Err(problem) if is_code(&problem, ERROR_BROKEN_PIPE) => return Ok(0),
                Err(problem) => return Err(problem),
            }
        }
    }

    /// Returns the number of bytes that can be read without blocking.
    #[expect(unsafe_code, reason = "the standard library has no pipes with names")]
    fn available(&self) -> Result<u32> {
        let mut count = 0;
        // SAFETY: the handle is open, and pointers that may be null are null.
        let is_known =
            unsafe { PeekNamedPipe(self.0.as_raw_handle(), null_mut(), 0, null_mut(), &raw mut count, null_mut()) };
        if is_known == FALSE { Err(Error::last_os_error()) } else { Ok(count) }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.write_all(bytes)
    }
}

fn wait(end: Instant) -> Result<()> {
    if Instant::now() > end {
        return Err(Error::new(ErrorKind::TimedOut, "the other end doesn't answer"));
    }
    std::thread::sleep(POLL_INTERVAL);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_carries_a_request_and_its_answer() {
        let name = PathBuf::from(format!(r"\\.\pipe\rigscope-test-{}", std::process::id()));
        let (mut window, _cleanup) = bind(&name).unwrap();
        let client = std::thread::spawn(move || {
            let mut window = Peer::connect(&name).unwrap();
            window.write(b"open\n").unwrap();
            let mut answer = [0; 8];
            let length = window.read(&mut answer, PATIENCE).unwrap();
            answer[..length].to_vec()
        });
        let mut peer = window.accept().unwrap();
        let mut request = [0; 8];
        assert_eq!(peer.read(&mut request, PATIENCE).unwrap(), 5);
        peer.write(b"yes\n").unwrap();
        assert_eq!(client.join().unwrap(), b"yes\n");
    }
}
