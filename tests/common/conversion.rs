//! Comparison of a rig before and after conversion.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use glam::{Affine2, Quat, Vec3};
use rigscope::export::rig_glb;
use rigscope::import::{ImportWarning, Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::rig::{
    ClipMoment, CoordSet, FileCamera, MapKind, Maps, Material, NodeIndex, Pose, Primitive, Property, Rig, Specular,
    Texture, Trs, VertexStream, evaluate,
};
use rigscope::skinning::{Deformed, Method, deform, palettes};

/// A rig before and after conversion. Instances are matched.
pub struct Conversion<'a> {
    pub name: &'a str,
    pub before: &'a Rig,
    pub bytes: Vec<u8>,
    pub after: Rig,
    pub told: Vec<String>,
    /// Index of the instance after conversion, by instance before.
    pub instances: Vec<usize>,
}

/// Positions and normals by instance and primitive.
pub type Surfaces = Vec<Vec<Deformed>>;

impl<'a> Conversion<'a> {
    pub fn new(name: &'a str, before: &'a Rig) -> Self {
        let file = rig_glb(before, &Progress::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let imported = import_bytes(&file.bytes, &Job::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let is_partly_drawn = |w: &ImportWarning| w.to_string().contains(" is read in part; ");
        let warnings: Vec<_> = imported.warnings.into_iter().filter(|w| !is_partly_drawn(w)).collect();
        assert_eq!(warnings, [], "{name}: what is written is as it should be");
        let after = imported.rig;
        let instances = same_instances(name, before, &after);
        Self { name, before, bytes: file.bytes, after, told: file.left_out, instances }
    }

    /// Asserts equal counts, names and materials.
    pub fn assert_same_parts(&self) {
        let Self { name, before, after, .. } = self;
        assert_eq!(after.joint_count(), before.joint_count(), "{name}: joints");
        assert_eq!(after.vertex_count(), before.vertex_count(), "{name}: vertices");
        let morphs = |rig: &Rig| rig.morphs().iter().map(|m| m.name.clone()).collect::<BTreeSet<_>>();
        assert_eq!(morphs(after), morphs(before), "{name}: morph targets");
        assert_eq!(after.clips.len(), before.clips.len(), "{name}: clips");
        let held = before.clips.iter().map(|clip| clip.channels.is_empty());
        for ((after, before), is_held) in clips(after).into_iter().zip(clips(before)).zip(held) {
            assert_eq!(after.0, before.0, "{name}: names of clips");
            assert!(is_held || after.1 == before.1, "{name}: what of nodes {} moves", after.0);
        }
        for node in before.hierarchy.nodes() {
            let same = self.node(node);
            assert_eq!(after.hierarchy.name(same), before.hierarchy.name(node), "{name}: names of nodes");
        }
        for (at, (old, new)) in before.materials.iter().zip(&after.materials).enumerate() {
            let far = (old.specular.at_normal - new.specular.at_normal).abs().max_element();
            assert!(far < 1e-5, "{name}: material {at} mirrors otherwise by {far}");
            assert_eq!(factors(new, new), factors(old, new), "{name}: material {at}");
        }
        for (instance, &same) in self.instances.iter().enumerate() {
            let [before_mesh, after_mesh] =
                [(*before, instance), (after, same)].map(|(r, i)| &r.meshes[r.instances[i].mesh]);
            assert_eq!(after_mesh.name, before_mesh.name, "{name}: names of meshes");
            for (old, new) in before_mesh.primitives.iter().zip(&after_mesh.primitives) {
                assert_eq!((&new.indices, &new.lines, &new.points), (&old.indices, &old.lines, &old.points), "{name}");
                let kept = |p: &Primitive| (coord_sets(p), spare(p), p.dq_weights.clone());
                assert_eq!(kept(new), kept(old), "{name}");
                assert_same_textures(name, (before, old), (after, new));
            }
        }
        assert_eq!(cameras(after), cameras(before), "{name}: cameras");
        for (old, new) in before.skins.iter().zip(&after.skins) {
            assert_eq!(
                (&new.name, new.authored, &new.inverse_bind),
                (&old.name, old.authored, &old.inverse_bind),
                "{name}"
            );
        }
    }

    /// Asserts equal deformation: at rest, in up to three clips at three times, and in a pose that rotates, moves and scales every joint.
    pub fn assert_same_deformation(&self) {
        let rest = Pose::rest(&self.before.hierarchy);
        self.assert_same_at("at rest", None, &rest);
        self.assert_same_at("posed", None, &any_pose(self.before));
        let moving = (0..self.before.clips.len()).filter(|&c| !self.before.clips[c].channels.is_empty());
        for clip in moving.take(3) {
            for share in [0.0, 0.37, 0.81] {
                let time_secs = self.before.clips[clip].duration_secs * share;
                self.assert_same_at("in a clip", Some(ClipMoment::new(clip, time_secs)), &rest);
            }
        }
    }

    fn assert_same_at(&self, what: &str, moment: Option<ClipMoment>, pose: &Pose) {
        let Self { name, before, after, .. } = self;
        let late = moment.map(|m| ClipMoment::new(m.clip, m.time_secs + late_secs(before, m.clip)));
        for method in [Method::Lbs, Method::Dqs] {
            let (old, new) = (surfaces(before, moment, pose, method), surfaces(after, late, &self.pose(pose), method));
            for (instance, old) in old.iter().enumerate() {
                for (old, new) in old.iter().zip(&new[self.instances[instance]]) {
                    let far = largest(&old.positions, &new.positions) / before.size();
                    assert!(far <= 1e-5, "{name} {what} {moment:?} by {method}: {far} of the size");
                    let [old, new] = [old, new].map(|s| s.normals.as_deref().unwrap_or_default());
                    let far = largest(old, new);
                    assert!(far <= 1e-3, "{name} {what} {moment:?} by {method}: normals differ by {far}");
                }
            }
        }
    }

    /// Returns the node after conversion for a node before it.
    pub fn node(&self, node: NodeIndex) -> NodeIndex {
        self.after.hierarchy.by_source(self.before.hierarchy.source(node)).expect("every node is kept")
    }

    /// Returns the pose of the converted rig for a pose of the original rig.
    pub fn pose(&self, pose: &Pose) -> Pose {
        let mut same = Pose::rest(&self.after.hierarchy);
        for node in self.before.hierarchy.nodes() {
            same.set_user_local(self.node(node), *pose.user_local(node));
        }
        for (morph, weight) in pose.morph_weights() {
            let name = &self.before.morphs()[morph.index()].name;
            same.set_morph_weight(self.after.morph_named(name).expect("every morph target is kept"), weight);
        }
        same
    }

    /// Asserts that converting again gives the same bytes.
    pub fn assert_fixed(&self) {
        let again = rig_glb(&self.after, &Progress::default()).unwrap();
        assert!(again.bytes == self.bytes, "{}: converted again it is another file", self.name);
    }
}

pub fn surfaces(rig: &Rig, moment: Option<ClipMoment>, pose: &Pose, method: Method) -> Surfaces {
    let posed = evaluate(rig, moment, pose);
    let palettes = palettes(rig, &posed);
    let parts = rig.instances.iter().enumerate().map(|(i, instance)| {
        let primitives = rig.meshes[instance.mesh].primitives.iter();
        primitives.map(|p| deform(p, &palettes[i], &posed.morph_weights[i], method)).collect()
    });
    parts.collect()
}

/// Returns a deterministic pose with a rotation of up to half a radian, a translation and a scale for every node, and a weight for every morph target.
pub fn any_pose(rig: &Rig) -> Pose {
    let mut seed = 1_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let mut pose = Pose::rest(&rig.hierarchy);
    for node in rig.hierarchy.nodes() {
        let turn = Quat::from_scaled_axis(Vec3::new(next(), next(), next()) * 0.3);
        let translation = Vec3::new(next(), next(), next()) * 0.01;
        pose.set_user_local(node, Trs { translation, rotation: turn, scale: Vec3::splat(1.0 + 0.05 * next()) });
    }
    for (morph, _) in rig.indexed_morphs() {
        pose.set_morph_weight(morph, next());
    }
    pose
}

fn largest(old: &[Vec3], new: &[Vec3]) -> f32 {
    assert_eq!(old.len(), new.len());
    old.iter()
        .zip(new)
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, |a: f32, d| if d.is_nan() { f32::INFINITY } else { a.max(d) })
}

/// Asserts that a primitive shows the same textures with the same placement.
fn assert_same_textures(name: &str, before: (&Rig, &Primitive), after: (&Rig, &Primitive)) {
    let shown = |(rig, primitive): (&Rig, &Primitive), kind: Option<MapKind>| {
        let material = &rig.materials[primitive.material?.0];
        if material.missing.iter().any(|lost| lost.kind == kind) {
            return None;
        }
        let texture = kind.map_or(&material.texture, |kind| &material.maps[kind]).clone()?;
        let coords = match texture.coords {
            CoordSet::First => &primitive.tex_coords,
            CoordSet::Second => &primitive.second_tex_coords,
        };
        let image = rig.images[texture.image].clone();
        coords.is_some().then_some((texture, image.width, image.rgba))
    };
    for kind in std::iter::once(None).chain(MapKind::ALL.map(Some)) {
        match (shown(before, kind), shown(after, kind)) {
            (None, None) => {}
            (Some((old, old_width, old_pixels)), Some((new, new_width, new_pixels))) => {
                assert!((old_width, old_pixels) == (new_width, new_pixels), "{name}: pixels of {kind:?}");
                let sampling = |t: &Texture| (t.wrap, t.is_nearest, t.coords);
                assert_eq!(sampling(&new), sampling(&old), "{name}: {kind:?}");
                let [old, new] = [old, new].map(|t| t.transform.unwrap_or(Affine2::IDENTITY));
                assert!(new.abs_diff_eq(old, 1e-5), "{name}: {kind:?} lies by {new:?}, not by {old:?}");
            }
            (old, new) => panic!("{name}: {kind:?} is there {} and after {}", old.is_some(), new.is_some()),
        }
    }
}

/// Returns all sets of texture coordinates, in the file's order.
fn coord_sets(primitive: &Primitive) -> Vec<Vec<f32>> {
    let [first, second] = primitive.coord_numbers;
    let drawn = [(first, &primitive.tex_coords), (second, &primitive.second_tex_coords)];
    let flat = |uvs: &Vec<glam::Vec2>| uvs.iter().flat_map(glam::Vec2::to_array).collect::<Vec<_>>();
    let drawn = drawn.into_iter().filter_map(|(number, uvs)| Some((number, flat(uvs.as_ref()?))));
    let spare = primitive.streams.iter().filter_map(|s| Some((s.tex_coord_number()?, s.values.clone())));
    let mut sets: Vec<_> = drawn.chain(spare).collect();
    sets.sort_by_key(|(number, _)| *number);
    sets.into_iter().map(|(_, uvs)| uvs).collect()
}

/// Returns vertex attributes that are not drawn.
fn spare(primitive: &Primitive) -> Vec<VertexStream> {
    primitive.streams.iter().filter(|s| s.tex_coord_number().is_none()).cloned().collect()
}

/// Formats a material without textures. Ignores factors that have no effect because a texture is missing in `written`.
fn factors(material: &Material, written: &Material) -> String {
    let lacks = |kind| material.maps[kind].is_some() && written.maps[kind].is_none();
    let factors = Material {
        texture: None,
        missing: Vec::new(),
        maps: Maps::default(),
        specular: Specular { at_normal: Vec3::ZERO, ..material.specular },
        metallic: if lacks(MapKind::MetallicRoughness) { 0.0 } else { material.metallic },
        emission: if lacks(MapKind::Emission) { Vec3::ZERO } else { material.emission },
        ..material.clone()
    };
    format!("{factors:?}")
}

/// Formats name, lens, position and direction of each camera, in hundredths.
fn cameras(rig: &Rig) -> Vec<String> {
    let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
    let told = |camera: &FileCamera| {
        let world = camera.world_from_camera(&posed.world_from_node[camera.node.index()]);
        let place = [world.translation, world.matrix3.z_axis, world.matrix3.y_axis]
            .map(|v| (v * 100.0).round().as_ivec3().to_string());
        format!("{} {:?} {place:?}", camera.name, camera.lens)
    };
    rig.cameras.iter().map(told).collect()
}

/// Returns the name of each clip, and the node properties that it animates.
fn clips(rig: &Rig) -> Vec<(&str, BTreeSet<(usize, String)>)> {
    let moved = |clip: &'_ rigscope::rig::Clip| {
        let of_nodes = clip.channels.iter().filter(|c| c.property != Property::MorphWeights);
        of_nodes.map(|c| (rig.hierarchy.source(c.node), format!("{:?}", c.property))).collect()
    };
    rig.clips.iter().map(|clip| (clip.name.as_str(), moved(clip))).collect()
}

