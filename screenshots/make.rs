//! Creates the images of the README and the guide with the real program: in a window on a virtual display, and with the commands on the pages. Creates all
//! images, or those named on the command line.

mod drawn;
mod face;
mod faulty_clip;
mod fingers;
mod hero;
#[path = "../tests/common/markdown.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod markdown;
mod report;
#[path = "../tests/common/window.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod window;

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use color_quant::NeuQuant;
use egui::{Event, Key, Modifiers, Pos2, Rect, Vec2, pos2, vec2};
use window::Window;

type Done = Result<(), Box<dyn Error>>;

/// Name of the image, character, and actions before the screenshot.
type Scene = (&'static str, &'static str, fn(&mut Window) -> Done);

/// Details for the README, as left, top, width and height in pixels.
const DETAILS: &[(&str, [u32; 4])] = &[
    ("figure", [330, 60, 640, 400]),
    ("side-by-side", [240, 217, 740, 460]),
    ("twist-test", [0, 512, 640, 220]),
    ("probe", [250, 200, 640, 400]),
    ("fingers", [270, 130, 640, 400]),
    ("clips", [240, 40, 740, 460]),
    ("lint", [640, 60, 640, 400]),
    ("tour", [330, 130, 640, 400]),
];

const SCENES: &[Scene] = &[
    ("wipe", "builtin:tube", wipe),
    ("side-by-side", "builtin:figure", side_by_side),
    ("twist-test", "builtin:figure", twist_test),
    ("probe", "builtin:tube", probe),
    ("tour", "builtin:tube", tour),
    ("figure", "builtin:figure", figure),
    ("poses", "builtin:figure", poses),
    ("clips", "builtin:figure", clips),
    ("tracks", FAULTY_CLIP, tracks),
    ("lint", FAULTY, lint),
    ("palette", "builtin:figure", palette),
    ("fingers", FINGERS, fingers),
    ("weights", "builtin:figure", weights),
    ("face", FACE, face_and_hair),
];

/// Characters that are written before the screenshots.
const FINGERS: &str = "fingers.glb";
const FACE: &str = "figure.vrm";
const FAULTY_CLIP: &str = "walk.glb";
/// The figure, in a folder with a config whose limits it exceeds.
const FAULTY: &str = "project/hero.glb";

const SIZE: [u32; 2] = [1280, 800];

fn main() -> Done {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    let (binary, wanted) = (binary_beside_this()?, std::env::args().skip(1).collect::<Vec<_>>());
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    let picture = |name: &str| folder.join(format!("{name}.png"));
    let made = tempfile::tempdir()?;
    let made = made.path();
    make_characters(&binary, made)?;
    for (name, character, scene) in SCENES.iter().filter(|(name, ..)| is_wanted(name)) {
        let path = made.join(character);
        let character =
            if path.exists() { path.to_str().ok_or("the folder has no name in Unicode")? } else { character };
        let mut window = Window::open(&binary, &[character], SIZE)?;
        scene(&mut window)?;
        let taken = window.screenshot()?;
        if let Some((_, [left, top, width, height])) = DETAILS.iter().find(|(of, _)| of == name) {
            let detail = image::imageops::crop_imm(&taken, *left, *top, *width, *height).to_image();
            save(detail, &picture(&format!("{name}-detail")))?;
        }
        save(taken, &picture(name))?;
    }
    for (name, page, file) in drawn::DRAWN.iter().filter(|(name, ..)| is_wanted(name)) {
        let program = binary.parent().ok_or("the program stands in no folder")?;
        drawn::draw(page, file, program, made)?;
        save(image::open(made.join(file))?.into_rgba8(), &picture(name))?;
    }
    if is_wanted("hero") {
        hero::draw(&binary, made, &picture("hero"))?;
    }
    if is_wanted("report") {
        let taken = made.join("report.png");
        report::picture(&binary, made, &taken)?;
        save(image::open(&taken)?.into_rgba8(), &picture("report"))?;
    }
    Ok(())
}

