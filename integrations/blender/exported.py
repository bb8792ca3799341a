"""The character as a file, and what of the file is what of Blender's data.

Each vertex carries its number in Blender into the file, as an attribute: an export splits vertices and changes their order.
"""

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
    """Writes the character to its file; the path. What was selected, and the mode, stay as they are."""
    armature, meshes = character(context)
    path = cache(armature)
    part = path + ".part.glb"
    mode = context.mode
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    selected, active = list(context.selected_objects), context.view_layer.objects.active
    hidden = [thing for thing in (armature, *meshes) if thing.hide_get()]
    try:
        for thing in hidden:
            thing.hide_set(False)
        select_only(context, [armature, *meshes], armature)
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
        for thing in hidden:
            thing.hide_set(True)
        select_only(context, selected, active)
        if active and mode != "OBJECT":
            bpy.ops.object.mode_set(mode=active_mode(mode))
    if os.path.exists(path):
        os.replace(path, cache(armature, before=True))
    os.replace(part, path)
    return path


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
