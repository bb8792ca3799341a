//! Files of a pose library: their names, listing and reading, and the trash folder.

use std::collections::HashMap;
use std::io::{Error, ErrorKind, Result as IoResult};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::cards::{CardPose, PoseCard, PoseListing};
use crate::export::PoseFile;
use crate::files::write_atomically;
use crate::import::FileState;
use crate::jobs::Progress;
use crate::rig::Rig;
use crate::stage::Source;
use crate::text::counted;

/// Maximum number of listed poses. The listing reports how many more there are.
const MAX_POSES: usize = 1000;
/// Maximum length of a name in characters. With the extension, such a name is valid on every system.
const MAX_NAME: usize = 100;
const FORBIDDEN: &str = "/\\:*?\"<>|";

/// Returns a character's pose folders: the one next to its file, then the one in the user's data folder.
pub(super) fn folders(source: &Source, home: Option<&Path>) -> Vec<PathBuf> {
    let Some(file) = source.absolute().path().map(Path::to_owned) else {
        return home.map(|home| home.join("builtin").join(source.name())).into_iter().collect();
    };
    let beside = file.parent().map(|folder| folder.join("poses"));
    // Uses the whole path, because many files are named scene.gltf.
    let names = file.components().filter(|part| matches!(part, Component::Normal(_)));
    let own = home.map(|home| names.fold(home.join("files"), |path, part| path.join(part)));
    beside.into_iter().chain(own).collect()
}

/// Returns a message if a pose can't have this name.
pub fn name_problem(name: &str) -> Option<String> {
    let bad = name.chars().find(|c| c.is_control() || FORBIDDEN.contains(*c));
    if name.trim().is_empty() {
        Some("A pose needs a name.".to_owned())
    } else if let Some(bad) = bad {
        Some(format!("A name cannot contain {bad:?}."))
    } else if name.starts_with('.') || name.ends_with('.') || name.trim() != name {
        Some("A name cannot start or end with a period or a space.".to_owned())
    } else if name.chars().count() > MAX_NAME || name.len() > 2 * MAX_NAME {
        Some(format!("A name can have at most {MAX_NAME} characters."))
    } else {
        None
    }
}

/// Lists the poses in the folders, sorted by name; `None` if cancelled. Reuses cards of unchanged files with their
/// thumbnails.
pub fn list_poses(rig: &Rig, folders: &[PathBuf], known: &[PoseCard], progress: &Progress) -> Option<PoseListing> {
    let mut problems = Vec::new();
    let mut paths = Vec::new();
    for folder in folders {
        match pose_paths(folder) {
            Ok(found) => paths.extend(found),
            Err(problem) if problem.kind() == ErrorKind::NotFound => {}
            Err(problem) => problems.push(format!("{} cannot be read: {problem}.", folder.display())),
        }
    }
    if let Some(more @ 1..) = paths.len().checked_sub(MAX_POSES) {
        problems.push(format!("{more} more than {MAX_POSES} poses are not listed; move some to another folder."));
        paths.truncate(MAX_POSES);
    }
    let known: HashMap<&Path, &PoseCard> = known.iter().map(|card| (card.file.path.as_path(), card)).collect();
    let mut cards = Vec::new();
    for path in paths {
        progress.check_cancelled()?;
        let file = FileState::now(&path);
        let same = known.get(path.as_path()).filter(|card| card.file == file);
        cards.push(same.map_or_else(|| card(rig, file), |&card| card.clone()));
    }
    cards.sort_by_cached_key(|card| (card.name.to_lowercase(), card.file.path.clone()));
    Some(PoseListing { cards, problem: (!problems.is_empty()).then(|| problems.join("\n")) })
}

fn pose_paths(folder: &Path) -> IoResult<Vec<PathBuf>> {
    let paths = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let is_pose = |path: &PathBuf| {
        let is_hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        !is_hidden && path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) && path.is_file()
    };
    let mut paths: Vec<PathBuf> = paths.filter(is_pose).collect();
    paths.sort_unstable();
    Ok(paths)
}

fn card(rig: &Rig, file: FileState) -> PoseCard {
    let content = PoseFile::read(&file.path).map_err(|e| e.to_string()).map(|read| {
        let (pose, warnings) = read.pose_for(rig);
        let joints = counted(read.joints_for(&rig.hierarchy).0.len(), "joint", "joints");
        let posed = match read.morphs_for(rig).0.len() {
            0 => joints,
            morphs => format!("{joints}, {}", counted(morphs, "morph target", "morph targets")),
        };
        let told: Vec<String> = warnings.iter().take(3).map(ToString::to_string).collect();
        CardPose { pose: Arc::new(pose), about: [vec![posed], told].concat().join("\n") }
    });
    PoseCard { name: stem(&file.path), file, content, thumbnail: None }
}

pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes a pose into the first writable folder. Creates the folder if needed.
pub(super) fn save(folders: &[PathBuf], name: &str, pose: &PoseFile) -> IoResult<SavedPoseFile> {
    let mut problem = Error::new(ErrorKind::NotFound, "this character has no pose folder");
    for folder in folders {
        let path = folder.join(format!("{name}.json"));
        match std::fs::create_dir_all(folder).and_then(|()| save_as(&path, pose)) {
            Ok(written) => return Ok(written),
            Err(e) => problem = e,
        }
    }
    Err(problem)
}

/// Writes a pose. Moves an existing file to the trash.
pub(super) fn save_as(path: &Path, pose: &PoseFile) -> IoResult<SavedPoseFile> {
    let replaced = path.exists().then(|| copy_to_trash(path)).transpose()?;
    write_atomically(path, pose.to_json().as_bytes())?;
    Ok(SavedPoseFile { path: path.to_owned(), replaced })
}

