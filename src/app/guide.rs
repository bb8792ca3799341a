use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::file_jobs::FileJob;
use crate::guide;
use crate::state::{JobResult, Notice, NoticeKind};

/// Opening the browser counts as successful unless the launcher fails within this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// Returns a job that writes the guide to a folder (by default a temporary one) and opens it in the browser at `place`,
/// such as `posing#limit-joints`.
pub(super) fn file_job(folder: Option<PathBuf>, place: Option<String>) -> FileJob {
    Box::new(move || {
        JobResult::Notice(opened(folder, place.as_deref(), |page| open::that_detached_with_timeout(page, PATIENCE)))
    })
}

fn opened(folder: Option<PathBuf>, place: Option<&str>, launch: impl FnOnce(&Path) -> Result<()>) -> Notice {
    let written = folder.map_or_else(temporary, Ok).and_then(|folder| guide::write(&folder, place));
    let (kind, text) = match written {
        Err(problem) => (NoticeKind::Error, format!("The guide could not be written: {problem}.")),
        Ok(page) => match launch(&page) {
            Ok(()) => (NoticeKind::Done, format!("The guide opens in the browser. It is in {}", page.display())),
            Err(problem) => (
                NoticeKind::Warning,
                format!("No browser could be opened ({problem}). The guide is in {}", page.display()),
            ),
        },
    };
    Notice::new(kind, text)
}

/// Creates a temporary folder that isn't deleted when this process ends, because the browser still reads it.
fn temporary() -> Result<PathBuf> {
    Ok(tempfile::Builder::new().prefix("rigscope-guide-").tempdir()?.keep())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn guide_page_is_written_first_and_its_path_is_shown_without_a_browser() {
        let folder = tempfile::tempdir().unwrap();
        let mut seen = String::new();
        let notice = opened(Some(folder.path().join("guide")), Some("posing#posing"), |page| {
            seen = std::fs::read_to_string(page)?;
            Ok(())
        });
        assert!(seen.contains("posing.html#posing") && notice.kind == NoticeKind::Done, "{notice:?}");
        let notice = opened(Some(folder.path().join("guide")), None, |_| Err(Error::other("no launcher")));
        assert_eq!(notice.kind, NoticeKind::Warning);
        let path = folder.path().join("guide").join("README.html");
        assert!(path.exists() && notice.text.ends_with(&path.display().to_string()), "{notice:?}");
    }

    #[test]
    fn read_only_folder_is_reported() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let notice = opened(Some(file.path().to_owned()), None, |_| Ok(()));
        assert!(notice.kind == NoticeKind::Error && notice.text.contains("could not be written"), "{notice:?}");
    }
}
