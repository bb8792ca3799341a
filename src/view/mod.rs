//! What a picture shows and from where: camera and display options. Plain data that the state keeps and `render` draws.

mod backdrop;
mod camera;
mod compare;
mod hidden;
mod lens;
mod light;
mod look;
mod mark;
mod numbers;
mod overlay;
mod ramp;
mod saved_view;
mod shading;
mod side;
mod shown_file;
mod trail;

pub use backdrop::Backdrop;
pub use camera::{Camera, DepthRange, FOV_RANGE, FOVS};
pub use compare::{Compare, Ghost, Layout, Wipe};
pub use hidden::{Hidden, HiddenNames, material, material_name, mesh_name};
pub use lens::{Lens, Ray};
pub use light::{Environment, EnvironmentFile, Lighting};
pub use look::Look;
pub use mark::Mark;
pub(crate) use numbers::{signed, significant};
pub use overlay::{Overlay, OverlaySpec, Painted, Topic, Values};
pub use ramp::Ramp;
pub use saved_view::SavedView;
pub use shading::Shading;
pub use side::{PerSide, ShownPose, Side, SideSetting, SideView};
pub use shown_file::ShownFile;
pub use trail::{JointTrail, RootPath, TrailMoment, Trails, VertexTrail};

use std::ops::Range;

use crate::rig::{MorphIndex, NodeIndex};
use crate::skinning::{Method, Skinning};
use crate::weights::WeightChoice;

/// Everything about the picture that is not the rig or its pose.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Camera of the picture.
    pub camera: Camera,
    /// Saved cameras.
    pub saved: Vec<SavedView>,
    /// Contents of each side of a comparison; A is what is shown alone.
    pub sides: PerSide<SideView>,
    /// Arrangement of the two sides in the picture.
    pub compare: Compare,
    /// Bones, grid and other signs that are drawn.
    pub display: Display,
    /// Panorama that lights the character in place of the built-in environment.
    pub environment_file: EnvironmentFile,
    /// What is seen behind the character.
    pub backdrop: Backdrop,
    /// Meshes and materials that are not drawn.
    pub hidden: Hidden,
    /// Joints drawn in the selection colour; the last is the active one.
    pub selected: Vec<NodeIndex>,
    /// The active morph target, if one was chosen.
    pub morph: Option<MorphIndex>,
    /// Node indices of the subtree that visible bones are limited to; `None` for all.
    pub isolated: Option<Range<usize>>,
    /// The joint under the pointer.
    pub hovered: Option<NodeIndex>,
    /// Highlighted vertices.
    pub marked: Vec<Mark>,
    /// Vertices selected for weight edits, as many as are drawn.
    pub vertices: Vec<Mark>,
    /// True during a drag, which dims bones other than the selected ones.
    pub is_dragging: bool,
}

impl Default for View {
    fn default() -> Self {
        let b = SideView { skinning: Skinning::new(Method::Dqs), ..SideView::default() };
        Self {
            camera: Camera::default(),
            saved: Vec::new(),
            sides: PerSide { a: SideView::default(), b },
            compare: Compare::default(),
            display: Display::default(),
            environment_file: EnvironmentFile::default(),
            backdrop: Backdrop::default(),
            hidden: Hidden::default(),
            selected: Vec::new(),
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
    /// The default view with this skinning.
    pub fn skinned(skinning: impl Into<Skinning>) -> Self {
        let mut view = Self::default();
        view.sides.a.skinning = skinning.into();
        view
    }

    /// True where two ways of skinning share the picture, or values are painted on it.
    pub fn is_comparing(&self) -> bool {
        self.compare.layout != Layout::Single || self.sides.iter().any(|side| side.overlay.is_some())
    }

    /// Choice of weights of each side.
    pub fn weight_choices(&self) -> PerSide<WeightChoice> {
        PerSide::from_fn(|side| self.sides[side].weights.clone())
    }

    /// Look of the skin without an overlay. Clay shows shape better than the file's materials: used while comparing unless the user turned it off,
    /// otherwise on request.
    pub fn look(&self) -> Look {
        match (self.is_comparing(), self.display.look) {
            (true, _) if self.compare.is_clay => Look::Clay,
            (true, Look::Clay) => Look::Textured,
            (_, look) => look,
        }
    }

    /// True where [`Self::look`] is clay.
    pub fn is_clay(&self) -> bool {
        self.look() == Look::Clay
    }

    /// True where what lights the character is seen behind it.
    pub fn shows_surroundings(&self) -> bool {
        self.display.light.backdrop && self.backdrop == Backdrop::Surroundings && self.look() == Look::Textured
    }

    /// False for a joint outside the isolated subtree.
    pub fn shows_bone(&self, joint: NodeIndex) -> bool {
        self.isolated.as_ref().is_none_or(|subtree| subtree.contains(&joint.index()))
    }
}

/// Signs and surfaces that are drawn, and in which colours.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Display {
    /// True where bones are drawn at all.
    pub bones: bool,
    /// True where bones are drawn over the skin instead of inside it.
    pub bones_in_front: bool,
    /// True where the ground grid is drawn.
    pub grid: bool,
    /// Shape of bones.
    pub bone_style: BoneStyle,
    /// Joints that have their names beside them.
    pub names: NamesShown,
    /// True where the axes of every joint are drawn.
    pub axes: bool,
    /// True where edges of the triangles are drawn over the skin.
    pub wireframe: bool,
    /// True where the paths of selected joints and probed vertices over the clip are drawn.
    pub trails: bool,
    /// True where the path of the root over the ground is drawn.
    pub root_path: bool,
    /// True where springs and their colliders are drawn as wires.
    pub springs: bool,
    /// Look of the skin. Files of earlier versions have `clay` instead, true or false.
    #[serde(alias = "clay", deserialize_with = "look::look_or_clay")]
    pub look: Look,
    /// The light on the file's materials.
    pub light: Lighting,
    /// True for dark surroundings.
    pub is_dark: bool,
}

/// Shape in which bones are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum BoneStyle {
    /// Pointed bodies that tell head, tail and twist.
    #[default]
    Octahedral,
    /// Slim rods of one thickness.
    Stick,
    /// Lines that hide least of the skin.
    Line,
}

impl BoneStyle {
    /// All bone styles.
    pub const ALL: [Self; 3] = [Self::Octahedral, Self::Stick, Self::Line];
}

/// Joints that have their names beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum NamesShown {
    /// The joint under the pointer.
    #[default]
    Hovered,
    /// The hovered and the selected joints.
    Selected,
    /// Every joint, as far as there is room.
    All,
}

impl NamesShown {
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
            names: NamesShown::default(),
            axes: false,
            wireframe: false,
            trails: false,
            root_path: false,
            springs: false,
            look: Look::default(),
            light: Lighting::default(),
            is_dark: true,
        }
    }
}
