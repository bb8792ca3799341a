"""The character as a file, and what of the file is what of Blender's data.

Each vertex carries its number in Blender into the file, as an attribute: an export splits vertices and changes their order.
"""

import contextlib
import json
import os
import struct

import bpy
import numpy

from .program import Failed

VERTEX = "_RIGSCOPE_VERTEX"
# Component types of glTF 2.0, section 3.6.2.2, and numbers in an element.
NUMBERS = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC4": 4}


def character(context):
    """The armature that is meant, and its meshes: the active object's, else the only one there is.

    Raises Failed where none is meant.
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
    """Path of the file of a character, or of the export before the last."""
    folder = bpy.utils.user_resource("DATAFILES", path="rigscope", create=True)
    scene = os.path.splitext(os.path.basename(bpy.data.filepath))[0] or "untitled"
    name = bpy.path.clean_name(f"{scene}-{armature.name}")
    return os.path.join(folder, f"{name}{'-before' if before else ''}.glb")


def export(context):
    """Writes the character to its file, hidden parts included; the path. What was selected or hidden, and the mode, stay as they are."""
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
    """Object mode, and then the mode from before."""
    mode, active = context.mode, context.view_layer.objects.active
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        if active and mode != "OBJECT":
            bpy.ops.object.mode_set(mode=active_mode(mode))


def is_hidden(thing):
    """True for an object that is not seen, by itself or by its collections."""
    return thing.hide_viewport or not thing.visible_get()


@contextlib.contextmanager
def shown(context, things):
    """Objects visible and selectable, and then as they were before."""
    root = context.scene.collection.objects
    before = [(thing, thing.hide_viewport, thing.hide_select, thing.hide_get()) for thing in things]
    linked = []
    try:
        for thing in things:
            thing.hide_viewport = thing.hide_select = False
            # The collection of the scene itself is never hidden or excluded.
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
    """Only these objects selected, and then those from before."""
    selected, active_before = list(context.selected_objects), context.view_layer.objects.active
    select_only(context, things, active)
    try:
        yield
    finally:
        select_only(context, selected, active_before)


def active_mode(mode):
    """The mode of an object for that of a context, such as EDIT_MESH."""
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
    """A binary glTF as this add-on or Rigscope wrote it."""

    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        length, _ = struct.unpack_from("<II", content, 12)
        self.json = json.loads(content[20 : 20 + length])
        self.binary = content[20 + length + 8 :]

    def name(self, node):
        return self.json["nodes"][node].get("name", "")

    def numbers(self, accessor):
        """Numbers of an accessor, a row for each element; whole numbers that stand for 0 to 1 are such."""
        described = self.json["accessors"][accessor]
        view = self.json["bufferViews"][described["bufferView"]]
        kind, width, count = numpy.dtype(NUMBERS[described["componentType"]]), WIDTHS[described["type"]], described["count"]
        stride = view.get("byteStride", kind.itemsize * width)
        start = view.get("byteOffset", 0) + described.get("byteOffset", 0)
        rows = numpy.ndarray((count, width), kind, self.binary, start, (stride, kind.itemsize))
        return rows / numpy.iinfo(kind).max if described.get("normalized") else rows

    def objects(self):
        """Name of an object and numbers of its mesh and skin, for each that has a mesh."""
        for node in self.json["nodes"]:
            if "mesh" in node:
                yield node.get("name", ""), node["mesh"], node.get("skin")

    def vertices(self, mesh, primitive):
        """Blender's numbers of the vertices of a primitive; None where they are not known."""
        attributes = self.json["meshes"][mesh]["primitives"][primitive]["attributes"]
        return self.numbers(attributes[VERTEX])[:, 0].astype(numpy.int64) if VERTEX in attributes else None

    def weights(self, mesh, skin):
        """Names of joints, and for each vertex in Blender its pairs of joint and weight."""
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
