//! The built program as a user starts it.

use std::ffi::OsStr;
use std::process::Command;

/// Output and exit code of a run.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Panics with the program's output unless it succeeded.
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
