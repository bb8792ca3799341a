"""Lists the findings of a check in the sidebar. A click on a finding selects its bones and vertices."""

import json
import os

import bpy

from . import program
from .background import StepOperator
from .exported import File, export, export_without_clips
from .scene import character, is_hidden, leave_modes, select_only

ICONS = {"error": "CANCEL", "warning": "ERROR", "note": "INFO"}


def select(scene, context):
    """Selects the bones and vertices, or else the object, of the clicked finding."""
    if not 0 <= scene.rigscope_finding < len(scene.rigscope_findings):
        return
    finding = scene.rigscope_findings[scene.rigscope_finding]
    bones, vertices = json.loads(finding.bones), json.loads(finding.vertices)
    armature, thing = scene.objects.get(finding.armature), scene.objects.get(finding.object)
    shown = armature if bones and not vertices else thing
    finding.obstacle = ""
    if shown is None:
        if finding.object or bones:
            finding.obstacle = "Its object is gone: check again."
        return
    leave_modes(context)
    if not unhide(context, shown):
        finding.obstacle = f"{shown.name} is in a hidden or excluded collection: show that, and click again."
        return
    select_only(context, [shown], shown)
    if not (shown.is_editable and shown.data.is_editable):
        finding.obstacle = f"{shown.name} comes from another file: open that to select parts of it."
        return
    if bones and armature:
        select_bones(armature, bones)
    if bones and vertices and bones[0] in thing.vertex_groups:
        thing.vertex_groups.active = thing.vertex_groups[bones[0]]
    if vertices:
        select_vertices(context, thing.data, vertices)
    elif bones:
        bpy.ops.object.mode_set(mode="POSE")


def unhide(context, thing):
    """Shows an object. Returns False if it is still hidden by its collections."""
    thing.hide_viewport = False
    if thing.name in context.view_layer.objects:
        thing.hide_set(False)
    return thing.visible_get()


def select_vertices(context, mesh, vertices):
    """Selects vertices, and switches the active object to edit mode."""
    for parts in (mesh.vertices, mesh.edges, mesh.polygons):
        parts.foreach_set("select", [False] * len(parts))
    for vertex in vertices:
        if vertex < len(mesh.vertices):
            mesh.vertices[vertex].hide = False
            mesh.vertices[vertex].select = True
    context.tool_settings.mesh_select_mode = (True, False, False)
    bpy.ops.object.mode_set(mode="EDIT")


def select_bones(armature, names):
    """Selects bones, and makes the first one active. Requires object mode."""
    for bone in armature.pose.bones:
        # In Blender 5, pose bones have the selection state.
        selectable = bone if hasattr(bone, "select") else bone.bone
        selectable.select = bone.name in names
    if found := armature.data.bones.get(names[0]):
        found.hide = False
        armature.data.bones.active = found


class Finding(bpy.types.PropertyGroup):
    code: bpy.props.StringProperty()
    severity: bpy.props.StringProperty()
    message: bpy.props.StringProperty()
    advice: bpy.props.StringProperty()
    armature: bpy.props.StringProperty()
    # Bone names, and vertex indices of the object, as JSON lists.
    bones: bpy.props.StringProperty(default="[]")
    object: bpy.props.StringProperty()
    vertices: bpy.props.StringProperty(default="[]")
    # Message for findings with more vertices or bones than Rigscope lists.
    rest: bpy.props.StringProperty()
    # Why a click could not select them.
    obstacle: bpy.props.StringProperty()


def fill(scene, armature, file, found):
    """Fills the list of findings from the output of a check."""
    scene.rigscope_findings.clear()
    scene.rigscope_finding = -1
    objects = {mesh: name for name, mesh, _ in file.objects()}
    bones = set(armature.data.bones.keys())
    for finding in found["findings"]:
        target = finding["target"]
        item = scene.rigscope_findings.add()
        item.code, item.severity = finding["code"], finding["severity"]
        item.message, item.advice, item.armature = finding["message"], finding["advice"], armature.name
        nodes = [node for node in (*target.get("nodes", ()), target.get("joint")) if node is not None]
        names = [file.name(node) for node in nodes]
        item.bones = json.dumps([name for name in names if name in bones])
        item.object = next((name for name in names if name not in bones and name in scene.objects), "")
        listed = target.get("vertices", target.get("nodes", ()))
        if len(listed) < target.get("count", 0) and listed:
            item.rest = f"A click selects the first {len(listed)} of {target['count']}."
        if target["kind"] == "primitive":
            numbers = file.vertices(target["mesh"], target["primitive"])
            item.object = objects.get(target["mesh"], "")
            if numbers is not None:
                # Without a list, the finding concerns all vertices.
                named = numbers[target["vertices"]] if target["vertices"] else numbers
                item.vertices = json.dumps(sorted({int(vertex) for vertex in named}))


def nearest_config(file):
    """Returns the path of the rigscope.toml in a file's folder or the nearest one above, or None. The file may be unsaved, with an empty path."""
    folder = os.path.dirname(file)
    while folder:
        if os.path.isfile(path := os.path.join(folder, "rigscope.toml")):
            return path
        parent = os.path.dirname(folder)
        folder = parent if parent != folder else ""
    return None


class RIGSCOPE_OT_check(StepOperator, bpy.types.Operator):
    """Check the character with Rigscope and the rigscope.toml nearest to the .blend file"""

    bl_idname = "rigscope.check"
    bl_label = "Check"
    # The list belongs to the scene.
    bl_options = {"REGISTER", "UNDO"}
    COUNT = 2

    has_clips: bpy.props.BoolProperty(name="Clips", description="Export and check clips too", default=True)

    def steps(self, context):
        armature, meshes = character(context)
        hidden = [thing.name for thing in meshes if is_hidden(thing)]
        yield "Exporting the character", None
        path = export(context) if self.has_clips else export_without_clips(context)
        found = json.loads((yield "Checking", program.check(path, nearest_config(bpy.data.filepath))))
        fill(context.scene, armature, File(path), found)
        return summary(found["findings"], hidden)


def summary(findings, hidden):
    """Returns the number of findings by severity, and the hidden meshes."""
    severities = [finding["severity"] for finding in findings]
    counts = ", ".join(f"{severities.count(kind)} {kind}{'' if severities.count(kind) == 1 else 's'}" for kind in ICONS)
    return f"{counts}; hidden meshes are checked too: {', '.join(hidden)}" if hidden else counts


class RIGSCOPE_UL_findings(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index):
        layout.label(text=f"{item.code}  {item.message}", icon=ICONS.get(item.severity, "DOT"))


def draw(layout, scene):
    if not scene.rigscope_findings:
        return
    layout.template_list("RIGSCOPE_UL_findings", "", scene, "rigscope_findings", scene, "rigscope_finding", rows=6)
    if 0 <= scene.rigscope_finding < len(scene.rigscope_findings):
        finding = scene.rigscope_findings[scene.rigscope_finding]
        box = layout.box().column(align=True)
        for text in (finding.message, finding.advice, finding.rest, finding.obstacle):
            for line in lines(text):
                box.label(text=line)
            box.separator()


def lines(text, width=44):
    """Wraps a text, because the sidebar doesn't."""
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    if line:
        yield line


CLASSES = (Finding, RIGSCOPE_OT_check, RIGSCOPE_UL_findings)
