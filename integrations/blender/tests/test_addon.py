"""The add-on in Blender without a window: every operator in every mode, with the program, with the Python module, and with neither.

    RIGSCOPE=target/debug/rigscope python -m pytest integrations/blender/tests      (needs the module bpy)
"""

import importlib.util
import json
import os
import stat
import struct
import subprocess
import sys
import tempfile
import time
import types
import zipfile
from pathlib import Path
from unittest import mock

# Keeps the tests away from the user's Blender settings.
os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp()

import bpy
import numpy
import pytest

FOLDER = Path(__file__).resolve().parent.parent
SAMPLES = Path(os.environ.get("RIGSCOPE_SAMPLES", FOLDER.parent.parent.parent / "shared/samples"))
# Not that of the Python module.
NAME = "rigscope_addon"
PROGRAM = os.environ.get("RIGSCOPE", str(FOLDER.parent.parent / "target/debug/rigscope"))


@pytest.fixture(scope="session", autouse=True)
def addon():
    # Only once, because repeated calls break Blender's module.
    bpy.ops.wm.read_factory_settings(use_empty=True)
    spec = importlib.util.spec_from_file_location(NAME, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)])
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    spec.loader.exec_module(module)
    module.register()
    yield module
    module.unregister()


@pytest.fixture(autouse=True)
def place(addon, tmp_path, monkeypatch):
    """A folder for exports, with a script `rigscope` on the PATH that records the arguments of windows instead of opening them."""
    real = bpy.utils.user_resource
    monkeypatch.setattr(bpy.utils, "user_resource", lambda kind, **rest: str(tmp_path) if rest.get("path") == "rigscope" else real(kind, **rest))
    tools = tmp_path / "bin"
    tools.mkdir()
    script = tools / "rigscope"
    script.write_text(f'#!/bin/sh\nif [ "$1" = --reuse ]; then echo "$@" >> "{tmp_path}/opened"; else exec "{PROGRAM}" "$@"; fi\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    return tmp_path


def clear():
    """Removes all objects, meshes and armatures."""
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    bpy.data.batch_remove([*bpy.data.objects, *bpy.data.meshes, *bpy.data.armatures])


@pytest.fixture
def tube():
    """A bent tube with two bones and manual weights, as a user would make it in Blender."""
    clear()
    bpy.ops.mesh.primitive_cylinder_add(vertices=12, radius=0.2, depth=2)
    mesh = bpy.context.active_object
    mesh.name = "Skin"
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=6)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.armature_add(location=(0, 0, 0))
    armature = bpy.context.active_object
    armature.name = "Rig"
    bpy.ops.object.mode_set(mode="EDIT")
    lower = armature.data.edit_bones[0]
    lower.name, lower.head, lower.tail = "Lower", (0, 0, -1), (0, 0, 0)
    upper = armature.data.edit_bones.new("Upper")
    upper.head, upper.tail, upper.parent = (0, 0, 0), (0, 0, 1), lower
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh.parent = armature
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    groups = [mesh.vertex_groups.new(name=name) for name in ("Lower", "Upper", "Painted")]
    for vertex in mesh.data.vertices:
        groups[vertex.co.z > 0].add([vertex.index], 1.0, "REPLACE")
    groups[2].add([0], 0.5, "REPLACE")
    return armature, mesh


def weights(mesh):
    """Returns a row for each vertex: its weights for Lower and Upper."""
    names = {group.index: group.name for group in mesh.vertex_groups}
    rows = numpy.zeros((len(mesh.data.vertices), 2))
    for vertex in mesh.data.vertices:
        for element in vertex.groups:
            if names[element.group] in ("Lower", "Upper"):
                rows[vertex.index, int(names[element.group] == "Upper")] = element.weight
    return rows


def edit_in_rigscope(place, method="rigid", command="weights"):
    """Opens the character and exports other weights for it as Rigscope's window does: beside the export, under the name that it suggests."""
    assert bpy.ops.rigscope.open() == {"FINISHED"}
    exported, edited = place / "untitled-Rig.glb", place / "untitled-Rig.weights.glb"
    subprocess.run([PROGRAM, "weights", exported, "--compute", method, "--output", edited, "--quiet"], check=True)
    if command == "convert":
        subprocess.run([PROGRAM, "convert", edited, "--output", place / "untitled-Rig.rig.glb", "--quiet"], check=True)
        edited.unlink()


def opened(place):
    for _ in range(100):
        if (place / "opened").exists():
            return (place / "opened").read_text().splitlines()
        time.sleep(0.1)
    return []


def test_the_character_is_opened_by_reuse_and_blender_stays_as_it_is(place, tube):
    armature, mesh = tube
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="POSE")
    assert bpy.ops.rigscope.open() == {"FINISHED"}
    assert opened(place) == [f"--reuse {place}/untitled-Rig.glb"]
    assert bpy.context.mode == "POSE" and "_RIGSCOPE_VERTEX" not in mesh.data.attributes
    assert not list(place.glob("*.part*"))


