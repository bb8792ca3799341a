//! Settings stored between runs.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{PanelLayout, Smoothing};
use crate::analysis::tracks::TrackKind;
use crate::gizmo::{GizmoSize, Orientation, Pivot, Tool};
use crate::posing::MirrorPlane;
use crate::rig::EulerOrder;
use crate::skinning::Method;
use crate::stage::{VideoFormat, VideoPlan};
use crate::view::{Camera, Display, View};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
    System,
}

impl ThemeChoice {
    pub const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::System];

    pub fn name(self) -> &'static str {
        match self {
            Self::Dark => "Dark",
            Self::Light => "Light",
            Self::System => "As the system",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Recent files, newest first.
    pub recent_files: Vec<PathBuf>,
    pub display: Display,
    /// Environment map to use instead of the built-in environment.
    pub environment_file: Option<PathBuf>,
    /// Default skinning method for opened files.
    pub method: Method,
    pub theme: ThemeChoice,
    /// Alignment of the gizmo's axes.
    pub orientation: Orientation,
    pub gizmo_size: GizmoSize,
    /// Order of Euler angles in the panel.
    pub euler_order: EulerOrder,
    pub posing: PosingOptions,
    /// True to reload a file when another program changes it.
    pub reload_on_change: bool,
    /// True to show the previous version of a reloaded file on side B.
    pub keeps_version_before: bool,
    /// True if the tree also lists nodes that are not joints.
    pub all_nodes: bool,
    /// Vertical field of view, radians.
    pub fov: f32,
    pub panels: PanelSizes,
    pub layout: PanelLayout,
    pub tracks: TrackDrawer,
    pub left_panel: bool,
    pub right_panel: bool,
    pub bottom_panel: bool,
    pub smoothing: Smoothing,
    /// True to save and copy images and videos with a transparent background.
    pub transparent_images: bool,
    /// True to include side labels and legends in images and videos.
    pub captioned_images: bool,
    pub image_size: ImageSize,
    /// True to draw bones into images and videos, if the view shows them.
    pub bones_in_images: bool,
    pub video: VideoChoice,
    pub frame_times: bool,
    pub shortcuts: Shortcuts,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            recent_files: Vec::new(),
            display: Display::default(),
            environment_file: None,
            method: Method::default(),
            theme: ThemeChoice::default(),
            orientation: Orientation::default(),
            gizmo_size: GizmoSize::default(),
            euler_order: EulerOrder::default(),
            posing: PosingOptions::default(),
            reload_on_change: true,
            keeps_version_before: false,
            all_nodes: false,
            fov: Camera::default().fov,
            panels: PanelSizes::default(),
            layout: PanelLayout::default(),
            tracks: TrackDrawer::default(),
            left_panel: true,
            right_panel: true,
            bottom_panel: true,
            smoothing: Smoothing::default(),
            transparent_images: false,
            captioned_images: false,
            image_size: ImageSize::default(),
            bones_in_images: true,
            video: VideoChoice::default(),
            frame_times: false,
            shortcuts: Shortcuts::default(),
        }
    }
}

/// Size of saved and copied images. All keep the shape of the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImageSize {
    /// As many pixels as the viewport.
    #[default]
    Viewport,
    /// Twice the viewport in each direction.
    Double,
    /// 3840 pixels on the longer side.
    FourK,
    /// Width in pixels.
    Width(u32),
}

impl ImageSize {
    /// Widths to choose from, pixels. The largest is that of `ImageOptions`.
    pub const WIDTHS: RangeInclusive<u32> = 16..=32_768;

    /// Returns width and height, pixels, and the size relative to a viewport of `viewport` pixels.
    pub fn pixels(self, viewport: [u32; 2]) -> ([u32; 2], f32) {
        let [width, height] = viewport.map(|side| side.max(1));
        let scale = match self {
            Self::Viewport => 1.0,
            Self::Double => 2.0,
            Self::FourK => 3840.0 / f64::from(width.max(height)),
            Self::Width(wanted) => f64::from(wanted) / f64::from(width),
        };
        ([width, height].map(|side| (f64::from(side) * scale).round().max(1.0) as u32), scale as f32)
    }
}

/// Settings of the video dialog that are kept for the next video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct VideoChoice {
    /// `None` until the user chooses a format.
    pub format: Option<VideoFormat>,
    /// Pixels.
    pub height: u32,
}

impl Default for VideoChoice {
    fn default() -> Self {
        Self { format: None, height: VideoPlan::default().height }
    }
}

/// Panel sizes set by the user, points. In a small window, panels are smaller.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSizes {
    /// Width.
    pub left: f32,
    /// Width.
    pub right: f32,
    /// Height of the panel at the bottom and of the twist test beside it.
    pub bottom: f32,
    /// Width of the ranking in the twist test.
    pub ranking: f32,
}

