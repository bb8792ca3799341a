//! Measurements of meshes, materials, textures, joints and clips.

#![expect(clippy::unnecessary_wraps, reason = "all measures are taken in one way, and some may fail")]

use std::collections::{BTreeMap, BTreeSet};

use super::super::finding::{name_list, short};
use super::super::joints::skin_name;
use super::super::{NodeList, Target};
use super::inventory::{Inventory, InventoryPrimitive};
use super::{Measure, Measurement, NamedObjectKind, Rule, measurement::Measurements};
use rigscope_core::rig::{MapKind, Material, NodeIndex, VertexList, bounds_of};
use rigscope_core::text::counted;

const NAMED: usize = 3;

fn sum_over_meshes<'a>(
    inventory: &'a Inventory<'_>,
    rule: &Rule,
    parts: &[(&'a InventoryPrimitive<'a>, usize)],
) -> Measurement {
    let mut of_meshes: BTreeMap<usize, (usize, &InventoryPrimitive<'a>)> = BTreeMap::new();
    for (part, count) in parts {
        of_meshes.entry(part.place.instance).or_insert((0, part)).0 += count;
    }
    let mut heaviest: Vec<(usize, &InventoryPrimitive<'_>)> = of_meshes.into_values().collect();
    heaviest.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let named = |(count, part): &(usize, &InventoryPrimitive<'a>)| format!("{} ({count})", mesh_name(inventory, part));
    let detail = if heaviest.len() > 1 {
        heaviest.iter().take(NAMED).map(named).collect::<Vec<_>>().join(", ")
    } else {
        String::new()
    };
    let target = heaviest.first().map_or(Target::File, |(_, part)| primitive_target(part));
    Measurement::of_file(rule, parts.iter().map(|(_, count)| *count).sum::<usize>() as f64, detail, target)
}

fn mesh_name(inventory: &Inventory<'_>, part: &InventoryPrimitive<'_>) -> String {
    let mesh = part.linted.mesh;
    let name = if mesh.name.is_empty() { inventory.rig.hierarchy.name(part.instance.node) } else { &mesh.name };
    short(name)
}

fn primitive_target(part: &InventoryPrimitive<'_>) -> Target {
    let (mesh, primitive) = (part.linted.mesh.source, part.primitive.source);
    Target::Primitive { mesh, primitive, vertices: VertexList::default(), joint: None }
}

pub(super) fn triangles(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let parts: Vec<_> = inventory.parts(rule).map(|part| (part, part.primitive.indices.len() / 3)).collect();
    Ok(vec![sum_over_meshes(inventory, rule, &parts)])
}

pub(super) fn mesh_triangles(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    Ok(of_meshes(inventory, rule, |parts| parts.iter().map(|part| part.primitive.indices.len() / 3).sum()))
}

pub(super) fn mesh_materials(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let materials = |parts: &[&InventoryPrimitive<'_>]| {
        parts.iter().map(|part| part.primitive.material.map(|material| material.0)).collect::<BTreeSet<_>>().len()
    };
    Ok(of_meshes(inventory, rule, materials))
}

fn of_meshes(
    inventory: &Inventory<'_>,
    rule: &Rule,
    count: impl Fn(&[&InventoryPrimitive<'_>]) -> usize,
) -> Vec<Measurement> {
    let mut of_meshes: BTreeMap<usize, Vec<&InventoryPrimitive<'_>>> = BTreeMap::new();
    for part in inventory.distinct(rule) {
        of_meshes.entry(part.linted.mesh.source).or_default().push(part);
    }
    let reading = |parts: Vec<&InventoryPrimitive<'_>>| {
        let (name, value) = (mesh_name(inventory, parts[0]), count(&parts) as f64);
        let clause = format!("Mesh \"{name}\" has {}", rule.measure.phrase(value));
        Measurement { value, clause, detail: name, target: primitive_target(parts[0]) }
    };
    of_meshes.into_values().map(reading).collect()
}

pub(super) fn vertices(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let parts: Vec<_> = inventory.distinct(rule).map(|part| (part, part.primitive.positions.len())).collect();
    Ok(vec![sum_over_meshes(inventory, rule, &parts)])
}

pub(super) fn meshes(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let mut instances: BTreeMap<usize, &InventoryPrimitive<'_>> = BTreeMap::new();
    for part in inventory.parts(rule) {
        instances.entry(part.place.instance).or_insert(part);
    }
    let is_skinned = |part: &InventoryPrimitive<'_>| {
        let mesh = part.linted.mesh;
        part.instance.skin.is_some() || mesh.primitives.iter().any(|p| !p.morph_targets.is_empty())
    };
    instances.retain(|_, part| match rule.measure {
        Measure::SkinnedMeshes => is_skinned(part),
        Measure::BasicMeshes => !is_skinned(part),
        _ => true,
    });
    let detail = instances.values().take(NAMED).map(|part| mesh_name(inventory, part)).collect::<Vec<_>>().join(", ");
    let target = instances.values().next().map_or(Target::File, |part| primitive_target(part));
    Ok(vec![Measurement::of_file(rule, instances.len() as f64, detail, target)])
}

pub(super) fn slots(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let parts: Vec<_> = inventory.parts(rule).map(|part| (part, 1)).collect();
    let mut reading = sum_over_meshes(inventory, rule, &parts);
    if let Some(pair) = duplicate_materials(inventory, rule) {
        reading.detail = pair;
    }
    Ok(vec![reading])
}

/// Returns the materials in use, each with the first primitive that uses it; `None` is the default material.
fn used_materials<'a>(
    inventory: &'a Inventory<'a>,
    rule: &'a Rule,
) -> Vec<(Option<usize>, &'a InventoryPrimitive<'a>)> {
    let mut seen = BTreeSet::new();
    let parts = inventory.parts(rule).filter(|part| seen.insert(part.primitive.material.map(|m| m.0)));
    let all: Vec<_> = parts.map(|part| (part.primitive.material.map(|m| m.0), part)).collect();
    let is_left = |index: Option<usize>| index.is_some_and(|index| rule.excludes(&inventory.rig.materials[index].name));
    all.into_iter().filter(|(index, _)| !is_left(*index)).collect()
}

fn material_name(inventory: &Inventory<'_>, index: Option<usize>) -> String {
    match index.map(|index| &inventory.rig.materials[index]) {
        None => "the default material".to_owned(),
        Some(material) if material.name.is_empty() => format!("material {}", index.unwrap_or_default()),
        Some(material) => short(&material.name),
    }
}

fn duplicate_materials(inventory: &Inventory<'_>, rule: &Rule) -> Option<String> {
    let mut by_images: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for index in used_materials(inventory, rule).into_iter().filter_map(|(index, _)| index) {
        let images: Vec<usize> = material_images(&inventory.rig.materials[index], NamedObjectKind::Joints).collect();
        if images.is_empty() {
            continue;
        }
        if let Some(other) = by_images.insert(images, index) {
            let [one, two] = [other, index].map(|index| material_name(inventory, Some(index)));
            return Some(format!("{one} and {two} show the same textures and can be merged"));
        }
    }
    None
}

pub(super) fn materials(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let used = used_materials(inventory, rule);
    let names =
        || used.iter().take(NAMED).map(|(index, _)| material_name(inventory, *index)).collect::<Vec<_>>().join(", ");
    let detail = duplicate_materials(inventory, rule).unwrap_or_else(names);
    let target = used.iter().find_map(|(index, _)| *index).map_or(Target::File, Target::Material);
    Ok(vec![Measurement::of_file(rule, used.len() as f64, detail, target)])
}

/// Returns the images of a material: either only the base-colour image, or the images of all textures.
fn material_images(material: &Material, kind: NamedObjectKind) -> impl Iterator<Item = usize> {
    let others = material
        .maps
        .iter()
        .filter(move |_: &(MapKind, _)| kind != NamedObjectKind::BaseColor)
        .map(|(_, texture)| texture);
    material.texture.iter().chain(others).map(|texture| texture.image)
}

fn used_images(inventory: &Inventory<'_>, rule: &Rule) -> BTreeMap<usize, usize> {
    let mut shown = BTreeMap::new();
    for index in used_materials(inventory, rule).into_iter().filter_map(|(index, _)| index) {
        for image in material_images(&inventory.rig.materials[index], rule.kind) {
            shown.entry(image).or_insert(index);
        }
    }
    shown
}

pub(super) fn textures(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let shown = used_images(inventory, rule);
    let target = shown.values().next().copied().map_or(Target::File, Target::Material);
    Ok(vec![Measurement::of_file(rule, shown.len() as f64, String::new(), target)])
}

pub(super) fn texture_sides(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let reading = |(image, material): (usize, usize)| {
        let found = &inventory.rig.images[image];
        let name = material_name(inventory, Some(material));
        let side = f64::from(found.width.max(found.height));
        let clause = format!("A texture of {name} has {}", rule.measure.phrase(side));
        Measurement { value: side, clause, detail: format!("of {name}"), target: Target::Material(material) }
    };
    Ok(used_images(inventory, rule).into_iter().map(reading).collect())
}

fn levels(width: u32, height: u32) -> impl Iterator<Item = [u64; 2]> {
    let halved = |[width, height]: &[u64; 2]| {
        let is_last = *width <= 1 && *height <= 1;
        (!is_last).then(|| [(width / 2).max(1), (height / 2).max(1)])
    };
    std::iter::successors(Some([width, height].map(u64::from)), halved)
}

fn level_bytes(measure: Measure, size: [u64; 2]) -> u64 {
    let blocks = |side: u64| size.map(|pixels| pixels.div_ceil(side)).into_iter().product::<u64>();
    match measure {
        Measure::TextureMemoryBc7 => blocks(4) * 16,
        Measure::TextureMemoryAstc => blocks(6) * 16,
        _ => blocks(1) * 4,
    }
}

pub(super) fn texture_memory(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let bytes = |image: usize| {
        let image = &inventory.rig.images[image];
        levels(image.width, image.height).map(|size| level_bytes(rule.measure, size)).sum::<u64>() as f64
    };
    let mut shown: Vec<(f64, usize)> =
        used_images(inventory, rule).into_iter().map(|(image, material)| (bytes(image), material)).collect();
    shown.sort_by(|a, b| b.0.total_cmp(&a.0));
    let detail = shown.first().map_or(String::new(), |(bytes, material)| {
        format!("the largest {} of {}", rule.measure.number(*bytes), material_name(inventory, Some(*material)))
    });
    let target = shown.first().map_or(Target::File, |(_, material)| Target::Material(*material));
    Ok(vec![Measurement::of_file(rule, shown.iter().fold(0.0, |sum, (bytes, _)| sum + bytes), detail, target)])
}

pub(super) fn joints(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let hierarchy = &inventory.rig.hierarchy;
    let under = inventory.under(rule);
    let is_counted = |node: &NodeIndex| {
        let is_named = rule.names.is_empty() || rule.names.iter().any(|pattern| pattern.fits(hierarchy.name(*node)));
        let hangs = under.as_ref().is_none_or(|under| under[node.index()]);
        is_named && hangs && !rule.excludes(hierarchy.name(*node))
    };
    let joints: Vec<NodeIndex> =
        hierarchy.nodes().filter(|node| inventory.rig.is_joint(*node) && is_counted(node)).collect();
    let idle: Vec<NodeIndex> = unused(inventory).into_iter().filter(is_counted).collect();
    let detail = if idle.is_empty() {
        String::new()
    } else {
        counted(idle.len(), "of them moves nothing", "of them move nothing")
    };
    let listed = if idle.is_empty() { &joints } else { &idle };
    let target = Target::Nodes(NodeList::new(hierarchy, listed.iter().copied()));
    Ok(vec![Measurement::of_file(rule, joints.len() as f64, detail, target)])
}

pub(super) fn skin_joints(inventory: &Inventory<'_>, _: &Rule) -> Measurements {
    let reading = |skin: &rigscope_core::rig::Skin| {
        let name = format!("S{}", skin_name(skin).trim_start_matches('s'));
        let clause = format!("{name} has {}", counted(skin.joints.len(), "joint", "joints"));
        Measurement { value: skin.joints.len() as f64, clause, detail: name, target: Target::Skin(skin.source) }
    };
    Ok(inventory.rig.skins.iter().map(reading).collect())
}

fn unused(inventory: &Inventory<'_>) -> Vec<NodeIndex> {
    let rig = inventory.rig;
    let mut is_used = vec![false; rig.hierarchy.len()];
    let nodes: Vec<NodeIndex> = rig.hierarchy.nodes().collect();
    for &node in nodes.iter().rev() {
        is_used[node.index()] |= rig.moved_vertices(node) > 0;
        if let Some(parent) = rig.hierarchy.parent(node) {
            is_used[parent.index()] |= is_used[node.index()];
        }
    }
    nodes.into_iter().filter(|node| rig.is_joint(*node) && !is_used[node.index()]).collect()
}

pub(super) fn unused_joints(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    Ok(vec![of_nodes(inventory, rule.measure, &unused(inventory))])
}

pub(super) fn of_nodes(inventory: &Inventory<'_>, measure: Measure, nodes: &[NodeIndex]) -> Measurement {
    let hierarchy = &inventory.rig.hierarchy;
    let detail = name_list(hierarchy, nodes);
    let target =
        if nodes.is_empty() { Target::File } else { Target::Nodes(NodeList::new(hierarchy, nodes.iter().copied())) };
    let value = nodes.len() as f64;
    let names = if detail.is_empty() { String::new() } else { format!(": {detail}") };
    Measurement { value, clause: format!("The file has {}{names}", measure.phrase(value)), detail, target }
}

pub(super) fn influences(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let skinned = inventory.distinct(rule).filter(|part| part.primitive.influences.is_some());
    let reading = |part: &InventoryPrimitive<'_>| Measurement {
        value: part.influences as f64,
        clause: format!("{}: up to {}", part.linted, counted(part.influences, "influence", "influences")),
        detail: mesh_name(inventory, part),
        target: primitive_target(part),
    };
    Ok(skinned.map(reading).collect())
}

pub(super) fn over_influences(
    inventory: &Inventory<'_>,
    reading: &Measurement,
    limit: f64,
) -> Option<(String, Target)> {
    let Target::Primitive { mesh, primitive, .. } = reading.target else { return None };
    let is_it = |part: &&InventoryPrimitive<'_>| part.linted.mesh.source == mesh && part.primitive.source == primitive;
    let part = inventory.parts.iter().find(is_it)?;
    let influences = part.primitive.influences.as_ref()?;
    let count = |vertex: usize| influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0).count();
    let vertices: VertexList = (0..influences.len()).filter(|&vertex| count(vertex) as f64 > limit).collect();
    let have = counted(vertices.count(), "vertex has", "vertices have");
    let max = counted(part.influences, "influence", "influences");
    let clause = format!("{}: {have} up to {max}", part.linted);
    Some((clause, Target::Primitive { mesh, primitive, vertices, joint: None }))
}

