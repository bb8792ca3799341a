use std::collections::BTreeMap;
use std::path::Path;

use glam::{Affine3, Mat4};
use serde_json::{Value, json};

use super::attributes::{Vertices, mode};
use super::attributes::{clamped_colors, is_out_of_range};
use super::buffer::{GlbBuffer, ViewContent, document_file, document_head, named};
use super::clips::{GlbClips, late_secs};
use super::extras::{ExtrasWriter, OWN, TARGET_NAMES};
use super::influences::add_influences;
use super::materials::GlbMaterials;
use super::morphs::{TargetNames, target_count, targets, weights};
use super::tree::GlbTree;
use super::vrm::{GltfLists, VrmIndexMap, VrmOutput, keep};
use crate::export::export_file::{ExportFile, left_out};
use crate::export::posed_meshes::step;
use crate::export::{ExportError, MissingTextures};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{
    AuthoredMethod, Constraint, ConstraintAxis, ConstraintKind, FileCamera, FileLens, Hierarchy, Mesh, Primitive, Rig,
    Skin,
};
use rigscope_core::text::{self, counted};

/// Exports a rig as binary glTF 2.0, with all nodes and everything attached to them. Importing the file gives a rig
/// that deforms identically and exports to the same bytes. Unreadable textures are left out; see
/// [`ExportFile::missing`].
///
/// *Errors*: [`ExportError::TooLarge`] above 4 GiB, [`ExportError::Picture`], [`ExportError::Cancelled`].
pub fn rig_glb(rig: &Rig, progress: &Progress) -> Result<ExportFile, ExportError> {
    rig_glb_with(rig, MissingTextures::Omitted, progress)
}

/// Like [`rig_glb`]; `missing` selects how to handle unreadable textures.
pub fn rig_glb_with(rig: &Rig, missing: MissingTextures, progress: &Progress) -> Result<ExportFile, ExportError> {
    let primitives: usize = rig.meshes.iter().map(|mesh| mesh.primitives.len()).sum();
    progress.begin(primitives + rig.images.len() + rig.clips.len());
    let mut writer = RigGlbWriter::new(rig, missing, progress);
    let meshes = writer.meshes()?;
    let mut materials = writer.materials.json(&mut writer.buffer, progress)?;
    writer.add_material_extras(&mut materials);
    let skins = writer.skins();
    let animations = writer.animations()?;
    let clips = animations.len();
    let mut nodes = writer.nodes();
    let VrmOutput { document, mut used, losses } = writer.keep_vrm(&mut materials);
    writer.losses.extend(losses);
    let cameras = writer.cameras();
    let mut head = document_head(&writer.tree.roots());
    writer.extras.add(&mut head["asset"], rig.extras.asset.as_ref());
    writer.extras.add(&mut head["scenes"][0], rig.extras.scene.as_ref());
    writer.losses.extend(writer.extras.losses());
    if writer.constrain(&mut nodes) {
        used.insert(Constraint::EXTENSION.to_owned());
    }
    let required = rig.vrm_blocks.iter().flat_map(|blocks| &blocks.required).filter(|name| used.contains(*name));
    let required = required.map(|name| json!(name)).collect();
    let of_materials = materials.iter_mut().filter(|(name, _)| *name == "extensionsUsed");
    for (_, names) in of_materials {
        used.retain(|name| !names.contains(&json!(name)));
        names.extend(used.iter().map(|name| json!(name)));
    }
    let lists = [
        ("nodes", nodes),
        ("meshes", meshes),
        ("skins", skins),
        ("animations", animations),
        ("cameras", cameras),
        ("extensionsRequired", required),
    ];
    let bytes = document_file(head, lists.into_iter().chain(materials), document, writer.buffer)?;
    let missing = writer.materials.missing();
    Ok(ExportFile { bytes, clips, left_out: writer.losses, missing, ..ExportFile::default() })
}

/// Checks that the file name of a rig ends in `.glb` or `.vrm`. *Errors*: [`ExportError::Extension`] otherwise.
pub fn check_rig_name(path: &Path) -> Result<(), ExportError> {
    let ending = path.extension().unwrap_or_default();
    let is_known = ["glb", "vrm"].into_iter().any(|known| ending.eq_ignore_ascii_case(known));
    if is_known { Ok(()) } else { Err(ExportError::extension(path, ".glb, or .vrm for a VRM")) }
}

/// Checks that a file name ends in `.vrm` only if the rig has VRM data. *Errors*: [`ExportError::NoVrm`] otherwise.
pub fn check_vrm_name(path: &Path, rig: &Rig) -> Result<(), ExportError> {
    let is_vrm = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("vrm"));
    if is_vrm && rig.vrm_version.is_none() { Err(ExportError::NoVrm) } else { Ok(()) }
}

