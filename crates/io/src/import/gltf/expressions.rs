//! Facial expressions of `VRMC_vrm` 1.0 and blend-shape groups of VRM 0. `vrm_rules` validates their data.

use std::collections::{BTreeSet, HashMap, HashSet};

use glam::{Affine2, Vec2, Vec4};
use serde_json::Value;

use super::loader::GltfLoader;
use super::material_extensions::MaterialExtensions;
use super::materials::GltfMaterial;
use super::vrm;
use crate::import::products::scaled;
use crate::import::warning::short;
use crate::import::{ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{
    BoundColor, ColorBind, CoordBind, Expression, ExpressionOverride, Hierarchy, Mesh, MeshInstance, MorphTargetIndex,
};
use rigscope_core::text::counted;

/// Presets of VRM 0 in schema order, each with the corresponding preset of VRM 1.0.
pub(super) const ZERO_PRESETS: [(&str, &str); 17] = [
    ("neutral", "neutral"),
    ("a", "aa"),
    ("i", "ih"),
    ("u", "ou"),
    ("e", "ee"),
    ("o", "oh"),
    ("blink", "blink"),
    ("joy", "happy"),
    ("angry", "angry"),
    ("sorrow", "sad"),
    ("fun", "relaxed"),
    ("lookup", "lookUp"),
    ("lookdown", "lookDown"),
    ("lookleft", "lookLeft"),
    ("lookright", "lookRight"),
    ("blink_l", "blinkLeft"),
    ("blink_r", "blinkRight"),
];

pub(super) struct Bindable<'a> {
    pub hierarchy: &'a Hierarchy,
    pub meshes: &'a [Mesh],
    pub instances: &'a [MeshInstance],
    pub surfaces: &'a [GltfMaterial],
}

impl GltfLoader<'_> {
    /// Returns expressions, presets first. If several expressions have the same name, the first is used. *Cost*: linear
    /// in data and binds.
    pub(super) fn expressions(&self, bindable: &Bindable<'_>) -> Vec<Expression> {
        let Some((version, extension)) = self.vrm() else { return Vec::new() };
        let mut reader = ExpressionReader::new(self, bindable);
        let read = if version == vrm::ZERO { reader.zero(extension) } else { reader.one(extension) };
        let ExpressionReader { unplaced, undrawn, too_large, .. } = reader;
        let warning = |code, message| ImportWarning::new(code, Target::File, message);
        if let Some((first, count)) = unplaced {
            let refer = format!(
                "Expressions refer to {} not here",
                counted(count, "morph target or material that is", "morph targets or materials that are")
            );
            let message = format!("{refer}, the first in {first}; such entries were left out.");
            self.report.warn(warning(Code::MorphIgnored, message).lowered());
        }
        if too_large > 0 {
            let more = "entries more than the memory limit for one file allows";
            let message = format!("Expressions have {too_large} {more}; they were left out. Raise --memory-limit.");
            self.report.warn(warning(Code::MorphIgnored, message).lowered());
        }
        if undrawn > 0 {
            let colours = counted(undrawn, "colour that is", "colours that are");
            let message =
                format!("Expressions change {colours} not drawn, such as shade and rim; these stay as they are.");
            self.report.warn(warning(Code::NotShown, message).with_scope(WarningScope::Appearance));
        }
        read
    }

    pub(super) fn lit_by_expressions(&self) -> BTreeSet<usize> {
        let Some((version, extension)) = self.vrm() else { return BTreeSet::new() };
        if version != vrm::ZERO {
            let binds = named(extension).flat_map(|(_, each, _)| items(each, "materialColorBinds"));
            return binds
                .filter(|bind| text(bind, "type") == Some("emissionColor"))
                .filter_map(number("material"))
                .collect();
        }
        let values = groups(extension).flat_map(|group| items(group, "materialValues"));
        let names: HashSet<&str> = values
            .filter(|value| text(value, "propertyName") == Some("_EmissionColor"))
            .filter_map(|value| text(value, "materialName"))
            .collect();
        let materials = self.source.document.materials.iter().enumerate();
        let is_named = |name: &Option<String>| name.as_deref().is_some_and(|name| names.contains(name));
        materials.filter(|(_, m)| m.valid().is_some_and(|m| is_named(&m.name))).map(|(number, _)| number).collect()
    }
}

/// Returns the name and data of each VRM 1.0 expression, and whether it is a preset. Presets come first.
fn named(extension: &Value) -> impl Iterator<Item = (&str, &Value, bool)> {
    let of = |kind: &str| extension.get("expressions").and_then(|all| all.get(kind)).and_then(Value::as_object);
    let presets = of("preset");
    let preset = move |name: &'static str| Some((name, presets?.get(name)?, true));
    let custom = of("custom").into_iter().flatten().filter(|(name, _)| !Expression::PRESETS.contains(&name.as_str()));
    Expression::PRESETS.into_iter().filter_map(preset).chain(custom.map(|(name, each)| (name.as_str(), each, false)))
}

