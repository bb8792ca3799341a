//! Runs the built program like a user.

use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Output and exit code of a run.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Panics with the program's error output unless it succeeded.
    pub fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self
    }
}

/// Runs the program to its end.
pub fn rigscope<A: AsRef<OsStr>>(args: &[A]) -> Run {
    rigscope_in(&[], args)
}

/// Runs the program to its end with additional environment variables.
pub fn rigscope_in<A: AsRef<OsStr>>(environment: &[(&str, &OsStr)], args: &[A]) -> Run {
    let mut program = Command::new(rigscope_tests::program());
    let output = program.envs(environment.iter().copied()).args(args).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// Runs the program without output, and ends it after `limit`; the exit code is then `None`. Records the peak memory.
pub fn rigscope_within<A: AsRef<OsStr>>(limit: Duration, args: &[A]) -> Bounded {
    let mut program = Command::new(rigscope_tests::program());
    let quiet = program.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let (mut child, begin, mut mebibytes) = (quiet.spawn().expect("the program starts"), Instant::now(), 0);
    loop {
        mebibytes = mebibytes.max(peak_mebibytes(child.id()).unwrap_or(0));
        let ended = child.try_wait().expect("the program is waited for");
        if ended.is_none() && begin.elapsed() < limit {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        }
        child.kill().expect("the program is ended");
        child.wait().expect("the program is waited for");
        return Bounded { code: ended.and_then(|status| status.code()), time: begin.elapsed(), mebibytes };
    }
}

/// Exit code, time and memory of a run.
#[derive(Debug)]
pub struct Bounded {
    pub code: Option<i32>,
    pub time: Duration,
    pub mebibytes: u64,
}

/// Peak resident memory of a process, if the system reports it.
fn peak_mebibytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1024)
}
