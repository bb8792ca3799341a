//! Binds skins at the rest pose, and joins skins.

use glam::DAffine3;
use rayon::prelude::*;

use super::error::RefitError;
use super::frames::change_meshes;
use super::refitted::Refitted;
use super::skeleton::rest_worlds;
use super::surface::{bake, blended};
use rigscope_core::rig::{Bounds, Influences, NodeIndex, Primitive, Rig, RigData, Skin, StoredInfluences};
use rigscope_core::text::counted;

/// Relative difference up to which matrices count as equal.
const ROUNDING: f64 = 2e-6;

/// Fraction of the weighted joints that must agree on the space of a skin; limbs may be posed.
const AGREEING: f64 = 0.25;

/// Relative difference up to which joints agree on the space of a skin.
const SAME_SPACE: f64 = 1e-4;

/// Binds every skin at the rest pose: `IB_j` becomes `inverse(W_j) * C`, where `C` is the skin's [`space`], and each
/// vertex moves to where linear blend skinning shows it at rest, seen through `inverse(C)`. Other poses change where the
/// joints of a vertex have different `T_j` at rest.
pub(super) fn reset_binds(rig: &Rig) -> Result<Refitted, RefitError> {
    const NAME: &str = "reset-binds";
    let worlds = rest_worlds(rig);
    let mut data = (**rig).clone();
    let mut matrices: Vec<Vec<DAffine3>> = Vec::with_capacity(rig.skins.len());
    let mut changed = 0;
    for skin in &mut data.skins {
        let world_from_skin = space(rig, skin, &worlds);
        let skin_from_world = world_from_skin.inverse();
        let mut of_skin = Vec::with_capacity(skin.joints.len());
        for (joint, bind) in skin.joints.iter().zip(&mut skin.inverse_bind) {
            let in_skin = skin_from_world * worlds[joint.index()];
            let moved = in_skin * bind.as_daffine3();
            if is_near(&moved, &DAffine3::IDENTITY, in_skin.translation.length()) {
                of_skin.push(DAffine3::IDENTITY);
                continue;
            }
            let inverse = in_skin.inverse();
            if !inverse.is_finite() {
                let reason = format!("\"{}\" has a scale of 0 at rest", rig.hierarchy.name(*joint));
                return Err(RefitError::new(NAME, reason));
            }
            *bind = inverse.as_affine3();
            of_skin.push(moved);
            changed += 1;
        }
        matrices.push(of_skin);
    }
    let changes_skin = changes_skin(rig, &matrices);
    let skins: Vec<Option<usize>> = data.instances.iter().map(|instance| instance.skin).collect();
    let is_moved = |skin: &usize| matrices[*skin].iter().any(|matrix| *matrix != DAffine3::IDENTITY);
    let skins: Vec<Option<usize>> = skins.into_iter().map(|skin| skin.filter(is_moved)).collect();
    change_meshes(&mut data, &skins, |mesh, skin| {
        if let Some(skin) = skin {
            bake(mesh, &matrices[*skin]);
        }
    });
    let note = format!("new binds of {}", counted(changed, "joint", "joints"));
    Ok(Refitted { changes_skin, ..Refitted::same_nodes(data, rig, NAME, &note) })
}

/// Returns `C`, world from skin coordinates at rest. It is the transform that the topmost joint gives to the skin at
/// rest, if others agree, so that their vertices stay where they are in the mesh. Otherwise, it is the world transform of
/// the node above the joint, or the identity, whichever is closer: these are the spaces in which programs bind skins, and
/// in which importers such as Blender's expect them.
fn space(rig: &Rig, skin: &Skin, worlds: &[DAffine3]) -> DAffine3 {
    let bound = skin.joints.iter().zip(&skin.inverse_bind);
    let weighted = bound.filter(|(joint, _)| rig.moved_vertices(**joint) > 0);
    let spaces: Vec<(NodeIndex, DAffine3)> =
        weighted.map(|(joint, bind)| (*joint, worlds[joint.index()] * bind.as_daffine3())).collect();
    let Some((top, of_top)) = spaces.iter().min_by_key(|(joint, _)| *joint) else { return DAffine3::IDENTITY };
    let is_usable = |matrix: &DAffine3| matrix.is_finite() && matrix.inverse().is_finite();
    let size = f64::from(rig.size());
    let agreeing = spaces.iter().filter(|(_, space)| is_within(space, of_top, size, SAME_SPACE)).count();
    if is_usable(of_top) && agreeing as f64 >= AGREEING * spaces.len() as f64 {
        return *of_top;
    }
    let above = rig.hierarchy.parent(*top).map_or(DAffine3::IDENTITY, |parent| worlds[parent.index()]);
    let distance = |space: &DAffine3| {
        let difference = (of_top.matrix3 - space.matrix3).to_cols_array();
        difference.into_iter().map(|x| x * x).sum::<f64>()
    };
    if is_usable(&above) && distance(&above) < distance(&DAffine3::IDENTITY) { above } else { DAffine3::IDENTITY }
}

