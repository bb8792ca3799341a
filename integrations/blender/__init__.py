"""Rigscope in Blender's sidebar: opens the character in Rigscope, checks it, compares it with the previous export, and computes or brings back its weights."""

import bpy

from . import background, findings, operators


class RIGSCOPE_PT_sidebar(bpy.types.Panel):
    bl_label = "Rigscope"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Rigscope"

    def draw(self, context):
        scene = context.scene
        background.draw(self.layout)
        column = self.layout.column(align=True)
        column.operator("rigscope.open", icon="WINDOW")
        column.operator("rigscope.compare", icon="MOD_MIRROR")
        column = self.layout.column(align=True)
        column.prop(scene, "rigscope_method", text="")
        column.operator("rigscope.weights", icon="MOD_VERTEX_WEIGHT").method = scene.rigscope_method
        column.operator("rigscope.edited", icon="IMPORT")
        column = self.layout.column(align=True)
        column.operator("rigscope.check", icon="CHECKMARK").has_clips = scene.rigscope_checks_clips
        column.prop(scene, "rigscope_checks_clips")
        findings.draw(self.layout, scene)


class RigscopePreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: bpy.props.StringProperty(name="Program", description="Path of rigscope, where it is not on the PATH", subtype="FILE_PATH")

    def draw(self, context):
        self.layout.prop(self, "program")


CLASSES = (*findings.CLASSES, *operators.CLASSES, RIGSCOPE_PT_sidebar, RigscopePreferences)
SETTINGS = {
    "rigscope_method": bpy.props.EnumProperty(items=operators.METHODS, name="Method", description="How Rigscope computes weights", default="auto"),
    "rigscope_checks_clips": bpy.props.BoolProperty(name="Check Clips Too", description="Exporting clips takes long if there are many", default=True),
    "rigscope_findings": bpy.props.CollectionProperty(type=findings.Finding),
    "rigscope_finding": bpy.props.IntProperty(name="Finding", default=-1, update=findings.select),
}


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    for name, setting in SETTINGS.items():
        setattr(bpy.types.Scene, name, setting)


def unregister():
    background.stop()
    for name in reversed(SETTINGS):
        delattr(bpy.types.Scene, name)
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