pub(super) fn influenced_by(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let hierarchy = &inventory.rig.hierarchy;
    let is_named = |node: &NodeIndex| rule.names.iter().any(|pattern| pattern.fits(hierarchy.name(*node)));
    let nodes: Vec<NodeIndex> =
        hierarchy.nodes().filter(|node| is_named(node) && inventory.rig.moved_vertices(*node) > 0).collect();
    let value: usize = nodes.iter().map(|node| inventory.rig.moved_vertices(*node)).sum();
    let target =
        if nodes.is_empty() { Target::File } else { Target::Nodes(NodeList::new(hierarchy, nodes.iter().copied())) };
    Ok(vec![Measurement::of_file(rule, value as f64, name_list(hierarchy, &nodes), target)])
}

pub(super) fn uv_sets(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let reading = |part: &InventoryPrimitive<'_>| {
        let sets =
            usize::from(part.primitive.tex_coords.is_some()) + usize::from(part.primitive.second_tex_coords.is_some());
        let clause = format!("{} has {}", part.linted, rule.measure.phrase(sets as f64));
        Measurement { value: sets as f64, clause, detail: mesh_name(inventory, part), target: primitive_target(part) }
    };
    Ok(inventory.distinct(rule).map(reading).collect())
}

pub(super) fn morph_targets(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let morphs = inventory.rig.morphs().iter().filter(|morph| !rule.excludes(&morph.name)).count();
    Ok(vec![Measurement::of_file(rule, morphs as f64, String::new(), Target::File)])
}

