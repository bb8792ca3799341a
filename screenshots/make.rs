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
        select(&mut window, joint)?;
        window.type_into(field, degrees)?;
    }
    window.move_to(egui::pos2(700.0, 20.0))?;
    Ok(window.screenshot()?.save(path)?)
}

/// Selects by filtering the tree: a row further down is not there to be clicked.
fn select(window: &mut Window, joint: &str) -> Done {
    filter(window, joint)?;
    window.click(joint)?;
    filter(window, "")
}

fn filter(window: &mut Window, text: &str) -> Done {
    window.click("Filter joints")?;
    window.key(egui::Modifiers::COMMAND | egui::Modifiers::CTRL, egui::Key::A)?;
    window.key(egui::Modifiers::NONE, egui::Key::Backspace)?;
    window.events(vec![egui::Event::Text(text.to_owned())])?;
    window.key(egui::Modifiers::NONE, egui::Key::Enter)?;
    Ok(())
}

/// Joint, field and degrees of the posed figure.
const FIGURE_POSE: &[(&str, &str, &str)] = &[
    ("LeftUpperArm", "Rotation Z", "-28"),
    ("LeftLowerArm", "Rotation X", "25"),
    ("Head", "Rotation Y", "12"),
    ("RightUpperArm", "Rotation X", "83.5"),
    ("RightUpperArm", "Rotation Y", "39.8"),
    ("RightUpperArm", "Rotation Z", "-85.8"),
    ("RightLowerArm", "Rotation X", "80"),
];

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
