use std::fs::Metadata;
use std::path::Path;

use super::system::{identity, special_kind};

/// Returns the first input that is the same file as `output`, even under another path. `-` stands for standard input.
pub fn find_same_file<'a>(output: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Option<&'a Path> {
    let identity = |path: &Path| identity(Some(path).filter(|path| !is_standard(path)));
    let output = identity(output)?;
    inputs.into_iter().find(|input| identity(input) == Some(output))
}

/// Returns whether a path is `-`, which means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the kind of a file-system object, such as "a named pipe".
pub fn kind(metadata: &Metadata) -> &'static str {
    let kind = metadata.file_type();
    if let Some(special) = special_kind(kind) {
        special
    } else if kind.is_dir() {
        "a folder"
    } else if kind.is_file() {
        "a file"
    } else {
        "something else"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_by_every_path() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("model.bin"), b"a").unwrap();
        std::fs::write(at("other.bin"), b"a").unwrap();
        std::fs::hard_link(at("model.bin"), at("hard.bin")).unwrap();
        // Windows allows symbolic links to administrators alone.
        #[cfg(unix)]
        std::os::unix::fs::symlink("model.bin", at("soft.bin")).unwrap();
        let soft = cfg!(unix).then_some("soft.bin");
        let model = at("model.bin");
        for name in ["model.bin", "./model.bin", "hard.bin"].into_iter().chain(soft) {
            assert_eq!(find_same_file(&at(name), [at("other.bin").as_path(), &model]), Some(&*model), "{name}");
        }
        for name in ["other.bin", "none.bin", "."] {
            assert_eq!(find_same_file(&at(name), [model.as_path()]), None, "{name}");
        }
    }
}
