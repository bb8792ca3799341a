//! View settings: camera and display options, as plain data.

mod backdrop;
mod camera;
mod compare;
mod hidden;
mod lens;
mod light;
mod numbers;
mod overlay;
mod points_file;
mod ramp;
mod selection;
mod shading;
mod shading_mode;
mod shown_file;
mod side;
mod skeleton_change;
mod trail;

pub use backdrop::Backdrop;
pub use camera::{Camera, DepthRange, FOV_RANGE, FOVS, SavedView};
pub use compare::{Compare, Ghost, Layout, Wipe};
pub use hidden::{HiddenItems, HiddenNames, material, material_name, mesh_name};
pub use lens::{Lens, Ray};
pub use light::{Environment, EnvironmentFile, Lighting};
pub use numbers::{signed, significant};
pub use overlay::{Overlay, OverlayInput, OverlaySpec, OverlayValues, Values, extremes};
pub use points_file::PointsFile;
pub use ramp::{Ramp, srgb_from_oklab};
pub use selection::SelectedProblem;
pub use shading::Shading;
pub use shading_mode::ShadingMode;
pub use shown_file::ShownFile;
pub use side::{PerSide, ShownPose, Side, SideOptions, SideView, known};
pub use skeleton_change::NO_JOINTS;
pub use trail::{JointTrail, RootPath, TrailMoment, Trails, VertexSet, VertexTrail};

use std::ops::Range;

use crate::rig::{MorphIndex, NodeIndex, Rig};
use crate::skinning::{Method, Skinning};
use crate::weights::WeightChoice;

/// All view settings.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Camera of both sides.
    pub camera: Camera,
    /// Saved cameras.
    pub saved: Vec<SavedView>,
    /// Settings of each side. Without a comparison, only A is visible.
    pub sides: PerSide<SideView>,
    /// Overlays shown temporarily instead of the chosen ones.
    pub previews: PerSide<Option<Overlay>>,
    /// Layout of the comparison.
    pub compare: Compare,
    /// Bones, grid and other annotations.
    pub display: Display,
    /// Environment map file that replaces the built-in environment.
    pub environment_file: EnvironmentFile,
    /// Background behind the character.
    pub backdrop: Backdrop,
    /// Hidden meshes and materials.
    pub hidden: HiddenItems,
    /// Selected joints; the last is active.
    pub selected: Vec<NodeIndex>,
    /// Problem whose joints or vertices are selected.
    pub problem: Option<SelectedProblem>,
    /// Active morph, if any.
    pub morph: Option<MorphIndex>,
    /// Node index range of the isolated subtree, which limits the visible bones; `None` if nothing is isolated.
    pub isolated: Option<Range<usize>>,
    /// Joint under the pointer.
    pub hovered: Option<NodeIndex>,
    /// Highlighted vertices.
    pub marked: Vec<VertexSet>,
    /// Vertices selected for weight edits; they are highlighted.
    pub vertices: Vec<VertexSet>,
    /// True during a drag, which dims unselected bones.
    pub is_dragging: bool,
}

impl Default for View {
    fn default() -> Self {
        let b = SideView { skinning: Skinning::new(Method::Dqs), ..SideView::default() };
        Self {
            camera: Camera::default(),
            saved: Vec::new(),
            sides: PerSide { a: SideView::default(), b },
            previews: PerSide::default(),
            compare: Compare::default(),
            display: Display::default(),
            environment_file: EnvironmentFile::default(),
            backdrop: Backdrop::default(),
            hidden: HiddenItems::default(),
            selected: Vec::new(),
            problem: None,
            morph: None,
            isolated: None,
            hovered: None,
            marked: Vec::new(),
            vertices: Vec::new(),
            is_dragging: false,
        }
    }
}

impl View {
    /// Creates the default view with the given skinning on side A.
    pub fn skinned(skinning: impl Into<Skinning>) -> Self {
        let mut view = Self::default();
        view.sides.a.skinning = skinning.into();
        view
    }

    /// Returns the saved view with this name.
    pub fn saved_view(&self, name: &str) -> Option<&SavedView> {
        self.saved.iter().find(|view| view.name == name)
    }

    /// Returns the overlay that a side shows: its preview, or else the chosen one.
    pub fn overlay(&self, side: Side) -> Option<Overlay> {
        self.previews[side].or(self.sides[side].options.overlay)
    }

    /// Returns the chosen range of the overlay that a side shows; `None` for automatic.
    pub fn range(&self, side: Side) -> Option<[f32; 2]> {
        let SideOptions { overlay, range, .. } = self.sides[side].options;
        range.filter(|_| self.overlay(side) == overlay)
    }

    /// Returns whether both sides or an overlay are visible.
    pub fn is_comparing(&self) -> bool {
        self.compare.layout != Layout::Single || Side::ALL.into_iter().any(|side| self.overlay(side).is_some())
    }

    /// Returns each side's choice of weights.
    pub fn weight_choices(&self) -> PerSide<WeightChoice> {
        PerSide::from_fn(|side| self.sides[side].weights.clone())
    }