pub(super) fn is_near(a: &DAffine3, b: &DAffine3, scale: f64) -> bool {
    is_within(a, b, scale, ROUNDING)
}

fn is_within(a: &DAffine3, b: &DAffine3, scale: f64, part: f64) -> bool {
    let turned = (a.matrix3 - b.matrix3).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let size = b.matrix3.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    turned <= part * size && a.translation.distance(b.translation) <= part * scale.max(1e-3)
}

/// Returns whether the joints of any vertex have different matrices.
fn changes_skin(rig: &Rig, matrices: &[Vec<DAffine3>]) -> bool {
    rig.primitives().any(|(instance, primitive)| {
        let Some((skin, influences)) = instance.skin.zip(primitive.influences.as_ref()) else { return false };
        let matrices = &matrices[skin];
        let size = f64::from(primitive.positions.iter().copied().collect::<Bounds>().diagonal());
        (0..influences.len()).into_par_iter().any(|vertex| {
            let mean = blended(influences, vertex, matrices);
            let of_vertex = influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0);
            let mut known = of_vertex.filter_map(|(joint, _)| matrices.get(joint));
            known.any(|matrix| !is_near(matrix, &mean, size))
        })
    })
}

/// Joins all skins into one, which lists every joint once.
pub(super) fn merge_skins(rig: &Rig) -> Result<Refitted, RefitError> {
    const NAME: &str = "merge-skins";
    let mut merged = MergedSkin::default();
    let mut parts = Vec::with_capacity(rig.skins.len());
    for skin in &rig.skins {
        if skin.authored != rig.skins[0].authored {
            return Err(RefitError::new(NAME, "the skins have different skinning methods"));
        }
        parts.push(merged.add(rig, skin).map_err(|reason| RefitError::new(NAME, reason))?);
    }
    if merged.skin.joints.len() > usize::from(u16::MAX) {
        return Err(RefitError::new(NAME, "the joined skin would have more than 65535 joints"));
    }
    let mut data = (**rig).clone();
    if rig.skins.len() > 1 {
        let first = &rig.skins[0];
        let skin = Skin { source: first.source, name: first.name.clone(), authored: first.authored, ..merged.skin };
        let skins: Vec<Option<usize>> = data.instances.iter().map(|instance| instance.skin).collect();
        change_meshes(&mut data, &skins, |mesh, skin| {
            let Some(skin) = *skin else { return };
            let SkinPart { joints, moved } = &parts[skin];
            if *moved != DAffine3::IDENTITY {
                bake(mesh, &vec![*moved; joints.len()]);
            }
            mesh.primitives.iter_mut().for_each(|primitive| renumber(primitive, joints));
        });
        data.skins = vec![skin];
        data.instances.iter_mut().filter_map(|instance| instance.skin.as_mut()).for_each(|skin| *skin = 0);
    }
    let note = match rig.skins.len() {
        0 | 1 => "there are not two skins".to_owned(),
        count => format!("joined {count} skins"),
    };
    Ok(Refitted::same_nodes(data, rig, NAME, &note))
}

#[derive(Default)]
struct MergedSkin {
    skin: Skin,
}

/// How a skin becomes part of the joined skin.
struct SkinPart {
    /// New index of each joint.
    joints: Vec<u16>,
    /// New from old mesh coordinates.
    moved: DAffine3,
}