/// Returns how long before time 0 a clip begins, seconds.
fn late_secs(rig: &Rig, clip: usize) -> f32 {
    let begins = rig.clips[clip].channels.iter().map(|channel| channel.times_secs[0]);
    -begins.fold(0.0, f32::min)
}

/// Matches instances. Asserts that each one stays on its node, or moves to a new child of the node or to a new root.
fn same_instances(name: &str, before: &Rig, after: &Rig) -> Vec<usize> {
    assert_eq!(after.instances.len(), before.instances.len(), "{name}: instances");
    let mut taken = BTreeSet::new();
    let find = |old: &rigscope::rig::MeshInstance| {
        let number = before.hierarchy.source(old.node);
        let near = |node: NodeIndex| {
            let own = after.hierarchy.source(node);
            own == number || after.hierarchy.parent(node).is_some_and(|p| after.hierarchy.source(p) == number)
        };
        let is_same = |i: &usize| {
            let new = &after.instances[*i];
            !taken.contains(i)
                && (new.mesh, new.skin) == (old.mesh, old.skin)
                && old.morph_weights.starts_with(&new.morph_weights)
        };
        let all = || (0..after.instances.len()).filter(is_same);
        let found = all().find(|&i| near(after.instances[i].node)).or_else(|| all().next());
        let found = found.unwrap_or_else(|| panic!("{name}: {old:?} is not kept"));
        taken.insert(found);
        found
    };
    before.instances.iter().map(find).collect()
}