def test_the_export_before_is_on_side_b(place, tube):
    with pytest.raises(RuntimeError, match="no export to compare with"):
        bpy.ops.rigscope.compare()
    bpy.ops.rigscope.check()
    first = (place / "untitled-Rig.glb").read_bytes()
    tube[1].vertex_groups["Upper"].add([0], 0.25, "ADD")
    assert bpy.ops.rigscope.compare() == {"FINISHED"}
    assert opened(place) == [f"--reuse {place}/untitled-Rig.glb --comparison-file {place}/untitled-Rig-before.glb"]
    assert (place / "untitled-Rig-before.glb").read_bytes() == first != (place / "untitled-Rig.glb").read_bytes()


def test_findings_select_what_they_are_about(tube):
    armature, mesh = tube
    ring = [vertex.index for vertex in mesh.data.vertices if abs(vertex.co.z - 1) < 1e-6]
    for name, weight in (("Lower", 0.002), ("Upper", 0.998)):
        mesh.vertex_groups[name].add(ring, weight, "REPLACE")
    assert bpy.ops.rigscope.check() == {"FINISHED"}
    scene = bpy.context.scene
    codes = [finding.code for finding in scene.rigscope_findings]
    scene.rigscope_finding = codes.index("RIG015")  # an influence under 1/255
    assert bpy.context.mode == "EDIT_MESH" and bpy.context.active_object == mesh
    bpy.ops.object.mode_set(mode="OBJECT")
    selected = {vertex.index for vertex in mesh.data.vertices if vertex.select}
    # The file has 180 vertices, some of them duplicates. The finding lists 100.
    assert selected <= set(ring) and len(selected) > len(ring) / 3
    assert "the first 100 of 180" in scene.rigscope_findings[scene.rigscope_finding].rest

    finding = scene.rigscope_findings.add()
    finding.armature, finding.bones = armature.name, json.dumps(["Upper"])
    scene.rigscope_finding = len(scene.rigscope_findings) - 1
    assert bpy.context.mode == "POSE"
    assert [bone.name for bone in armature.data.bones if bone.select] == ["Upper"]
    scene.rigscope_finding = 99


def test_computed_weights_come_back_as_groups(tube):
    armature, mesh = tube
    before = weights(mesh)
    assert bpy.ops.rigscope.weights(method="closest") == {"FINISHED"}
    after = weights(mesh)
    assert numpy.allclose(after.sum(axis=1), 1, atol=1e-5) and abs(after - before).max() > 0.1
    heights = numpy.array([vertex.co.z for vertex in mesh.data.vertices])
    assert (after[heights > 0.8, 1] > 0.7).all() and (after[heights < -0.8, 0] > 0.7).all()
    assert mesh.vertex_groups["Painted"].weight(0) == 0.5, "groups of no bone stay"


def test_weights_are_brought_back_from_edit_mode(tube):
    _, mesh = tube
    assert bpy.ops.rigscope.weights(method="closest") == {"FINISHED"}
    expected = weights(mesh)
    for group in mesh.vertex_groups:
        if group.name != "Painted":
            group.add(range(len(mesh.data.vertices)), 0.5, "REPLACE")
    # Blender is in this mode after a click on a finding.
    bpy.context.view_layer.objects.active = mesh
    bpy.ops.object.mode_set(mode="EDIT")
    assert bpy.ops.rigscope.weights(method="closest") == {"FINISHED"}
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert numpy.allclose(weights(mesh), expected, atol=1e-6)
    assert mesh.vertex_groups["Painted"].weight(0) == 0.5


@pytest.mark.parametrize("mode", ["OBJECT", "EDIT", "WEIGHT_PAINT", "SCULPT"])
@pytest.mark.parametrize("name", ["weights", "edited"])
def test_one_step_of_undo_takes_weights_back(place, tube, mode, name):
    mesh = tube[1]
    edit_in_rigscope(place)
    mesh.vertex_groups.remove(mesh.vertex_groups["Upper"])
    before = weights(mesh)
    bpy.context.view_layer.objects.active = mesh
    bpy.ops.object.mode_set(mode=mode)
    bpy.ops.ed.undo_push(message="before")
    assert getattr(bpy.ops.rigscope, name)("EXEC_DEFAULT", True) == {"FINISHED"}
    bpy.ops.ed.undo()
    mesh = bpy.data.objects["Skin"]
    assert mesh.mode == mode
    bpy.ops.object.mode_set(mode="OBJECT")
    assert (weights(mesh) == before).all()
    # Blender's undo in edit mode restores weights, but not the list of groups.
    assert [group.name for group in mesh.vertex_groups][:2] == ["Lower", "Painted"] and (mode == "EDIT" or len(mesh.vertex_groups) == 2)


