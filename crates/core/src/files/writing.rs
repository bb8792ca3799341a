use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use super::kind;
use super::pending::{PendingFile, hold};
use super::system::{keep_owner_and_mode, real_path, refuse_device};

/// Writes a temporary file and renames it, so that readers never see a partial file, even after a crash.
///
/// Keeps symbolic links, the mode of the old file and, where permitted, its owner. Writes directly to devices and
/// pipes. *Errors*: I/O errors; a read-only file; a folder; on Windows, the name of a device. On errors, the old file remains.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    write_together(&[(path, bytes)]).map_err(|(_, problem)| problem)
}

/// Like [`write_atomically`], for several files: renames none of them until all are on disk. *Errors*: the path that
/// failed, with its error.
pub fn write_together<'a>(files: &[(&'a Path, &[u8])]) -> std::result::Result<(), (&'a Path, Error)> {
    let stage = |&(path, bytes): &(&'a Path, &[u8])| StagedFile::with(path, bytes).map_err(|e| (path, e));
    let mut staged = files.iter().map(stage).collect::<std::result::Result<Vec<_>, _>>()?;
    for (staged, (path, bytes)) in staged.iter_mut().zip(files) {
        if let StagedFile::Through(node) = staged {
            node.write_all(bytes).map_err(|e| (*path, e))?;
        }
    }
    // Blocks signals. Must be dropped before the temporary files, which take the same lock on drop.
    let whole = hold();
    let placed = staged.iter_mut().zip(files).try_for_each(|(staged, (path, _))| match staged {
        StagedFile::Beside { file, place, .. } => file.persist(place).map_err(|e| (*path, e)),
        StagedFile::Through(_) => Ok(()),
    });
    drop(whole);
    placed
}

/// A file written incrementally. [`Self::place`] moves it to its final path and replaces any file there.
pub struct StreamedFile(StagedFile);

impl StreamedFile {
    /// Creates an empty temporary file in the folder of its final path. *Errors*: same as [`write_atomically`].
    pub fn new(path: &Path) -> Result<Self> {
        StagedFile::open(path).map(Self)
    }

    /// Returns the path of the temporary file; `None` for devices and pipes, which are written to directly.
    pub fn temporary_path(&self) -> Option<&Path> {
        match &self.0 {
            StagedFile::Beside { file, .. } => Some(file.path()),
            StagedFile::Through(_) => None,
        }
    }

    /// Moves the file to its final path. *Errors*: I/O errors; in that case, the old file remains.
    pub fn place(mut self) -> Result<()> {
        self.0.complete()?;
        match &mut self.0 {
            StagedFile::Beside { file, place, .. } => file.persist(place),
            StagedFile::Through(_) => Ok(()),
        }
    }
}

impl Write for StreamedFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.file().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        self.0.file().map_or(Ok(()), Write::flush)
    }
}

enum StagedFile {
    /// A temporary file, its destination, and the metadata of the file that it replaces, if any.
    Beside { file: PendingFile, place: PathBuf, old: Option<Box<Metadata>> },
    /// A device or pipe that is written to directly.
    Through(File),
}

impl StagedFile {
    /// Writes `bytes` to a temporary file. A device or pipe is opened, but not written to yet.
    fn with(path: &Path, bytes: &[u8]) -> Result<Self> {
        let mut staged = Self::open(path)?;
        if let Self::Beside { file, .. } = &mut staged {
            file.file().map_or(Ok(()), |file| file.write_all(bytes))?;
            staged.complete()?;
        }
        Ok(staged)
    }

    fn open(path: &Path) -> Result<Self> {
        refuse_device(path)?;
        let old = match path.metadata() {
            Ok(old) => Some(old),
            Err(problem) if problem.kind() == ErrorKind::NotFound => None,
            Err(problem) => return Err(problem),
        };
        let place = match &old {
            Some(old) if old.is_dir() => {
                return Err(Error::new(ErrorKind::IsADirectory, format!("it is {}", kind(old))));
            }
            Some(old) => {
                let opened = open_for_writing(path, old)?;
                if !old.is_file() {
                    return Ok(Self::Through(opened));
                }
                real_path(path)?
            }
            None => end_of_links(path),
        };
        let file = PendingFile::new(existing_folder(&place)?)?;
        Ok(Self::Beside { file, place, old: old.map(Box::new) })
    }

    fn file(&mut self) -> Option<&mut File> {
        match self {
            Self::Beside { file, .. } => file.file(),
            Self::Through(node) => Some(node),
        }
    }

    fn complete(&mut self) -> Result<()> {
        let Self::Beside { file, old, .. } = self else { return Ok(()) };
        let Some(file) = file.file() else { return Ok(()) };
        if let Some(old) = old {
            keep_owner_and_mode(file, old)?;
        }
        file.sync_all()
    }
}

/// Opens an existing file for writing without truncating it.
fn open_for_writing(path: &Path, old: &Metadata) -> Result<File> {
    // The superuser could write to the file, but somebody write-protected it on purpose.
    if old.is_file() && old.permissions().readonly() {
        let problem = "it is read-only; make it writable or choose another name";
        return Err(Error::new(ErrorKind::PermissionDenied, problem));
    }
    OpenOptions::new().write(true).open(path)
}

