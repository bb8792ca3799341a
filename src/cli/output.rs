//! Writes results to a file or to standard output. Never overwrites an input.

use std::ffi::OsStr;
use std::io::{ErrorKind, IsTerminal as _, Result, Write, stdout};
use std::path::Path;

use super::Console;
#[cfg(feature = "gl")]
use crate::export::ImageKind;
use crate::export::{ExportError, ExportFile};
use crate::files::{StreamedFile, byte_count, find_same_file, is_standard, write_atomically};
#[cfg(feature = "gl")]
use crate::studio::RgbaImage;

/// Fails if an output would overwrite an input.
pub(super) fn refuse_to_replace<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> std::result::Result<(), String> {
    match find_same_file(output, inputs).filter(|_| !is_standard(output)) {
        None => Ok(()),
        Some(input) if input == output => {
            Err(format!("{} is an input of this command and would be lost; give another OUT", output.display()))
        }
        Some(input) => Err(format!(
            "{} is the same file as {}, an input of this command, and would be lost; give another OUT",
            output.display(),
            input.display()
        )),
    }
}

/// Fails if standard output would receive more than one result. Files named `-` and printed results both count.
pub(super) fn refuse_two_on_stdout<'a>(
    files: impl IntoIterator<Item = &'a Path>,
    is_printed: bool,
    options: &str,
) -> std::result::Result<(), String> {
    let count = files.into_iter().filter(|path| is_standard(path)).count() + usize::from(is_printed);
    if count > 1 { Err(format!("Only one of {options} can go to standard output")) } else { Ok(()) }
}

/// Writes a result and reports it. `what` begins the error message, such as "numbers were".
pub(super) fn save(path: &Path, bytes: &[u8], what: &str, console: &Console) -> std::result::Result<(), String> {
    write(path, bytes).map_err(|e| format!("The {what} not saved: {e} ({})", path.display()))?;
    console.saved(path, &byte_count(bytes.len() as u64));
    Ok(())
}

/// Writes an exported file and its companion files. `what` begins the error message, such as "rig was".
pub(super) fn save_export(path: &Path, file: &ExportFile, what: &str) -> std::result::Result<(), String> {
    if is_standard(path) || (path.extension().is_none() && file.beside.is_empty()) {
        return write(path, &file.bytes).map_err(|e| format!("The {what} not written: {e}"));
    }
    file.write(path).map_err(|e| format!("The {what} not saved: {e}"))
}

/// Returns the format given by the extension or, if there is no extension, by `--format`. The default for standard
/// output is `usual`. Ignores an extension of six random characters, because thumbnailers pass names created by
/// mkstemp(3).
pub(super) fn format<F: PartialEq + Copy>(
    output: &Path,
    named: std::result::Result<F, ExportError>,
    wanted: Option<F>,
    usual: F,
) -> std::result::Result<F, String> {
    let has_ending = output.extension().is_some_and(|ending| !is_random(ending));
    match (named, wanted) {
        (_, Some(wanted)) if !has_ending => Ok(wanted),
        (Ok(named), Some(wanted)) if named != wanted => {
            Err(format!("{} has the extension of another format than --format", output.display()))
        }
        (Err(_), None) if is_standard(output) => Ok(usual),
        (Err(problem), None) if !has_ending => Err(without_ending(&problem)),
        (named, _) => named.map_err(|e| e.to_string()),
    }
}

/// Returns the format of an image by its name. *Errors*: no image format has its extension.
#[cfg(feature = "gl")]
pub(super) fn image_format(path: &Path) -> std::result::Result<ImageKind, String> {
    format(path, ImageKind::from_path(path), None, ImageKind::Png)
}

/// Saves a contact sheet. *Errors*: encoding or writing fails.
#[cfg(feature = "gl")]
pub(super) fn save_sheet(
    (path, format): (&Path, ImageKind),
    sheet: &RgbaImage,
    console: &Console,
) -> std::result::Result<(), String> {
    let bytes = format.encode(sheet).map_err(|problem| problem.to_string())?;
    save(path, &bytes, "sheet was", console)
}

fn is_random(ending: &OsStr) -> bool {
    ending.len() == 6 && ending.as_encoded_bytes().iter().all(u8::is_ascii_alphanumeric)
}

pub(super) fn without_ending(problem: &ExportError) -> String {
    format!("{problem}, or give --format")
}

/// Writes a file atomically, or writes to standard output. Fails if standard output is a terminal.
pub(super) fn write(output: &Path, bytes: &[u8]) -> Result<()> {
    if is_standard(output) { write_by(output, |to| to.write_all(bytes)) } else { write_atomically(output, bytes) }
}

/// Like [`write()`], but `fill` writes the content in several steps.
pub(super) fn write_by(output: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if !is_standard(output) {
        let mut file = StreamedFile::new(output)?;
        fill(&mut file)?;
        return file.place();
    }
    let stdout = stdout().lock();
    if stdout.is_terminal() {
        return Err(std::io::Error::other("standard output is a terminal; send it to a file or a program"));
    }
    let mut pipe = Pipe { to: stdout, is_closed: false };
    let written = fill(&mut pipe).and_then(|()| pipe.flush());
    if pipe.is_closed { Ok(()) } else { written }
}

/// A writer that records whether the reader closed the pipe. Needed because encoders don't preserve the kind of an
/// error.
struct Pipe<W> {
    to: W,
    is_closed: bool,
}

impl<W> Pipe<W> {
    fn noted<T>(&mut self, result: Result<T>) -> Result<T> {
        self.is_closed |= result.as_ref().is_err_and(|problem| problem.kind() == ErrorKind::BrokenPipe);
        result
    }
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let written = self.to.write(bytes);
        self.noted(written)
    }

    fn flush(&mut self) -> Result<()> {
        let flushed = self.to.flush();
        self.noted(flushed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::MeshFormat;

    #[test]
    fn format_comes_from_the_file_name_or_from_an_option() {
        let format = |path: &str, wanted| {
            let path = Path::new(path);
            super::format(path, MeshFormat::from_path(path), wanted, MeshFormat::Glb)
        };
        assert_eq!(format("a.ply", None), Ok(MeshFormat::Ply));
        assert_eq!(format("a.ply", Some(MeshFormat::Ply)), Ok(MeshFormat::Ply));
        assert_eq!(format("-", None), Ok(MeshFormat::Glb));
        assert_eq!(format("-", Some(MeshFormat::Obj)), Ok(MeshFormat::Obj));
        assert_eq!(format("/dev/stdout", Some(MeshFormat::Json)), Ok(MeshFormat::Json));
        assert!(format("a.ply", Some(MeshFormat::Obj)).is_err());
        assert_eq!(format("/tmp/.thumbnail.X3b9Zq", Some(MeshFormat::Obj)), Ok(MeshFormat::Obj));
        assert!(format("/tmp/.thumbnail.X3b9Zq", None).unwrap_err().contains("--format"));
        assert!(format("a.fbx", Some(MeshFormat::Obj)).is_err(), "never one format by the name of another");
        assert!(format("a", None).unwrap_err().contains("--format"));
    }
}
