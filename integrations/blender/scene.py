"""Finds the character in the scene, and changes modes, visibility and selection for a moment."""

import contextlib

import bpy

from .program import Failed


def armature(context):
    """Returns the armature of the active object, or else the scene's only armature, or None."""
    active = context.active_object
    own = active if active and active.type == "ARMATURE" else active and active.find_armature()
    if own is not None:
        return own
    candidates = [thing for thing in context.scene.objects if thing.type == "ARMATURE"]
    return candidates[0] if len(candidates) == 1 else None


def character(context):
    """Returns the character's armature and the meshes that it deforms.

    Raises Failed if there isn't exactly one candidate.
    """
    rig = armature(context)
    if rig is None:
        raise Failed("Select the character: its armature or one of its meshes")
    return rig, [thing for thing in context.scene.objects if thing.type == "MESH" and thing.find_armature() == rig]


def attached(context, rig):
    """Returns the meshes below an armature that it moves but doesn't deform, such as weapons that are parented to bones."""
    things = set(context.scene.objects)
    return [thing for thing in rig.children_recursive if thing.type == "MESH" and thing.find_armature() is None and thing in things]


def is_hidden(thing):
    """Returns True if an object or its collections are hidden."""
    return thing.hide_viewport or not thing.visible_get()


def select_only(context, things, active):
    for thing in context.selected_objects:
        thing.select_set(False)
    for thing in things:
        thing.select_set(True)
    context.view_layer.objects.active = active


def leave_modes(context):
    """Switches all objects to object mode. This also stores what was edited in edit mode."""
    objects = context.view_layer.objects
    for thing in objects:
        # Leaving a mode may switch other objects too.
        if thing.mode != "OBJECT":
            objects.active = thing
            bpy.ops.object.mode_set(mode="OBJECT")


@contextlib.contextmanager
def object_mode(context):
    """Switches to object mode, and restores the modes of all objects, the selection and the active object afterwards."""
    objects = context.view_layer.objects
    active, selected = objects.active, list(context.selected_objects)
    groups = {}
    for thing in objects:
        if thing.mode != "OBJECT":
            groups.setdefault((thing.type, thing.mode), []).append(thing)
    leave_modes(context)
    try:
        yield
    finally:
        # The active object's mode comes last, because painting allows posing, but not the reverse.
        for (_, mode), things in sorted(groups.items(), key=lambda group: active in group[1]):
            select_only(context, things, active if active in things else things[0])
            bpy.ops.object.mode_set(mode=mode)
        select_only(context, selected, active)


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
