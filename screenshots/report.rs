//! The image of a report: its page in a browser without a window.

use std::path::Path;
use std::process::Command;

use super::Done;

/// Width and height in pixels; the page is shown down to the worst joint.
const SIZE: &str = "1280,1500";

/// Takes a screenshot of the page with Chromium.
pub fn picture(binary: &Path, folder: &Path, picture: &Path) -> Done {
    let page = folder.join("report.html");
    let made = Command::new(binary).args(["report", "builtin:figure", "-o"]).arg(&page).status()?;
    let taken = Command::new("chromium")
        .args(["--headless=new", "--no-sandbox", "--no-first-run", "--hide-scrollbars", "--use-angle=swiftshader"])
        .args(["--enable-unsafe-swiftshader", "--virtual-time-budget=5000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args([format!("--window-size={SIZE}"), format!("--screenshot={}", picture.display())])
        .arg(format!("file://{}", page.display()))
        .status()?;
    if made.success() && taken.success() { Ok(()) } else { Err("the report or its picture could not be made".into()) }
}
