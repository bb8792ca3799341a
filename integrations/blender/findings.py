"""Lists the findings of `rigscope check` in the sidebar. A click on a finding selects its bones or vertices."""

import json

import bpy

from . import program
from .exported import File, character, export, is_hidden, select_only

ICONS = {"error": "CANCEL", "warning": "ERROR", "note": "INFO"}


def select(scene, context):
    """Selects the bones or vertices of the clicked finding."""
    if not 0 <= scene.rigscope_finding < len(scene.rigscope_findings):
        return
    finding = scene.rigscope_findings[scene.rigscope_finding]
    bones, vertices = json.loads(finding.bones), json.loads(finding.vertices)
    shown = scene.objects.get(finding.object if vertices else finding.armature)
    if shown is None or not (bones or vertices):
        return
    if context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    shown.hide_viewport = False
    if not shown.visible_get():
        # The object or one of its collections is hidden.
        if shown.name in context.view_layer.objects:
            shown.hide_set(False)
        if not shown.visible_get():
            return
    select_only(context, [shown], shown)
    if vertices:
        mesh = shown.data
        for parts in (mesh.vertices, mesh.edges, mesh.polygons):
            parts.foreach_set("select", [False] * len(parts))
        for vertex in vertices:
            if vertex < len(mesh.vertices):
                mesh.vertices[vertex].select = True
        context.tool_settings.mesh_select_mode = (True, False, False)
        bpy.ops.object.mode_set(mode="EDIT")
        return
    bpy.ops.object.mode_set(mode="POSE")
    for bone in shown.pose.bones:
        # In Blender 5, pose bones have the selection state.
        selectable = bone if hasattr(bone, "select") else bone.bone
        selectable.select = bone.name in bones
    if found := shown.data.bones.get(bones[0]):
        shown.data.bones.active = found


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


def fill(scene, armature, file, found):
    """Fills the list of findings from the output of `rigscope check --format json`."""
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
        item.bones = json.dumps([file.name(node) for node in nodes if file.name(node) in bones])
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


class RIGSCOPE_OT_check(bpy.types.Operator):
    """Check the character with Rigscope and the nearest rigscope.toml"""

    bl_idname = "rigscope.check"
    bl_label = "Check"
    bl_options = {"REGISTER"}

    def execute(self, context):
        try:
            armature, meshes = character(context)
            hidden = [thing.name for thing in meshes if is_hidden(thing)]
            path = export(context)
            # Exit code 1 means that there are errors.
            found = json.loads(program.run("check", path, "--format", "json", "--quiet", good=(0, 1)))
        except program.Failed as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        fill(context.scene, armature, File(path), found)
        counts = found["counts"]
        told = ", ".join(f"{counts[kind]} {kind}{'' if counts[kind] == 1 else 's'}" for kind in ICONS)
        self.report({"INFO"}, f"{told}; hidden meshes are checked too: {', '.join(hidden)}" if hidden else told)
        return {"FINISHED"}


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
        for text in (finding.message, finding.advice, finding.rest):
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