impl MergedSkin {
    fn position(&self, joint: NodeIndex) -> Option<usize> {
        self.skin.joints.iter().position(|known| *known == joint)
    }

    fn add(&mut self, rig: &Rig, skin: &Skin) -> Result<SkinPart, String> {
        let size = f64::from(rig.size());
        let mut moved: Option<DAffine3> = None;
        for (joint, bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let Some(at) = self.position(*joint) else { continue };
            let here = self.skin.inverse_bind[at].as_daffine3().inverse() * bind.as_daffine3();
            let here = if is_near(&here, &DAffine3::IDENTITY, size) { DAffine3::IDENTITY } else { here };
            match &moved {
                None if here.is_finite() => moved = Some(here),
                Some(moved) if is_near(&here, moved, size) => {}
                _ => {
                    return Err(format!(
                        "two skins bind \"{}\" in different poses; try --reset-binds first",
                        rig.hierarchy.name(*joint)
                    ));
                }
            }
        }
        let moved = moved.unwrap_or(DAffine3::IDENTITY);
        let back = moved.inverse();
        let mut joints = Vec::with_capacity(skin.joints.len());
        for (joint, bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let at = self.position(*joint).unwrap_or_else(|| {
                self.skin.joints.push(*joint);
                let is_moved = moved != DAffine3::IDENTITY;
                self.skin.inverse_bind.push(if is_moved { (bind.as_daffine3() * back).as_affine3() } else { *bind });
                self.skin.joints.len() - 1
            });
            joints.push(u16::try_from(at).unwrap_or(u16::MAX));
        }
        Ok(SkinPart { joints, moved })
    }
}

fn renumber(primitive: &mut Primitive, joints: &[u16]) {
    primitive.influences = primitive.influences.as_ref().map(|influences| renumbered(influences, joints));
    let stored = primitive.stored_influences.as_ref();
    primitive.stored_influences = stored.map(|stored| renumbered_stored(stored, joints));
}

fn renumbered(influences: &Influences, joints: &[u16]) -> Influences {
    let moved = |joint: &u16| joints.get(usize::from(*joint)).copied().unwrap_or(0);
    Influences::new(
        influences.per_vertex(),
        influences.joints().iter().map(moved).collect(),
        influences.weights().to_vec(),
    )
}

fn renumbered_stored(stored: &StoredInfluences, joints: &[u16]) -> StoredInfluences {
    let (mut vertices, mut moved, mut all_weights) = (Vec::new(), Vec::new(), Vec::new());
    for (vertex, of_vertex, weights) in stored.iter() {
        vertices.push(vertex);
        moved.extend(of_vertex.iter().map(|joint| joints.get(usize::from(*joint)).copied().unwrap_or(0)));
        all_weights.extend_from_slice(weights);
    }
    StoredInfluences::new(stored.per_vertex(), vertices, moved, all_weights)
}

/// Removes joints that carry no weight from the lists of skins.
pub(super) fn without_joints(data: &mut RigData, is_removed: impl Fn(NodeIndex) -> bool) {
    let mut maps: Vec<Vec<u16>> = Vec::with_capacity(data.skins.len());
    for skin in &mut data.skins {
        let mut next = 0;
        let keeps: Vec<bool> = skin.joints.iter().map(|joint| !is_removed(*joint)).collect();
        maps.push(
            keeps
                .iter()
                .map(|keeps| {
                    next += u16::from(*keeps);
                    if *keeps { next - 1 } else { 0 }
                })
                .collect(),
        );
        let mut kept = keeps.iter();
        skin.joints.retain(|_| kept.next().copied().unwrap_or(true));
        let mut kept = keeps.iter();
        skin.inverse_bind.retain(|_| kept.next().copied().unwrap_or(true));
    }
    let skins: Vec<Option<usize>> = data.instances.iter().map(|instance| instance.skin).collect();
    change_meshes(data, &skins, |mesh, skin| {
        let Some(joints) = skin.map(|skin| &maps[skin]) else { return };
        mesh.primitives.iter_mut().for_each(|primitive| renumber(primitive, joints));
    });
}
