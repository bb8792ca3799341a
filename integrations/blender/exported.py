"""Exports the character, and maps the file's data to Blender's data.

Each vertex has its Blender index as an attribute in the file, because the export splits and reorders vertices.
"""

import contextlib
import glob
import json
import os
import struct
import zlib

import bpy
import numpy

from .program import Failed
from .scene import attached, character, object_mode, select_only, shown

VERTEX = "_RIGSCOPE_VERTEX"
TOPOLOGY = "rigscope_topology"
# Component types, and number of components per element (glTF 2.0, section 3.6.2.2).
NUMBERS = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}

# Settings of Blender's exporter for computing weights. Sampling clips takes most of an export's time; bones that don't deform get no weight.
FOR_WEIGHTS = {"export_animations": False, "export_materials": "NONE", "export_morph": False, "export_def_bones": True}


def cache(armature, ending=""):
    """Returns the path of a character's export, or with an ending, of another file of the same character."""
    folder = bpy.utils.user_resource("DATAFILES", path="rigscope", create=True)
    scene = os.path.splitext(os.path.basename(bpy.data.filepath))[0] or "untitled"
    name = bpy.path.clean_name(f"{scene}-{armature.name}")
    return os.path.join(folder, f"{name}{ending}.glb")


def before(armature):
    """Returns the path of the export before the last one."""
    return cache(armature, "-before")


def newest_edited(armature):
    """Returns the path of the newest file that Rigscope's window saved next to the export, or None.

    The window suggests names such as `hero-Rig.weights.glb` for the export `hero-Rig.glb`.
    """
    path = cache(armature)
    found = glob.glob(f"{glob.escape(path.removesuffix('.glb'))}.*.glb")
    return max(found, key=os.path.getmtime, default=None)


def export(context):
    """Exports the character, hidden objects included, and returns the path. The previous export stays beside it."""
    armature, meshes = character(context)
    path = cache(armature)
    part = cache(armature, "-part")
    write(context, part, [armature, *meshes, *attached(context, armature)])
    if os.path.exists(path):
        os.replace(path, before(armature))
    os.replace(part, path)
    return path


def export_without_clips(context):
    """Exports the character without its clips to another file, and returns the path."""
    armature, meshes = character(context)
    path = cache(armature, "-checked")
    write(context, path, [armature, *meshes, *attached(context, armature)], export_animations=False)
    return path


def export_for_weights(context):
    """Exports what computing weights needs, and returns the path."""
    armature, meshes = character(context)
    if not meshes:
        raise Failed(f"{armature.name} deforms no meshes: add an Armature modifier to one")
    bones = [bone.name for bone in armature.data.bones if bone.use_deform]
    if not bones:
        raise Failed(f"{armature.name} has no bones that deform: turn Deform on in the properties of some")
    path = cache(armature, "-input")
    with object_mode(context), all_weighted(meshes, bones):
        write(context, path, [armature, *meshes], **FOR_WEIGHTS)
    return path


def write(context, path, things, **settings):
    """Writes objects as binary glTF. Restores selection, visibility and modes.

    Modifiers other than Armature aren't applied, so that the file has the mesh's own vertices.
    """
    meshes = [thing for thing in things if thing.type == "MESH"]
    try:
        with object_mode(context), shown(context, things), numbered(meshes):
            select_only(context, things, things[0])
            if left_out := [thing.name for thing in things if not thing.select_get()]:
                raise Failed(f"Blender does not let these be selected and exported: {', '.join(left_out)}")
            bpy.ops.export_scene.gltf(
                filepath=path,
                check_existing=False,
                export_format="GLB",
                use_selection=True,
                export_apply=False,
                export_attributes=True,
                export_all_influences=True,
                export_extras=True,
                **settings,
            )
    except RuntimeError as problem:
        raise Failed(f"Blender could not export the character: {problem}") from None


@contextlib.contextmanager
def numbered(meshes):
    """Stores each vertex's index in an attribute, and each mesh's topology in a property, and removes both afterwards."""
    datas = {thing.data for thing in meshes if thing.data.is_editable}
    try:
        for mesh in datas:
            unnumber(mesh)
            attribute = mesh.attributes.new(VERTEX, "INT", "POINT")
            attribute.data.foreach_set("value", numpy.arange(len(mesh.vertices), dtype=numpy.int32))
            mesh[TOPOLOGY] = topology(mesh)
        yield
    finally:
        for mesh in datas:
            unnumber(mesh)