pub(super) fn morph_vertices(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let of_part = |part: &InventoryPrimitive<'_>| -> Vec<Measurement> {
        let reading = |(number, morph): (usize, &rigscope_core::rig::MorphTarget)| {
            let moves = morph.positions.iter().enumerate().filter(|(_, by)| by.length_squared() > 0.0);
            let vertices: VertexList = moves.map(|(vertex, _)| vertex).collect();
            let count = counted(vertices.count(), "vertex", "vertices");
            let (mesh, primitive) = (part.linted.mesh.source, part.primitive.source);
            Measurement {
                value: vertices.count() as f64,
                clause: format!("{}: morph target {number} moves {count}", part.linted),
                detail: format!("morph target {number} of {}", mesh_name(inventory, part)),
                target: Target::Primitive { mesh, primitive, vertices, joint: None },
            }
        };
        part.primitive.morph_targets.iter().enumerate().map(reading).collect()
    };
    Ok(inventory.distinct(rule).flat_map(of_part).collect())
}

pub(super) fn clips(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let rig = inventory.rig;
    let meant = rig.clips.iter().enumerate().filter(|(_, clip)| !rule.excludes(&clip.name));
    if rule.measure == Measure::Clips {
        let numbers: Vec<usize> = meant.map(|(number, _)| number).collect();
        let place = numbers.first().map_or(Target::File, |&clip| Target::clip(clip));
        return Ok(vec![Measurement::of_file(rule, numbers.len() as f64, String::new(), place)]);
    }
    let reading = |(number, clip): (usize, &rigscope_core::rig::Clip)| {
        let (rate, seconds) = (f64::from(rig.frame_rate(number).per_sec), f64::from(clip.duration_secs));
        let value = match rule.measure {
            Measure::ClipSeconds => seconds,
            Measure::ClipRate => rate,
            _ => (seconds * rate).round(),
        };
        let name =
            if clip.name.is_empty() { format!("Clip {number}") } else { format!("Clip \"{}\"", short(&clip.name)) };
        let has = if rule.measure == Measure::ClipSeconds { "is" } else { "has" };
        Measurement {
            value,
            clause: format!("{name} {has} {}", rule.measure.phrase(value)),
            detail: name,
            target: Target::clip(number),
        }
    };
    let all: Vec<Measurement> = meant.map(reading).collect();
    if all.is_empty() { Err("the file has no clips".to_owned()) } else { Ok(all) }
}