def test_all_weights_are_brought_back_or_none(addon, tube, monkeypatch):
    armature, mesh = tube
    other = mesh.copy()
    other.data, other.name = mesh.data.copy(), "Other"
    bpy.context.scene.collection.objects.link(other)
    before = [weights(thing) for thing in (mesh, other)]
    mesh.vertex_groups.remove(mesh.vertex_groups["Upper"])
    before[0] = weights(mesh)
    real, done = addon.weights.set_weights, []

    def fails_at_the_second(thing, *rest):
        done.append(thing.name)
        real(thing, *rest)
        if len(done) == 2:
            raise RuntimeError("no more")

    monkeypatch.setattr(addon.operators.weights, "set_weights", fails_at_the_second)
    with pytest.raises(RuntimeError, match="not changed: no more"):
        bpy.ops.rigscope.weights(method="closest")
    assert len(done) == 2
    assert all((weights(thing) == was).all() for thing, was in zip((mesh, other), before))
    assert [group.name for group in mesh.vertex_groups] == ["Lower", "Painted"], "a new group is taken away again"


def test_locked_groups_stay_and_the_others_share_what_they_leave(tube):
    _, mesh = tube
    lower, upper = mesh.vertex_groups["Lower"], mesh.vertex_groups["Upper"]
    lower.add(range(len(mesh.data.vertices)), 0.25, "REPLACE")
    lower.lock_weight = True
    before = weights(mesh)
    assert bpy.ops.rigscope.weights(method="closest") == {"FINISHED"}
    after = weights(mesh)
    assert (after[:, 0] == before[:, 0]).all(), "a locked group was overwritten"
    touched = after[:, 1] != before[:, 1]
    assert touched.any() and numpy.allclose(after[touched].sum(axis=1), 1, atol=1e-5)
    upper.lock_weight = True
    assert bpy.ops.rigscope.weights(method="rigid") == {"FINISHED"}
    assert (weights(mesh) == after).all(), "all groups are locked"


def test_hidden_meshes_are_exported_and_checked(addon, place, tube):
    armature, mesh = tube
    hidden = {}
    for name in ("eye", "monitor", "arrow", "collection", "excluded"):
        thing = mesh.copy()
        thing.data, thing.name = mesh.data.copy(), name
        home = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(home)
        home.objects.link(thing)
        hidden[name] = thing
    layers = bpy.context.view_layer.layer_collection.children
    layers["collection"].hide_viewport = layers["excluded"].exclude = True
    hidden["eye"].hide_set(True)
    hidden["monitor"].hide_viewport = hidden["arrow"].hide_select = True
    bpy.context.view_layer.update()
    assert bpy.ops.rigscope.check() == {"FINISHED"}
    names = {name for name, _, _ in addon.operators.File(str(place / "untitled-Rig.glb")).objects()}
    assert names == {"Skin", *hidden}
    # Everything is hidden as before and in the same collections.
    assert hidden["eye"].hide_get() and hidden["monitor"].hide_viewport and hidden["arrow"].hide_select
    assert not hidden["monitor"].hide_get() and not hidden["collection"].visible_get()
    assert "excluded" not in bpy.context.view_layer.objects
    assert all([home.name for home in thing.users_collection] == [name] for name, thing in hidden.items())
    before = weights(hidden["excluded"])
    assert bpy.ops.rigscope.weights(method="closest") == {"FINISHED"}
    assert all(numpy.allclose(weights(thing), weights(mesh), atol=1e-5) for thing in hidden.values())
    assert abs(weights(hidden["excluded"]) - before).max() > 0.1


