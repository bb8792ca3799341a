"""Exports the character, and maps the file's data to Blender's data.

Each vertex has its Blender index as an attribute in the file, because the export splits and reorders vertices.
"""

import contextlib
import json
import os
import struct

import bpy
import numpy

from .program import Failed

VERTEX = "_RIGSCOPE_VERTEX"
# Component types, and number of components per element (glTF 2.0, section 3.6.2.2).
NUMBERS = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC4": 4}


def character(context):
    """Returns the armature of the active object, or else the scene's only armature, and its meshes.

    Raises Failed if there isn't exactly one candidate.
    """
    active = context.active_object
    armature = active if active and active.type == "ARMATURE" else active and active.find_armature()
    if armature is None:
        found = [thing for thing in context.scene.objects if thing.type == "ARMATURE"]
        if len(found) != 1:
            raise Failed("Select the character: its armature or one of its meshes")
        (armature,) = found
    meshes = [thing for thing in context.scene.objects if thing.type == "MESH" and thing.find_armature() == armature]
    return armature, meshes


def cache(armature, before=False):
    """Returns the path of a character's export, or of the export before it."""
    folder = bpy.utils.user_resource("DATAFILES", path="rigscope", create=True)
    scene = os.path.splitext(os.path.basename(bpy.data.filepath))[0] or "untitled"
    name = bpy.path.clean_name(f"{scene}-{armature.name}")
    return os.path.join(folder, f"{name}{'-before' if before else ''}.glb")


def export(context):
    """Exports the character, including hidden objects, and returns the path. Restores selection, visibility and mode."""
    armature, meshes = character(context)
    path = cache(armature)
    part = path + ".part.glb"
    try:
        with object_mode(context), shown(context, [armature, *meshes]), only_selected(context, [armature, *meshes], armature):
            left_out = [thing.name for thing in (armature, *meshes) if not thing.select_get()]
            if left_out:
                raise Failed(f"Blender does not let these be selected and exported: {', '.join(left_out)}")
            number(meshes)
            bpy.ops.export_scene.gltf(
                filepath=part,
                check_existing=False,
                export_format="GLB",
                use_selection=True,
                export_attributes=True,
                export_all_influences=True,
                export_extras=True,
            )
    except RuntimeError as problem:
        raise Failed(f"Blender could not export the character: {problem}") from None
    finally:
        unnumber(meshes)
    if os.path.exists(path):
        os.replace(path, cache(armature, before=True))
    os.replace(part, path)
    return path


@contextlib.contextmanager
def object_mode(context):
    """Switches to object mode, and restores the mode afterwards."""
    mode, active = context.mode, context.view_layer.objects.active
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        if active and mode != "OBJECT":
            bpy.ops.object.mode_set(mode=active_mode(mode))


def is_hidden(thing):
    """Returns True if an object or its collections are hidden."""
    return thing.hide_viewport or not thing.visible_get()


@contextlib.contextmanager
def shown(context, things):
    """Makes objects visible and selectable, and restores them afterwards."""
    root = context.scene.collection.objects
    before = [(thing, thing.hide_viewport, thing.hide_select, thing.hide_get()) for thing in things]
    linked = []
    try:
        for thing in things:
            thing.hide_viewport = thing.hide_select = False
            # The scene's own collection is never hidden or excluded.
            if thing.name not in root:
                root.link(thing)
                linked.append(thing)
        context.view_layer.update()
        for thing in things:
            thing.hide_set(False)
        yield
    finally:
        for thing in linked:
            root.unlink(thing)
        for thing, hide_viewport, hide_select, is_hidden_here in before:
            if thing.name in context.view_layer.objects:
                thing.hide_set(is_hidden_here)
            thing.hide_viewport, thing.hide_select = hide_viewport, hide_select


@contextlib.contextmanager
def only_selected(context, things, active):
    """Selects only these objects, and restores the selection afterwards."""
    selected, active_before = list(context.selected_objects), context.view_layer.objects.active
    select_only(context, things, active)
    try:
        yield
    finally:
        select_only(context, selected, active_before)


def active_mode(mode):
    """Returns the object mode for a context mode such as EDIT_MESH."""
    kinds = {"PAINT_WEIGHT": "WEIGHT_PAINT", "PAINT_VERTEX": "VERTEX_PAINT", "PAINT_TEXTURE": "TEXTURE_PAINT"}
    return "EDIT" if mode.startswith("EDIT_") else kinds.get(mode, mode)


def select_only(context, things, active):
    for thing in context.selected_objects:
        thing.select_set(False)
    for thing in things:
        thing.select_set(True)
    context.view_layer.objects.active = active


def number(meshes):
    for mesh in {thing.data for thing in meshes if thing.data.is_editable}:
        attribute = mesh.attributes.new(VERTEX, "INT", "POINT")
        attribute.data.foreach_set("value", numpy.arange(len(mesh.vertices), dtype=numpy.int32))


def unnumber(meshes):
    for mesh in {thing.data for thing in meshes}:
        if attribute := mesh.attributes.get(VERTEX):
            mesh.attributes.remove(attribute)


class File:
    """A binary glTF file written by this add-on or by Rigscope."""

    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        length, _ = struct.unpack_from("<II", content, 12)
        self.json = json.loads(content[20 : 20 + length])
        self.binary = content[20 + length + 8 :]

    def name(self, node):
        return self.json["nodes"][node].get("name", "")

    def numbers(self, accessor):
        """Returns an accessor's values, one row per element. Normalised integers are converted to 0..1."""
        described = self.json["accessors"][accessor]
        view = self.json["bufferViews"][described["bufferView"]]
        kind, width, count = numpy.dtype(NUMBERS[described["componentType"]]), WIDTHS[described["type"]], described["count"]
        stride = view.get("byteStride", kind.itemsize * width)
        start = view.get("byteOffset", 0) + described.get("byteOffset", 0)
        rows = numpy.ndarray((count, width), kind, self.binary, start, (stride, kind.itemsize))
        return rows / numpy.iinfo(kind).max if described.get("normalized") else rows

    def objects(self):
        """Yields the name, mesh index and skin index (or None) of each object with a mesh."""
        for node in self.json["nodes"]:
            if "mesh" in node:
                yield node.get("name", ""), node["mesh"], node.get("skin")

    def vertices(self, mesh, primitive):
        """Returns the Blender index of each vertex of a primitive, or None if the file doesn't have them."""
        attributes = self.json["meshes"][mesh]["primitives"][primitive]["attributes"]
        return self.numbers(attributes[VERTEX])[:, 0].astype(numpy.int64) if VERTEX in attributes else None

    def weights(self, mesh, skin):
        """Returns the joint names, and for each Blender vertex its (joint, weight) pairs."""
        joints = [self.name(node) for node in self.json["skins"][skin]["joints"]]
        found = {}
        for index, primitive in enumerate(self.json["meshes"][mesh]["primitives"]):
            attributes = primitive["attributes"]
            numbers = self.vertices(mesh, index)
            if numbers is None:
                raise Failed("The file does not say which vertex is which; its mesh comes from another file and cannot be edited here")
            sets = range(sum(name.startswith("JOINTS_") for name in attributes))
            influences = [(self.numbers(attributes[f"JOINTS_{n}"]), self.numbers(attributes[f"WEIGHTS_{n}"])) for n in sets]
            for row, vertex in enumerate(numbers):
                pairs = [(int(j[row][k]), float(w[row][k])) for j, w in influences for k in range(4) if w[row][k] > 0]
                found.setdefault(int(vertex), pairs)
        return joints, found
