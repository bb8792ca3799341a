use std::borrow::Cow;
use std::sync::Arc;

use glam::Vec3;

use super::deform::{SkinnedArrays, deform_by};
use super::recipe::SkinningRecipe;
use super::{
    Centers, Deformed, JointBlendWeights, Normals, RigSkinning, SkinPose, Skinning, UnsupportedSkinning, Weld,
    default_blend_weight, joint_blend_weights, palettes,
};
use crate::jobs::Progress;
use crate::rig::{Influences, Mesh, MeshInstance, Posed, Primitive, PrimitiveIndex, Rig};

/// A rig prepared for skinning with certain settings, so that only per-frame work remains.
#[derive(Clone, Debug)]
pub struct Skinner {
    rig: Arc<Rig>,
    skinning: Skinning,
    prepared: Arc<Vec<Vec<PreparedPrimitive>>>,
    joint_weights: Arc<Vec<Vec<JointBlendWeights>>>,
    centers: Option<Arc<Centers>>,
}

#[derive(Clone, Debug)]
struct PreparedPrimitive {
    influences: Option<Influences>,
    /// Vertices that share a normal, if normals are recomputed.
    weld: Option<Weld>,
}

impl Skinner {
    /// Prepares a rig; may take seconds to compute centres of rotation. *Errors*: the method cannot skin this rig.
    pub fn new(rig: &Arc<Rig>, skinning: &Skinning) -> Result<Self, UnsupportedSkinning> {
        skinning.check(rig)?;
        let centers = if skinning.method.needs_centers() { Centers::new(rig, &Progress::default()) } else { None };
        Ok(Self::prepare(rig, skinning, centers.map(Arc::new)))
    }

    /// Like [`Self::new`], with precomputed centres of rotation.
    pub fn with_centers(
        rig: &Arc<Rig>,
        skinning: &Skinning,
        centers: &Arc<Centers>,
    ) -> Result<Self, UnsupportedSkinning> {
        skinning.check(rig)?;
        Ok(Self::prepare(rig, skinning, Some(Arc::clone(centers))))
    }

    fn prepare(rig: &Arc<Rig>, skinning: &Skinning, centers: Option<Arc<Centers>>) -> Self {
        let primitives = |mesh: &Mesh| mesh.primitives.iter().map(|p| PreparedPrimitive::new(p, skinning)).collect();
        Self {
            rig: Arc::clone(rig),
            skinning: skinning.clone(),
            prepared: Arc::new(rig.meshes.iter().map(primitives).collect()),
            joint_weights: Arc::new(rig.skins.iter().map(|skin| joint_blend_weights(skin, skinning)).collect()),
            centers,
        }
    }

    /// Returns the prepared rig.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// Returns the method and settings.
    pub fn skinning(&self) -> &Skinning {
        &self.skinning
    }

    /// Returns the centres of rotation, if the method needs them or they were passed in.
    pub fn centers(&self) -> Option<&Arc<Centers>> {
        self.centers.as_ref()
    }