pub(super) struct SavedPoseFile {
    pub path: PathBuf,
    /// Path of the replaced pose in the trash.
    pub replaced: Option<PathBuf>,
}

/// Renames a pose. Fails if the new name already exists.
pub(super) fn rename(path: &Path, name: &str) -> IoResult<PathBuf> {
    let target = path.with_file_name(format!("{name}.json"));
    move_to_free(path, &target)?;
    Ok(target)
}

pub(super) fn move_to_free(from: &Path, to: &Path) -> IoResult<()> {
    if to.exists() && from != to {
        return Err(Error::new(ErrorKind::AlreadyExists, format!("{} already exists", to.display())));
    }
    std::fs::rename(from, to)
}

/// Moves a file to its folder's trash and returns the new path.
pub(super) fn move_to_trash(path: &Path) -> IoResult<PathBuf> {
    let place = free_place_in_trash(path)?;
    std::fs::rename(path, &place)?;
    Ok(place)
}

fn copy_to_trash(path: &Path) -> IoResult<PathBuf> {
    let place = free_place_in_trash(path)?;
    std::fs::copy(path, &place)?;
    Ok(place)
}

fn free_place_in_trash(path: &Path) -> IoResult<PathBuf> {
    let trash = path.with_file_name(".trash");
    std::fs::create_dir_all(&trash)?;
    let name = stem(path);
    let numbered = (2..10_000).map(|number| trash.join(format!("{name} {number}.json")));
    let free = std::iter::once(trash.join(format!("{name}.json"))).chain(numbered).find(|place| !place.exists());
    free.ok_or_else(|| {
        Error::new(ErrorKind::AlreadyExists, format!("the trash is full of {name}; empty {}", trash.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::faces;
    use std::fs::write;

    fn rig() -> Rig {
        faces(&[&["Smile"], &[]])
    }

    fn listed(folder: &Path, known: &[PoseCard]) -> PoseListing {
        list_poses(&rig(), &[folder.to_owned()], known, &Progress::default()).unwrap()
    }

    #[test]
    fn names_that_are_no_file_names_are_refused() {
        for good in ["Wave", "A-pose 2", "日本", "v1.2"] {
            assert_eq!(name_problem(good), None, "{good}");
        }
        let long = "x".repeat(MAX_NAME + 1);
        for bad in ["", "  ", ".hidden", "a/b", "a\\b", "a:b", "tab\t", " a", "a.", long.as_str()] {
            assert!(name_problem(bad).is_some(), "{bad:?}");
        }
    }

    #[test]
    #[cfg_attr(windows, ignore = "compares paths of Unix")]
    fn every_character_has_folders_of_its_own() {
        let home = Path::new("/home/data");
        let of = |source| folders(&source, Some(home));
        assert_eq!(of(Source::parse("builtin:tube").unwrap()), [home.join("builtin/tube")]);
        let [one, other] = ["/models/a/scene.gltf", "/models/b/scene.gltf"].map(|p| of(Source::File(p.into())));
        assert_eq!(one, [PathBuf::from("/models/a/poses"), home.join("files/models/a/scene.gltf")]);
        assert!(one.iter().all(|folder| !other.contains(folder)));
    }

    #[test]
    fn poses_are_listed_by_name_and_broken_ones_show_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write(path("wave.json"), r#"{"version":1,"joints":{"Nowhere":{}}}"#).unwrap();
        write(path("Bow.JSON"), r#"{"version":1,"joints":{}}"#).unwrap();
        write(path("broken.json"), "{").unwrap();
        write(path("notes.txt"), "").unwrap();
        write(path(".hidden.json"), "").unwrap();
        std::fs::create_dir(path("folder.json")).unwrap();
        let listing = listed(folder.path(), &[]);
        let names: Vec<&str> = listing.cards.iter().map(|c| c.name.as_str()).collect();
        assert_eq!((names, listing.problem), (vec!["Bow", "broken", "wave"], None));
        let about = |i: usize| listing.cards[i].content.as_ref().map(|content| content.about.as_str());
        assert_eq!(about(0), Ok("0 joints"));
        assert!(about(1).unwrap_err().contains("Not a pose file"), "{:?}", about(1));
        assert!(about(2).unwrap().contains("Nowhere"), "{:?}", about(2));
    }

    #[test]
    fn an_unchanged_pose_keeps_its_thumbnail_and_a_changed_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wave.json");
        write(&path, r#"{"version":1,"joints":{}}"#).unwrap();
        let mut first = listed(folder.path(), &[]);
        first.cards[0].thumbnail = Some(Arc::default());
        assert!(listed(folder.path(), &first.cards).cards[0].thumbnail.is_some());
        write(&path, r#"{"version":1, "joints":{}}"#).unwrap();
        assert!(listed(folder.path(), &first.cards).cards[0].thumbnail.is_none());
        let stopped = list_poses(&rig(), &[folder.path().to_owned()], &[], &Progress::cancelled());
        assert!(stopped.is_none());
    }

    #[test]
    fn a_file_in_the_trash_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wave.json");
        let mut places = Vec::new();
        for content in ["one", "two", "three"] {
            write(&path, content).unwrap();
            places.push(move_to_trash(&path).unwrap());
        }
        let read: Vec<String> = places.iter().map(|p| std::fs::read_to_string(p).unwrap()).collect();
        assert_eq!(read, ["one", "two", "three"]);
    }
}
