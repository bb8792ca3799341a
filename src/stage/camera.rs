use glam::Vec3;

use super::Stage;
use crate::actor::{Actor, framed_heads, shown_points};
use crate::rig::{Bone, Bounds, NodeIndex, Pose, Rig, bounds_of, evaluate, find_joints, joint_names};
use crate::view::{Camera, Layout, SavedView, Side};

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

impl Stage {
    pub(crate) fn joint_position(&self, node: NodeIndex) -> Vec3 {
        self.posed().world_from_node[node.index()].translation
    }

    pub(crate) fn tie_to(&self, joint: Option<NodeIndex>) -> CameraTie {
        joint.map_or(CameraTie::Free, |node| CameraTie::Joint(node, Some(self.joint_position(node))))
    }

    pub(crate) fn toggle_follow(&mut self) {
        let joint = self.view.active_joint().filter(|_| self.camera_tie.joint().is_none());
        self.camera_tie = self.tie_to(joint);
    }

    /// Returns the root of the chosen clip.
    pub fn clip_root(&self) -> Option<NodeIndex> {
        self.rig().clip_root(self.playback.clip?)
    }

    /// True if the camera follows the root of the chosen clip.
    pub fn follows_root(&self) -> bool {
        self.camera_tie.joint().is_some() && self.camera_tie.joint() == self.clip_root()
    }

    /// Follows the clip's root, or stops following it. Centres a character that is out of view.
    pub(crate) fn toggle_follow_root(&mut self) {
        let root = self.clip_root().filter(|_| !self.follows_root());
        if root.is_some() && !self.sees_character() {
            self.view.camera.target = self.joint_bounds().center();
        }
        self.camera_tie = self.tie_to(root);
    }

    fn joint_bounds(&self) -> Bounds {
        let rig = self.rig();
        let mut bounds = Bounds::default();
        for (node, world) in rig.hierarchy.nodes().zip(&self.posed().world_from_node) {
            if rig.counts_as_joint(node) {
                bounds.add(world.translation);
            }
        }
        bounds
    }

    /// True if part of the open character may be in view. Fast, because it considers only joints, with a margin.
    pub(crate) fn sees_character(&self) -> bool {
        let margin = self.rig().size() * if self.rig().skins.is_empty() { 0.5 } else { 0.1 };
        let Bounds { min, max } = self.joint_bounds();
        self.view.camera.may_see(Bounds { min: min - margin, max: max + margin }, self.aspect)
    }

    /// Makes the view follow a camera of the file, which may be animated. Returns a message if the view can't match it.
    pub fn look_through(&mut self, camera: usize) -> Option<String> {
        self.camera_tie = CameraTie::File(camera, self.view.camera);
        self.move_camera();
        if self.camera_tie == CameraTie::Free {
            return Some("This camera has no direction in this pose; the view stays.".to_owned());
        }
        let camera = &self.document.rig.cameras[camera];
        let world_from_camera = camera.world_from_camera(&self.posed().world_from_node[camera.node.index()]);
        let up = world_from_camera.transform_vector3(Vec3::Y);
        let roll = (self.view.camera.rotation() * Vec3::Y).angle_between(up).to_degrees();
        (roll > MAX_ROLL).then(|| format!("This camera is rolled by {roll:.0}°; the view stays upright."))
    }

    pub(super) fn move_camera(&mut self) {
        self.camera_tie = match self.camera_tie {
            CameraTie::Joint(node, before) => {
                let now = self.joint_position(node);
                let before = before.filter(|_| !self.view.is_dragging && now.is_finite());
                self.view.camera.target += before.map_or(Vec3::ZERO, |before| now - before);
                CameraTie::Joint(node, Some(now))
            }
            CameraTie::File(index, seen) if seen == self.view.camera => {
                let rig = &self.document.rig;
                let through = rig.cameras.get(index).and_then(|camera| {
                    let world_from_camera =
                        camera.world_from_camera(&self.posed().world_from_node[camera.node.index()]);
                    seen.through(&world_from_camera, camera.lens, rig.rest_bounds().center())
                });
                self.view.camera = through.unwrap_or(seen);
                through.map_or(CameraTie::Free, |camera| CameraTie::File(index, camera))
            }
            CameraTie::File(..) | CameraTie::Free => CameraTie::Free,
        }
    }

    fn open_bounds(&self) -> Bounds {
        let (rig, hidden) = (&self.document.rig, &self.view.hidden);
        let is_shown = |part| hidden.shows(rig, part);
        let is_posed = self.document.pose.is_any_posed() || !self.document.pins.is_empty();
        let is_at_rest = self.playback.clip.is_none() && !is_posed;
        let mut all = match (is_at_rest, hidden.is_empty()) {
            (true, true) => rig.rest_bounds(),
            (true, false) => bounds_of(rig, &evaluate(rig, None, &Pose::rest(&rig.hierarchy)), is_shown),
            (false, _) => bounds_of(rig, self.posed(), is_shown),
        };
        framed_heads(rig, &self.derived.bones).for_each(|head| all.add(head));
        all
    }

    fn open_points(&self) -> Vec<Vec3> {
        let mut all = shown_points(self.rig(), self.posed(), &self.view.hidden);
        all.extend(framed_heads(self.rig(), &self.derived.bones));
        all
    }

    /// Returns the result of `other` for each visible comparison character, and the result of `open` if the open
    /// character is visible.
    fn of_all<T>(&self, other: impl Fn(&Actor) -> T, open: impl FnOnce() -> T) -> impl Iterator<Item = T> {
        let sides = if self.view.compare.layout == Layout::Single { &Side::ALL[..1] } else { &Side::ALL[..] };
        let shown = sides.iter().map(|side| self.actor(*side)).filter(|actor| !actor.is_open());
        let others: Vec<T> = shown.map(other).collect();
        let open = (others.len() < sides.len()).then(open);
        others.into_iter().chain(open)
    }

    /// Returns the posed bounds of all visible characters and trails.
    pub fn all_bounds(&self) -> Bounds {
        let trails = self.trails.iter().map(|trails| trails.bounds());
        self.of_all(Actor::bounds, || self.open_bounds()).chain(trails).fold(Bounds::default(), Bounds::joined)
    }

    pub(crate) fn all_points(&self) -> Vec<Vec3> {
        let trails = self.trails.iter().flat_map(|trails| trails.points());
        self.of_all(Actor::points, || self.open_points()).flatten().chain(trails).collect()
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
        let own = self.derived.bones.iter().filter(|bone| bone.joint == node).copied();
        let bounds = joint_bounds(self.rig(), self.joint_position(node), own);
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
        self.camera_tie = self.tie_to(joint);
        match follows {
            Some(lost) if joint.is_none() => {
                Err(format!("The view \"{name}\" follows joint \"{lost}\", which this rig does not have"))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn current_view(&self, name: String) -> SavedView {
        let follows = self.camera_tie.joint().and_then(|node| joint_names(&self.rig().hierarchy, &[node]).pop());
        SavedView { name, camera: self.view.camera, follows }
    }
}