/// Writes the characters that are not built in.
fn make_characters(binary: &Path, folder: &Path) -> Done {
    fingers::write(&folder.join(FINGERS))?;
    let hero = folder.join("hero.glb");
    let is_converted =
        Command::new(binary).args(["convert", "builtin:figure", "-q", "-o"]).arg(&hero).status()?.success();
    if !is_converted {
        return Err("the figure was not converted".into());
    }
    face::write(&hero, &folder.join(FACE))?;
    faulty_clip::write(&hero, &folder.join(FAULTY_CLIP))?;
    let faulty = folder.join(FAULTY);
    let project = faulty.parent().ok_or("the file stands in no folder")?;
    std::fs::create_dir(project)?;
    std::fs::copy(&hero, &faulty)?;
    Ok(std::fs::write(project.join("rigscope.toml"), "[limits]\njoints = 50\ninfluences = 2\n")?)
}

/// Number of colour levels merged into one, which is invisible and halves the size of dithered backgrounds.
const STEP: u8 = 4;

fn with_fewer_levels(mut picture: image::RgbImage) -> image::RgbImage {
    for level in picture.iter_mut() {
        *level = level.saturating_add(STEP / 2) / STEP * STEP;
    }
    picture
}

/// Number of colours of an image. With a palette, an image takes half the space, and the difference is hardly visible.
const COLORS: usize = 256;
/// The quantiser learns from one pixel in this many.
const SAMPLED: i32 = 3;

/// Writes a PNG with a palette and maximum compression.
fn save(picture: image::RgbaImage, path: &Path) -> Done {
    let picture = with_fewer_levels(image::DynamicImage::from(picture).into_rgb8());
    let picture = image::DynamicImage::from(picture).into_rgba8();
    let colors = NeuQuant::new(SAMPLED, COLORS, &picture);
    let indices: Vec<u8> = picture.pixels().map(|pixel| colors.index_of(&pixel.0) as u8).collect();
    let mut png = png::Encoder::new(BufWriter::new(File::create(path)?), picture.width(), picture.height());
    png.set_color(png::ColorType::Indexed);
    png.set_palette(colors.color_map_rgb());
    png.set_compression(png::Compression::High);
    png.set_filter(png::Filter::NoFilter);
    Ok(png.write_header()?.write_image_data(&indices)?)
}

/// Shows the candy wrapper above the wipe line, and its fix below.
fn wipe(window: &mut Window) -> Done {
    show_me(window, "Candy wrapper")?;
    window.key(Modifiers::NONE, Key::Escape)?;
    hide_bones(window)?;
    window.click("Wipe")?;
    // Clay shading has stripes that show the twist of the skin.
    window.click("View")?;
    window.click("Clay")?;
    open_tab(window, "Compare")?;
    let view = viewport(window)?;
    zoom(window, view.center(), 70.0)?;
    let grip = pos2(view.center().x, view.top() + view.height() * 0.16);
    let turned = view.center() + Vec2::angled((-5_f32).to_radians()) * (view.center().y - grip.y);
    drag(window, grip, turned)
}

/// Shows the volume loss at an elbow as an overlay.
fn side_by_side(window: &mut Window) -> Done {
    show_me(window, "Elbow collapse")?;
    hide_bones(window)?;
    open_tab(window, "Compare")?;
    choose(window, "Overlay on A", "Distance between A and B")?;
    await_widget(window, "Range of A")?;
    let view = viewport(window)?;
    zoom(window, view.center(), -190.0)?;
    rest_pointer(window)
}

/// Shows the joint that loses most volume, in its worst pose.
fn twist_test(window: &mut Window) -> Done {
    window.key(Modifiers::NONE, Key::T)?;
    await_widget(window, "Re-run")?;
    window.click("Range of the ranking")?;
    window.click("full")?;
    await_widget(window, "Chest, loses 26")?;
    window.click("Chest, loses ")?;
    await_widget(window, "Plot of the test")?;
    window.click("Wipe")?;
    hide_bones(window)?;
    window.key(Modifiers::NONE, Key::F)?;
    let plot = window.find("Plot of the test")?.rect;
    drag(window, plot.center(), pos2(plot.right() - 26.0, plot.center().y))?;
    let view = viewport(window)?;
    zoom(window, view.center(), -260.0)?;
    rest_pointer(window)
}

