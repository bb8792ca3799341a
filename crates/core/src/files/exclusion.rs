use std::path::{Component, Path, PathBuf};

use super::glob::Glob;

/// Patterns that exclude paths, relative to a folder.
#[derive(Clone, Debug, Default)]
pub struct Exclusion {
    folder: PathBuf,
    globs: Vec<Glob>,
}

/// A file or folder visited by a folder walk.
#[derive(Clone, Copy, Debug)]
pub struct WalkEntry<'a> {
    /// Root folder of the walk or, if the user named a file, the folder of that file; symbolic links are resolved.
    pub root: &'a Path,
    /// Path relative to `root`; empty for `root` itself.
    pub below: &'a Path,
    /// Whether the entry is a folder.
    pub is_folder: bool,
    /// Whether the user named `root` itself, in which case patterns cannot exclude it.
    pub is_root_wanted: bool,
}

impl Exclusion {
    /// Creates patterns relative to `folder`. Resolves symbolic links in `folder`.
    pub fn new(folder: &Path, globs: Vec<Glob>) -> Self {
        Self { folder: folder.canonicalize().unwrap_or_else(|_| folder.to_owned()), globs }
    }

    /// Returns whether there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }

    /// Returns whether a pattern matches the path or one of its parent folders. If the root is outside the patterns'
    /// folder, patterns are relative to the root.
    pub fn excludes(&self, step: WalkEntry<'_>) -> bool {
        if self.globs.is_empty() {
            return false;
        }
        let root = names(step.root.strip_prefix(&self.folder).unwrap_or(Path::new("")));
        let wanted = if step.is_root_wanted { root.len() } else { 0 };
        let path = [root, names(step.below)].concat();
        let is_for = |glob: &Glob, length: usize| glob.fits(&path[..length], step.is_folder || length < path.len());
        (wanted + 1..=path.len()).any(|length| self.globs.iter().any(|glob| is_for(glob, length)))
    }
}

fn names(path: &Path) -> Vec<String> {
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    };
    path.components().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_relative_to_their_folder_and_elsewhere_to_where_the_way_began() {
        let exclusion = |pattern: &str| Exclusion { folder: "/p".into(), globs: vec![Glob::new(pattern).unwrap()] };
        let leaves_out = |pattern: &str, root: &str, below: &str, is_root_wanted: bool| {
            let (root, below) = (Path::new(root), Path::new(below));
            exclusion(pattern).excludes(WalkEntry { root, below, is_folder: false, is_root_wanted })
        };
        assert!(
            leaves_out("models/old", "/p", "models/old/deep/a.glb", false),
            "what is below a folder is left out with it"
        );
        assert!(leaves_out("models/old", "/p/models", "old/a.glb", true));
        assert!(!leaves_out("old/a.glb", "/p/models", "old/a.glb", true));
        assert!(leaves_out("old/a.glb", "/elsewhere", "old/a.glb", true));
        assert!(leaves_out("old/", "/p/old", "a.glb", false) && !leaves_out("old/", "/p/old", "a.glb", true));
        assert!(
            !leaves_out("old", "/p/older", "a.glb", false)
                && !Exclusion::default().excludes(WalkEntry {
                    root: Path::new("/p"),
                    below: Path::new("a"),
                    is_folder: false,
                    is_root_wanted: false
                })
        );
    }
}
