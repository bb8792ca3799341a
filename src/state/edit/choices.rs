//! The user's choices for a character, and the differences that undo steps store. Macros declare both together.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::mem;
use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::actor::Counterparts;
use crate::posing::Limits;
use crate::rig::{DisabledBehaviours, FacePose, MorphIndex, NodeIndex, Pin, Pose, Rig, Trs};
use crate::skinning::Skinning;
use crate::stage::{ClipCorrections, Stage};
use crate::view::{Camera, HiddenItems, PerSide, SavedView, ShownFile, SideOptions, SideView};
use crate::weights::WeightChoice;

/// A rig before and after a reload of its file.
#[derive(Clone, Copy)]
pub(in crate::state) struct ReloadedRig<'a> {
    pub old: &'a Arc<Rig>,
    pub new: &'a Rig,
    /// Counterparts in `new` of the nodes, morphs and expressions of `old`.
    pub counterparts: &'a Counterparts,
}

/// A value that undo steps change.
pub(in crate::state) trait Undoable: Clone {
    /// Changed values of an undo step: the old values of a done step, the new values of an undone step.
    type Difference: Clone + Debug + Default + PartialEq;

    fn difference(&self, after: &Self) -> Self::Difference;

    /// Undoes or redoes a step by swapping the value with the stored one.
    fn exchange(&mut self, other: &mut Self::Difference);

    /// Returns the heap size of a difference in bytes.
    fn heap_bytes(difference: &Self::Difference) -> usize;