def test_what_cannot_be_done_is_said(tube, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    for operator in (bpy.ops.rigscope.open, bpy.ops.rigscope.check, bpy.ops.rigscope.weights):
        with pytest.raises(RuntimeError, match="install Rigscope, or name it"):
            operator()
    clear()
    with pytest.raises(RuntimeError, match="Select the character"):
        bpy.ops.rigscope.check()


def test_texts_are_broken_into_lines(addon):
    lines = list(addon.findings.lines("Prune weights under 0.004 and normalise, " * 3))
    assert all(len(line) <= 44 for line in lines) and len(lines) == 3


MODES = {
    "object": {},
    "edit mesh": {"Skin": "EDIT"},
    "edit meshes": {"Skin": "EDIT", "Second": "EDIT"},
    "edit armature": {"Rig": "EDIT"},
    "pose": {"Rig": "POSE"},
    "weight paint": {"Skin": "WEIGHT_PAINT"},
    "weight paint and pose": {"Rig": "POSE", "Skin": "WEIGHT_PAINT"},
    "vertex paint": {"Skin": "VERTEX_PAINT"},
    "texture paint": {"Skin": "TEXTURE_PAINT"},
    "sculpt": {"Skin": "SCULPT"},
}


def copy(mesh, name):
    thing = mesh.copy()
    thing.data, thing.name = mesh.data.copy(), name
    bpy.context.scene.collection.objects.link(thing)
    return thing


def enter(modes):
    """Switches objects to modes; the last one becomes the active object."""
    scene = bpy.context.scene.objects
    for mode in dict.fromkeys(modes.values()):
        things = [scene[name] for name, wanted in modes.items() if wanted == mode]
        for thing in bpy.context.selected_objects:
            thing.select_set(False)
        for thing in things:
            thing.select_set(True)
        bpy.context.view_layer.objects.active = things[-1]
        bpy.ops.object.mode_set(mode=mode)


def state():
    """Returns the mode and visibility of each object, the selection, and the active object."""
    context = bpy.context
    modes = {thing.name: (thing.mode, thing.select_get(), thing.hide_get()) for thing in context.view_layer.objects}
    return modes, {thing.name: thing.hide_viewport for thing in bpy.data.objects}, context.active_object.name, context.mode


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["open", "compare", "check", "weights", "edited"])
def test_operators_work_in_every_mode_with_locks_and_hidden_meshes(addon, place, tube, mode, name):
    armature, mesh = tube
    second, hidden, excluded = (copy(mesh, name) for name in ("Second", "Hidden", "Excluded"))
    edit_in_rigscope(place, "closest")
    home = bpy.data.collections.new("Away")
    bpy.context.scene.collection.children.link(home)
    home.objects.link(excluded)
    bpy.context.scene.collection.objects.unlink(excluded)
    bpy.context.view_layer.layer_collection.children["Away"].exclude = True
    hidden.hide_set(True)
    mesh.vertex_groups["Lower"].lock_weight = True
    enter(MODES[mode])
    before, meshes = state(), (mesh, second, hidden, excluded)
    old = [weights(thing) for thing in meshes]
    assert getattr(bpy.ops.rigscope, name)(**({"method": "closest"} if name == "weights" else {})) == {"FINISHED"}
    assert state() == before
    assert not [key for thing in meshes for key in (*thing.data.attributes.keys(), *thing.data.keys()) if "rigscope" in key.lower()]
    bpy.ops.object.mode_set(mode="OBJECT")
    new = [weights(thing) for thing in meshes]
    changed = [(abs(now - was) > 1e-3).any() for was, now in zip(old, new)]
    if name not in ("weights", "edited"):
        written = {other for other, _, _ in addon.operators.File(str(place / "untitled-Rig.glb")).objects()}
        assert written == {"Skin", "Second", "Hidden", "Excluded"} and not any(changed)
        return
    # The locked group leaves nothing to half of the vertices, and everything to the others.
    assert (new[0] == old[0]).all() and all(changed[1:])


def test_unsaved_edits_of_edit_mode_are_exported_and_stay(addon, place, tube):
    import bmesh

    _, mesh = tube
    enter({"Skin": "EDIT"})
    edited = bmesh.from_edit_mesh(mesh.data)
    edited.verts.ensure_lookup_table()
    edited.verts[3].co.x += 5
    bmesh.update_edit_mesh(mesh.data)
    assert bpy.ops.rigscope.open() == {"FINISHED"}
    moved = bmesh.from_edit_mesh(mesh.data)
    moved.verts.ensure_lookup_table()
    assert moved.verts[3].co.x > 4
    assert addon.operators.File(str(place / "untitled-Rig.glb")).positions(0)[:, 0].max() > 4


@pytest.mark.parametrize("groups", ["none", "some vertices", "zeros"])
def test_weights_are_computed_for_vertices_without_any(tube, groups):
    armature, mesh = tube
    armature.data.bones["Lower"].use_deform = groups != "some vertices"
    every = range(len(mesh.data.vertices))
    if groups == "none":
        mesh.vertex_groups.clear()
    elif groups == "some vertices":
        mesh.vertex_groups["Upper"].remove(every)
    else:
        for group in mesh.vertex_groups:
            group.add(every, 0.0, "REPLACE")
    assert bpy.ops.rigscope.weights(method="closest") == {"FINISHED"}
    after = weights(mesh)
    if groups == "some vertices":
        # Bones that don't deform get no weight, and keep theirs.
        assert (after[:, 1] == 1).all() and (after[:, 0] == [vertex.co.z <= 0 for vertex in mesh.data.vertices]).all()
    else:
        assert numpy.allclose(after.sum(axis=1), 1, atol=1e-5) and after[:, 1].max() > 0.8
    assert "neutral_bone" not in mesh.vertex_groups


def test_an_export_for_weights_leaves_groups_as_they_are(addon, tube):
    armature, mesh = tube
    mesh.vertex_groups["Lower"].remove([0, 1])
    mesh.vertex_groups["Lower"].add([1], 0.0, "REPLACE")
    before = addon.weights.groups_of(mesh)
    addon.exported.export_for_weights(bpy.context)
    assert addon.weights.groups_of(mesh) == before
    for bone in armature.data.bones:
        bone.use_deform = False
    with pytest.raises(RuntimeError, match="no bones that deform"):
        bpy.ops.rigscope.weights()


