"""Operators that open and compare the character, and compute and bring back its weights."""

import functools
import os

import bpy

from . import program, scene, weights
from .background import StepOperator
from .exported import File, before, cache, export, export_for_weights, newest_edited
from .program import Failed

METHODS = [
    ("auto", "Automatic", "For characters of any kind"),
    ("voxel", "Geodesic Voxel", "Distance to bones through the inside of the body; accepts broken meshes"),
    ("heat", "Heat", "Heat that spreads from each bone along the surface; needs a closed mesh"),
    ("closest", "Closest", "The four nearest bones in a straight line"),
    ("rigid", "Rigid", "Every vertex follows only its nearest bone"),
]


class RIGSCOPE_OT_open(StepOperator, bpy.types.Operator):
    """Export the character and open it in Rigscope, reusing its window if one is open"""

    bl_idname = "rigscope.open"
    bl_label = "Open in Rigscope"
    bl_options = {"REGISTER"}

    def steps(self, context):
        # Reports a missing program before an export that takes long.
        program.path()
        yield "Exporting the character", None
        path = export(context)
        program.show(path)
        return f"Opening {os.path.basename(path)}"


class RIGSCOPE_OT_compare(StepOperator, bpy.types.Operator):
    """Export the character and compare it with the previous export: A is the new one, B the old one"""

    bl_idname = "rigscope.compare"
    bl_label = "Compare with Last Export"
    bl_options = {"REGISTER"}

    @classmethod
    def obstacle(cls, context):
        reason = super().obstacle(context)
        if not reason and not os.path.exists(cache(scene.armature(context))):
            reason = "There is no export to compare with yet: open or check the character first"
        return reason

    def steps(self, context):
        program.path()
        yield "Exporting the character", None
        path = export(context)
        program.show(path, "--comparison-file", before(scene.armature(context)))
        return f"Comparing {os.path.basename(path)} with the previous export"


class RIGSCOPE_OT_weights(StepOperator, bpy.types.Operator):
    """Compute the character's weights with Rigscope and store them in its vertex groups"""

    bl_idname = "rigscope.weights"
    bl_label = "Compute Weights"
    bl_options = {"REGISTER", "UNDO"}
    COUNT = 3

    method: bpy.props.EnumProperty(items=METHODS, name="Method", default="auto")

    def steps(self, context):
        armature, meshes = scene.character(context)
        weights.check_editable(meshes)
        yield "Exporting the character", None
        path = export_for_weights(context)
        computed = cache(armature, "-computed")
        yield "Computing weights", program.compute_weights(path, self.method, computed)
        yield "Writing vertex groups", None
        return write(context, computed)


class RIGSCOPE_OT_edited(StepOperator, bpy.types.Operator):
    """Store the weights that were edited by hand in Rigscope, and exported there, in the character's vertex groups"""

    bl_idname = "rigscope.edited"
    bl_label = "Bring Back Edited Weights"
    bl_options = {"REGISTER", "UNDO"}

    filepath: bpy.props.StringProperty(name="File", description="By default, the newest file that Rigscope saved beside the export", subtype="FILE_PATH")
    filter_glob: bpy.props.StringProperty(default="*.glb", options={"HIDDEN"})

    def invoke(self, context, event):
        armature = scene.armature(context)
        self.filepath = newest_edited(armature) or cache(armature, ".weights")
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def steps(self, context):
        path = bpy.path.abspath(self.filepath) or newest_edited(scene.armature(context))
        if path is None:
            raise Failed("Rigscope has not exported weights of this character yet: choose File > Export weights in its window")
        yield "Writing vertex groups", None
        return f"{os.path.basename(path)}: {write(context, path)}"


def write(context, path):
    """Writes a file's weights to the character's vertex groups. Returns a message."""
    armature, meshes = scene.character(context)
    file = File(path)
    with scene.object_mode(context):
        fresh = functools.cache(lambda: File(export_for_weights(context)))
        found = weights.incoming(file, armature, meshes, fresh)
        changed, locked = weights.write(found, set(armature.data.bones.keys()))
    notes = [f"{changed} vertices have new weights" if changed != 1 else "1 vertex has new weights"]
    if locked:
        notes.append(f"locked groups stay as they are: {', '.join(locked)}")
    if left_out := [thing.name for thing in meshes if thing not in [each.thing for each in found]]:
        notes.append(f"not in the file: {', '.join(left_out)}")
    if hidden := [each.thing.name for each in found if scene.is_hidden(each.thing)]:
        notes.append(f"hidden meshes got theirs too: {', '.join(hidden)}")
    return "; ".join(notes)


CLASSES = (RIGSCOPE_OT_open, RIGSCOPE_OT_compare, RIGSCOPE_OT_weights, RIGSCOPE_OT_edited)
