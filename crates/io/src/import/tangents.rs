use std::mem::size_of;

use glam::Vec4;
use rayon::prelude::*;

use super::{ImportError, Job, Stage};
use rigscope_core::rig::{MapKind, Material, Mesh, Primitive, Texture};

/// Generates missing tangents for normal textures. If `charge` refuses the memory, the normal texture is not drawn.
/// *Errors*: cancellation.
pub(super) fn make_tangents(
    meshes: &mut [Mesh],
    materials: &[Material],
    job: &Job,
    charge: impl Fn(u64) -> bool,
) -> Result<(), ImportError> {
    let normal_texture = |primitive: &Primitive| -> Option<&Texture> {
        materials.get(primitive.material?.0).filter(|m| !m.is_unlit)?.maps[MapKind::Normal].as_ref()
    };
    let missing: Vec<(&mut Primitive, &Texture)> = meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
        .filter(|primitive| primitive.tangents.is_none())
        .filter_map(|primitive| normal_texture(primitive).map(|texture| (primitive, texture)))
        .filter(|(primitive, _)| charge((primitive.positions.len() as u64).saturating_mul(size_of::<Vec4>() as u64)))
        .collect();
    let count = missing.len();
    if count == 0 {
        return Ok(());
    }
    missing.into_par_iter().enumerate().try_for_each(|(index, (primitive, texture))| {
        job.advance(Stage::Finishing, index, count)?;
        primitive.generated_tangents = primitive.tangents_for(texture);
        Ok(())
    })
}
