//! The hook that checks what is staged in Git.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::integrations::{right, wrong};

/// A repository with a rig.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        repository.git(&["init", "-q"]);
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn git(&self, args: &[&str]) {
        assert!(Command::new("git").args(args).current_dir(&self.0).status().unwrap().success(), "{args:?}");
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), bytes).unwrap();
    }

    fn check(&self, options: &[&str]) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../integrations/pre-commit/check-staged.sh");
        let program = PathBuf::from(rigscope_tests::program());
        let old = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(program.parent().unwrap().to_owned()).chain(std::env::split_paths(&old));
        let path = std::env::join_paths(folders).unwrap();
        Command::new("sh").arg(script).args(options).current_dir(&self.0).env("PATH", path).output().unwrap()
    }
}

#[test]
fn the_hook_checks_the_index() {
    let repository = Repository::new();
    assert!(repository.check(&[]).status.success(), "nothing is staged");
    repository.write("models/a b.glb", wrong());
    repository.git(&["add", "."]);
    repository.write("models/a b.glb", right());
    let staged = repository.check(&[]);
    let text = String::from_utf8_lossy(&staged.stdout).into_owned();
    assert!(staged.status.code() == Some(1) && text.contains("models/a b.glb") && text.contains("RIG010"), "{text}");
    repository.git(&["add", "."]);
    repository.write("models/a b.glb", wrong());
    let staged = repository.check(&["--strict"]);
    assert!(staged.status.success(), "{}", String::from_utf8_lossy(&staged.stdout));
    repository.write("models/rigscope.toml", "[skeleton]\nlike = \"../base/base.glb\"\n");
    repository.write("base/base.glb", right());
    repository.git(&["add", "models/rigscope.toml", "base"]);
    let staged = repository.check(&[]);
    assert!(staged.status.success(), "{}", String::from_utf8_lossy(&staged.stderr));
}