    /// Transfers the value to a reloaded rig. Drops joints, morphs and expressions without a counterpart.
    #[must_use]
    fn carried(&self, to: ReloadedRig<'_>) -> Self;

    /// Transfers a difference to a reloaded rig; `None` if a changed joint, morph target or expression has no
    /// counterpart.
    fn carried_difference(difference: Self::Difference, to: ReloadedRig<'_>) -> Option<Self::Difference>;
}

/// A value that undo steps store as a whole.
trait WholeValue: Clone + Debug + PartialEq {
    fn bytes(&self) -> usize {
        0
    }

    fn on_rig(&self, _: ReloadedRig<'_>) -> Self {
        self.clone()
    }
}

impl<T: WholeValue> Undoable for T {
    type Difference = Option<Box<T>>;

    fn difference(&self, after: &Self) -> Self::Difference {
        (self != after).then(|| Box::new(self.clone()))
    }

    fn exchange(&mut self, other: &mut Self::Difference) {
        if let Some(other) = other {
            mem::swap(&mut **other, self);
        }
    }

    fn heap_bytes(difference: &Self::Difference) -> usize {
        difference.as_ref().map_or(0, |value| size_of::<T>() + value.bytes())
    }

    fn carried(&self, to: ReloadedRig<'_>) -> Self {
        self.on_rig(to)
    }

    fn carried_difference(difference: Self::Difference, to: ReloadedRig<'_>) -> Option<Self::Difference> {
        Some(difference.map(|value| Box::new(value.on_rig(to))))
    }
}

/// Declares a value and its difference from one list of fields.
macro_rules! undoable {
    ($(#[$doc:meta])* $difference:ident of $whole:ident { $($field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub(in crate::state) struct $difference { $(pub $field: <$type as Undoable>::Difference),* }

        impl Undoable for $whole {
            type Difference = $difference;

            fn difference(&self, after: &Self) -> $difference {
                $difference { $($field: self.$field.difference(&after.$field)),* }
            }

            fn exchange(&mut self, other: &mut $difference) {
                $(self.$field.exchange(&mut other.$field);)*
            }

            fn heap_bytes(difference: &$difference) -> usize {
                [$(<$type>::heap_bytes(&difference.$field)),*].into_iter().sum()
            }

            fn carried(&self, to: ReloadedRig<'_>) -> Self {
                Self { $($field: Undoable::carried(&self.$field, to)),* }
            }

            fn carried_difference(difference: $difference, to: ReloadedRig<'_>) -> Option<$difference> {
                Some($difference { $($field: <$type>::carried_difference(difference.$field, to)?),* })
            }
        }
    };
}

/// Declares the choices. Each row names the choice and the field of the stage that holds it.
macro_rules! choices {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $owner:ident.$member:ident,)*) => {
        /// All of the user's choices for a character that undo restores.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Choices { $($(#[$doc])* pub $field: $type),* }

        impl Choices {
            pub(in crate::state) fn from_stage(stage: &Stage) -> Self {
                Self { $($field: stage.$owner.$member.clone()),* }
            }

            pub(in crate::state) fn restore(self, stage: &mut Stage) {
                $(stage.$owner.$member = self.$field;)*
            }
        }

        undoable! {
            /// Changes made by an undo step, as the values to swap in on undo or redo.
            Difference of Choices { $($field: $type,)* }
        }

        impl Difference {
            /// Swaps the stage's choices with the stored ones.
            pub(super) fn exchange(&mut self, stage: &mut Stage) {
                $(stage.$owner.$member.exchange(&mut self.$field);)*
            }

            /// Returns what has changed in a stage since `before`.
            pub(super) fn since(before: &Choices, stage: &Stage) -> Self {
                Self { $($field: before.$field.difference(&stage.$owner.$member)),* }
            }
        }
    };
}

choices! {
    pose: Pose = document.pose,
    /// Rotation limits of joints.
    limits: Limits = document.limits,
    /// Joints that are held in place.
    pins: Vec<Pin> = document.pins,
    disabled_behaviours: DisabledBehaviours = document.switched_off,
    /// Corrections of clips from other files.
    clip_corrections: ClipCorrections = document.clip_corrections,
    /// Hidden meshes and materials.
    hidden: HiddenItems = view.hidden,
    sides: PerSide<SideView> = view.sides,
    saved_views: Vec<SavedView> = view.saved,
}

undoable! {
    /// Changes that an undo step makes to one side.
    SideDifference of SideView {
        file: ShownFile,
        weights: WeightChoice,
        skinning: Skinning,
        options: SideOptions,
    }
}

impl Choices {
    /// True if both contain the same work. Compares only what is lost when the file is closed: pose, limits, pins, clip
    /// corrections and weights.
    pub(in crate::state) fn has_work_of(&self, other: &Self) -> bool {
        let weights = |choices: &Self| choices.sides.each_ref().map(|side| side.weights.clone());
        // Ignores the pose's copy of the pins, because it is updated later than the pins.
        let pose = |choices: &Self| {
            let mut pose = choices.pose.clone();
            pose.set_pins(None);
            pose
        };
        pose(self) == pose(other)
            && (&self.limits, &self.pins) == (&other.limits, &other.pins)
            && self.clip_corrections == other.clip_corrections
            && weights(self) == weights(other)
    }
}

/// Changes that an undo step makes to a pose, as the values to swap in on undo or redo.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::state) struct PoseDifference {
    /// Rotations of the joints that only rotate: quaternions x, y, z, w. The whole `Ul_j` would take 2.2 times the
    /// memory.
    rotations: Box<[(NodeIndex, [f32; 4])]>,
    /// User transforms `Ul_j` of the other changed joints.
    transforms: Box<[StoredTransform]>,
    /// User's additions to the changed morph target weights.
    pub morphs: Box<[(MorphIndex, f32)]>,
    pub face: Option<Box<FacePose>>,
}

/// User transform `Ul_j` of a joint, without padding. A [`Trs`] with a node index would take 1.5 times the memory.
#[derive(Clone, Copy, Debug, PartialEq)]
struct StoredTransform {
    node: NodeIndex,
    translation: Vec3,
    /// Quaternion x, y, z, w.
    rotation: [f32; 4],
    scale: Vec3,
}

impl StoredTransform {
    fn new(node: NodeIndex, Trs { translation, rotation, scale }: Trs) -> Self {
        Self { node, translation, rotation: rotation.to_array(), scale }
    }

    fn user_local(&self) -> Trs {
        let Self { translation, rotation, scale, .. } = *self;
        Trs { translation, rotation: Quat::from_array(rotation), scale }
    }
}