@pytest.mark.parametrize("command", ["weights", "convert"])
def test_weights_that_were_edited_in_rigscope_come_back_by_vertex(place, tube, command):
    _, mesh = tube
    # Not normalised, and not changed by the edit: stays as it is.
    mesh.vertex_groups["Upper"].add([v.index for v in mesh.data.vertices if v.co.z > 0.9], 0.5, "REPLACE")
    with pytest.raises(RuntimeError, match="has not exported weights"):
        bpy.ops.rigscope.edited()
    edit_in_rigscope(place, "closest", command)
    before = weights(mesh)
    assert bpy.ops.rigscope.weights(method="closest") == {"FINISHED"}
    expected = weights(mesh)
    for index, row in enumerate(before):
        for name, weight in zip(("Lower", "Upper"), row):
            mesh.vertex_groups[name].add([index], weight, "REPLACE")
    assert bpy.ops.rigscope.edited() == {"FINISHED"}
    assert numpy.allclose(weights(mesh), expected, atol=1e-4) and abs(expected - before).max() > 0.1
    # Nothing changes the second time.
    assert bpy.ops.rigscope.edited() == {"FINISHED"}
    assert numpy.allclose(weights(mesh), expected, atol=1e-4)


def test_only_edited_vertices_change(addon, place, tube):
    _, mesh = tube
    mesh.vertex_groups["Upper"].add([v.index for v in mesh.data.vertices if v.co.z > 0.9], 0.5, "REPLACE")
    before = weights(mesh)
    assert bpy.ops.rigscope.open() == {"FINISHED"}
    path = place / "untitled-Rig.glb"
    file = addon.operators.File(str(path))
    numbers, (attributes,) = file.all_vertices(0), file.primitives(0)
    joints = file.joints(0)
    lowest = min(mesh.data.vertices, key=lambda vertex: vertex.co.z).index
    edit = [row for row, number in enumerate(numbers) if number == lowest]
    # Writable.
    file.binary = bytearray(file.binary)
    for name, value in (("JOINTS_0", [joints.index("Upper"), 0, 0, 0]), ("WEIGHTS_0", [1, 0, 0, 0])):
        file.numbers(attributes[name])[edit] = value
    content = path.read_bytes()
    (place / "untitled-Rig.weights.glb").write_bytes(content[: -len(file.binary)] + file.binary)
    assert bpy.ops.rigscope.edited() == {"FINISHED"}
    changed = [index for index, (was, now) in enumerate(zip(before, weights(mesh))) if (was != now).any()]
    assert changed == [lowest] and weights(mesh)[lowest].tolist() == [0, 1]


