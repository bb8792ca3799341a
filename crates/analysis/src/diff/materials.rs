use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher as _};

use glam::{Affine2, Vec3, Vec4};
use rayon::prelude::*;

use super::Tolerances;
use super::change::{Change, ChangeKind, ChangeMeasure, ChangedObject};
use rigscope_core::matching::IndexMatch;
use rigscope_core::rig::{Alpha, Image, MapKind, Material, Rig, Texture};

pub(super) struct MaterialMatch<'a> {
    old: Materials<'a>,
    new: Materials<'a>,
    same: IndexMatch,
    /// Maps unmatched old materials to a new material with equal content.
    alike: HashMap<usize, usize>,
}

const SEARCHED: usize = 256;

struct Materials<'a> {
    all: &'a [Material],
    /// Width, height and content hash of each image.
    images: Vec<(u32, u32, u64)>,
}

impl<'a> Materials<'a> {
    fn new(rig: &'a Rig) -> Self {
        let content = |image: &Image| {
            let mut hasher = DefaultHasher::new();
            hasher.write(&image.rgba);
            (image.width, image.height, hasher.finish())
        };
        Self { all: &rig.materials, images: rig.images.par_iter().map(content).collect() }
    }

    fn name(&self, number: usize) -> String {
        let name = &self.all[number].name;
        if name.is_empty() { format!("material {number}") } else { name.clone() }
    }
}

impl<'a> MaterialMatch<'a> {
    /// Matches materials by name (in file order if names repeat), then materials that differ only in name.
    pub(super) fn between(old: &'a Rig, new: &'a Rig, tolerances: &Tolerances) -> Self {
        let (old, new) = (Materials::new(old), Materials::new(new));
        let mut same: IndexMatch = IndexMatch::new(old.all.len(), new.all.len());
        same.join_equal(|at| Some(&old.all[at].name), |at| Some(&new.all[at].name));
        let mut found = Self { old, new, same, alike: HashMap::new() };
        found.join_alike(tolerances);
        found.alike = found.merged(tolerances);
        found
    }

    fn join_alike(&mut self, tolerances: &Tolerances) {
        let mut new: Vec<usize> = self.same.unmatched_new().take(SEARCHED).collect();
        for old in self.same.unmatched_old().take(SEARCHED).collect::<Vec<_>>() {
            if let Some(at) = new.iter().position(|&new| self.pair_changes(old, new, tolerances).is_empty()) {
                self.same.join(old, new.remove(at));
            }
        }
    }

    /// Finds a new material with equal content for each unmatched old material, for instance after materials were
    /// merged.
    fn merged(&self, tolerances: &Tolerances) -> HashMap<usize, usize> {
        let left = self.same.unmatched_old().take(SEARCHED);
        let alike = |old| {
            let all = 0..self.new.all.len().min(SEARCHED);
            all.into_iter().find(|&new| self.pair_changes(old, new, tolerances).is_empty())
        };
        left.filter_map(|old| Some((old, alike(old)?))).collect()
    }

    /// Returns the index of the new material that matches an old material or has equal content. If there is none,
    /// returns an index beyond all new materials.
    pub(super) fn id_of_old(&self, material: usize) -> usize {
        self.same
            .new_for(material)
            .or_else(|| self.alike.get(&material).copied())
            .unwrap_or(self.new.all.len() + material)
    }

    pub(super) fn changes(&self, tolerances: &Tolerances) -> Vec<Change> {
        let gone = self.same.unmatched_old().map(|number| {
            Change::new(ChangeKind::MaterialRemoved, self.old.name(number)).at_old(ChangedObject::Material(number))
        });
        let came = self.same.unmatched_new().map(|number| {
            Change::new(ChangeKind::MaterialAdded, self.new.name(number)).at_new(ChangedObject::Material(number))
        });
        let mut changes: Vec<Change> = gone.chain(came).collect();
        for (old, new) in self.same.pairs() {
            let (was, now) = (&self.old.all[old].name, &self.new.all[new].name);
            if was != now {
                let change = Change::new(ChangeKind::MaterialRenamed, self.old.name(old)).now(self.new.name(new));
                changes.push(change.at_old(ChangedObject::Material(old)));
            }
            changes.extend(self.pair_changes(old, new, tolerances));
        }
        changes
    }

