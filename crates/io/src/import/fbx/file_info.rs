use ufbx::{CoordinateAxis, Scene};

use super::loader::FbxLoader;
use super::shapes::Shapes;
use super::textures::names;
use crate::import::file_info::image_header;
use crate::import::warning::short;
use crate::import::{FileInfo, FileSpace, ImageInfo};

impl FbxLoader<'_> {
    pub(super) fn file_info(&self) -> FileInfo {
        let (scene, metadata): (&Scene, _) = (self.scene, &self.scene.metadata);
        let version = metadata.version;
        FileInfo {
            format: "FBX",
            is_binary: !metadata.ascii,
            version: format!("{}.{}", version.div_euclid(1000), version.rem_euclid(1000).div_euclid(100)),
            generator: Some(generator(scene)).filter(|g| !g.is_empty()),
            space: Some(space(scene)),
            extensions: Vec::new(),
            meshes: scene.meshes.count,
            primitives: scene.meshes.iter().map(|m| m.material_parts.iter().filter(|p| p.num_faces > 0).count()).sum(),
            morph_targets: scene.meshes.iter().map(|mesh| Shapes::new(mesh).count()).sum(),
            materials: scene.materials.count,
            images: (0..scene.texture_files.count).map(|image| self.image_info(image)).collect(),
        }
    }

    fn image_info(&self, image: usize) -> ImageInfo {
        let names = self.scene.texture_files.as_ref().get(image).map(names).unwrap_or_default();
        let last = names.into_iter().filter_map(|name| name.rsplit(['/', '\\']).next()).find(|name| !name.is_empty());
        let header = self.encoded(image).ok().and_then(|encoded| image_header(encoded.bytes(), self.job));
        ImageInfo { name: short(last.unwrap_or_default()), header }
    }
}

fn generator(scene: &Scene) -> String {
    let application = &scene.metadata.latest_application;
    let program = [&application.name, &application.version].map(|part| part.trim()).join(" ");
    short(if program.trim().is_empty() { scene.metadata.creator.trim() } else { program.trim() })
}

fn space(scene: &Scene) -> FileSpace {
    let (settings, metadata) = (&scene.settings, &scene.metadata);
    let axes = &settings.axes;
    FileSpace {
        unit_metres: settings.unit_meters,
        up: axis(axes.up),
        front: axis(axes.front),
        right: axis(axes.right),
        frames_per_sec: settings.frames_per_second,
        is_mirrored: metadata.mirror_axis != ufbx::MirrorAxis::None,
    }
}

fn axis(axis: CoordinateAxis) -> &'static str {
    match axis {
        CoordinateAxis::PositiveX => "+X",
        CoordinateAxis::NegativeX => "-X",
        CoordinateAxis::PositiveY => "+Y",
        CoordinateAxis::NegativeY => "-Y",
        CoordinateAxis::PositiveZ => "+Z",
        CoordinateAxis::NegativeZ => "-Z",
        CoordinateAxis::Unknown => "unknown",
    }
}