fn groups(extension: &Value) -> impl Iterator<Item = &Value> {
    extension.get("blendShapeMaster").into_iter().flat_map(|master| items(master, "blendShapeGroups"))
}

fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

fn number(key: &str) -> impl Fn(&Value) -> Option<usize> {
    move |value| value.get(key)?.as_u64().and_then(|number| usize::try_from(number).ok())
}

fn float(value: &Value) -> Option<f32> {
    value.as_f64().map(|number| number as f32).filter(|number| number.is_finite())
}

/// Returns the numbers of a list, with defaults for missing or invalid entries.
fn floats<const N: usize>(list: Option<&Value>, mut defaults: [f32; N]) -> [f32; N] {
    for (number, value) in defaults.iter_mut().zip(list.and_then(Value::as_array).into_iter().flatten()) {
        *number = float(value).unwrap_or(*number);
    }
    defaults
}

struct ExpressionReader<'a> {
    loader: &'a GltfLoader<'a>,
    bindable: &'a Bindable<'a>,
    /// Instance indices by node index in the file.
    of_node: HashMap<usize, Vec<usize>>,
    /// Instance indices by mesh index in the file.
    of_mesh: HashMap<usize, Vec<usize>>,
    materials_named: HashMap<&'a str, Vec<usize>>,
    targets: Vec<usize>,
    /// First expression with a bind that has no target, and the number of such binds.
    unplaced: Option<(String, usize)>,
    undrawn: usize,
    too_large: usize,
}

impl<'a> ExpressionReader<'a> {
    fn new(loader: &'a GltfLoader<'a>, bindable: &'a Bindable<'a>) -> Self {
        let (mut of_node, mut of_mesh) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for (at, instance) in bindable.instances.iter().enumerate() {
            of_node.entry(bindable.hierarchy.source(instance.node)).or_default().push(at);
            let mesh = bindable.meshes.get(instance.mesh);
            of_mesh.entry(mesh.map_or(usize::MAX, |mesh| mesh.source)).or_default().push(at);
        }
        let mut materials_named = HashMap::<_, Vec<_>>::new();
        for (at, surface) in bindable.surfaces.iter().enumerate() {
            materials_named.entry(surface.material.name.as_str()).or_default().push(at);
        }
        let width = |mesh: &Mesh| mesh.primitives.iter().map(|p| p.morph_targets.len()).max().unwrap_or(0);
        let widths: Vec<usize> = bindable.meshes.iter().map(width).collect();
        let targets = bindable.instances.iter().map(|i| widths.get(i.mesh).copied().unwrap_or(0)).collect();
        Self { loader, bindable, of_node, of_mesh, materials_named, targets, unplaced: None, undrawn: 0, too_large: 0 }
    }

    fn one(&mut self, extension: &Value) -> Vec<Expression> {
        let mut read = Vec::new();
        for (name, each, is_preset) in named(extension) {
            let mut expression = Expression { name: name.to_owned(), is_preset, ..Expression::default() };
            expression.is_binary = each.get("isBinary").and_then(Value::as_bool).unwrap_or(false);
            expression.overrides =
                ["overrideMouth", "overrideBlink", "overrideLookAt"].map(|key| match text(each, key) {
                    Some("block") => ExpressionOverride::Block,
                    Some("blend") => ExpressionOverride::Blend,
                    _ => ExpressionOverride::None,
                });
            for bind in items(each, "morphTargetBinds") {
                let weight = bind.get("weight").and_then(float).unwrap_or(1.0);
                let instances = number("node")(bind).and_then(|node| self.of_node.get(&node)).cloned();
                self.bind_morph(&mut expression, instances.as_deref(), number("index")(bind), weight);
            }
            for bind in items(each, "materialColorBinds") {
                let color = match text(bind, "type") {
                    Some("color") => Some(BoundColor::Base),
                    Some("emissionColor") => Some(BoundColor::Emission),
                    _ => None,
                };
                let target = Vec4::from_array(floats(bind.get("targetValue"), [1.0; 4]));
                self.bind_color(&mut expression, number("material")(bind).as_slice(), color, target);
            }
            for bind in items(each, "textureTransformBinds") {
                let [scale, offset] = [("scale", 1.0), ("offset", 0.0)]
                    .map(|(key, default)| Vec2::from_array(floats(bind.get(key), [default; 2])));
                self.bind_coords(&mut expression, number("material")(bind).as_slice(), scale, offset);
            }
            read.push(expression);
        }
        read
    }

