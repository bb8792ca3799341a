"""The add-on in Blender without a window: every operator, with and without the program.

    RIGSCOPE=target/debug/rigscope python -m pytest integrations/blender/tests      (needs the module bpy)
"""

import importlib.util
import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Keeps the tests away from the user's Blender settings.
os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp()

import bpy
import numpy
import pytest

FOLDER = Path(__file__).resolve().parent.parent
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
    if bpy.context.active_object:
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


@pytest.mark.parametrize("mode", ["OBJECT", "EDIT", "WEIGHT_PAINT"])
def test_one_step_of_undo_takes_weights_back(tube, mode):
    before = weights(tube[1])
    bpy.context.view_layer.objects.active = tube[1]
    bpy.ops.object.mode_set(mode=mode)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.rigscope.weights("EXEC_DEFAULT", True, method="closest") == {"FINISHED"}
    bpy.ops.ed.undo()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert (weights(bpy.data.objects["Skin"]) == before).all()


def test_all_weights_are_brought_back_or_none(addon, tube, monkeypatch):
    armature, mesh = tube
    other = mesh.copy()
    other.data, other.name = mesh.data.copy(), "Other"
    bpy.context.scene.collection.objects.link(other)
    before = [weights(thing) for thing in (mesh, other)]
    mesh.vertex_groups.remove(mesh.vertex_groups["Upper"])
    before[0] = weights(mesh)
    real, done = addon.operators.weights.set_weights, []

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


def test_the_package_is_installed_by_blender(place):
    make = FOLDER.parent.parent / "assets/package/make.py"
    subprocess.run([sys.executable, make, "addon", "--out", place], check=True)
    (package,) = place.glob("*.zip")
    install = (
        "import bpy, sys\n"
        "bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo='user_default', enable_on_install=True)\n"
        "assert 'bl_ext.user_default.rigscope' in bpy.context.preferences.addons\n"
        "from bl_ext.user_default.rigscope import program\n"
        "print(program.path())"
    )
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(place)}
    told = subprocess.run([sys.executable, "-c", install, package], env=environment, check=True, capture_output=True, text=True).stdout
    assert told.splitlines()[-1] == str(place / "bin/rigscope")
