use glam::{DVec3, Vec3};

use super::{Document, Stage};
use crate::actor::{Actor, framed_heads, shown_points};
use crate::rig::{
    Bone, Bounds, Hierarchy, LookAtTarget, NodeIndex, Pose, Posed, Rig, bounds_of, evaluate, find_joints, joint_names,
};
use crate::view::{Camera, Layout, SavedView, View};

/// The view stays upright. If a file camera has more roll than this, in degrees, the user gets a message.
const MAX_ROLL: f32 = 1.0;

/// Joint or file camera that the view's camera follows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CameraTie {
    /// The camera follows nothing.
    #[default]
    Free,
    /// A joint, and its position at the last camera update. With `None`, the camera does not move at the next update.
    Joint(NodeIndex, Option<Vec3>),
    /// A camera of the file (index into `Rig::cameras`), and the view's camera as last set from it. The tie ends when
    /// the user moves the view.
    File(usize, Camera),
}

impl CameraTie {
    /// Returns the joint that the camera follows.
    pub fn joint(&self) -> Option<NodeIndex> {
        if let Self::Joint(node, _) = self { Some(*node) } else { None }
    }

    /// Returns the index of the file camera that the view's camera follows, if any.
    pub fn file_camera(&self, camera: &Camera) -> Option<usize> {
        if let Self::File(index, seen) = self { Some(*index).filter(|_| seen == camera) } else { None }
    }

    /// Follows a joint; `None` follows nothing.
    pub(crate) fn to_joint(joint: Option<NodeIndex>, posed: &Posed) -> Self {
        joint.map_or(Self::Free, |node| Self::Joint(node, Some(posed.position(node))))
    }

    /// True if the camera follows this joint.
    pub fn follows(&self, joint: Option<NodeIndex>) -> bool {
        joint.is_some() && self.joint() == joint
    }

    /// Follows a joint, or stops following one.
    pub(crate) fn toggle(&mut self, joint: Option<NodeIndex>, posed: &Posed) {
        *self = Self::to_joint(joint.filter(|_| self.joint().is_none()), posed);
    }

    /// Makes the view follow a camera of the file, which may be animated. Returns a message if the view can't match it.
    pub(crate) fn look_through(&mut self, camera: usize, view: &mut View, rig: &Rig, posed: &Posed) -> Option<String> {
        *self = Self::File(camera, view.camera);
        self.update(view, rig, posed);
        if *self == Self::Free {
            return Some("This camera has no direction in this pose; the view stays.".to_owned());
        }
        let camera = &rig.cameras[camera];
        let world_from_camera = camera.world_from_camera(&posed.world_from_node[camera.node.index()]);
        let up = world_from_camera.transform_vector3(Vec3::Y);
        let roll = (view.camera.rotation() * Vec3::Y).angle_between(up).to_degrees();
        (roll > MAX_ROLL).then(|| format!("This camera is rolled by {roll:.0}°; the view stays upright."))
    }

    /// Moves the view's camera along with the joint or the file's camera.
    pub(super) fn update(&mut self, view: &mut View, rig: &Rig, posed: &Posed) {
        *self = match *self {
            Self::Joint(node, before) => {
                let now = posed.position(node);
                let before = before.filter(|_| !view.is_dragging && now.is_finite());
                view.camera.target += before.map_or(Vec3::ZERO, |before| now - before);
                Self::Joint(node, Some(now))
            }
            Self::File(index, seen) if seen == view.camera => {
                let through = rig.cameras.get(index).and_then(|camera| {
                    let world_from_camera = camera.world_from_camera(&posed.world_from_node[camera.node.index()]);
                    seen.through(&world_from_camera, camera.lens, rig.rest_bounds().center())
                });
                view.camera = through.unwrap_or(seen);
                through.map_or(Self::Free, |camera| Self::File(index, camera))
            }
            Self::File(..) | Self::Free => Self::Free,
        }
    }

    /// Returns the current view, to be saved under a name.
    pub(crate) fn saved_view(&self, name: String, camera: Camera, hierarchy: &Hierarchy) -> SavedView {
        let follows = self.joint().and_then(|node| joint_names(hierarchy, &[node]).pop());
        SavedView { name, camera, follows }
    }

    /// Skips the next camera update, so that restoring the pose after a cancelled drag does not move the camera.
    pub(crate) fn hold(&mut self) {
        if let Self::Joint(_, before) = self {
            *before = None;
        }
    }
}

/// Yaw of the camera from the front towards a joint's side of the body, radians. From the front, flexion of an arm or a
/// leg is hard to see.
const ASIDE: f32 = 1.0;
/// A joint is at the side of the body if its distance from the middle exceeds the rig's size divided by this.
const BESIDE: f32 = 25.0;

/// Turns a camera that looks at a character's front to the side of the body on which a joint lies. For a joint in the
/// middle, it stays. `middle` is a point in the middle of the character.
pub(crate) fn look_from_side(camera: &mut Camera, rig: &Rig, position: Vec3, middle: Vec3) {
    let front = rig.front();
    let left = Vec3::Y.cross(front).dot(position - middle) / rig.size();
    let side = (left * BESIDE).clamp(-1.0, 1.0);
    camera.yaw += (front.x.atan2(front.z) + ASIDE.copysign(side) - camera.yaw) * side.abs();
}

/// Returns bounds that frame a joint with its bones.
pub(crate) fn joint_bounds(rig: &Rig, position: Vec3, bones: impl Iterator<Item = Bone>) -> Bounds {
    cube(position, bones.map(|bone| bone.length()).fold(rig.size() * 0.03, f32::max))
}

