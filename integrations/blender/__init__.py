"""Rigscope in Blender's sidebar: opens the character in Rigscope, checks it, compares it with the previous export, and computes its weights."""

import os

import bpy

from . import findings, program
from .exported import File, cache, character, export, object_mode

METHODS = [
    ("auto", "Automatic", "For characters of any kind"),
    ("voxel", "Geodesic Voxel", "Distance to bones through the inside of the body; accepts broken meshes"),
    ("heat", "Heat", "Heat that spreads from each bone along the surface; needs a closed mesh"),
    ("closest", "Closest", "The four nearest bones in a straight line"),
    ("rigid", "Rigid", "Every vertex follows only its nearest bone"),
]


class RIGSCOPE_OT_open(bpy.types.Operator):
    """Export the character and open it in Rigscope, reusing its window if one is open"""

    bl_idname = "rigscope.open"
    bl_label = "Open in Rigscope"

    def execute(self, context):
        try:
            program.show(export(context))
        except program.Failed as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class RIGSCOPE_OT_compare(bpy.types.Operator):
    """Export the character and compare it with the previous export: A is the new one, B the old one"""

    bl_idname = "rigscope.compare"
    bl_label = "Compare with Last Export"

    def execute(self, context):
        try:
            armature, _ = character(context)
            if not os.path.exists(cache(armature)):
                raise program.Failed("There is no export to compare with yet: open or check the character first")
            program.show(export(context), "--comparison-file", cache(armature, before=True))
        except program.Failed as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class RIGSCOPE_OT_weights(bpy.types.Operator):
    """Compute the character's weights with Rigscope and store them in its vertex groups"""

    bl_idname = "rigscope.weights"
    bl_label = "Compute Weights"
    bl_options = {"REGISTER", "UNDO"}

    method: bpy.props.EnumProperty(items=METHODS, name="Method", default="auto")

    def execute(self, context):
        try:
            armature, meshes = character(context)
            path = export(context)
            computed = path.removesuffix(".glb") + "-weights.glb"
            program.run("weights", path, "--compute", self.method, "--output", computed, "--quiet")
            with object_mode(context):
                changed, locked = bring_back(File(computed), meshes)
        except program.Failed as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        stayed = f"; locked groups stay as they are: {', '.join(locked)}" if locked else ""
        self.report({"INFO"}, f"{changed} vertices have new weights{stayed}")
        return {"FINISHED"}

    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self)


def bring_back(file, meshes):
    """Stores a file's weights in the vertex groups named like its joints. Requires object mode.

    Returns the number of vertices with new weights, and the names of locked groups. Locked groups, and groups that don't belong to a joint, stay as they
    are; the other joints share the weight that locked groups leave.

    If this fails, it raises Failed and changes nothing.
    """
    by_name = {thing.name: thing for thing in meshes}
    found = [(by_name[name], *file.weights(mesh, skin)) for name, mesh, skin in file.objects() if skin is not None and name in by_name]
    if sealed := [thing.name for thing, _, _ in found if not (thing.is_editable and thing.data.is_editable)]:
        raise program.Failed(f"These meshes come from another file and cannot be edited here: {', '.join(sealed)}")
    changed, locked = 0, set()
    kept = [(thing, *groups_of(thing)) for thing, _, _ in found]
    try:
        for (thing, joints, weights), (_, names, rows) in zip(found, kept):
            locked |= {group.name for group in thing.vertex_groups if group.lock_weight and group.name in joints}
            new = unlocked(rows, names, joints, weights, locked)
            set_weights(thing, joints, locked, new)
            changed += len(new)
    except Exception as problem:
        for thing, names, rows in kept:
            restore(thing, names, rows)
        raise program.Failed(f"The weights were not changed: {problem}") from problem
    return changed, sorted(locked)


def groups_of(thing):
    """Returns the names of a mesh's groups, and each vertex's weights by group name."""
    names = [group.name for group in thing.vertex_groups]
    return names, [{names[element.group]: element.weight for element in vertex.groups} for vertex in thing.data.vertices]


def unlocked(rows, names, joints, weights, locked):
    """Returns new weights of unlocked joints, by vertex and name. Leaves out vertices for which the file only has weights of locked groups."""
    new = {}
    for vertex, pairs in weights.items():
        free = {}
        for joint, weight in pairs:
            if joints[joint] not in locked:
                free[joints[joint]] = free.get(joints[joint], 0) + weight
        total = sum(free.values())
        left = 1 - sum(weight for name, weight in rows[vertex].items() if name in locked)
        if total > 0:
            new[vertex] = {name: weight * min(max(left, 0) / total, 1 / total) for name, weight in free.items()}
    return new


def set_weights(thing, joints, locked, new):
    """Replaces the weights of the vertices in `new`, in the groups of unlocked joints."""
    groups, vertices = thing.vertex_groups, list(new)
    for joint in joints:
        if joint not in locked and (old := groups.get(joint)):
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


class RIGSCOPE_PT_sidebar(bpy.types.Panel):
    bl_label = "Rigscope"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Rigscope"

    def draw(self, context):
        column = self.layout.column(align=True)
        column.operator("rigscope.open", icon="WINDOW")
        column.operator("rigscope.compare", icon="MOD_MIRROR")
        self.layout.operator("rigscope.weights", icon="MOD_VERTEX_WEIGHT")
        self.layout.operator("rigscope.check", icon="CHECKMARK")
        findings.draw(self.layout, context.scene)


class RigscopePreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: bpy.props.StringProperty(name="Program", description="Path of rigscope, where it is not on the PATH", subtype="FILE_PATH")

    def draw(self, context):
        self.layout.prop(self, "program")


CLASSES = (*findings.CLASSES, RIGSCOPE_OT_open, RIGSCOPE_OT_compare, RIGSCOPE_OT_weights, RIGSCOPE_PT_sidebar, RigscopePreferences)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.rigscope_findings = bpy.props.CollectionProperty(type=findings.Finding)
    bpy.types.Scene.rigscope_finding = bpy.props.IntProperty(name="Finding", default=-1, update=findings.select)


def unregister():
    del bpy.types.Scene.rigscope_finding
    del bpy.types.Scene.rigscope_findings
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