/// Shows a probe: positions of a vertex under each of two joints, and with each method.
fn probe(window: &mut Window) -> Done {
    show_me(window, "Candy wrapper")?;
    window.key(Modifiers::NONE, Key::Escape)?;
    hide_bones(window)?;
    window.key(Modifiers::NONE, Key::K)?;
    let view = viewport(window)?;
    zoom(window, view.center(), 450.0)?;
    window.click_at(view.center() + vec2(-100.0, -30.0))?;
    rest_pointer(window)
}

/// Shows the step of the tour that explains the candy wrapper.
fn tour(window: &mut Window) -> Done {
    window.click("Help")?;
    window.click("Skinning tour")?;
    await_widget(window, "Leave the tour")?;
    window.click("Step 7 of")?;
    rest_pointer(window)
}

/// Shows the figure in a gesture, with an elbow selected.
fn figure(window: &mut Window) -> Done {
    pose(window, GESTURE)?;
    rest_pointer(window)
}

/// Shows a pose library with a few poses, one of them applied.
fn poses(window: &mut Window) -> Done {
    for (name, turns) in [("Sit", SIT), ("Stride", STRIDE), ("Look left", LOOK), ("Wave", GESTURE)] {
        window.key(Modifiers::CTRL | Modifiers::COMMAND | Modifiers::ALT, Key::R)?;
        pose(window, turns)?;
        window.key(Modifiers::NONE, Key::Escape)?;
        window.key(Modifiers::CTRL | Modifiers::COMMAND | Modifiers::ALT, Key::S)?;
        window.type_into("Name of the pose", name)?;
        await_widget(window, name)?;
        window.click("Dismiss")?;
    }
    hide_bones(window)?;
    // Waits for the thumbnails, which are drawn one by one.
    std::thread::sleep(Duration::from_secs(4));
    rest_pointer(window)
}

/// Shows a characteristic frame of a clip, with the keys of a joint.
fn clips(window: &mut Window) -> Done {
    select(window, "RightLowerArm")?;
    hide_bones(window)?;
    window.click("Clip")?;
    click_in_passing(window, "wave")?;
    // Stops the clip, which plays as soon as it is chosen; the window doesn't settle before that.
    window.key(Modifiers::NONE, Key::Space)?;
    window.type_into("Frame", "36")?;
    rest_pointer(window)
}

/// Shows tracks of the walk in which a forearm rotates around its axis, at the worst frame.
fn tracks(window: &mut Window) -> Done {
    window.click("Clip")?;
    click_in_passing(window, "walk")?;
    window.key(Modifiers::NONE, Key::Space)?;
    window.key(Modifiers::NONE, Key::D)?;
    await_widget_for(window, "Worst frame of Volume A", Duration::from_mins(5))?;
    window.click("Worst frame of Volume A")?;
    focus(window, "LeftLowerArm")?;
    let view = viewport(window)?;
    zoom(window, view.center(), 160.0)?;
    rest_pointer(window)
}

/// Shows findings of a config, with the vertices of one finding marked.
fn lint(window: &mut Window) -> Done {
    hide_bones(window)?;
    window.key(Modifiers::NONE, Key::L)?;
    await_widget(window, "RIG096")?;
    window.click("RIG096")?;
    rest_pointer(window)
}

/// Shows commands and guide headings that match a word.
fn palette(window: &mut Window) -> Done {
    window.key(Modifiers::COMMAND | Modifiers::CTRL | Modifiers::SHIFT, Key::P)?;
    window.events(vec![Event::Text("clip".to_owned())])?;
    await_widget(window, "Guide: ")?;
    rest_pointer(window)
}

