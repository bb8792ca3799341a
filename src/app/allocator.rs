/// Makes glibc return free blocks of more than 1 MiB to the operating system. By default, each of up to eight arenas
/// per core may hold on to twice the size of its largest freed array; after opening dozens of files, most of the
/// process's memory would be unused.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator has no safe interface")]
pub fn return_free_memory() {
    use std::ffi::c_int;
    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }
    const M_TRIM_THRESHOLD: c_int = -1;
    const M_MMAP_THRESHOLD: c_int = -3;
    const MEBIBYTE: c_int = 1 << 20;
    for parameter in [M_TRIM_THRESHOLD, M_MMAP_THRESHOLD] {
        // SAFETY: glibc provides this function and both parameters. Any thread may call it at any time.
        unsafe { mallopt(parameter, MEBIBYTE) };
    }
}

/// Does nothing: other allocators return memory on their own.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_free_memory() {}
