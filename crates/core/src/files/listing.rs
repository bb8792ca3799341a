use std::io;
use std::path::Path;

/// Entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Name without the path.
    pub name: String,
    /// Whether the entry is a folder or a link to a folder.
    pub is_folder: bool,
}

const MAX_COUNT: usize = 10_000;

/// Lists at most 10,000 entries of a folder, sorted case-insensitively by name, folders first. Skips names that are not
/// Unicode. *Errors*: not a folder, or unreadable.
pub fn list(folder: &Path) -> io::Result<Vec<FolderEntry>> {
    let entry = |entry: std::fs::DirEntry| {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir() || kind.is_symlink() && entry.path().is_dir());
        Some(FolderEntry { name: entry.file_name().into_string().ok()?, is_folder })
    };
    let mut entries: Vec<FolderEntry> =
        std::fs::read_dir(folder)?.flatten().filter_map(entry).take(MAX_COUNT).collect();
    entries.sort_by_cached_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_first_and_names_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.glb", "A.glb", ".hidden"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("zoo")).unwrap();
        let names: Vec<String> = list(folder.path()).unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["zoo", ".hidden", "A.glb", "b.glb"]);
        assert!(list(&folder.path().join("A.glb")).is_err());
    }
}
