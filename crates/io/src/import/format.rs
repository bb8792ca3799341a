//! Table of supported file formats. To add one, add a module like `gltf` with a `Format` and a line in `FORMATS`.

use std::path::Path;

use super::bytes::Bytes;
use super::error::ReadError;
#[cfg(feature = "fbx")]
use super::fbx;
use super::sniff::describe;
use super::{FileInfo, ImportError, Imported, Job, gltf};

pub(super) struct Format {
    pub name: &'static str,
    pub endings: &'static [&'static str],
    /// Returns whether a file that starts with these bytes has this format. The first matching format in the table
    /// reads the file.
    pub detects: fn(&[u8]) -> bool,
    /// Reads a file. Referenced files must be in the given folder.
    pub read: Reader<Imported>,
    /// Returns metadata without reading meshes and images.
    pub file_info: Reader<FileInfo>,
}

pub(super) type Reader<T> = fn(Bytes<'_>, Option<&Path>, &Job) -> Result<T, ReadError>;

const FORMATS: &[Format] = &[
    gltf::FORMAT,
    #[cfg(feature = "fbx")]
    fbx::FORMAT,
];

/// Detects the format of a file from its first bytes. *Errors*: the file cannot be read or has an unknown format.
pub(super) fn detect(bytes: Bytes<'_>) -> Result<&'static Format, ReadError> {
    const TELLING: usize = 512;
    let start = bytes.beginning(TELLING)?;
    let format = FORMATS.iter().find(|f| !start.is_empty() && (f.detects)(&start));
    format.ok_or_else(|| ImportError::UnknownFormat { found: describe(&start) }.into())
}

/// Returns the names of the supported formats as a phrase: `glTF or FBX`.
pub fn names() -> String {
    in_words(FORMATS.iter().map(|f| f.name.to_owned()))
}

/// Returns the supported file name extensions in lower case, without the dot.
pub fn endings() -> Vec<&'static str> {
    FORMATS.iter().flat_map(|f| f.endings).copied().collect()
}

/// Returns the supported file name extensions as a phrase: `.glb, .gltf, .vrm or .fbx`.
pub fn endings_in_words() -> String {
    in_words(endings().iter().map(|e| format!(".{e}")))
}

/// Returns whether the file name has a supported extension.
pub fn has_known_ending(path: &Path) -> bool {
    path.extension().is_some_and(|e| endings().iter().any(|known| e.eq_ignore_ascii_case(known)))
}

fn in_words(words: impl Iterator<Item = String>) -> String {
    let mut words: Vec<String> = words.collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_is_detected_from_content_not_from_the_extension() {
        let name = |bytes: &[u8]| detect(Bytes::Memory(bytes)).ok().map(|f| f.name);
        for bytes in [&b"glTF\x02\0\0\0"[..], b"{}", b"\xEF\xBB\xBF {", &[b' '; 600]] {
            assert_eq!(name(bytes), Some("glTF"));
        }
        for bytes in [&b"Kaydara FBX Binary  \0"[..], b"; FBX 7.5.0 project file", b"FBXHeaderExtension:  {"] {
            assert_eq!(name(bytes), Some("FBX").filter(|_| cfg!(feature = "fbx")));
        }
        for bytes in [&b""[..], b"v 1 2 3", b"; FB"] {
            assert_eq!(name(bytes), None);
        }
        assert!(["a.glb", "b.GLTF", "dir.x/c.vrm"].map(Path::new).into_iter().all(has_known_ending));
        assert_eq!(has_known_ending(Path::new("a.FBX")), cfg!(feature = "fbx"));
        assert!(!["a.obj", "glb", "a.glb.bak", ""].map(Path::new).into_iter().any(has_known_ending));
    }

    #[test]
    fn no_two_formats_claim_one_ending() {
        let all = endings();
        let mut each = all.clone();
        each.sort_unstable();
        each.dedup();
        assert_eq!(each.len(), all.len());
        assert!(all.iter().all(|e| e.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())), "{all:?}");
    }

    #[test]
    fn lists_read_as_sentences_do() {
        let words = |list: &[&str]| in_words(list.iter().map(|&w| w.to_owned()));
        assert_eq!([&[][..], &["a"], &["a", "b"], &["a", "b", "c"]].map(words), ["", "a", "a or b", "a, b or c"]);
    }
}