@contextlib.contextmanager
def all_weighted(meshes, bones):
    """Gives vertices without weight to the first bone, and takes them from it afterwards.

    Otherwise, the exporter adds a bone for these vertices, and leaves out the skin of meshes without any weight.
    """
    added = []
    try:
        for thing in meshes:
            deforming = {group.index for group in thing.vertex_groups if group.name in bones}
            bare = [vertex.index for vertex in thing.data.vertices if not any(each.weight > 0 and each.group in deforming for each in vertex.groups)]
            if not bare:
                continue
            group = thing.vertex_groups.get(bones[0])
            members = {vertex for vertex in bare if group and group.index in {each.group for each in thing.data.vertices[vertex].groups}}
            added.append((thing, bare, members, group is None))
            (group or thing.vertex_groups.new(name=bones[0])).add(bare, 1.0, "REPLACE")
        yield
    finally:
        for thing, bare, members, is_new in added:
            group = thing.vertex_groups[bones[0]]
            if is_new:
                thing.vertex_groups.remove(group)
                continue
            group.remove([vertex for vertex in bare if vertex not in members])
            group.add(list(members), 0.0, "REPLACE")


def unnumber(mesh):
    if attribute := mesh.attributes.get(VERTEX):
        mesh.attributes.remove(attribute)
    mesh.pop(TOPOLOGY, None)


def topology(mesh):
    """Returns a text that changes when vertices are added, removed or reordered, and not when they are moved."""
    corners = numpy.empty(len(mesh.loops), dtype=numpy.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    return f"{len(mesh.vertices)}:{zlib.crc32(corners.tobytes()):08x}"


class File:
    """A binary glTF file written by this add-on or by Rigscope."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, "rb") as file:
                content = file.read()
            length, _ = struct.unpack_from("<II", content, 12)
            self.json = json.loads(content[20 : 20 + length])
        except (OSError, ValueError, struct.error) as problem:
            raise Failed(f"{path} could not be read as .glb: {problem}") from None
        self.binary = content[20 + length + 8 :]

    def name(self, node):
        return self.json["nodes"][node].get("name", "")

    def numbers(self, accessor):
        """Returns an accessor's values, one row per element. Normalised integers are converted to 0..1."""
        described = self.json["accessors"][accessor]
        try:
            view = self.json["bufferViews"][described["bufferView"]]
            kind, width, count = numpy.dtype(NUMBERS[described["componentType"]]), WIDTHS[described["type"]], described["count"]
            stride = view.get("byteStride", kind.itemsize * width)
            start = view.get("byteOffset", 0) + described.get("byteOffset", 0)
            rows = numpy.ndarray((count, width), kind, self.binary, start, (stride, kind.itemsize))
        except (KeyError, TypeError, ValueError):
            raise Failed(f"{self.path} has data that this add-on cannot read; write it with rigscope convert") from None
        return rows / numpy.iinfo(kind).max if described.get("normalized") else rows

    def objects(self):
        """Yields the name, mesh index and skin index (or None) of each object with a mesh."""
        for node in self.json.get("nodes", ()):
            if "mesh" in node:
                yield node.get("name", ""), node["mesh"], node.get("skin")

    def primitives(self, mesh):
        return [primitive["attributes"] for primitive in self.json["meshes"][mesh]["primitives"]]

    def topology(self, mesh):
        """Returns the mesh's topology at its export, or None if the file doesn't have it."""
        return self.json["meshes"][mesh].get("extras", {}).get(TOPOLOGY)

    def joints(self, skin):
        return [self.name(node) for node in self.json["skins"][skin]["joints"]]

    def vertices(self, mesh, primitive):
        """Returns the Blender index of each vertex of a primitive, or None if the file doesn't have them."""
        attributes = self.primitives(mesh)[primitive]
        return self.numbers(attributes[VERTEX])[:, 0].astype(numpy.int64) if VERTEX in attributes else None

    def all_vertices(self, mesh):
        """Returns the Blender index of each vertex of all primitives, or None if the file doesn't have them."""
        numbers = [self.vertices(mesh, primitive) for primitive in range(len(self.primitives(mesh)))]
        return None if any(each is None for each in numbers) else numpy.concatenate(numbers)

    def positions(self, mesh):
        """Returns the positions of all primitives' vertices, in the space of the skin, metres."""
        return numpy.concatenate([self.numbers(attributes["POSITION"]) for attributes in self.primitives(mesh)])

    def influences(self, mesh):
        """Returns the (joint, weight) pairs of each vertex of all primitives."""
        found = []
        for attributes in self.primitives(mesh):
            sets = range(sum(name.startswith("JOINTS_") for name in attributes))
            pairs = [(self.numbers(attributes[f"JOINTS_{n}"]), self.numbers(attributes[f"WEIGHTS_{n}"])) for n in sets]
            count = self.json["accessors"][attributes["POSITION"]]["count"]
            found.extend([(int(j[row][k]), float(w[row][k])) for j, w in pairs for k in range(4) if w[row][k] > 0] for row in range(count))
        return found