/// Shows that a bent finger drags its neighbour along if weights depend on the straight distance, and doesn't if they
/// depend on the distance through the body.
fn fingers(window: &mut Window) -> Done {
    pose(window, &[("Index 1", "Rotation X", "30"), ("Index 2", "Rotation X", "45")])?;
    select(window, "Index 1")?;
    hide_bones(window)?;
    window.click("Side by side")?;
    open_tab(window, "Compare")?;
    weigh(window, "A", "Closest bones")?;
    weigh(window, "B", "Geodesic voxel")?;
    choose(window, "Method of B", "Linear blend skinning")?;
    for side in ["A", "B"] {
        choose(window, &format!("Overlay on {side}"), "Joint colours")?;
    }
    window.key(Modifiers::NONE, Key::Escape)?;
    let view = viewport(window)?;
    zoom(window, view.center(), -140.0)?;
    rest_pointer(window)
}

/// Shows the figure with the weights of its file and with computed weights.
fn weights(window: &mut Window) -> Done {
    pose(window, STRIDE)?;
    hide_bones(window)?;
    window.click("Side by side")?;
    open_tab(window, "Compare")?;
    weigh(window, "B", "Automatic")?;
    choose(window, "Method of B", "Linear blend skinning")?;
    for side in ["A", "B"] {
        choose(window, &format!("Overlay on {side}"), "Joint colours")?;
    }
    window.key(Modifiers::NONE, Key::Escape)?;
    rest_pointer(window)
}

/// Shows a smile, eyes that look at a point, and hair on springs over colliders.
fn face_and_hair(window: &mut Window) -> Done {
    focus(window, "Head")?;
    window.click("View")?;
    window.click("Springs and colliders")?;
    pose(window, &[("Head", "Rotation Y", "30"), ("Head", "Rotation Z", "-14")])?;
    window.key(Modifiers::NONE, Key::Escape)?;
    open_tab(window, "Morphs")?;
    window.type_into("Weight of happy", "1")?;
    choose(window, "What the eyes look at", "Point")?;
    let view = viewport(window)?;
    zoom(window, view.center(), -60.0)?;
    let from = view.left_top() + vec2(60.0, 120.0);
    drag(window, from, from + vec2(-80.0, 10.0))?;
    for (field, metres) in [("Gaze at X", "0.02"), ("Gaze at Y", "1.6"), ("Gaze at Z", "0.35")] {
        window.type_into(field, metres)?;
    }
    rest_pointer(window)
}