    fn pair_changes(&self, old: usize, new: usize, tolerances: &Tolerances) -> Vec<Change> {
        let (was, now) = (&self.old.all[old], &self.new.all[new]);
        let numbers = differences(was, now).into_iter().filter(|(_, apart)| *apart > tolerances.fraction);
        let numbers = numbers.map(|(what, apart)| {
            Change::new(ChangeKind::Material, self.old.name(old))
                .now(format!("other {what}"))
                .with(ChangeMeasure::Largest, apart)
        });
        let textures = textures(was).into_iter().zip(textures(now));
        let textures = textures.filter(|((_, was), (_, now))| !self.is_same_texture(*was, *now));
        let textures = textures.map(|((kind, was), (_, now))| {
            let image = |materials: &Materials<'_>, texture: Option<&Texture>| match texture {
                None => "none".to_owned(),
                Some(texture) => {
                    materials.images.get(texture.image).map_or_else(String::new, |(width, height, content)| {
                        format!("{width} x {height} ({:08x})", *content as u32)
                    })
                }
            };
            let change = Change::new(ChangeKind::Texture, format!("{kind} of {}", self.old.name(old)));
            change.was(image(&self.old, was)).now(image(&self.new, now))
        });
        numbers.chain(textures).map(|change| change.at_old(ChangedObject::Material(old))).collect()
    }

    fn is_same_texture(&self, was: Option<&Texture>, now: Option<&Texture>) -> bool {
        let (Some(was), Some(now)) = (was, now) else { return was.is_none() && now.is_none() };
        let flat = |texture: &Texture| texture.transform.unwrap_or(Affine2::IDENTITY).to_cols_array();
        let is_same_place = flat(was).iter().zip(flat(now)).all(|(a, b)| (a - b).abs() <= 1e-4);
        let samplers = [was, now].map(|texture| (texture.wrap, texture.is_nearest, texture.coords));
        self.old.images.get(was.image) == self.new.images.get(now.image) && samplers[0] == samplers[1] && is_same_place
    }
}

fn textures(material: &Material) -> Vec<(&'static str, Option<&Texture>)> {
    let maps = MapKind::ALL.into_iter().map(|kind| (kind.name(), material.maps[kind].as_ref()));
    std::iter::once(("base colour", material.texture.as_ref())).chain(maps).collect()
}

fn differences(was: &Material, now: &Material) -> Vec<(&'static str, f32)> {
    let number = |of: fn(&Material) -> f32| (of(was) - of(now)).abs();
    let color = |of: fn(&Material) -> Vec3| (of(was) - of(now)).abs().max_element();
    let flag = |of: fn(&Material) -> bool| f32::from(u8::from(of(was) != of(now)));
    let base: Vec4 = (was.base_color - now.base_color).abs();
    let alpha = match (was.alpha, now.alpha) {
        (Alpha::Mask(a), Alpha::Mask(b)) => (a - b).abs(),
        (a, b) => f32::from(u8::from(a != b)),
    };
    vec![
        ("base colour", base.max_element()),
        ("alpha", alpha),
        ("sides", flag(|m| m.is_double_sided)),
        ("roughness", number(|m| m.roughness)),
        ("metallic", number(|m| m.metallic)),
        ("emission", color(|m| m.emission)),
        ("normal scale", number(|m| m.normal_scale)),
        ("occlusion", number(|m| m.occlusion_strength)),
        ("specular colour", color(|m| m.specular.at_normal)),
        ("specular strength", number(|m| m.specular.strength)),
        ("coat", number(|m| m.coat.strength)),
        ("roughness of the coat", number(|m| m.coat.roughness)),
        ("sheen", color(|m| m.sheen.color)),
        ("roughness of the sheen", number(|m| m.sheen.roughness)),
        ("transmission", number(|m| m.transmission)),
        ("light", flag(|m| m.is_unlit)),
    ]
}
