//! Files that are either written whole or not at all.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file beside its place and moves it there, so that no reader and no crash ever sees half of it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("the folder {} does not exist", folder.display())));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rigscope-");
    #[cfg(unix)]
    {
        // A temporary file is private by default; a saved one gets what the user's umask says.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pose.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let problem = write_atomically(Path::new("/nowhere/at/all.json"), b"x").unwrap_err();
        assert_eq!(problem.to_string(), "the folder /nowhere/at does not exist");
    }
}
