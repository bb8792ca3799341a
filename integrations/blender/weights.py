"""Writes the weights of a file to vertex groups."""

import collections

from mathutils.kdtree import KDTree

from .exported import topology
from .program import Failed

# Weights that differ less are equal: they were rounded.
ROUNDING = 1e-4
# Vertices that are nearer are at one position, in fractions of the mesh's longest side.
NEAR = 1e-5

Incoming = collections.namedtuple("Incoming", "thing joints weights")
Incoming.__doc__ = "Weights for a mesh: the names of the file's joints, and (joint, weight) pairs by Blender vertex."


def incoming(file, armature, meshes, fresh):
    """Returns the file's weights for each mesh that it contains.

    Vertices are found by their stored index if the mesh has the topology that it was exported with, otherwise by position in `fresh()`, a new export.
    Raises Failed if some vertices can't be found, or meshes belong to another file.
    """
    by_name = {thing.name: thing for thing in meshes}
    found = [(by_name[name], mesh, skin) for name, mesh, skin in file.objects() if skin is not None and name in by_name]
    if not found:
        raise Failed(f"{file.path} has none of the meshes of {armature.name}")
    check_editable([thing for thing, _, _ in found])
    return [Incoming(thing, file.joints(skin), weights_by_vertex(file, mesh, thing, fresh)) for thing, mesh, skin in found]


def check_editable(meshes):
    """Raises Failed if some meshes are linked from another .blend file."""
    if linked := [thing.name for thing in meshes if not (thing.is_editable and thing.data.is_editable)]:
        raise Failed(f"These meshes come from another file and cannot be edited here: {', '.join(linked)}")


def weights_by_vertex(file, mesh, thing, fresh):
    numbers, rows = file.all_vertices(mesh), file.influences(mesh)
    if numbers is None or file.topology(mesh) not in (None, topology(thing.data)) or numbers.max(initial=-1) >= len(thing.data.vertices):
        numbers, rows = by_position(file.positions(mesh), rows, thing.name, fresh())
    weights = {}
    for vertex, pairs in zip(numbers, rows):
        weights.setdefault(int(vertex), pairs)
    return weights


def by_position(positions, rows, name, fresh):
    """Returns Blender vertices and their influences, from the file's vertices at the positions of a new export."""
    (mesh,) = (mesh for other, mesh, _ in fresh.objects() if other == name)
    wanted, vertices = fresh.positions(mesh), fresh.all_vertices(mesh)
    tree = KDTree(len(positions))
    for row, position in enumerate(positions):
        tree.insert(position, row)
    tree.balance()
    reach = NEAR * float((wanted.max(axis=0) - wanted.min(axis=0)).max())
    at_position = collections.defaultdict(list)
    for position, vertex in zip(wanted, vertices):
        at_position[tuple(sorted(row for _, row, _ in tree.find_range(position, reach)))].append(int(vertex))
    if lost := set(at_position.pop((), ())):
        count = f"{len(lost)} of {len(set(vertices.tolist()))} vertices of {name}"
        raise Failed(f"{count} are not in the file, because the mesh changed since its export. Nothing was changed; open it in Rigscope again")
    numbers, found = [], []
    for candidates, group in at_position.items():
        # Several vertices at one position have the order of the file.
        ordered = sorted(set(group))
        for place, vertex in enumerate(ordered):
            numbers.append(vertex)
            found.append(rows[candidates[place * len(candidates) // len(ordered)]])
    return numbers, found


def write(found, bones):
    """Writes weights to the vertex groups named like bones. Requires object mode.

    Locked groups keep their weights exactly; the other bones share what the locked ones leave. Groups that don't belong to a bone, and vertices whose weights
    are already the same, stay as they are.

    Returns the number of changed vertices, and the names of locked groups. If this fails, it raises Failed and changes nothing.
    """
    changed, locked = 0, set()
    kept = [(each.thing, *groups_of(each.thing)) for each in found]
    try:
        for each, (_, names, rows) in zip(found, kept):
            joints = [joint for joint in each.joints if joint in bones]
            held = {group.name for group in each.thing.vertex_groups if group.lock_weight and group.name in joints}
            new = new_weights(rows, each, set(joints), held)
            set_weights(each.thing, [joint for joint in joints if joint not in held], new)
            changed += len(new)
            locked |= held
    except Exception as problem:
        for thing, names, rows in kept:
            restore(thing, names, rows)
        raise Failed(f"The weights were not changed: {problem}") from problem
    return changed, sorted(locked)


def groups_of(thing):
    """Returns the names of a mesh's groups, and each vertex's weights by group name."""
    names = [group.name for group in thing.vertex_groups]
    return names, [{names[element.group]: element.weight for element in vertex.groups} for vertex in thing.data.vertices]


def new_weights(rows, each, bones, locked):
    """Returns new weights of unlocked bones, by vertex and name.

    Leaves out vertices for which the file only has weights of locked groups, and those whose weights don't change.
    """
    new = {}
    for vertex, pairs in each.weights.items():
        old, wanted = {name: weight for name, weight in rows[vertex].items() if name in bones}, {}
        for joint, weight in pairs:
            if (name := each.joints[joint]) in bones:
                wanted[name] = wanted.get(name, 0) + weight
        kept = {name: weight for name, weight in old.items() if name in locked}
        free = {name: weight for name, weight in wanted.items() if name not in locked}
        left, total = max(1 - sum(kept.values()), 0), sum(free.values())
        if not total:
            continue
        free = {name: weight * left / total for name, weight in free.items() if left}
        if not is_same(old, wanted) and not is_same(old, {**kept, **free}):
            new[vertex] = free
    return new


def is_same(old, new):
    """Returns True if both have the same fractions of their sums, as an export normalises weights."""
    sums = sum(old.values()), sum(new.values())
    if not all(sums):
        return False
    return all(abs(old.get(name, 0) / sums[0] - new.get(name, 0) / sums[1]) < ROUNDING for name in {*old, *new})


def set_weights(thing, names, new):
    """Replaces the weights of the vertices in `new`, in the groups with these names."""
    groups, vertices = thing.vertex_groups, list(new)
    for name in names:
        if old := groups.get(name):
            old.remove(vertices)
    for vertex, by_name in new.items():
        for name, weight in by_name.items():
            (groups.get(name) or groups.new(name=name)).add([vertex], weight, "REPLACE")


def restore(thing, names, rows):
    """Restores a mesh's groups and weights."""
    for group in list(thing.vertex_groups):
        if group.name not in names:
            thing.vertex_groups.remove(group)
            continue
        group.remove(range(len(rows)))
        for vertex, row in enumerate(rows):
            if group.name in row:
                group.add([vertex], row[group.name], "REPLACE")