    fn zero(&mut self, extension: &Value) -> Vec<Expression> {
        let mut read: Vec<Expression> = Vec::new();
        let mut taken = HashSet::new();
        for group in groups(extension) {
            let preset = text(group, "presetName").and_then(|preset| {
                ZERO_PRESETS.iter().find(|(zero, _)| zero.eq_ignore_ascii_case(preset)).map(|(_, one)| *one)
            });
            let Some(name) = preset.or_else(|| text(group, "name")) else { continue };
            if !taken.insert(name) {
                continue;
            }
            let mut expression =
                Expression { name: name.to_owned(), is_preset: preset.is_some(), ..Expression::default() };
            expression.is_binary = group.get("isBinary").and_then(Value::as_bool).unwrap_or(false);
            for bind in items(group, "binds") {
                let weight = bind.get("weight").and_then(float).unwrap_or(100.0) / 100.0;
                let instances = number("mesh")(bind).and_then(|mesh| self.of_mesh.get(&mesh)).cloned();
                self.bind_morph(&mut expression, instances.as_deref(), number("index")(bind), weight);
            }
            for value in items(group, "materialValues") {
                let materials = text(value, "materialName").and_then(|name| self.materials_named.get(name)).cloned();
                let target = floats(value.get("targetValue"), [1.0, 1.0, 1.0, 1.0]);
                self.bind_value(&mut expression, &materials.unwrap_or_default(), text(value, "propertyName"), target);
            }
            read.push(expression);
        }
        let (mut presets, custom): (Vec<_>, Vec<_>) = read.into_iter().partition(|each| each.is_preset);
        let rank = |each: &Expression| Expression::PRESETS.iter().position(|name| *name == each.name);
        presets.sort_by_key(rank);
        presets
            .into_iter()
            .chain(custom.into_iter().filter(|each| !Expression::PRESETS.contains(&each.name.as_str())))
            .collect()
    }

    fn bind_value(
        &mut self,
        expression: &mut Expression,
        materials: &[usize],
        property: Option<&str>,
        value: [f32; 4],
    ) {
        let target = Vec4::from_array(value);
        match property {
            Some("_MainTex_ST") => {
                // Unity's v points up.
                let [scale, offset] = [Vec2::new(value[0], value[1]), Vec2::new(value[2], 1.0 - value[3] - value[1])];
                self.bind_coords(expression, materials, scale, offset);
            }
            Some("_Color") => self.bind_color(expression, materials, Some(BoundColor::Base), target),
            Some("_EmissionColor") => self.bind_color(expression, materials, Some(BoundColor::Emission), target),
            _ => self.bind_color(expression, materials, None, target),
        }
    }

    fn bind_morph(&mut self, to: &mut Expression, instances: Option<&[usize]>, target: Option<usize>, weight: f32) {
        let found = instances.unwrap_or_default().iter().copied();
        let places: Vec<MorphTargetIndex> = found
            .filter_map(|instance| {
                Some(MorphTargetIndex { instance, target: target.filter(|t| Some(t) < self.targets.get(instance))? })
            })
            .collect();
        to.morphs.extend(self.kept(&to.name, places.into_iter().map(|place| (place, weight)).collect()));
    }

    /// Returns the binds, or none if they exceed the memory budget, since one name may refer to many materials or
    /// instances.
    fn kept<T>(&mut self, name: &str, binds: Vec<T>) -> Vec<T> {
        let bytes = binds.len().saturating_mul(size_of::<T>());
        if !self.loader.source.charge(bytes as u64) {
            self.too_large = self.too_large.saturating_add(1);
            return Vec::new();
        }
        if binds.is_empty() {
            let (_, count) = self.unplaced.get_or_insert_with(|| (short(name), 0));
            *count = count.saturating_add(1);
        }
        binds
    }

    fn bind_color(&mut self, to: &mut Expression, materials: &[usize], color: Option<BoundColor>, target: Vec4) {
        let Some(color) = color else {
            self.undrawn = self.undrawn.saturating_add(1);
            return;
        };
        let surfaces = self.bindable.surfaces;
        let known = materials.iter().copied().filter(|material| *material < surfaces.len());
        let binds: Vec<ColorBind> = known
            .map(|material| {
                let strength = if color == BoundColor::Emission { self.emissive_strength(material) } else { 1.0 };
                let target = scaled(target.truncate(), strength).extend(target.w);
                ColorBind { material, color, target }
            })
            .collect();
        to.colors.extend(self.kept(&to.name, binds));
    }

    fn bind_coords(&mut self, to: &mut Expression, materials: &[usize], scale: Vec2, offset: Vec2) {
        let surfaces = self.bindable.surfaces;
        let known = materials.iter().filter_map(|material| Some((*material, surfaces.get(*material)?)));
        let binds: Vec<CoordBind> = known
            .map(|(material, surface)| {
                let rest = surface.coords.transform.unwrap_or(Affine2::IDENTITY);
                CoordBind { material, rest, scale, offset }
            })
            .collect();
        to.coords.extend(self.kept(&to.name, binds));
    }

    fn emissive_strength(&self, material: usize) -> f32 {
        let source = self.loader.source.document.materials.get(material).and_then(|material| material.valid());
        let extension =
            source.and_then(|source| MaterialExtensions(source).extension("KHR_materials_emissive_strength"));
        extension.and_then(|extension| extension.number("emissiveStrength")).filter(|s| s.is_finite()).unwrap_or(1.0)
    }
}
