//! Writes the README's pictures from the real program: the window under a virtual display, driven as a person would.

#[path = "../tests/common/window.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod window;

use std::error::Error;
use std::path::{Path, PathBuf};

use window::Window;

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let binary = binary_beside_this()?;
    figure(&binary, &root.join("screenshots/figure.png"))?;
    candy_wrapper(&binary, root)
}

/// The figure in the middle of a gesture, an elbow selected.
fn figure(binary: &Path, path: &Path) -> Done {
    let mut window = Window::open(binary, &["builtin:figure"], [1440, 900])?;
    for (joint, field, degrees) in FIGURE_POSE {
        window.click(joint)?;
        window.type_into(field, degrees)?;
    }
    window.click("RightLowerArm")?;
    Ok(window.screenshot()?.save(path)?)
}

/// Joint, field and degrees of the posed figure.
const FIGURE_POSE: &[(&str, &str, &str)] =
    &[("RightUpperArm", "Rotation Z", "-20"), ("RightLowerArm", "Rotation Y", "80"), ("Head", "Rotation Y", "-18")];

/// The same twist with both methods.
fn candy_wrapper(binary: &Path, root: &Path) -> Done {
    let mut window = Window::open(binary, &["builtin:tube"], [1280, 720])?;
    window.click("Show me")?;
    window.click("Candy wrapper")?;
    window.click("Dismiss")?;
    window.screenshot()?.save(root.join("screenshots/candy-wrapper-lbs.png"))?;
    window.click("DQS")?;
    Ok(window.screenshot()?.save(root.join("screenshots/candy-wrapper-dqs.png"))?)
}

/// `target/release/rigscope` for `target/release/examples/make_screenshots`.
fn binary_beside_this() -> Result<PathBuf, Box<dyn Error>> {
    let this = std::env::current_exe()?;
    let folder = this.ancestors().nth(2).ok_or("the program stands in no folder")?;
    Ok(folder.join("rigscope"))
}