    /// Returns whether the overlay of at least one side uses this input.
    pub fn is_painted(&self, input: OverlayInput) -> bool {
        Side::ALL.into_iter().any(|side| self.overlay(side).is_some_and(|overlay| overlay.spec().topic == input))
    }

    /// Returns the title of an overlay with its joint or morph target, such as "Weight of Hips".
    pub fn overlay_title(&self, overlay: Overlay, rig: &Rig) -> String {
        let topic = match overlay.spec().topic {
            OverlayInput::ActiveJoint => self.active_joint().map(|node| rig.hierarchy.name(node)),
            OverlayInput::MorphTarget => self.morph.map(|morph| rig.morphs()[morph.index()].name.as_str()),
            OverlayInput::Sides | OverlayInput::Findings => None,
        };
        match (overlay, topic) {
            (Overlay::Weight, Some(joint)) => format!("Weight of {joint}"),
            (_, Some(topic)) => format!("{}: {topic}", overlay.title()),
            (_, None) => overlay.title().to_owned(),
        }
    }

    /// Returns whether a comparison character is chosen for a side.
    pub fn shows_other(&self) -> bool {
        self.sides.iter().any(|side| !side.file.is_open())
    }

    /// Returns whether A and B show the open character with different weights.
    pub fn has_weight_difference(&self) -> bool {
        !self.shows_other() && self.sides.a.weights != self.sides.b.weights
    }

    /// If both visible sides have the same settings, switches side B to DQS if side A uses LBS, otherwise to LBS.
    pub fn ensure_different_methods(&mut self) {
        let PerSide { a, b } = &mut self.sides;
        if self.compare.layout != Layout::Single && a == b {
            b.skinning.method = if a.skinning.method == Method::Lbs { Method::Dqs } else { Method::Lbs };
        }
    }

    /// Returns the shading mode of surfaces without an overlay. Comparisons use clay unless the user turned it off.
    pub fn shading_mode(&self) -> ShadingMode {
        match (self.is_comparing(), self.display.shading) {
            (true, _) if self.compare.is_clay => ShadingMode::Clay,
            (true, ShadingMode::Clay) => ShadingMode::Textured,
            (_, mode) => mode,
        }
    }

    /// Returns whether [`Self::shading_mode`] is clay.
    pub fn is_clay(&self) -> bool {
        self.shading_mode() == ShadingMode::Clay
    }

    /// Returns whether the environment is the background.
    pub fn shows_environment(&self) -> bool {
        self.display.light.backdrop
            && self.backdrop == Backdrop::Environment
            && self.shading_mode() == ShadingMode::Textured
    }

    /// Returns whether a joint is in the isolated subtree.
    pub fn shows_bone(&self, joint: NodeIndex) -> bool {
        self.isolated.as_ref().is_none_or(|subtree| subtree.contains(&joint.index()))
    }
}

/// Displayed annotations and surface shading.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Display {
    /// True to draw bones.
    pub bones: bool,
    /// True to draw bones over the skin.
    pub bones_in_front: bool,
    /// True to draw the ground grid.
    pub grid: bool,
    /// Shape of bones.
    pub bone_style: BoneStyle,
    /// Joints whose names are visible.
    pub names: VisibleNames,
    /// True to draw joint axes.
    pub axes: bool,
    /// True to draw triangle edges over the skin.
    pub wireframe: bool,
    /// True to draw trails of selected joints and probed vertices.
    pub trails: bool,
    /// True to draw the root's path on the ground.
    pub root_path: bool,
    /// True to draw springs and colliders.
    pub springs: bool,
    /// Shading of the skin.
    pub shading: ShadingMode,
    /// Lighting of the file's materials.
    pub light: Lighting,
    /// True for a dark background.
    pub is_dark: bool,
}

/// Shape of bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub enum BoneStyle {
    /// Octahedra, which show direction and twist.
    #[default]
    Octahedral,
    /// Thin rods of constant thickness.
    Stick,
    /// Lines, which hide as little of the skin as possible.
    Line,
}

impl BoneStyle {
    /// All styles.
    pub const ALL: [Self; 3] = [Self::Octahedral, Self::Stick, Self::Line];
}

/// Joints whose names are visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub enum VisibleNames {
    /// Name of the hovered joint only.
    #[default]
    Hovered,
    /// Hovered and selected joints.
    Selected,
    /// All joints, if there is room.
    All,
}

impl VisibleNames {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Hovered, Self::Selected, Self::All];
}

impl Default for Display {
    fn default() -> Self {
        Self {
            bones: true,
            bones_in_front: true,
            grid: true,
            bone_style: BoneStyle::default(),
            names: VisibleNames::default(),
            axes: false,
            wireframe: false,
            trails: false,
            root_path: false,
            springs: false,
            shading: ShadingMode::default(),
            light: Lighting::default(),
            is_dark: true,
        }
    }
}