struct RigGlbWriter<'a> {
    rig: &'a Rig,
    progress: &'a Progress,
    buffer: GlbBuffer,
    materials: GlbMaterials<'a>,
    tree: GlbTree,
    mesh_numbers: Vec<Option<usize>>,
    skin_numbers: Vec<Option<usize>>,
    mesh_weights: BTreeMap<usize, Vec<f32>>,
    losses: Vec<String>,
    extras: ExtrasWriter,
}

impl<'a> RigGlbWriter<'a> {
    fn new(rig: &'a Rig, missing: MissingTextures, progress: &'a Progress) -> Self {
        let mut is_placed = vec![false; rig.meshes.len()];
        rig.instances.iter().for_each(|instance| is_placed[instance.mesh] = true);
        let has_content = |mesh: &Mesh| mesh.primitives.iter().any(is_drawn);
        let mesh_numbers = numbers(rig.meshes.iter().zip(is_placed).map(|(mesh, placed)| placed && has_content(mesh)));
        let skin_numbers = numbers(rig.skins.iter().map(|skin| !skin.joints.is_empty()));
        let tree = GlbTree::new(rig, |mesh| mesh_numbers[mesh].is_some());
        let materials = GlbMaterials::new(rig, &[], rig.vrm_blocks.as_deref(), missing);
        let buffer = GlbBuffer::default();
        let (mesh_weights, losses) = (mesh_weights(rig, &tree), losses(rig, &tree));
        Self {
            rig,
            progress,
            buffer,
            materials,
            tree,
            mesh_numbers,
            skin_numbers,
            mesh_weights,
            losses,
            extras: ExtrasWriter::default(),
        }
    }

    fn meshes(&mut self) -> Result<Vec<Value>, ExportError> {
        let (rig, names) = (self.rig, TargetNames::new(self.rig));
        let (mut list, mut empty, mut is_clamped) = (Vec::new(), 0, self.materials.is_clamped());
        for (number, mesh) in rig.meshes.iter().enumerate() {
            if self.mesh_numbers[number].is_none() {
                continue;
            }
            let targets = target_count(mesh);
            let mut primitives = Vec::new();
            for primitive in &mesh.primitives {
                step(self.progress)?;
                self.buffer.check()?;
                if is_drawn(primitive) {
                    let mut object = self.primitive(primitive, targets);
                    let text = rig.extras.primitives.get(&(mesh.source, primitive.source));
                    // The mesh has the names of its morph targets.
                    self.extras.add_except(&mut object, text, Some(TARGET_NAMES).filter(|_| targets > 0));
                    primitives.push(object);
                }
            }
            empty += mesh.primitives.len() - primitives.len();
            is_clamped |= mesh.primitives.iter().filter_map(|p| p.colors.as_ref()).flatten().any(is_out_of_range);
            let mut object = json!({"primitives": primitives});
            if targets > 0 {
                object["weights"] = json!(self.mesh_weights.get(&number));
                object["extras"] = json!({TARGET_NAMES: names.names(number, targets)});
            }
            self.extras.add(&mut object, rig.extras.meshes.get(&mesh.source));
            list.push(named(&mesh.name, object));
        }
        self.losses.extend(left_out(empty, "primitive", "primitives", "glTF has none without vertices"));
        self.losses.extend(clamped_colors(is_clamped));
        self.losses.extend(self.materials.texture_losses());
        Ok(list)
    }

    fn primitive(&mut self, primitive: &Primitive, target_count: usize) -> Value {
        let buffer = &mut self.buffer;
        let (mode, list) = mode(primitive);
        let vertices = Vertices {
            positions: &primitive.positions,
            normals: primitive.normals.as_deref(),
            // Points have no surface, hence no tangents.
            tangents: primitive
                .tangents
                .as_deref()
                .filter(|_| primitive.normals.is_some() && primitive.points.is_empty()),
            source: primitive,
        };
        let mut attributes = vertices.attributes(buffer);
        if let Some(influences) = &primitive.influences {
            add_influences(influences, &mut attributes, buffer);
        }
        if !primitive.dq_weights.is_empty() {
            let shares = primitive.dq_weights.iter().map(|&share| [share]);
            attributes.insert("_DQ_WEIGHT".to_owned(), json!(buffer.rows(shares, ViewContent::Vertices)));
        }
        let indices = buffer.indices(list.unwrap_or(&primitive.indices), primitive.positions.len());
        let mut object = json!({"attributes": attributes, "indices": indices, "mode": mode});
        if target_count > 0 {
            object["targets"] = targets(primitive, target_count, buffer).into();
        }
        if let Some(material) = self.materials.index(primitive) {
            object["material"] = json!(material);
        }
        object
    }