/// Chooses the weights of a side, and waits until they are computed.
fn weigh(window: &mut Window, side: &str, weights: &str) -> Done {
    window.click(&format!("Weights of {side}"))?;
    click_in_passing(window, weights)?;
    let start = Instant::now();
    while window.find(&format!("Cancel the weights of {side}")).is_ok() {
        if start.elapsed() > Duration::from_mins(1) {
            return Err("the weights are never made".into());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Joint, field, and value in degrees.
type Turn = (&'static str, &'static str, &'static str);

const GESTURE: &[Turn] = &[
    ("LeftUpperArm", "Rotation Z", "-28"),
    ("LeftLowerArm", "Rotation X", "25"),
    ("Head", "Rotation Y", "12"),
    ("RightUpperArm", "Rotation X", "83.5"),
    ("RightUpperArm", "Rotation Y", "39.8"),
    ("RightUpperArm", "Rotation Z", "-85.8"),
    ("RightLowerArm", "Rotation X", "80"),
];

const SIT: &[Turn] = &[
    ("LeftUpperLeg", "Rotation X", "-85"),
    ("LeftLowerLeg", "Rotation X", "85"),
    ("RightUpperLeg", "Rotation X", "-85"),
    ("RightLowerLeg", "Rotation X", "85"),
];

const STRIDE: &[Turn] = &[
    ("LeftUpperLeg", "Rotation X", "-32"),
    ("LeftLowerLeg", "Rotation X", "12"),
    ("RightUpperLeg", "Rotation X", "28"),
    ("RightLowerLeg", "Rotation X", "20"),
    ("RightLowerArm", "Rotation X", "60"),
];

const LOOK: &[Turn] = &[("Head", "Rotation Y", "45"), ("LeftLowerArm", "Rotation X", "90")];

fn pose(window: &mut Window, turns: &[Turn]) -> Done {
    open_tab(window, "Joint")?;
    for (joint, field, degrees) in turns {
        select(window, joint)?;
        window.type_into(field, degrees)?;
    }
    Ok(())
}

/// Selects a joint after filtering the tree, because rows that are scrolled out of view can't be clicked.
fn select(window: &mut Window, joint: &str) -> Done {
    filter(window, joint)?;
    window.click(joint)?;
    filter(window, "")
}

/// Hides the bones, moves the camera close to a joint, and clears the selection.
fn focus(window: &mut Window, joint: &str) -> Done {
    select(window, joint)?;
    hide_bones(window)?;
    window.key(Modifiers::NONE, Key::F)?;
    window.key(Modifiers::NONE, Key::Escape)?;
    Ok(())
}

fn filter(window: &mut Window, text: &str) -> Done {
    window.click("Filter joints")?;
    window.key(Modifiers::COMMAND | Modifiers::CTRL, Key::A)?;
    window.key(Modifiers::NONE, Key::Backspace)?;
    window.events(vec![Event::Text(text.to_owned())])?;
    window.key(Modifiers::NONE, Key::Enter)?;
    Ok(())
}

fn show_me(window: &mut Window, what: &str) -> Done {
    window.click("Show me")?;
    window.click(what)?;
    await_widget(window, "Dismiss")?;
    Ok(window.click("Dismiss")?)
}

fn hide_bones(window: &mut Window) -> Done {
    window.click("View")?;
    Ok(window.click("Bones")?)
}

/// Opens a tab of the right panel. Takes the last widget with the name, because a menu has the same name.
fn open_tab(window: &mut Window, name: &str) -> Done {
    let tab = window.widgets()?.into_iter().rfind(|w| w.name == name).ok_or("no such tab")?;
    Ok(window.click_at(tab.rect.center())?)
}

fn choose(window: &mut Window, list: &str, entry: &str) -> Done {
    window.click(list)?;
    Ok(window.click(entry)?)
}

/// Clicks without waiting until the window settles, for actions that start something long.
fn click_in_passing(window: &mut Window, name: &str) -> Done {
    let pos = window.find(name)?.rect.center();
    window.events(vec![Event::PointerMoved(pos)])?;
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        window.events(vec![Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE }])?;
    }
    Ok(())
}

fn viewport(window: &mut Window) -> Result<Rect, Box<dyn Error>> {
    Ok(window.find("Viewport")?.rect)
}

fn drag(window: &mut Window, from: Pos2, to: Pos2) -> Done {
    window.move_to(from)?;
    window.drag_through(&[from, from.lerp(to, 0.5), to])?;
    Ok(window.release_at(to)?)
}

/// Turns the mouse wheel by some points.
fn zoom(window: &mut Window, at: Pos2, points: f32) -> Done {
    window.move_to(at)?;
    window.events(vec![Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, points),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    }])?;
    Ok(window.settle()?)
}

/// Moves the pointer to where it hovers over nothing.
fn rest_pointer(window: &mut Window) -> Done {
    Ok(window.move_to(pos2(640.0, 20.0))?)
}

fn await_widget(window: &mut Window, name: &str) -> Done {
    await_widget_for(window, name, Duration::from_mins(1))
}

fn await_widget_for(window: &mut Window, name: &str, timeout: Duration) -> Done {
    let start = Instant::now();
    while window.find(name).is_err() {
        if start.elapsed() > timeout {
            return Err(format!("no {name:?} came").into());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Returns `target/release/rigscope` for `target/release/examples/make_screenshots`.
fn binary_beside_this() -> Result<PathBuf, Box<dyn Error>> {
    let this = std::env::current_exe()?;
    let folder = this.ancestors().nth(2).ok_or("the program stands in no folder")?;
    Ok(folder.join("rigscope"))
}
