//! Draws images by running the commands on pages of the guide.

use std::path::Path;
use std::process::Command;

use super::Done;
use super::markdown::blocks;

/// Name of the image, the page, and the file that a command on the page writes.
pub const DRAWN: [(&str, &str, &str); 6] = [
    ("bend-test", "bend-tests.md", "bend.png"),
    ("formats", "formats.md", "beside.png"),
    ("python", "python.md", "walk.png"),
    ("render", "images.md", "tube.png"),
    ("trails", "clips.md", "trails.png"),
    ("session", "sessions-and-poses.md", "session.png"),
];

/// Runs the commands of a page, up to the one that writes `file`, in a folder with `hero.glb`. `program` is the folder
/// that contains `rigscope`.
pub fn draw(page: &str, file: &str, program: &Path, folder: &Path) -> Done {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page))?;
    let path = format!("{}:{}", program.display(), std::env::var("PATH")?);
    for block in blocks(&text).iter().filter(|block| block.language == "sh" && block.is_tested) {
        Command::new("sh").args(["-c", &block.text]).env("PATH", &path).current_dir(folder).status()?;
        if folder.join(file).exists() {
            return Ok(());
        }
    }
    Err(format!("no command on {page} writes {file}").into())
}