/// Returns errors and warnings of the Khronos validator for files, each with its file. Returns `None` and reports it if Node.js or `gltf-validator` is missing;
/// `npm install gltf-validator` in a folder and `NODE_PATH` with its `node_modules` provide it.
pub fn complaints(files: &[PathBuf]) -> Option<Vec<String>> {
    // Missing tangents are generated by the renderer, in the way that glTF specifies.
    const SCRIPT: &str = "
        const ignoredIssues = ['MESH_PRIMITIVE_GENERATED_TANGENT_SPACE'];
        const validator = require('gltf-validator'), fs = require('fs');
        (async () => {
            for (const file of process.argv.slice(1)) {
                const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {maxIssues: 20, ignoredIssues});
                const {messages} = report.issues;
                messages.filter(m => m.severity < 2).forEach(m => console.log(file, m.code, m.pointer, m.message));
            }
            console.log('validated');
        })();";
    let root = Path::new(rigscope_tests::ROOT);
    let node = |script: &str| Command::new("node").arg("-e").arg(script).args(files).current_dir(root).output();
    if !node("require('gltf-validator')").is_ok_and(|found| found.status.success()) {
        super::skipped("there is no node, or no gltf-validator for it (NODE_PATH)");
        return None;
    }
    let output = node(SCRIPT).unwrap();
    let mut lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(lines.pop().as_deref(), Some("validated"), "{}", String::from_utf8_lossy(&output.stderr));
    Some(lines)
}
