use std::fs::{File, create_dir_all, rename};
use std::io::{Error, ErrorKind, Result, Write as _};
use std::path::{Path, PathBuf};

use super::kind;
use super::pending::{PendingFolder, hold};
use super::system::{make_room, real_path, refuse_device};
use super::writing::existing_folder;

/// A new folder, written file by file. [`Self::place`] moves it to its final path, so that readers never see a part of
/// it.
pub struct StagedFolder {
    folder: PendingFolder,
    place: PathBuf,
}

impl StagedFolder {
    /// Creates an empty temporary folder beside the final path. *Errors*: the final path exists and isn't an empty
    /// folder; its parent doesn't exist; I/O errors.
    pub fn new(path: &Path) -> Result<Self> {
        refuse_device(path)?;
        let place = match path.metadata() {
            Ok(old) if !old.is_dir() => {
                return Err(Error::new(ErrorKind::NotADirectory, format!("it is {}, not a folder", kind(&old))));
            }
            Ok(_) if path.read_dir()?.next().is_some() => {
                let problem = "the folder exists and isn't empty; give another name, or remove it";
                return Err(Error::new(ErrorKind::DirectoryNotEmpty, problem));
            }
            Ok(_) => real_path(path)?,
            Err(problem) if problem.kind() == ErrorKind::NotFound => path.to_owned(),
            Err(problem) => return Err(problem),
        };
        let folder = PendingFolder::new(existing_folder(&place)?)?;
        Ok(Self { folder, place })
    }

    /// Writes a file; `name` may include folders, separated by `/`. *Errors*: I/O errors.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.path().join(name);
        refuse_device(&path)?;
        let mut file = {
            // A signal that ends the process waits, so that nothing is created after the folder was removed.
            let _held = hold();
            if let Some(folder) = path.parent() {
                create_dir_all(folder)?;
            }
            File::create(path)?
        };
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Moves the folder to its final path. *Errors*: I/O errors; in that case, nothing is left.
    pub fn place(self) -> Result<()> {
        make_room(&self.place)?;
        self.folder.persist(|folder| rename(folder, &self.place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::writing::tests::names;

    #[test]
    fn a_folder_appears_only_when_it_is_complete() {
        let around = tempfile::tempdir().unwrap();
        let empty = around.path().join("empty");
        std::fs::create_dir(&empty).unwrap();
        for path in [around.path().join("kit"), empty] {
            let staged = StagedFolder::new(&path).unwrap();
            staged.write("a.json", b"1").unwrap();
            staged.write("b/c.json", b"2").unwrap();
            assert!(!path.join("a.json").exists());
            staged.place().unwrap();
            assert_eq!(names(&path), ["a.json", "b"]);
            assert_eq!(std::fs::read(path.join("b/c.json")).unwrap(), b"2");
        }
        assert_eq!(names(around.path()), ["empty", "kit"]);
    }

    #[test]
    fn nothing_is_left_of_a_folder_that_is_not_placed() {
        let around = tempfile::tempdir().unwrap();
        let path = around.path().join("kit");
        let staged = StagedFolder::new(&path).unwrap();
        staged.write("a.json", b"1").unwrap();
        drop(staged);
        let staged = StagedFolder::new(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("mine"), b"x").unwrap();
        staged.place().unwrap_err();
        assert_eq!((names(around.path()), names(&path)), (vec!["kit".to_owned()], vec!["mine".to_owned()]));
    }

    #[test]
    fn files_and_full_folders_are_refused() {
        let around = tempfile::tempdir().unwrap();
        let file = around.path().join("file");
        std::fs::write(&file, b"x").unwrap();
        let problem = |path: &Path| StagedFolder::new(path).err().unwrap().to_string();
        assert_eq!(problem(&file), "it is a file, not a folder");
        assert!(problem(around.path()).starts_with("the folder exists and isn't empty"));
        assert!(problem(&around.path().join("gone/kit")).ends_with("gone does not exist"));
        assert_eq!(names(around.path()), ["file"]);
    }
}