pub(super) fn file_bytes(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let bytes = inventory.file_bytes.ok_or("the size of the file is not known")? as f64;
    let clause = format!("The file has {}", rule.measure.number(bytes));
    Ok(vec![Measurement { value: bytes, clause, detail: String::new(), target: Target::File }])
}

pub(super) fn unit(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let metres = inventory.rig.unit_metres.ok_or("the unit of the file is not known")?;
    let clause = format!("A unit of the file is {}", rule.measure.number(metres));
    Ok(vec![Measurement { value: metres, clause, detail: String::new(), target: Target::File }])
}

pub(super) fn extent(inventory: &Inventory<'_>, rule: &Rule) -> Measurements {
    let rig = inventory.rig;
    let bounds = if rule.meshes.is_empty() && rule.under.is_empty() {
        rig.rest_bounds()
    } else {
        let meant: BTreeSet<_> = inventory.parts(rule).map(|part| part.place).collect();
        bounds_of(rig, &inventory.rest, &|part| meant.contains(&part))
    };
    if bounds.is_empty() {
        return Err("the file draws nothing".to_owned());
    }
    let size = bounds.max - bounds.min;
    let (value, words) = match rule.measure {
        Measure::Width => (f64::from(size.x), "wide"),
        Measure::Depth => (f64::from(size.z), "deep"),
        _ => (f64::from(size.y), "high"),
    };
    // Single precision has no more digits.
    let value = (value * 1e5).round() / 1e5;
    let clause = format!("At rest it is {} {words}", rule.measure.number(value));
    Ok(vec![Measurement { value, clause, detail: String::new(), target: Target::File }])
}