    /// Returns settings and centres of rotation, for functions that skin a whole rig.
    pub fn as_rig_skinning(&self) -> RigSkinning<'_> {
        RigSkinning { skinning: &self.skinning, centers: self.centers.as_ref() }
    }

    /// Morphs and skins one primitive of a mesh instance, reusing buffers; empty if there is no such primitive.
    pub fn deform_into(&self, part: PrimitiveIndex, pose: SkinPose<'_>, deformed: &mut Deformed) {
        self.deform_arrays_into(part, pose, (SkinnedArrays::All, deformed));
    }

    /// Like [`Self::deform_into`], but never recomputes normals. Skins the unmorphed [`Primitive::drawn_tangents`] if
    /// requested.
    pub fn deform_drawn_into(
        &self,
        part: PrimitiveIndex,
        pose: SkinPose<'_>,
        has_tangents: bool,
        deformed: &mut Deformed,
    ) {
        self.deform_arrays_into(part, pose, (SkinnedArrays::Drawn { has_tangents }, deformed));
    }

    /// Like [`Self::deform_into`], but for positions only; about twice as fast.
    pub fn deform_positions_into(&self, part: PrimitiveIndex, pose: SkinPose<'_>, deformed: &mut Deformed) {
        self.deform_arrays_into(part, pose, (SkinnedArrays::Positions, deformed));
    }

    /// Deforms the positions of the whole rig. The result is indexed by mesh instance, then by primitive.
    pub fn deform_positions(&self, pose: SkinPose<'_>) -> Vec<Vec<Deformed>> {
        let mut surfaces = vec![Vec::new(); self.rig.instances.len()];
        for part in self.rig.parts() {
            let mut deformed = Deformed::default();
            self.deform_positions_into(part, pose, &mut deformed);
            surfaces[part.instance].push(deformed);
        }
        surfaces
    }

    fn deform_arrays_into(
        &self,
        part: PrimitiveIndex,
        pose: SkinPose<'_>,
        (arrays, deformed): (SkinnedArrays, &mut Deformed),
    ) {
        match (self.part(part), pose.palettes.get(part.instance)) {
            (Some((source, prepared, recipe)), Some(palette)) => {
                let has_all = matches!(arrays, SkinnedArrays::All);
                deform_by(recipe, source, palette, morph_weights(pose.posed, part.instance), (arrays, deformed));
                if let Some(weld) = prepared.weld.as_ref().filter(|_| has_all) {
                    let Deformed { positions, normals, .. } = deformed;
                    let recomputed = weld.normals(&source.indices, positions);
                    replace_normals(normals.as_deref_mut().unwrap_or_default(), &recomputed, palette.mirrors());
                }
            }
            _ => *deformed = Deformed::default(),
        }
    }

    /// Deforms the whole rig. The result is indexed by mesh instance, then by primitive.
    pub fn deform(&self, posed: &Posed) -> Vec<Vec<Deformed>> {
        let pose = SkinPose { posed, palettes: &palettes(&self.rig, posed) };
        self.deform_all(pose, &Progress::default()).unwrap_or_default()
    }

    /// Like [`Self::deform`], but reports each primitive as a step of `progress`. `None` if cancelled.
    pub fn deform_all(&self, pose: SkinPose<'_>, progress: &Progress) -> Option<Vec<Vec<Deformed>>> {
        let mut surfaces = vec![Vec::new(); self.rig.instances.len()];
        for part in self.rig.parts() {
            progress.check_cancelled()?;
            let mut deformed = Deformed::default();
            self.deform_into(part, pose, &mut deformed);
            surfaces[part.instance].push(deformed);
            progress.add(1);
        }
        Some(surfaces)
    }

    fn part(
        &self,
        PrimitiveIndex { instance, primitive }: PrimitiveIndex,
    ) -> Option<(&Primitive, &PreparedPrimitive, SkinningRecipe<'_>)> {
        let &MeshInstance { mesh, skin, .. } = self.rig.instances.get(instance)?;
        let prepared = self.prepared.get(mesh)?.get(primitive)?;
        let recipe = SkinningRecipe {
            influences: prepared.influences.as_ref(),
            centers: self.centers.as_ref().map_or(&[], |centers| centers.primitive(mesh, primitive)),
            default_blend_weight: default_blend_weight(self.skinning.method, skin.map(|skin| &self.rig.skins[skin])),
            joint_weights: skin.map_or(&[], |skin| &self.joint_weights[skin]),
            ..SkinningRecipe::from(&self.skinning)
        };
        Some((&self.rig.meshes[mesh].primitives[primitive], prepared, recipe))
    }
}

fn morph_weights(posed: &Posed, instance: usize) -> &[f32] {
    posed.morph_weights.get(instance).map_or(&[], Vec::as_slice)
}

impl PreparedPrimitive {
    fn new(primitive: &Primitive, skinning: &Skinning) -> Self {
        let limited = primitive.influences.as_ref().map(|influences| skinning.influences.apply(influences));
        let is_recomputed = skinning.normals == Normals::Recomputed && primitive.normals.is_some();
        Self {
            influences: limited.and_then(|l| if let Cow::Owned(cut) = l { Some(cut) } else { None }),
            weld: is_recomputed.then(|| Weld::new(primitive)),
        }
    }
}

/// Replaces normals with recomputed normals, except where a recomputed normal is zero. Joints that mirror reverse the
/// winding, so if `may_mirror` is set, recomputed normals are flipped to the side of the transformed normals.
fn replace_normals(normals: &mut [Vec3], recomputed: &[Vec3], may_mirror: bool) {
    for (normal, &new) in normals.iter_mut().zip(recomputed).filter(|(_, new)| **new != Vec3::ZERO) {
        *normal = if may_mirror && new.dot(*normal) < 0.0 { -new } else { new };
    }
}