    fn skins(&mut self) -> Vec<Value> {
        let skins = self.rig.skins.iter().zip(&self.tree.joints).zip(&self.tree.skeletons);
        let skins = skins.filter(|((skin, _), _)| !skin.joints.is_empty());
        let written = skins.map(|((source, joints), skeleton)| {
            let mut object = skin(source, joints, *skeleton, &mut self.buffer);
            self.extras.add_except(&mut object, self.rig.extras.skins.get(&source.source), Some(OWN));
            object
        });
        written.collect()
    }

    fn animations(&mut self) -> Result<Vec<Value>, ExportError> {
        let rig = self.rig;
        let mut clips = GlbClips::new(rig, &self.tree);
        let mut list = Vec::new();
        for (number, clip) in rig.clips.iter().enumerate() {
            step(self.progress)?;
            self.buffer.check()?;
            let mut animation = clips.animation(clip, &mut self.buffer);
            if let Some(object) = &mut animation {
                self.extras.add(object, rig.extras.clips.get(&number));
            }
            list.extend(animation);
        }
        let reason = "glTF requires a key in each, and no node can have one";
        self.losses.extend(left_out(rig.clips.len() - list.len(), "clip", "clips", reason));
        let reason = "nothing in the scene has their morph targets";
        self.losses.extend(left_out(clips.unused_channels, "channel", "channels", reason));
        if clips.off_unit > 0 {
            let rotations = counted(clips.off_unit, "rotation in clips was", "rotations in clips were");
            self.losses.push(format!("{rotations} normalised: not of unit length"));
        }
        Ok(list)
    }

    fn keep_vrm(&mut self, lists: &mut GltfLists) -> VrmOutput {
        let Some(blocks) = &self.rig.vrm_blocks else { return VrmOutput::default() };
        let numbers = VrmIndexMap::new(self.rig, &self.tree, &self.mesh_numbers, &self.materials);
        keep(blocks, &numbers, lists, &mut self.buffer)
    }

    fn constrain(&mut self, nodes: &mut [Value]) -> bool {
        let (rig, tree) = (self.rig, &self.tree);
        let of_node = |constraint: &&Constraint| {
            [constraint.node, constraint.source].iter().all(|node| tree.is_as_in_rig(&rig.hierarchy, *node))
        };
        let (kept, lost): (Vec<&Constraint>, Vec<&Constraint>) = rig.constraints.iter().partition(of_node);
        for kept in &kept {
            nodes[rig.hierarchy.source(kept.node)]["extensions"] = constraint(kept, &rig.hierarchy);
        }
        let reason = "shear is held by a separate node, which constraints do not rotate";
        self.losses.extend(left_out(lost.len(), "constraint", "constraints", reason));
        !kept.is_empty()
    }

    fn nodes(&mut self) -> Vec<Value> {
        let mut nodes = self.tree.json(|number| {
            let instance = &self.rig.instances[number];
            let mut object = json!({"mesh": self.mesh_numbers[instance.mesh]});
            if let Some(skin) = instance.skin {
                object["skin"] = json!(self.skin_numbers[skin]);
            }
            let own = weights(&instance.morph_weights, target_count(&self.rig.meshes[instance.mesh]));
            if self.mesh_weights.get(&instance.mesh).is_some_and(|usual| *usual != own) {
                object["weights"] = json!(own);
            }
            object
        });
        // Nodes of the rig come first and keep their indices.
        for (node, object) in nodes.iter_mut().take(self.rig.hierarchy.len()).enumerate() {
            self.extras.add(object, self.rig.extras.nodes.get(&node));
        }
        nodes
    }

    /// Returns all cameras, with near and far planes at 1/1000 and 1000 times the size of the rig.
    fn cameras(&mut self) -> Vec<Value> {
        let rig = self.rig;
        // A reimported rig differs in size by rounding errors, so the size is rounded to a power of ten.
        let size = Some(rig.size())
            .filter(|size| size.is_normal() && *size > 0.0)
            .map_or(1.0, |s| 10_f32.powi(s.log10().round() as i32));
        let written = rig.cameras.iter().map(|camera| {
            let mut object = camera_json(camera, size);
            self.extras.add(&mut object, rig.extras.cameras.get(&camera.source));
            object
        });
        written.collect()
    }

