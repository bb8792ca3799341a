//! Loads the data of a `uri`: a data URI, or a file within the model's folder.

use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use rigscope_core::files::path_text;

use super::bytes::Bytes;
use super::sniff::is_lfs_pointer;
use super::warning::{NO_DATA, Reason, exceeds_memory, short};

#[derive(Debug)]
pub(super) enum UriData {
    Memory(Vec<u8>),
    File(File, usize),
}

impl UriData {
    pub(super) fn bytes(&self) -> Bytes<'_> {
        match self {
            Self::Memory(bytes) => Bytes::Memory(bytes),
            Self::File(file, length) => Bytes::File { file, start: 0, length: *length },
        }
    }
}

pub(super) fn open(uri: &str, folder: Option<&Path>, limit: u64) -> Result<UriData, Reason> {
    if is_data(uri) {
        return decode_data_uri(uri, limit).map(UriData::Memory);
    }
    let folder = folder.ok_or_else(|| no_folder(uri))?;
    open_file(&resolve(uri, folder)?)
}

/// Opens a file by its name, which is not percent-encoded.
pub(super) fn open_named(name: &str, folder: &Path) -> Result<UriData, Reason> {
    open_file(&existing(&inside(name, name, folder)?, name, folder)?)
}

/// Returns the percent-decoded file name of a `uri`; `None` for a data URI.
pub(super) fn file_name(uri: &str) -> Option<String> {
    (!is_data(uri)).then(|| percent_decode_str(uri).decode_utf8_lossy().replace('\\', "/"))
}

pub(super) fn path(uri: &str, folder: &Path) -> Option<PathBuf> {
    if is_data(uri) { None } else { named(uri, folder).ok() }
}

/// Returns the paths to which a `uri` may refer, as written and percent-decoded, even outside the folder.
pub(super) fn places(uri: &str, folder: &Path) -> Vec<PathBuf> {
    if is_data(uri) {
        return Vec::new();
    }
    let decoded = percent_decode_str(uri).decode_utf8_lossy();
    [uri, &decoded].map(|name| folder.join(name.replace('\\', "/"))).into()
}

