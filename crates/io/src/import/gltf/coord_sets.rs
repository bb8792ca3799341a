use glam::Vec2;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::accessor::ExpectedLayout;
use super::loader::GltfLoader;
use super::materials::GltfMaterial;
use super::mesh::PrimitiveSource;
use super::schema::Shape;
use super::tex_coords::CoordPlan;
use crate::import::{ImportWarning, WarningScope};
use rigscope_core::findings::Code;
use rigscope_core::rig::Primitive;

impl GltfLoader<'_> {
    /// Adds the UV sets that the material uses. Without textures, adds the first set, because a texture may be assigned
    /// later.
    pub(super) fn add_tex_coords(
        &self,
        primitive: &mut Primitive,
        described: &PrimitiveSource<'_>,
        surface: Option<&mut GltfMaterial>,
    ) {
        let count = primitive.positions.len();
        let (mut plan, mut is_shown) = (CoordPlan::default(), false);
        if let Some(surface) = surface {
            (plan, is_shown) = (surface.coords, surface.textures().next().is_some());
            surface.is_used = true;
        }
        primitive.tex_coords = self.coord_set(described, plan.first, is_shown, count);
        if let (Some(transform), Some(uvs)) = (plan.transform, &mut primitive.tex_coords) {
            for uv in uvs {
                *uv = transform.transform_point2(*uv);
            }
        }
        primitive.second_tex_coords = plan.second.and_then(|set| self.coord_set(described, set, true, count));
        primitive.coord_numbers = [plan.first, plan.second.unwrap_or(plan.first)];
        let is_spare = |set: u32| set != plan.first && Some(set) != plan.second;
        let sets = described.attributes.keys().filter_map(|key| match key {
            Checked::Valid(semantic @ Semantic::TexCoords(set)) if is_spare(*set) => Some(semantic.clone()),
            _ => None,
        });
        primitive.streams.extend(sets.filter_map(|semantic| self.stream(described, &semantic, false, count)));
    }

    fn coord_set(&self, described: &PrimitiveSource<'_>, set: u32, is_shown: bool, count: usize) -> Option<Vec<Vec2>> {
        let semantic = Semantic::TexCoords(set);
        if described.accessor(semantic.clone()).is_none() {
            if is_shown {
                let location = described.location;
                let missing = format!("{location} has a texture, but not the coordinates TEXCOORD_{set}");
                let message = format!("{missing}; the texture is not shown.");
                let warning = ImportWarning::new(Code::AttributeIgnored, location.target(), message);
                self.report.warn(warning.with_scope(WarningScope::Appearance));
            }
            return None;
        }
        Some(bytemuck::cast_vec(self.attribute::<2>(
            described,
            &semantic,
            ExpectedLayout::exactly(Shape::Vec2, count),
        )?))
    }
}