/// Follows a chain of symbolic links to a path that may not exist.
fn end_of_links(path: &Path) -> PathBuf {
    /// Maximum length of a chain, as in Linux.
    const MAX_COUNT: usize = 40;
    let mut end = path.to_owned();
    for _ in 0..MAX_COUNT {
        let Ok(next) = end.read_link() else { break };
        end = folder(&end).join(next);
    }
    end
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

pub(super) fn existing_folder(path: &Path) -> Result<&Path> {
    let folder = folder(path);
    let missing = || Error::new(ErrorKind::NotFound, format!("the folder {} does not exist", folder.display()));
    if folder.is_dir() { Ok(folder) } else { Err(missing()) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::files) fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pose.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["pose.json"]);
    }

    #[test]
    fn a_growing_file_is_there_once_it_is_placed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("video.png");
        std::fs::write(&path, b"old").unwrap();
        for (is_placed, left) in [(false, "old"), (true, "one two")] {
            let mut file = StreamedFile::new(&path).unwrap();
            for piece in ["one", " ", "two"] {
                file.write_all(piece.as_bytes()).unwrap();
                assert_eq!(std::fs::read(&path).unwrap(), b"old");
            }
            if is_placed {
                file.place().unwrap();
            } else {
                drop(file);
            }
            assert_eq!(
                (std::fs::read_to_string(&path).unwrap(), names(folder.path())),
                (left.to_owned(), vec!["video.png".to_owned()])
            );
        }
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let problem = write_atomically(Path::new("/nowhere/at/all.json"), b"x").unwrap_err();
        assert_eq!(problem.to_string(), "the folder /nowhere/at does not exist");
    }

    #[test]
    fn of_files_that_belong_together_none_is_written_where_one_cannot_be() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("a.obj")).unwrap();
        std::fs::write(at("a.mtl"), b"old").unwrap();
        let (mtl, obj) = (at("a.mtl"), at("a.obj"));
        let (path, problem) = write_together(&[(&mtl, b"new"), (&obj, b"new")]).unwrap_err();
        assert_eq!((path, problem.to_string().as_str()), (&*obj, "it is a folder"));
        assert_eq!(std::fs::read(mtl).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.mtl", "a.obj"]);
    }

    #[test]
    fn a_file_that_nobody_may_write_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pose.json");
        std::fs::write(&path, b"old").unwrap();
        let mut permissions = path.metadata().unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&path, permissions).unwrap();
        let problem = write_atomically(&path, b"new").unwrap_err();
        assert!(problem.to_string().contains("read-only"), "{problem}");
        assert_eq!(
            (std::fs::read(&path).unwrap(), names(folder.path())),
            (b"old".to_vec(), vec!["pose.json".to_owned()])
        );
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};

        use super::*;

        #[test]
        fn a_link_stays_and_its_target_is_written_there_or_not() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            std::fs::create_dir(at("kept")).unwrap();
            for (link, target) in [("old.json", "kept/old"), ("new.json", "kept/new"), ("via.json", "new.json")] {
                symlink(target, at(link)).unwrap();
            }
            std::fs::write(at("kept/old"), b"old").unwrap();
            for (link, target) in [("old.json", "kept/old"), ("via.json", "kept/new")] {
                write_atomically(&at(link), link.as_bytes()).unwrap();
                assert!(at(link).is_symlink());
                assert_eq!(std::fs::read(at(target)).unwrap(), link.as_bytes());
            }
            assert_eq!(names(&at("kept")), ["new", "old"]);
        }

        #[test]
        fn a_file_written_over_keeps_its_mode_and_owner() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("pose.json");
            std::fs::write(&path, b"old").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
            let is_given = std::os::unix::fs::chown(&path, Some(1234), Some(1234)).is_ok();
            write_atomically(&path, b"new").unwrap();
            let metadata = path.metadata().unwrap();
            assert_eq!(metadata.mode() & 0o7777, 0o640);
            assert!(!is_given || (metadata.uid(), metadata.gid()) == (1234, 1234));
        }

        #[test]
        fn a_streamed_file_keeps_the_mode_of_the_file_that_it_replaces() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("video.png");
            std::fs::write(&path, b"old").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
            let mut file = StreamedFile::new(&path).unwrap();
            file.write_all(b"new").unwrap();
            file.place().unwrap();
            assert_eq!(
                (std::fs::read(&path).unwrap(), path.metadata().unwrap().mode() & 0o7777),
                (b"new".to_vec(), 0o640)
            );
        }

        #[test]
        fn a_device_is_written_to_and_stays_one() {
            write_atomically(Path::new("/dev/null"), b"x").unwrap();
            assert!(Path::new("/dev/null").metadata().unwrap().file_type().is_char_device());
            if Path::new("/dev/full").exists() {
                assert_eq!(write_atomically(Path::new("/dev/full"), b"x").unwrap_err().kind(), ErrorKind::StorageFull);
            }
        }
    }
}
