use std::sync::Arc;

use glam::Vec3;
use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{TexelsFrom, VertexTexels};
use crate::rig::Rig;
use crate::skinning::Centers;

#[derive(Default)]
pub(crate) struct GpuCenters {
    uploaded: Option<(Arc<Centers>, VertexTexels<[f32; 4]>)>,
}

impl GpuCenters {
    pub(crate) fn update(
        &mut self,
        context: &Context,
        rig: &Rig,
        centers: Option<&Arc<Centers>>,
    ) -> Result<(), RenderError> {
        let is_wanted = |known: &Arc<Centers>| centers.is_some_and(|wanted| Arc::ptr_eq(known, wanted));
        self.uploaded = self.uploaded.take().filter(|(known, _)| is_wanted(known));
        if let (Some(wanted), None) = (centers, &self.uploaded) {
            let counts: Vec<usize> = rig.primitives().map(|(_, primitive)| primitive.positions.len()).collect();
            let primitives = rig.instances.iter().flat_map(|instance| {
                let count = rig.meshes[instance.mesh].primitives.len();
                (0..count).map(move |primitive| wanted.primitive(instance.mesh, primitive))
            });
            let texel = |center: Vec3| center.extend(0.0).to_array();
            let what = "the centres of rotation of a mesh";
            let texels = VertexTexels::new(context, what, None, (primitives, &counts), ([0.0; 4], texel))?;
            self.uploaded = Some((Arc::clone(wanted), texels));
        }
        Ok(())
    }

    pub(crate) fn part(&self, part: usize) -> Option<TexelsFrom<'_, [f32; 4]>> {
        let (_, texels) = self.uploaded.as_ref()?;
        texels.primitive(part)
    }
}
