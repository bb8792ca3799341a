//! Morph targets that came, went, move vertices elsewhere or weigh otherwise.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::Tolerances;
use super::change::{Change, ChangeKind, Measure};
use super::mesh_pair::MeshPair;
use super::rig_match::RigMatch;
use super::surface::Surface;
use crate::rig::{Morph, Rig};

/// Changes of morph targets, by their names.
pub(super) fn morph_changes(both: &RigMatch<'_>, pairs: &[MeshPair<'_>], tolerances: &Tolerances) -> Vec<Change> {
    let [old, new] = [both.old.rig, both.new.rig];
    let only_in = |rig: &Rig, other: &Rig, kind| -> Vec<Change> {
        let only = rig.morphs().iter().filter(|morph| other.morph_named(&morph.name).is_none());
        only.map(|morph| Change::new(kind, &morph.name)).collect()
    };
    let mut changes = only_in(old, new, ChangeKind::MorphRemoved);
    changes.extend(only_in(new, old, ChangeKind::MorphAdded));
    let weights = [old, new].map(|rig| rig.instances.iter().map(|i| i.morph_weights.clone()).collect::<Vec<_>>());
    for (was, now) in in_both(both) {
        let difference = (was.weight(&weights[0]) - now.weight(&weights[1])).abs();
        if difference > tolerances.share {
            changes.push(Change::new(ChangeKind::MorphWeight, &was.name).with(Measure::Largest, difference));
        }
    }
    changes.extend(shape_changes(both, pairs, tolerances));
    changes
}

fn in_both<'a>(both: &RigMatch<'a>) -> impl Iterator<Item = (&'a Morph, &'a Morph)> {
    let new = both.new.rig;
    both.old.rig.morphs().iter().filter_map(|was| Some((was, &new.morphs()[new.morph_named(&was.name)?.index()])))
}

/// The largest difference and how many vertices have one, of each morph.
fn shape_changes(both: &RigMatch<'_>, pairs: &[MeshPair<'_>], tolerances: &Tolerances) -> Vec<Change> {
    let names: BTreeSet<&str> = in_both(both).map(|(was, _)| was.name.as_str()).collect();
    let targets = [targets(both.old.rig, &names), targets(both.new.rig, &names)];
    let mut changed: BTreeMap<&str, (f32, usize)> = BTreeMap::new();
    for pair in pairs {
        let [was, now] = [0, 1].map(|side| targets[side].get(&pair.instances[side]));
        let here: BTreeSet<&str> = was.into_iter().chain(now).flat_map(BTreeMap::keys).copied().collect();
        for name in here {
            let [was, now] = [was, now].map(|targets| targets.and_then(|targets| targets.get(name)).copied());
            for (from, to) in pair.vertices.pairs() {
                let moved = displacement(&pair.new, now, to);
                let moved = pair.old_from_new.map_or(moved, |map| map.transform_vector3(moved));
                let distance = moved.distance(displacement(&pair.old, was, from)) / pair.metre;
                if distance > tolerances.distance_m {
                    let (largest, vertices) = changed.entry(name).or_default();
                    (*largest, *vertices) = (largest.max(distance), *vertices + 1);
                }
            }
        }
    }
    let told = changed.into_iter().map(|(name, (largest, vertices))| {
        let change = Change::new(ChangeKind::MorphShape, name).with(Measure::Distance, largest);
        change.with(Measure::Vertices, vertices as f64)
    });
    told.collect()
}

/// Of each instance the targets of some morphs.
fn targets<'a>(rig: &'a Rig, names: &BTreeSet<&str>) -> BTreeMap<usize, BTreeMap<&'a str, usize>> {
    let mut targets: BTreeMap<usize, BTreeMap<&str, usize>> = BTreeMap::new();
    for morph in rig.morphs().iter().filter(|morph| names.contains(morph.name.as_str())) {
        for place in &morph.targets {
            targets.entry(place.instance).or_default().insert(&morph.name, place.target);
        }
    }
    targets
}

fn displacement(surface: &Surface<'_>, target: Option<usize>, vertex: usize) -> Vec3 {
    let (primitive, vertex) = surface.place(vertex);
    let target = target.and_then(|target| primitive.morph_targets.get(target));
    target.and_then(|target| target.positions.get(vertex)).copied().unwrap_or_default()
}
