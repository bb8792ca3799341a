//! Centres of rotation on the graphics card, read by vertex index.

use std::sync::Arc;

use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{DataTexture, TexelsFrom};
use crate::rig::Rig;
use crate::skinning::Centers;

#[derive(Default)]
pub(crate) struct GpuCenters {
    uploaded: Option<(Arc<Centers>, DataTexture<[f32; 4]>)>,
    /// Texel of the first vertex of each primitive.
    starts: Vec<usize>,
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
            let (texels, starts) = flattened(rig, wanted);
            let data = DataTexture::new(context, "the centres of rotation of a mesh", texels.len())?;
            data.write(0, &texels);
            self.uploaded = Some((Arc::clone(wanted), data));
            self.starts = starts;
        }
        Ok(())
    }

    pub(crate) fn part(&self, part: usize) -> Option<TexelsFrom<'_, [f32; 4]>> {
        let (_, data) = self.uploaded.as_ref()?;
        Some(TexelsFrom { data, start: *self.starts.get(part)? })
    }
}

fn flattened(rig: &Rig, centers: &Centers) -> (Vec<[f32; 4]>, Vec<usize>) {
    let (mut texels, mut starts) = (Vec::new(), Vec::new());
    for instance in &rig.instances {
        for (index, primitive) in rig.meshes[instance.mesh].primitives.iter().enumerate() {
            let start = texels.len();
            starts.push(start);
            texels.extend(centers.primitive(instance.mesh, index).iter().map(|c| c.extend(0.0).to_array()));
            texels.resize(start + primitive.positions.len(), [0.0; 4]);
        }
    }
    (texels, starts)
}
