use std::path::{Path, PathBuf};

use super::ExportError;
use super::missing::{LostTexture, sentences};
use rigscope_core::files::{byte_count, write_together};

/// The files of one export, before they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportFile {
    /// Bytes of the main file.
    pub bytes: Vec<u8>,
    /// Names and bytes of additional files in the same folder.
    pub beside: Vec<(String, Vec<u8>)>,
    /// Number of exported clips.
    pub clips: usize,
    /// Content that the format cannot express, one clause per item.
    pub left_out: Vec<String>,
    /// Textures that could not be read.
    pub missing: Vec<LostTexture>,
}

impl ExportFile {
    /// Returns up to two sentences: one about the textures left out and one about the textures that stay external.
    pub fn missing_textures(&self) -> Vec<String> {
        sentences(&self.missing)
    }

    /// Returns the sentences of [`Self::missing_textures`], followed by [`Self::left_out`].
    pub fn losses(&self) -> Vec<String> {
        self.missing_textures().into_iter().chain(self.left_out.iter().cloned()).collect()
    }

    /// Returns the paths of the additional files for a main file at `path`.
    pub fn paths_beside(&self, path: &Path) -> Vec<PathBuf> {
        self.beside.iter().map(|(name, _)| path.with_file_name(name)).collect()
    }

    /// Returns the total size of all files for display, such as "45.1 kB and 2 files beside it".
    pub fn size(&self) -> String {
        let beside = match self.beside.len() {
            0 => String::new(),
            1 => " and a file beside it".to_owned(),
            count => format!(" and {count} files beside it"),
        };
        let bytes = self.beside.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() + self.bytes.len();
        format!("{}{beside}", byte_count(bytes as u64))
    }

    /// Writes all files, or none if one fails. *Errors*: [`ExportError::Folder`], [`ExportError::Write`].
    pub fn write(&self, path: &Path) -> Result<(), ExportError> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
            return Err(ExportError::Folder(folder.to_owned()));
        }
        let paths = self.paths_beside(path);
        let beside = paths.iter().zip(&self.beside).map(|(path, (_, bytes))| (&**path, &**bytes));
        let files: Vec<(&Path, &[u8])> = beside.chain([(path, &*self.bytes)]).collect();
        write_together(&files).map_err(|(path, source)| ExportError::Write { path: path.to_owned(), source })
    }
}

pub(super) fn left_out(count: usize, one: &str, many: &str, reason: &str) -> Option<String> {
    let what = if count == 1 { one } else { many };
    (count > 0).then(|| format!("{count} {what} left out: {reason}"))
}