pub(super) fn cube(center: Vec3, half: f32) -> Bounds {
    let mut cube = Bounds::default();
    cube.add(center - Vec3::splat(half));
    cube.add(center + Vec3::splat(half));
    cube
}

/// Returns the bounds of the joints with a margin, as a fast estimate of a posed character's bounds.
pub(crate) fn rough_bounds(rig: &Rig, posed: &Posed) -> Bounds {
    let mut bounds = Bounds::default();
    rig.hierarchy.nodes().filter(|node| rig.counts_as_joint(*node)).for_each(|node| bounds.add(posed.position(node)));
    let margin = rig.size() * if rig.skins.is_empty() { 0.5 } else { 0.1 };
    Bounds { min: bounds.min - margin, max: bounds.max + margin }
}

impl Document {
    /// Returns the camera position in file coordinates, if the look-at target is the camera.
    pub(super) fn followed_camera(&self, camera: &Camera) -> Option<DVec3> {
        let is_followed = self.rig.look_at.is_some() && self.pose.face().look_at() == Some(LookAtTarget::Camera);
        is_followed.then(|| self.rig.hierarchy.in_file(camera.eye()))
    }
}

impl Stage {
    /// Follows the clip's root, or stops following it. Centres a character that is out of view.
    pub(crate) fn toggle_follow_root(&mut self) {
        let root = self.playback.root(self.rig()).filter(|root| !self.camera_tie.follows(Some(*root)));
        let bounds = rough_bounds(self.rig(), self.posed());
        if root.is_some() && !self.view.camera.may_see(bounds, self.aspect) {
            self.view.camera.target = bounds.center();
        }
        self.camera_tie = CameraTie::to_joint(root, self.posed());
    }

    /// Returns the posed bounds of all visible characters and trails.
    pub fn all_bounds(&self) -> Bounds {
        let (others, is_open_visible) = self.characters.visible(self.view.compare.layout);
        let open = is_open_visible.then(|| {
            let (rig, hidden) = (&self.document.rig, &self.view.hidden);
            let is_shown = |part| hidden.shows(rig, part);
            let is_posed = self.document.pose.is_any_posed() || !self.document.pins.is_empty();
            let is_at_rest = self.playback.clip.is_none() && !is_posed;
            let mut all = match (is_at_rest, hidden.is_empty()) {
                (true, true) => rig.rest_bounds(),
                (true, false) => bounds_of(rig, &evaluate(rig, None, &Pose::rest(&rig.hierarchy)), &is_shown),
                (false, _) => bounds_of(rig, self.posed(), &is_shown),
            };
            framed_heads(rig, self.characters.bones()).for_each(|head| all.add(head));
            all
        });
        let trails = self.trails.iter().map(|trails| trails.bounds());
        others.into_iter().map(Actor::bounds).chain(open).chain(trails).fold(Bounds::default(), Bounds::joined)
    }

    pub(crate) fn all_points(&self) -> Vec<Vec3> {
        let (others, is_open_visible) = self.characters.visible(self.view.compare.layout);
        let mut all: Vec<Vec3> = others.into_iter().flat_map(Actor::points).collect();
        if is_open_visible {
            all.extend(shown_points(self.rig(), self.posed(), &self.view.hidden));
            all.extend(framed_heads(self.rig(), self.characters.bones()));
        }
        all.extend(self.trails.iter().flat_map(|trails| trails.points()));
        all
    }

    /// Frames all visible characters and trails in the current pose; see [`Camera::show_all`].
    pub fn frame_all(&mut self) {
        let (all, points) = (self.all_bounds(), self.all_points());
        let size = self.document.rig.size_of(all);
        self.view.camera.show_all((all, size), &points, self.aspect);
    }

    /// Calls [`Camera::aim`], then frames everything for an image of the given size in pixels.
    pub fn frame_from(&mut self, angles: [Option<f32>; 2], [width, height]: [u32; 2]) {
        self.view.camera.aim(angles);
        let share = if self.view.compare.layout == Layout::SideBySide { 0.5 } else { 1.0 };
        self.aspect = share * width as f32 / height as f32;
        self.frame_all();
    }

    /// Frames the selected joint with its bones, or everything if nothing is selected.
    pub fn frame_selected(&mut self) {
        let Some(node) = self.view.active_joint() else { return self.frame_all() };
        let own = self.characters.bones().iter().filter(|bone| bone.joint == node).copied();
        let bounds = joint_bounds(self.rig(), self.posed().position(node), own);
        self.view.camera.frame(bounds, self.aspect);
    }

    /// Restores a saved view and follows its joint. *Errors*: a message for the user if the name is unknown or the
    /// joint is missing. A missing joint does not prevent restoring the camera.
    pub fn show_view(&mut self, name: &str) -> Result<(), String> {
        let Some(SavedView { camera, follows, .. }) = self.view.saved_view(name).cloned() else {
            let names: Vec<&str> = self.view.saved.iter().map(|view| view.name.as_str()).collect();
            return Err(match names.as_slice() {
                [] => format!("There is no view \"{name}\": the session has none"),
                all => format!("There is no view \"{name}\"; the session has {}", all.join(", ")),
            });
        };
        self.view.camera = camera;
        let joint = find_joints(&self.rig().hierarchy, follows.iter()).into_iter().next().flatten();
        self.camera_tie = CameraTie::to_joint(joint, self.posed());
        match follows {
            Some(lost) if joint.is_none() => {
                Err(format!("The view \"{name}\" follows joint \"{lost}\", which this rig does not have"))
            }
            _ => Ok(()),
        }
    }
}