impl Default for PanelSizes {
    fn default() -> Self {
        Self { left: 240.0, right: 300.0, bottom: 240.0, ranking: 360.0 }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrackDrawer {
    pub is_open: bool,
    /// Height set by the user, points. The drawer is shorter in a small window.
    pub height: f32,
    /// Visible tracks, in no particular order.
    pub shown: Vec<TrackKind>,
}

impl Default for TrackDrawer {
    fn default() -> Self {
        Self {
            is_open: false,
            height: 200.0,
            shown: vec![TrackKind::Volume, TrackKind::WorstDistance, TrackKind::Loss],
        }
    }
}

impl TrackDrawer {
    pub fn shows(&self, kind: TrackKind) -> bool {
        self.shown.contains(&kind)
    }
}

/// Behaviour of gizmos and edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PosingOptions {
    pub tool: Tool,
    pub pivot: Pivot,
    /// True to mirror edits to the other side of the body.
    pub symmetry: bool,
    pub mirror: MirrorPlane,
    /// True to use IK when a joint is moved.
    pub ik: bool,
    /// Maximum number of bones in an IK chain.
    pub chain_bones: usize,
}

impl Default for PosingOptions {
    fn default() -> Self {
        Self {
            tool: Tool::default(),
            pivot: Pivot::default(),
            symmetry: false,
            mirror: MirrorPlane::default(),
            ik: false,
            chain_bones: 2,
        }
    }
}

const MAX_RECENT: usize = 10;

impl PosingOptions {
    /// Toggles IK. Enabling it selects the move tool.
    pub(super) fn toggle_ik(&mut self) {
        self.ik ^= true;
        if self.ik {
            self.tool = Tool::Move;
        }
    }
}

impl Settings {
    pub(super) fn next_orientation(&mut self) {
        let all = Orientation::ALL;
        let at = all.iter().position(|&o| o == self.orientation).unwrap_or(0);
        self.orientation = all[(at + 1) % all.len()];
    }

    /// Makes side A's method the default. Ignores the weighted blend, because its weights are specific to a file.
    pub(super) fn take_method(&mut self, view: &View) {
        let method = view.sides.a.skinning.method;
        if method != Method::WeightedBlend {
            self.method = method;
        }
    }

    pub(super) fn take_environment_file(&mut self, view: &View) {
        self.environment_file.clone_from(&view.environment_file.wanted);
    }

    /// Adds a file at the start of the recent files.
    pub fn remember(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent_files.retain(|p| *p != path);
        self.recent_files.insert(0, path);
        self.recent_files.truncate(MAX_RECENT);
    }

    /// Appends older files to the recent files, without duplicates.
    pub fn remember_after(&mut self, older: &[PathBuf]) {
        let new = older.iter().filter(|p| !self.recent_files.contains(p)).cloned().collect::<Vec<_>>();
        self.recent_files.extend(new);
        self.recent_files.truncate(MAX_RECENT);
    }
}

/// Preset of keys and mouse controls: Rigscope's own, or those of another program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Preset {
    #[default]
    Viewer,
    Blender,
    /// Keys of Maya and Unity.
    Maya,
}

impl Preset {
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Blender, Self::Maya];

    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "Viewer",
            Self::Blender => "Blender",
            Self::Maya => "Maya/Unity",
        }
    }
}

/// A preset with the user's changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shortcuts {
    pub preset: Preset,
    /// Keys of each changed action, such as "Ctrl+Shift+Z", by the action's id. An empty list removes the action's
    /// keys.
    pub changed: BTreeMap<String, Vec<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(|n| std::path::absolute(n).expect("a path")).collect()
    }

    #[test]
    fn a_file_that_is_opened_again_moves_to_the_top_and_is_listed_once() {
        let mut settings = Settings::default();
        for name in ["a.glb", "b.glb", "c.glb", "a.glb"] {
            settings.remember(Path::new(name));
        }
        assert_eq!(settings.recent_files, files(&["a.glb", "c.glb", "b.glb"]));
        settings.remember_after(&files(&["b.glb", "d.glb"]));
        assert_eq!(settings.recent_files, files(&["a.glb", "c.glb", "b.glb", "d.glb"]));
    }

    #[test]
    fn an_image_has_the_shape_of_the_viewport_in_each_size() {
        for (size, wanted) in [
            (ImageSize::Viewport, [1200, 800]),
            (ImageSize::Double, [2400, 1600]),
            (ImageSize::FourK, [3840, 2560]),
            (ImageSize::Width(600), [600, 400]),
        ] {
            assert_eq!(size.pixels([1200, 800]), (wanted, wanted[0] as f32 / 1200.0), "{size:?}");
        }
        assert_eq!(ImageSize::FourK.pixels([500, 1000]).0, [1920, 3840]);
        assert_eq!(ImageSize::Double.pixels([0, 0]).0, [2, 2], "a window without room");
    }

    #[test]
    fn only_the_newest_files_are_remembered() {
        let mut settings = Settings::default();
        (0..MAX_RECENT + 3).for_each(|i| settings.remember(Path::new(&format!("{i}.glb"))));
        assert_eq!(settings.recent_files.len(), MAX_RECENT);
        assert_eq!(settings.recent_files.first(), files(&["12.glb"]).first());
        settings.remember_after(&files(&["older.glb"]));
        assert_eq!(settings.recent_files.last(), files(&["3.glb"]).first());
    }
}
