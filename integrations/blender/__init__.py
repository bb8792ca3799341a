"""Rigscope in Blender's sidebar: open the character in Rigscope, check it, compare it with the export before, and bring computed weights back."""

import os

import bpy

from . import findings, program
from .exported import File, cache, character, export

METHODS = [
    ("auto", "Automatic", "For characters of any kind"),
    ("voxel", "Voxels", "The nearest bones by the way through the inside; takes broken meshes too"),
    ("heat", "Heat", "Heat that spreads from each bone along the surface; wants a closed mesh"),
    ("closest", "Closest", "The four nearest bones in a straight line"),
    ("rigid", "Rigid", "Every vertex by its nearest bone alone"),
]


class RIGSCOPE_OT_open(bpy.types.Operator):
    """Export the character and open it in Rigscope, in the window that is open already if there is one"""

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
    """Export the character and open it in Rigscope beside the export before: A is the new one, B the old one"""

    bl_idname = "rigscope.compare"
    bl_label = "Compare with Last Export"

    def execute(self, context):
        try:
            armature, _ = character(context)
            if not os.path.exists(cache(armature)):
                raise program.Failed("There is no export to compare with yet: open or check the character first")
            program.show(export(context), "--with-file", cache(armature, before=True))
        except program.Failed as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class RIGSCOPE_OT_weights(bpy.types.Operator):
    """Compute the weights of the character by Rigscope, and put them into its vertex groups"""

    bl_idname = "rigscope.weights"
    bl_label = "Bring Weights Back"
    bl_options = {"REGISTER", "UNDO"}

    method: bpy.props.EnumProperty(items=METHODS, name="Method", default="auto")

    def execute(self, context):
        try:
            armature, meshes = character(context)
            path = export(context)
            computed = path.removesuffix(".glb") + "-weights.glb"
            program.run("weights", path, "--compute", self.method, "--output", computed, "--quiet")
            changed = bring_back(File(computed), meshes)
        except program.Failed as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{changed} vertices have new weights")
        return {"FINISHED"}

    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self)


def bring_back(file, meshes):
    """Puts the weights of a file into the vertex groups of the joints' names; the number of vertices that have some. Other groups stay."""
    by_name = {thing.name: thing for thing in meshes}
    changed = 0
    for name, mesh, skin in file.objects():
        if skin is None or name not in by_name:
            continue
        groups = by_name[name].vertex_groups
        joints, weights = file.weights(mesh, skin)
        for joint in joints:
            if old := groups.get(joint):
                old.remove(range(len(by_name[name].data.vertices)))
        targets = {}
        for vertex, pairs in weights.items():
            for joint, weight in pairs:
                if joint not in targets:
                    targets[joint] = groups.get(joints[joint]) or groups.new(name=joints[joint])
                targets[joint].add([vertex], weight, "ADD")
        changed += len(weights)
    return changed


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