impl PoseDifference {
    /// True if the step does not change the pose.
    pub(in crate::state) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the changed joints with their user transforms before the step. `after`: the pose after the step.
    pub(in crate::state) fn joints(&self, after: &Pose) -> Vec<(NodeIndex, Trs)> {
        let rotated = self.rotations.iter().map(|&(node, rotation)| (node, rotated(after, node, rotation)));
        rotated.chain(self.transforms.iter().map(|joint| (joint.node, joint.user_local()))).collect()
    }
}

/// Returns a joint's user transform with another rotation, a quaternion x, y, z, w.
fn rotated(pose: &Pose, node: NodeIndex, rotation: [f32; 4]) -> Trs {
    Trs { rotation: Quat::from_array(rotation), ..*pose.user_local(node) }
}

impl Undoable for Pose {
    type Difference = PoseDifference;

    fn difference(&self, after: &Self) -> PoseDifference {
        let nodes = (0..after.len() as u32).map(NodeIndex);
        let (rotated, moved): (Vec<_>, Vec<_>) =
            nodes.filter(|node| self.user_local(*node) != after.user_local(*node)).partition(|node| {
                let [before, after] = [self, after].map(|pose| pose.user_local(*node));
                (before.translation, before.scale) == (after.translation, after.scale)
            });
        let weighted: BTreeSet<_> = self.morph_weights().chain(after.morph_weights()).map(|(morph, _)| morph).collect();
        let morphed = weighted.into_iter().filter(|morph| self.morph_weight(*morph) != after.morph_weight(*morph));
        PoseDifference {
            rotations: rotated.into_iter().map(|node| (node, self.user_local(node).rotation.to_array())).collect(),
            transforms: moved.into_iter().map(|node| StoredTransform::new(node, *self.user_local(node))).collect(),
            morphs: morphed.map(|morph| (morph, self.morph_weight(morph))).collect(),
            face: (self.face() != after.face()).then(|| Box::new(self.face().clone())),
        }
    }

    fn exchange(&mut self, other: &mut PoseDifference) {
        for (node, rotation) in &mut other.rotations {
            let now = self.user_local(*node).rotation.to_array();
            self.set_user_local(*node, rotated(self, *node, mem::replace(rotation, now)));
        }
        for joint in &mut other.transforms {
            let now = StoredTransform::new(joint.node, *self.user_local(joint.node));
            self.set_user_local(joint.node, mem::replace(joint, now).user_local());
        }
        for (morph, weight) in &mut other.morphs {
            let now = self.morph_weight(*morph);
            self.set_morph_weight(*morph, mem::replace(weight, now));
        }
        if let Some(face) = &mut other.face {
            mem::swap(&mut **face, self.face_mut());
        }
    }

    fn heap_bytes(PoseDifference { rotations, transforms, morphs, face }: &PoseDifference) -> usize {
        let face = face.as_ref().map_or(0, |face| size_of_val(&**face) + face.bytes());
        size_of_val(&**rotations) + size_of_val(&**transforms) + size_of_val(&**morphs) + face
    }

    fn carried(&self, to: ReloadedRig<'_>) -> Self {
        to.counterparts.pose(self, to.new)
    }

    fn carried_difference(mut difference: PoseDifference, to: ReloadedRig<'_>) -> Option<PoseDifference> {
        let rotated = difference.rotations.iter_mut().map(|(node, _)| node);
        for node in rotated.chain(difference.transforms.iter_mut().map(|joint| &mut joint.node)) {
            *node = to.counterparts.node(*node)?;
        }
        for (morph, _) in &mut difference.morphs {
            *morph = to.counterparts.morph(*morph)?;
        }
        if let Some(face) = &mut difference.face {
            let counterpart = |expression| to.counterparts.expression(expression);
            if !face.expressions().all(|(expression, _)| counterpart(expression).is_some()) {
                return None;
            }
            **face = face.carried(counterpart);
        }
        Some(difference)
    }
}

impl<T: Undoable> Undoable for PerSide<T> {
    type Difference = Option<Box<PerSide<T::Difference>>>;

