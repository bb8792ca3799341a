//! Access for the user who runs this program alone. By default, Windows lets other users read what a program creates.

use std::io::{Error, Result};
use std::os::windows::io::{AsRawHandle as _, BorrowedHandle, FromRawHandle as _, OwnedHandle};
use std::ptr::null_mut;

use windows_sys::Win32::Foundation::{FALSE, TRUE};
use windows_sys::Win32::Security::{
    ACL_REVISION, AddAccessAllowedAce, EqualSid, GetKernelObjectSecurity, GetSecurityDescriptorOwner,
    GetTokenInformation, InitializeAcl, InitializeSecurityDescriptor, OWNER_SECURITY_INFORMATION, PSID,
    SECURITY_ATTRIBUTES, SECURITY_DESCRIPTOR, SetSecurityDescriptorDacl, TOKEN_OWNER, TOKEN_QUERY, TokenOwner,
};
use windows_sys::Win32::Storage::FileSystem::FILE_ALL_ACCESS;
use windows_sys::Win32::System::SystemServices::SECURITY_DESCRIPTOR_REVISION;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};
use windows_sys::core::BOOL;

/// Size of a structure that has one identifier of a user (SID), which has at most 68 bytes.
const BYTES: u32 = 512;
/// Memory for it, aligned for pointers.
type Block = [u64; BYTES as usize / size_of::<u64>()];
const EMPTY: Block = [0; _];

/// The owner of everything that this process creates.
pub(super) struct Owner {
    /// A `TOKEN_OWNER`. It points to the identifier of the user, which follows it.
    token: Box<Block>,
}

impl Owner {
    /// *Errors*: errors of the system.
    #[expect(unsafe_code, reason = "calls of the system")]
    pub(super) fn of_this_process() -> Result<Self> {
        let mut token = null_mut();
        // SAFETY: the handle of this process is always valid.
        check(unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) })?;
        // SAFETY: the handle was just created, and nothing else owns it.
        let token = unsafe { OwnedHandle::from_raw_handle(token) };
        let (mut block, mut length) = (Box::new(EMPTY), 0);
        // SAFETY: the block has the stated size.
        check(unsafe {
            let block = block.as_mut_ptr().cast();
            GetTokenInformation(token.as_raw_handle(), TokenOwner, block, BYTES, &raw mut length)
        })?;
        Ok(Self { token: block })
    }

    #[expect(unsafe_code, reason = "reads a structure of the system")]
    fn identifier(&self) -> PSID {
        // SAFETY: the system wrote this structure there, and the block never moves.
        unsafe { self.token.as_ptr().cast::<TOKEN_OWNER>().read() }.Owner
    }

    /// Returns whether this user owns an open object. *Errors*: errors of the system.
    #[expect(unsafe_code, reason = "calls of the system")]
    pub(super) fn owns(&self, object: BorrowedHandle<'_>) -> Result<bool> {
        let (mut block, mut length, mut owner, mut is_default) = (EMPTY, 0, null_mut(), FALSE);
        let descriptor = block.as_mut_ptr().cast();
        // SAFETY: the block has the stated size, and the handle is open.
        check(unsafe {
            let handle = object.as_raw_handle();
            GetKernelObjectSecurity(handle, OWNER_SECURITY_INFORMATION, descriptor, BYTES, &raw mut length)
        })?;
        // SAFETY: the system filled the descriptor.
        check(unsafe { GetSecurityDescriptorOwner(descriptor, &raw mut owner, &raw mut is_default) })?;
        // SAFETY: both are identifiers of users, the first one in the block.
        Ok(!owner.is_null() && unsafe { EqualSid(owner, self.identifier()) } != FALSE)
    }

    /// Calls a function that creates an object with attributes that give access to this user alone.
    /// *Errors*: errors of the system.
    #[expect(unsafe_code, reason = "calls of the system")]
    pub(super) fn alone<R>(&self, create: impl FnOnce(*const SECURITY_ATTRIBUTES) -> R) -> Result<R> {
        let (mut list, mut descriptor) = (EMPTY, SECURITY_DESCRIPTOR::default());
        let (access, rights) = (list.as_mut_ptr().cast(), (&raw mut descriptor).cast());
        // SAFETY: the list has the stated size, and the identifier is valid. The descriptor points to the list, and both
        // live until this function returns.
        unsafe {
            check(InitializeAcl(access, BYTES, ACL_REVISION))?;
            check(AddAccessAllowedAce(access, ACL_REVISION, FILE_ALL_ACCESS, self.identifier()))?;
            check(InitializeSecurityDescriptor(rights, SECURITY_DESCRIPTOR_REVISION))?;
            check(SetSecurityDescriptorDacl(rights, TRUE, access, FALSE))?;
        }
        let attributes = SECURITY_ATTRIBUTES {
            nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
            lpSecurityDescriptor: rights,
            bInheritHandle: FALSE,
        };
        Ok(create(&raw const attributes))
    }
}

fn check(result: BOOL) -> Result<()> {
    if result == FALSE { Err(Error::last_os_error()) } else { Ok(()) }
}
