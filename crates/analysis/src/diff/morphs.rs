use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::Tolerances;
use super::change::{Change, ChangeKind, ChangeMeasure, ChangedObject};
use super::meshes::{LargestDifference, tolerance_m};
use rigscope_core::matching::{IndexMatch, MatchSurface, MeshPair, RigMatch, morph_match};
use rigscope_core::rig::Morph;

const MAX_RENAMED: usize = 64;

pub(super) fn match_morphs(both: &RigMatch<'_>, mesh_pairs: &[MeshPair<'_>], tolerances: &Tolerances) -> IndexMatch {
    let [old, new] = [both.old.rig.morphs(), both.new.rig.morphs()];
    let mut same = morph_match(both.old.rig, both.new.rig);
    let gone: Vec<usize> = same.unmatched_old().take(MAX_RENAMED).collect();
    let came: Vec<usize> = same.unmatched_new().take(MAX_RENAMED).collect();
    for was in gone {
        let alike = came.iter().copied().filter(|&now| same.old_for(now).is_none());
        if let Some(now) = alike.into_iter().find(|&now| is_same_shape(mesh_pairs, &old[was], &new[now], tolerances)) {
            same.join(was, now);
        }
    }
    same
}

fn is_same_shape(mesh_pairs: &[MeshPair<'_>], was: &Morph, now: &Morph, tolerances: &Tolerances) -> bool {
    let target = |morph: &Morph, instance: usize| {
        morph.targets.iter().find(|place| place.instance == instance).map(|place| place.target)
    };
    let mut is_moving = false;
    for pair in mesh_pairs {
        let targets = [target(was, pair.instances[0]), target(now, pair.instances[1])];
        if targets == [None; 2] {
            continue;
        }
        let tolerance = tolerance_m(pair, tolerances);
        for vertices in pair.vertices.pairs() {
            if moved_apart(pair, targets, vertices) > tolerance {
                return false;
            }
            is_moving |= displacement(&pair.old, targets[0], vertices.0).length() > tolerance * pair.metre;
        }
    }
    is_moving
}

pub(super) fn morph_changes(
    both: &RigMatch<'_>,
    mesh_pairs: &[MeshPair<'_>],
    same: &IndexMatch,
    tolerances: &Tolerances,
) -> Vec<Change> {
    let [old, new] = [both.old.rig, both.new.rig];
    let removed = same.unmatched_old().map(|number| {
        Change::new(ChangeKind::MorphRemoved, &old.morphs()[number].name).at_old(ChangedObject::Morph(number))
    });
    let added = same.unmatched_new().map(|number| {
        Change::new(ChangeKind::MorphAdded, &new.morphs()[number].name).at_new(ChangedObject::Morph(number))
    });
    let mut changes: Vec<Change> = removed.chain(added).collect();
    let pairs: Vec<(&Morph, &Morph)> =
        same.pairs().map(|(was, now)| (&old.morphs()[was], &new.morphs()[now])).collect();
    let renamed = pairs.iter().filter(|(was, now)| was.name != now.name);
    changes.extend(
        renamed.map(|(was, now)| Change::new(ChangeKind::MorphRenamed, &was.name).was(&was.name).now(&now.name)),
    );
    let weights = [old, new].map(|rig| rig.instances.iter().map(|i| i.morph_weights.clone()).collect::<Vec<_>>());
    for (was, now) in &pairs {
        let difference = (was.weight(&weights[0]) - now.weight(&weights[1])).abs();
        if difference > tolerances.fraction {
            changes.push(Change::new(ChangeKind::MorphWeight, &was.name).with(ChangeMeasure::Largest, difference));
        }
    }
    changes.extend(shape_changes(mesh_pairs, &pairs, tolerances));
    let placed = |change: Change| match (change.place, old.morph_named(&change.object_name)) {
        (None, Some(morph)) => change.at_old(ChangedObject::Morph(morph.index())),
        _ => change,
    };
    changes.into_iter().map(placed).collect()
}

fn shape_changes(pairs: &[MeshPair<'_>], morphs: &[(&Morph, &Morph)], tolerances: &Tolerances) -> Vec<Change> {
    let targets = [
        targets(morphs.iter().map(|(was, _)| (&*was.name, *was))),
        targets(morphs.iter().map(|(was, now)| (&*was.name, *now))),
    ];
    let mut changed: BTreeMap<&str, LargestDifference> = BTreeMap::new();
    for pair in pairs {
        let [was, now] = [0, 1].map(|side| targets[side].get(&pair.instances[side]));
        let here: BTreeSet<&str> = was.into_iter().chain(now).flat_map(BTreeMap::keys).copied().collect();
        for name in here {
            let [was, now] = [was, now].map(|targets| targets.and_then(|targets| targets.get(name)).copied());
            for (from, to) in pair.vertices.pairs() {
                let distance = moved_apart(pair, [was, now], (from, to));
                changed.entry(name).or_default().add(distance, tolerance_m(pair, tolerances));
            }
        }
    }
    let change = |(name, largest): (&str, LargestDifference)| {
        largest.describe(Change::new(ChangeKind::MorphShape, name), ChangeMeasure::Distance)
    };
    changed.into_iter().filter_map(change).collect()
}

/// Returns the distance, in metres, between the displacements of a vertex pair in the two versions.
fn moved_apart(pair: &MeshPair<'_>, [was, now]: [Option<usize>; 2], (from, to): (usize, usize)) -> f32 {
    let moved = displacement(&pair.new, now, to);
    let moved = pair.old_from_new.map_or(moved, |map| map.transform_vector3(moved));
    moved.distance(displacement(&pair.old, was, from)) / pair.metre
}

/// Returns indices of morph targets, by mesh instance and old name.
fn targets<'a>(morphs: impl Iterator<Item = (&'a str, &'a Morph)>) -> BTreeMap<usize, BTreeMap<&'a str, usize>> {
    let mut targets: BTreeMap<usize, BTreeMap<&str, usize>> = BTreeMap::new();
    for (name, morph) in morphs {
        for place in &morph.targets {
            targets.entry(place.instance).or_default().insert(name, place.target);
        }
    }
    targets
}

fn displacement(surface: &MatchSurface<'_>, target: Option<usize>, vertex: usize) -> Vec3 {
    let (primitive, vertex) = surface.place(vertex);
    let target = target.and_then(|target| primitive.morph_targets.get(target));
    target.and_then(|target| target.positions.get(vertex)).copied().unwrap_or_default()
}