    fn difference(&self, after: &Self) -> Self::Difference {
        let sides = PerSide { a: self.a.difference(&after.a), b: self.b.difference(&after.b) };
        let is_any = sides.iter().any(|side| *side != T::Difference::default());
        is_any.then(|| Box::new(sides))
    }

    fn exchange(&mut self, other: &mut Self::Difference) {
        if let Some(other) = other {
            self.a.exchange(&mut other.a);
            self.b.exchange(&mut other.b);
        }
    }

    fn heap_bytes(difference: &Self::Difference) -> usize {
        difference.as_ref().map_or(0, |sides| size_of_val(&**sides) + sides.iter().map(T::heap_bytes).sum::<usize>())
    }

    fn carried(&self, to: ReloadedRig<'_>) -> Self {
        Self { a: self.a.carried(to), b: self.b.carried(to) }
    }

    fn carried_difference(difference: Self::Difference, to: ReloadedRig<'_>) -> Option<Self::Difference> {
        let Some(sides) = difference else { return Some(None) };
        let PerSide { a, b } = *sides;
        Some(Some(Box::new(PerSide { a: T::carried_difference(a, to)?, b: T::carried_difference(b, to)? })))
    }
}

impl WholeValue for Limits {
    fn bytes(&self) -> usize {
        self.iter().map(|(node, limits)| size_of_val(&node) + size_of_val(limits)).sum()
    }

    fn on_rig(&self, to: ReloadedRig<'_>) -> Self {
        self.carried(to.counterparts.nodes())
    }
}

impl WholeValue for Vec<Pin> {
    fn bytes(&self) -> usize {
        size_of_val(&**self)
    }

    fn on_rig(&self, to: ReloadedRig<'_>) -> Self {
        let carried = |pin: &Pin| Some(Pin { node: to.counterparts.node(pin.node)?, ..*pin });
        let mut pins: Self = self.iter().filter_map(carried).collect();
        pins.sort_by_key(|pin| pin.node);
        pins
    }
}

impl WholeValue for ClipCorrections {
    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn on_rig(&self, to: ReloadedRig<'_>) -> Self {
        self.carried(|node| to.counterparts.node(node))
    }
}

impl WholeValue for HiddenItems {
    fn bytes(&self) -> usize {
        self.bytes() - size_of::<Self>()
    }

    fn on_rig(&self, to: ReloadedRig<'_>) -> Self {
        self.carried(to.old, to.new)
    }
}

impl WholeValue for Vec<SavedView> {
    fn bytes(&self) -> usize {
        self.iter().map(SavedView::bytes).sum()
    }

    fn on_rig(&self, to: ReloadedRig<'_>) -> Self {
        self.iter().map(|view| SavedView { camera: to.camera(view.camera), ..view.clone() }).collect()
    }
}

impl ReloadedRig<'_> {
    /// Returns the camera for the new rig, at the same position in file coordinates.
    pub(in crate::state) fn camera(&self, camera: Camera) -> Camera {
        let target = self.new.hierarchy.from_file(self.old.hierarchy.in_file(camera.target));
        Camera { scene_size: self.new.size(), target, ..camera }
    }
}

impl WholeValue for ShownFile {
    fn bytes(&self) -> usize {
        self.bytes() - size_of::<Self>()
    }
}

impl WholeValue for WeightChoice {
    fn bytes(&self) -> usize {
        self.bytes() - size_of::<Self>()
    }
}

impl WholeValue for Skinning {
    fn bytes(&self) -> usize {
        size_of_val(&*self.by_joint)
    }

    fn on_rig(&self, to: ReloadedRig<'_>) -> Self {
        let own = self.by_joint.iter().filter_map(|(node, method)| Some((to.counterparts.node(*node)?, *method)));
        let mut by_joint: Vec<_> = own.collect();
        by_joint.sort_unstable_by_key(|(node, _)| *node);
        Self { by_joint, ..self.clone() }
    }
}

impl WholeValue for DisabledBehaviours {}
impl WholeValue for SideOptions {}