def without_numbers(path):
    """Removes the stored indices from a file, as other programs do."""
    content = path.read_bytes()
    (length,) = struct.unpack_from("<I", content, 12)
    document = json.loads(content[20 : 20 + length])
    for mesh in document["meshes"]:
        mesh.pop("extras", None)
        for primitive in mesh["primitives"]:
            primitive["attributes"].pop("_RIGSCOPE_VERTEX", None)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = content[20 + length :]
    path.write_bytes(content[:8] + struct.pack("<III", 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)


def test_without_stored_indices_vertices_are_found_by_position(place, tube):
    armature, mesh = tube
    # Rest space, whatever the object's transform and pose.
    mesh.location, armature.rotation_euler = (0.1, 0, 0), (0.2, 0, 0)
    armature.pose.bones["Upper"].rotation_mode = "XYZ"
    armature.pose.bones["Upper"].rotation_euler = (0.5, 0, 0)
    edit_in_rigscope(place)
    assert bpy.ops.rigscope.edited() == {"FINISHED"}
    expected, path = weights(mesh), place / "untitled-Rig.weights.glb"
    for group in mesh.vertex_groups:
        group.add(range(len(mesh.data.vertices)), 0.5, "REPLACE")
    without_numbers(path)
    assert bpy.ops.rigscope.edited(filepath=str(path)) == {"FINISHED"}
    assert numpy.allclose(weights(mesh), expected, atol=1e-4)
    # A changed mesh: positions that the file lacks.
    enter({"Skin": "EDIT"})
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    before = weights(mesh)
    with pytest.raises(RuntimeError, match=r"\d+ of \d+ vertices of Skin are not in the file"):
        bpy.ops.rigscope.edited(filepath=str(path))
    assert (weights(mesh) == before).all()


def test_reordered_vertices_are_noticed(place, tube):
    _, mesh = tube
    edit_in_rigscope(place)
    assert bpy.ops.rigscope.edited() == {"FINISHED"}
    expected = {tuple(round(x, 5) for x in vertex.co): row for vertex, row in zip(mesh.data.vertices, weights(mesh).tolist())}
    enter({"Skin": "EDIT"})
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.sort_elements(type="REVERSE", elements={"VERT"})
    bpy.ops.object.mode_set(mode="OBJECT")
    for group in mesh.vertex_groups:
        group.add(range(len(mesh.data.vertices)), 0.5, "REPLACE")
    assert bpy.ops.rigscope.edited() == {"FINISHED"}
    for vertex, row in zip(mesh.data.vertices, weights(mesh)):
        assert numpy.allclose(row, expected[tuple(round(x, 5) for x in vertex.co)], atol=1e-4)


def test_files_that_cannot_be_used_are_refused(place, tube):
    path = place / "other.glb"
    path.write_bytes(b"not a file")
    with pytest.raises(RuntimeError, match="could not be read"):
        bpy.ops.rigscope.edited(filepath=str(path))
    edit_in_rigscope(place)
    tube[1].name = "Renamed"
    with pytest.raises(RuntimeError, match="none of the meshes of Rig"):
        bpy.ops.rigscope.edited()


def test_weights_are_computed_without_exporting_clips(addon, place):
    knight = SAMPLES / "kaykit/Knight.glb"
    if not knight.exists():
        pytest.skip("no samples")
    clear()
    bpy.ops.import_scene.gltf(filepath=str(knight))
    bpy.context.view_layer.objects.active = bpy.data.objects["Rig"]
    assert len(bpy.data.actions) == 76
    began = time.process_time()
    assert bpy.ops.rigscope.weights(method="rigid") == {"FINISHED"}
    seconds = time.process_time() - began
    file = addon.operators.File(str(place / "untitled-Rig-input.glb"))
    assert not {"animations", "materials", "images"} & set(file.json)
    # With clips it takes more than 10 s.
    assert seconds < 3
    assert bpy.ops.rigscope.check(has_clips=False) == {"FINISHED"}
    names = {name for name, _, _ in addon.operators.File(str(place / "untitled-Rig-checked.glb")).objects()}
    assert {"Knight_Body", "1H_Sword"} <= names, "meshes on bones are checked too"
    clear()


class FakeContext(types.SimpleNamespace):
    """What `modal` needs of Blender's context in a window."""

    def __init__(self):
        manager = types.SimpleNamespace(
            windows=bpy.context.window_manager.windows,
            event_timer_add=lambda *_, **__: "timer",
            event_timer_remove=lambda timer: self.removed.append(timer),
            modal_handler_add=lambda _: None,
            progress_begin=lambda *_: None,
            progress_update=lambda value: self.values.append(value),
            progress_end=lambda: None,
        )
        workspace = types.SimpleNamespace(status_text_set=lambda text: self.texts.append(text))
        super().__init__(window_manager=manager, workspace=workspace, window=None, removed=[], values=[], texts=[])

    def __getattr__(self, name):
        return getattr(bpy.context, name)


TICK, ESC, CLICK, WHEEL = (types.SimpleNamespace(type=kind) for kind in ("TIMER", "ESC", "LEFTMOUSE", "WHEELUPMOUSE"))


@pytest.fixture
def started(addon):
    """Starts a button's operator as Blender does when it has a window."""

    def start(kind, **properties):
        steps = kind.steps
        members = {"steps": steps, "COUNT": kind.COUNT, "report": lambda self, level, text: self.reports.append((*level, text)), "reports": [], **properties}
        operator, context = type("Driven", (addon.background.StepOperator,), members)(), FakeContext()
        assert operator.invoke(context, None) == {"RUNNING_MODAL"}
        return operator, context

    yield start
    addon.background.stop()


def drive(operator, context):
    for _ in range(600):
        answer = operator.modal(context, TICK)
        if answer != {"RUNNING_MODAL"}:
            return answer
        time.sleep(0.02)


def test_a_button_runs_in_the_background_with_progress(addon, tube, started):
    _, mesh = tube
    before = weights(mesh)
    operator, context = started(addon.operators.RIGSCOPE_OT_weights, method="closest")
    with pytest.raises(RuntimeError, match="busy: .*Esc cancels"):
        bpy.ops.rigscope.check()
    assert operator.modal(context, CLICK) == {"RUNNING_MODAL"} and operator.modal(context, WHEEL) == {"PASS_THROUGH"}
    assert drive(operator, context) == {"FINISHED"}
    assert context.removed == ["timer"] and addon.background.current() is None
    assert [any(step in text for text in context.texts if text) for step in ("Exporting", "Computing", "Writing")] == [True] * 3
    assert context.values == sorted(context.values) and context.texts[-1] is None
    assert operator.reports[-1][0] == "INFO" and "new weights" in operator.reports[-1][1]
    assert abs(weights(mesh) - before).max() > 0.1


def test_the_sidebar_draws_with_and_without_a_run(addon, tube, started):
    assert bpy.ops.rigscope.check() == {"FINISHED"}
    bpy.context.scene.rigscope_finding = 0
    layout, buttons = mock.MagicMock(), {}
    layout.column.return_value = layout
    layout.operator.side_effect = lambda name, **_: buttons.setdefault(name, types.SimpleNamespace())
    panel = types.SimpleNamespace(layout=layout)
    addon.RIGSCOPE_PT_sidebar.draw(panel, bpy.context)
    assert list(buttons) == [f"rigscope.{name}" for name in ("open", "compare", "weights", "edited", "check")]
    for name, properties in buttons.items():
        known = getattr(bpy.ops.rigscope, name.partition(".")[2]).get_rna_type().properties
        assert set(vars(properties)) <= set(known.keys())
    layout.progress.assert_not_called()
    operator, context = started(addon.operators.RIGSCOPE_OT_weights, method="closest")
    operator.modal(context, TICK)
    addon.RIGSCOPE_PT_sidebar.draw(panel, bpy.context)
    assert "Exporting the character… 0 s" in layout.progress.call_args.kwargs["text"]


def test_esc_ends_the_command_and_changes_nothing(addon, place, tube, started):
    _, mesh = tube
    before = weights(mesh)
    script = place / "bin/rigscope"
    script.write_text("#!/bin/sh\nexec sleep 100\n")
    operator, context = started(addon.operators.RIGSCOPE_OT_weights, method="closest")
    while not operator.run.task:
        assert operator.modal(context, TICK) == {"RUNNING_MODAL"}
    process = operator.run.task.process
    assert operator.modal(context, TICK) == {"RUNNING_MODAL"} and process.poll() is None
    assert operator.modal(context, ESC) == {"CANCELLED"}
    assert process.poll() is not None and addon.background.current() is None and context.removed == ["timer"]
    assert operator.reports == [("WARNING", "Cancelled; nothing was changed")]
    assert (weights(mesh) == before).all()
    # A window that is closed meanwhile.
    operator, context = started(addon.operators.RIGSCOPE_OT_weights, method="closest")
    operator.cancel(context)
    assert addon.background.current() is None


def test_errors_in_the_background_are_reported(addon, place, tube, started):
    (place / "bin/rigscope").write_text("#!/bin/sh\necho it broke >&2\nexit 3\n")
    operator, context = started(addon.operators.RIGSCOPE_OT_weights, method="closest")
    assert drive(operator, context) == {"CANCELLED"}
    assert operator.reports == [("ERROR", "it broke")] and addon.background.current() is None


@pytest.mark.parametrize("mode", ["edit meshes", "weight paint and pose"])
def test_after_an_error_in_an_export_everything_is_as_before(addon, place, tube, mode, monkeypatch):
    _, mesh = tube
    copy(mesh, "Second")
    mesh.vertex_groups["Lower"].remove([0])
    groups = addon.weights.groups_of(mesh)
    enter(MODES[mode])
    before = state()

    def fails(_):
        raise OSError("the disk is full")

    monkeypatch.setattr(addon.exported, "topology", fails)
    for name in ("open", "check", "weights"):
        with pytest.raises(RuntimeError, match="the disk is full"):
            getattr(bpy.ops.rigscope, name)()
        assert state() == before and "_RIGSCOPE_VERTEX" not in mesh.data.attributes
    bpy.ops.object.mode_set(mode="OBJECT")
    assert addon.weights.groups_of(mesh) == groups


def test_linked_characters_are_checked_but_not_changed(addon, place, tube):
    library = place / "library.blend"
    bpy.data.libraries.write(str(library), set(tube))
    clear()
    with bpy.data.libraries.load(str(library), link=True) as (_, linked):
        linked.objects = ["Rig", "Skin"]
    for thing in linked.objects:
        bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = linked.objects[0]
    assert bpy.ops.rigscope.open() == {"FINISHED"}
    assert bpy.ops.rigscope.check() == {"FINISHED"}
    with pytest.raises(RuntimeError, match="come from another file and cannot be edited here: Skin"):
        bpy.ops.rigscope.weights()
    finding = bpy.context.scene.rigscope_findings.add()
    finding.armature, finding.bones = "Rig", '["Upper"]'
    bpy.context.scene.rigscope_finding = len(bpy.context.scene.rigscope_findings) - 1
    assert "open that to select" in finding.obstacle and bpy.context.mode == "OBJECT"


def test_shape_keys_and_modifiers_do_not_get_in_the_way(place, tube):
    _, mesh = tube
    mesh.shape_key_add(name="Basis")
    key = mesh.shape_key_add(name="Wide")
    for point in key.data:
        point.co.x *= 3
    key.value = 1
    mesh.modifiers.new("Mirror", "MIRROR")
    edit_in_rigscope(place, "closest")
    without_numbers(place / "untitled-Rig.weights.glb")
    assert bpy.ops.rigscope.edited() == {"FINISHED"}
    by_position = weights(mesh)
    assert bpy.ops.rigscope.weights(method="closest") == {"FINISHED"}
    assert numpy.allclose(weights(mesh), by_position, atol=1e-4)
    assert [key.name for key in mesh.data.shape_keys.key_blocks] == ["Basis", "Wide"]


def test_buttons_explain_why_they_are_disabled(tube):
    clear()
    for name in ("open", "compare", "weights", "edited", "check"):
        assert not getattr(bpy.ops.rigscope, name).poll()
    bpy.ops.object.armature_add()
    assert bpy.ops.rigscope.open.poll() and not bpy.ops.rigscope.compare.poll()
    with pytest.raises(RuntimeError, match="deforms no meshes"):
        bpy.ops.rigscope.weights()


def test_findings_select_bones_with_vertices_and_objects(tube):
    armature, mesh = tube
    scene = bpy.context.scene
    scene.rigscope_findings.clear()
    both, thing = scene.rigscope_findings.add(), scene.rigscope_findings.add()
    both.armature, both.bones, both.object, both.vertices = "Rig", '["Upper"]', "Skin", "[1, 2]"
    thing.armature, thing.object = "Rig", "Skin"
    enter({"Rig": "POSE"})
    scene.rigscope_finding = 0
    assert bpy.context.mode == "EDIT_MESH" and mesh.vertex_groups.active.name == "Upper"
    assert armature.data.bones.active.name == "Upper"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert [vertex.index for vertex in mesh.data.vertices if vertex.select] == [1, 2]
    mesh.hide_set(True)
    scene.rigscope_finding = 1
    assert bpy.context.active_object == mesh and mesh.visible_get()
    # Excluded collections stay excluded.
    home = bpy.data.collections.new("Home")
    scene.collection.children.link(home)
    home.objects.link(mesh)
    scene.collection.objects.unlink(mesh)
    bpy.context.view_layer.layer_collection.children["Home"].exclude = True
    scene.rigscope_finding = 0
    assert "excluded collection" in both.obstacle
    mesh.name = "Other"
    scene.rigscope_finding = 0
    assert "check again" in both.obstacle


def test_the_config_nearest_to_the_blend_file_is_used(addon, place, tube, monkeypatch):
    (place / "project/characters").mkdir(parents=True)
    config = place / "project/rigscope.toml"
    config.write_text("[limits]\njoints = 1\n")
    find = addon.findings.nearest_config
    assert find(str(place / "project/characters/hero.blend")) == str(config) and find("") is None
    assert bpy.ops.rigscope.check() == {"FINISHED"}
    before = len(bpy.context.scene.rigscope_findings)
    monkeypatch.setattr(addon.findings, "nearest_config", lambda _: str(config))
    assert bpy.ops.rigscope.check() == {"FINISHED"}
    assert len(bpy.context.scene.rigscope_findings) > before


EXTENSIONS = Path(bpy.utils.resource_path("LOCAL")) / "scripts/addons_core/bl_pkg/cli/blender_ext.py"


def package(place, *options):
    make = FOLDER.parent.parent / "assets/package/make.py"
    subprocess.run([sys.executable, make, "addon", "--out", place / "package", *options], check=True)
    (built,) = (place / "package").glob("*.zip")
    return built


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """A wheel of the module that Cargo builds for development, with a program, packed like the wheel of a release."""
    folder = tmp_path_factory.mktemp("wheel")
    path, information = folder / "rigscope-0.1.0-cp39-abi3-manylinux_2_35_x86_64.whl", "rigscope-0.1.0.dist-info"
    library = folder / "library"
    subprocess.run(["strip", "-o", library, Path(PROGRAM).parent / "librigscope_python.so"], check=True)
    with zipfile.ZipFile(path, "w") as archive:
        for file in (FOLDER.parent.parent / "python/package/rigscope").glob("*.py"):
            archive.write(file, f"rigscope/{file.name}")
        archive.write(library, "rigscope/_rigscope.abi3.so")
        archive.writestr("rigscope-0.1.0.data/scripts/rigscope", f'#!/bin/sh\nexec "{PROGRAM}" "$@"\n')
        archive.writestr(f"{information}/METADATA", "Metadata-Version: 2.1\nName: rigscope\nVersion: 0.1.0\n")
        archive.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp39-abi3-manylinux_2_35_x86_64\n")
        archive.writestr(f"{information}/RECORD", "".join(f"{name},,\n" for name in archive.namelist()))
    return path


def test_blender_accepts_the_manifest(place, wheel):
    for source in (FOLDER, package(place), package(place / "with", "--wheel", wheel)):
        subprocess.run([sys.executable, EXTENSIONS, "validate", source], check=True)


INSTALL = """
import bpy, sys
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
assert "bl_ext.user_default.rigscope" in bpy.context.preferences.addons
from bl_ext.user_default.rigscope import program
"""
# Ends without cleanup, because Blender's module crashes at exit after an export.
USE = """
bpy.data.batch_remove(bpy.data.objects)
bpy.ops.mesh.primitive_cube_add()
mesh = bpy.context.active_object
bpy.ops.object.armature_add()
armature = bpy.context.active_object
mesh.parent, mesh.modifiers.new("Armature", "ARMATURE").object = armature, armature
assert program.module_folder()
assert bpy.ops.rigscope.weights(method="rigid") == {"FINISHED"}
assert [group.name for group in mesh.vertex_groups] == ["Bone"]
assert bpy.ops.rigscope.check() == {"FINISHED"}
print([finding.code for finding in bpy.context.scene.rigscope_findings])
"""
END = """
import os
print(program.path(), flush=True)
os._exit(0)
"""


def in_new_blender(place, script, package, **environment):
    """Runs a script in another Blender with its own settings, and returns the lines that it prints."""
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(place), **environment}
    return subprocess.run([sys.executable, "-c", script, package], env=environment, check=True, capture_output=True, text=True).stdout.splitlines()


def test_the_package_is_installed_by_blender(place):
    assert in_new_blender(place, INSTALL + END, package(place))[-1] == str(place / "bin/rigscope")


def test_with_its_wheel_the_addon_needs_no_program(place, wheel):
    lines = in_new_blender(place, INSTALL + USE + END, package(place, "--wheel", wheel), PATH="/nowhere")
    program = lines[-1]
    assert program.endswith("scripts/rigscope") and os.access(program, os.X_OK)
    assert lines[-2].startswith("[")