    fn add_material_extras(&mut self, lists: &mut GltfLists) {
        let materials = lists.iter_mut().filter(|(name, _)| *name == "materials").flat_map(|(_, list)| list);
        let mut materials: Vec<&mut Value> = materials.collect();
        for (number, source) in self.materials.sources() {
            if let Some(object) = materials.get_mut(number) {
                self.extras.add(object, self.rig.extras.materials.get(&source));
            }
        }
    }
}

/// Returns whether a primitive has vertices and elements. Other primitives are not written, since glTF forbids empty
/// accessors.
fn is_drawn(primitive: &Primitive) -> bool {
    !primitive.positions.is_empty() && !mode(primitive).1.unwrap_or(&primitive.indices).is_empty()
}

fn numbers(is_written: impl Iterator<Item = bool>) -> Vec<Option<usize>> {
    let mut next = 0..;
    is_written.map(|is_written| if is_written { next.next() } else { None }).collect()
}

fn mesh_weights(rig: &Rig, tree: &GlbTree) -> BTreeMap<usize, Vec<f32>> {
    let mut found = BTreeMap::new();
    for (_, number) in tree.placed() {
        let instance = &rig.instances[number];
        let count = target_count(&rig.meshes[instance.mesh]);
        if count > 0 {
            found.entry(instance.mesh).or_insert_with(|| weights(&instance.morph_weights, count));
        }
    }
    found
}

/// Returns a clause about each kind of content that glTF cannot express or expresses differently.
fn losses(rig: &Rig, tree: &GlbTree) -> Vec<String> {
    let bones = left_out(
        if rig.vrm_blocks.is_some() { 0 } else { rig.human_bones.len() },
        "name of a humanoid bone",
        "names of humanoid bones",
        "they are VRM's, not glTF's",
    );
    let reason = "glTF does not support shear in animated nodes";
    let shear = left_out(tree.lost_shear, "shear of a node", "shears of nodes", reason);
    let late = rig.clips.iter().map(|clip| (clip, late_secs(clip))).filter(|(_, late_secs)| *late_secs > 0.0);
    let late = late.map(|(clip, late_secs)| {
        format!(
            "clip \"{}\" began {} s before 0, where glTF clips begin: it was delayed by that much",
            clip.name,
            text::number(late_secs)
        )
    });
    bones.into_iter().chain(shear).chain(late).collect()
}

fn camera_json(camera: &FileCamera, size: f32) -> Value {
    let (near, far) = (size * 1e-3, size * 1e3);
    let object = match camera.lens {
        FileLens::Perspective(fov) => {
            json!({"type": "perspective", "perspective": {"yfov": fov, "znear": near, "zfar": far}})
        }
        FileLens::Orthographic(half_height) => {
            let (x, y) = (half_height, half_height);
            json!({"type": "orthographic", "orthographic": {"xmag": x, "ymag": y, "znear": near, "zfar": far}})
        }
    };
    named(&camera.name, object)
}

fn constraint(constraint: &Constraint, hierarchy: &Hierarchy) -> Value {
    let Constraint { source, kind, weight, .. } = constraint;
    let mut of_kind = json!({"source": hierarchy.source(*source), "weight": weight});
    match kind {
        ConstraintKind::Roll(axis) => of_kind["rollAxis"] = json!(axis_name(*axis)),
        ConstraintKind::Aim { axis, is_negative } => {
            let end = if *is_negative { "Negative" } else { "Positive" };
            of_kind["aimAxis"] = json!(format!("{end}{}", axis_name(*axis)));
        }
        ConstraintKind::Rotation => {}
    }
    json!({Constraint::EXTENSION: {"specVersion": "1.0", "constraint": {kind.name(): of_kind}}})
}

fn axis_name(axis: ConstraintAxis) -> &'static str {
    match axis {
        ConstraintAxis::X => "X",
        ConstraintAxis::Y => "Y",
        ConstraintAxis::Z => "Z",
    }
}

fn skin(skin: &Skin, joints: &[usize], skeleton: Option<usize>, buffer: &mut GlbBuffer) -> Value {
    let matrix = |bind: &Affine3| Mat4::from(*bind).to_cols_array();
    let binds = buffer.rows(skin.inverse_bind.iter().map(matrix), ViewContent::Other);
    let mut object = json!({"joints": joints, "inverseBindMatrices": binds});
    if let Some(skeleton) = skeleton {
        object["skeleton"] = json!(skeleton);
    }
    // glTF has no field for the skinning method; a skin without `extras` is linear.
    if skin.authored != AuthoredMethod::Linear {
        object["extras"] = json!({OWN: {"method": skin.authored.name()}});
    }
    named(&skin.name, object)
}