pub(super) fn is_data(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

fn decode_data_uri(uri: &str, limit: u64) -> Result<Vec<u8>, Reason> {
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    let fault = |reason: &str| format!("its data URI cannot be decoded: {reason}");
    let bytes = uri.len() as u64;
    if bytes > limit {
        return Err(exceeds_memory(bytes));
    }
    let (head, data) = uri.split_once(',').ok_or_else(|| fault("it has no comma"))?;
    if !head.ends_with(";base64") {
        return Ok(percent_decode_str(data).collect());
    }
    let data = if data.contains('%') { percent_decode_str(data).decode_utf8_lossy() } else { Cow::Borrowed(data) };
    LENIENT.decode(data.trim_ascii().as_bytes()).map_err(|e| fault(&e.to_string()))
}

fn named(uri: &str, folder: &Path) -> Result<PathBuf, Reason> {
    let decoded = percent_decode_str(uri).decode_utf8_lossy();
    let wanted = inside(&decoded, uri, folder)?;
    if wanted.exists() {
        return Ok(wanted);
    }
    // Some exporters do not encode percent signs in names.
    Ok(inside(uri, uri, folder).ok().filter(|p| p.exists()).unwrap_or(wanted))
}

fn resolve(uri: &str, folder: &Path) -> Result<PathBuf, Reason> {
    existing(&named(uri, folder)?, uri, folder)
}

/// Checks that a file exists and, after following links, is inside the folder.
fn existing(path: &Path, uri: &str, folder: &Path) -> Result<PathBuf, Reason> {
    let not_found =
        || format!("the file \"{}\" is missing, looked for as {}: copy it there", short(uri), path_text(path));
    let real_folder = folder.canonicalize().map_err(|_gone| not_found())?;
    let real_path = path.canonicalize().map_err(|_gone| not_found())?;
    if real_path.starts_with(&real_folder) { Ok(real_path) } else { Err(outside(uri)) }
}

/// Joins a relative name to the folder. Rejects a name that could refer to a file outside the folder.
fn inside(name: &str, uri: &str, folder: &Path) -> Result<PathBuf, Reason> {
    let name = name.replace('\\', "/");
    if has_scheme(&name) {
        let not_loaded = "is a URL, and URLs are not loaded: put the file next to the model";
        return Err(format!("\"{}\" {not_loaded}", short(uri)));
    }
    if name.starts_with('/') || name.contains('\0') || name.split('/').any(|part| part == "..") {
        return Err(outside(uri));
    }
    if name.is_empty() {
        return Err(NO_DATA.to_owned());
    }
    Ok(folder.join(name))
}

fn outside(uri: &str) -> Reason {
    let uri = short(uri);
    format!("\"{uri}\" is outside of the model's folder: put the file beside the model and use a relative path")
}

pub(super) fn no_folder(uri: &str) -> Reason {
    format!("it is in the file \"{}\", but the model was opened without its folder", short(uri))
}

/// Returns whether a name has a scheme such as `http:` or `file:`, or a drive such as `C:`.
fn has_scheme(name: &str) -> bool {
    let Some((scheme, _)) = name.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn open_file(path: &Path) -> Result<UriData, Reason> {
    let fault = |e: std::io::Error| format!("{} cannot be read: {e}", path_text(path));
    let file = rigscope_core::files::open(path).map_err(fault)?;
    let length = usize::try_from(file.metadata().map_err(fault)?.len()).unwrap_or(usize::MAX);
    let opened = UriData::File(file, length);
    if length < 1024 && is_lfs_pointer(&opened.bytes().read().map_err(fault)?) {
        let pointer = "is a Git LFS pointer, not the data: run \"git lfs pull\" in its folder";
        return Err(format!("{} {pointer}", path_text(path)));
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("model")).unwrap();
        std::fs::create_dir(folder.path().join("model/textures")).unwrap();
        for name in ["secret.bin", "model/a b.bin", "model/100%.bin", "model/textures/skin.png"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        folder
    }

    fn load_from(folder: &tempfile::TempDir, uri: &str) -> Result<Vec<u8>, Reason> {
        open(uri, Some(&folder.path().join("model")), 1000).map(|o| o.bytes().read().unwrap().into_owned())
    }

    #[test]
    fn relative_names_are_found() {
        let folder = folder();
        for (uri, name) in [
            ("a%20b.bin", "model/a b.bin"),
            ("a b.bin", "model/a b.bin"),
            ("./a%20b.bin", "model/a b.bin"),
            ("100%.bin", "model/100%.bin"),
            ("textures\\skin.png", "model/textures/skin.png"),
        ] {
            assert_eq!(load_from(&folder, uri), Ok(name.as_bytes().to_vec()), "{uri}");
        }
    }

    #[test]
    fn nothing_is_read_from_elsewhere() {
        let folder = folder();
        for uri in [
            "../secret.bin",
            "%2e%2e/secret.bin",
            "..\\secret.bin",
            "textures/../../secret.bin",
            "/etc/passwd",
            "%2Fetc/passwd",
        ] {
            assert_eq!(load_from(&folder, uri), Err(outside(uri)), "{uri}");
        }
        for uri in ["file:///etc/passwd", "http://localhost/a.bin", "C:\\secret.bin", "%66ile:secret.bin"] {
            let address = load_from(&folder, uri).unwrap_err();
            assert!(address.starts_with(&format!("\"{uri}\" is a URL")), "{address}");
        }
        let path = folder.path().join("model/none.bin");
        let missing = format!("the file \"none.bin\" is missing, looked for as {}: copy it there", path.display());
        let missing = missing.replace('\\', "/");
        assert_eq!(load_from(&folder, "none.bin"), Err(missing));
        assert!(load_from(&folder, "textures").unwrap_err().contains("textures cannot be read: "));
        assert_eq!(open("a.bin", None, 9).unwrap_err(), no_folder("a.bin"));
    }

    #[cfg(unix)]
    #[test]
    fn links_may_not_lead_out() {
        let folder = folder();
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(folder.path().join(to), folder.path().join("model").join(name))
        };
        link("secret.bin", "out.bin").unwrap();
        link("model/a b.bin", "in.bin").unwrap();
        assert_eq!(load_from(&folder, "out.bin"), Err(outside("out.bin")));
        assert!(load_from(&folder, "in.bin").is_ok());
    }

    #[test]
    fn size_limits_and_pointers_are_noticed() {
        let folder = folder();
        let model = folder.path().join("model");
        // Opening a file of 13 bytes succeeds despite the limit of 5, because its bytes are read later.
        assert_eq!(open("a b.bin", Some(&model), 5).unwrap().bytes().len(), 13);
        std::fs::write(model.join("lfs.bin"), "version https://git-lfs.github.com/spec/v1\noid sha256:0\n").unwrap();
        assert!(load_from(&folder, "lfs.bin").unwrap_err().contains("lfs.bin is a Git LFS pointer"));
    }

    #[test]
    fn data_uris_are_decoded() {
        let decode = |uri| open(uri, None, 100).map(|o| o.bytes().read().unwrap().into_owned());
        for uri in ["data:application/octet-stream;base64,AQID", "DATA:;base64,AQID", "data:,%01%02%03"] {
            assert_eq!(decode(uri), Ok(vec![1, 2, 3]), "{uri}");
        }
        assert_eq!(decode("data:;base64,AQI="), Ok(vec![1, 2]));
        assert_eq!(decode("data:;base64,AQI"), Ok(vec![1, 2]));
        for uri in ["data:;base64,A*ID", "data:nothing"] {
            assert!(decode(uri).unwrap_err().starts_with("its data URI cannot be decoded: "), "{uri}");
        }
        assert_eq!(open("data:,12345", None, 4).unwrap_err(), exceeds_memory(11));
    }
}
