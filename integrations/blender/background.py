"""Runs operators in steps: at once from scripts, in the background from buttons, with progress and Esc to cancel."""

import time

import bpy

from . import scene
from .program import Failed

# Seconds between looks at a running command.
INTERVAL = 0.1
# Events that navigate the view, which change no data.
NAVIGATION = {"MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "TRACKPADPAN", "TRACKPADZOOM"}

# Errors that users can do something about: those of Rigscope, of files and of Blender's operators. Others are bugs, which Blender shows in full.
REPORTED = (Failed, OSError, RuntimeError)

# The run in the background, if any.
_current = None


def current():
    return _current


class Run:
    """Runs a generator of steps that yields (text, task), where the task may be None, and returns a message.

    It gets each task's result from `yield`. A step without a task yields before work that blocks Blender, so that the text is visible.
    """

    def __init__(self, steps, count):
        self.steps, self.count = steps, count
        self.done, self.text, self.task, self.message = 0, "Starting", None, None
        self.began = time.monotonic()

    def advance(self, waits=False):
        """Runs the next step, unless a task is still running and this call doesn't wait for it. Returns True at the end."""
        if self.task and not waits and not self.task.is_done():
            return False
        result = self.task.result() if self.task else None
        self.task = None
        try:
            self.text, self.task = self.steps.send(result)
        except StopIteration as end:
            self.message = end.value
            return True
        self.done += 1
        return False

    def finish(self):
        """Runs all steps, and waits for their tasks. Returns the message."""
        while not self.advance(waits=True):
            pass
        return self.message

    def cancel(self):
        """Ends the running task and leaves out the other steps."""
        task, self.task = self.task, None
        if task:
            task.cancel()
        self.steps.close()

    def progress(self):
        """Returns the fraction of steps that are done, and a text with the time."""
        seconds = time.monotonic() - self.began
        return max(self.done - 1, 0) / self.count, f"{self.text}… {seconds:.0f} s"


class StepOperator:
    """Base of the operators on a character. Subclasses define `steps`, a generator for `Run`, and `COUNT`, its number of steps."""

    COUNT = 1

    @classmethod
    def poll(cls, context):
        reason = cls.obstacle(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    @classmethod
    def obstacle(cls, context):
        """Returns why the operator cannot run now, or None."""
        if _current:
            return f"Rigscope is busy: {_current.text}. Esc cancels"
        if scene.armature(context) is None:
            return "Select the character: its armature or one of its meshes"
        return None

    def execute(self, context):
        run = Run(self.steps(context), self.COUNT)
        try:
            self.report({"INFO"}, run.finish())
        except REPORTED as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        finally:
            run.cancel()
        return {"FINISHED"}

    def invoke(self, context, event):
        global _current
        _current = self.run = Run(self.steps(context), self.COUNT)
        manager = context.window_manager
        self.timer = manager.event_timer_add(INTERVAL, window=context.window)
        manager.progress_begin(0, self.COUNT)
        manager.modal_handler_add(self)
        self.shown_text = None
        self.show_progress(context)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.end(context)
            self.report({"WARNING"}, "Cancelled; nothing was changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            # Nothing else may change the character meanwhile.
            return {"PASS_THROUGH"} if event.type in NAVIGATION else {"RUNNING_MODAL"}
        is_done = True
        try:
            is_done = self.run.advance()
        except REPORTED as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        finally:
            if is_done:
                self.end(context)
        if is_done:
            self.report({"INFO"}, self.run.message)
            return {"FINISHED"}
        self.show_progress(context)
        return {"RUNNING_MODAL"}

    def cancel(self, context):
        """Called by Blender when it closes the window or opens another file."""
        self.end(context)

    def show_progress(self, context):
        _, text = self.run.progress()
        if text != self.shown_text:
            self.shown_text = text
            context.workspace.status_text_set(f"Rigscope: {text}  (Esc cancels)")
            context.window_manager.progress_update(self.run.done)
            redraw(context)

    def end(self, context):
        global _current
        _current = None
        self.run.cancel()
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        redraw(context)


def redraw(context):
    """Redraws the sidebars, and not the views, which may take long."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            for region in area.regions:
                if area.type == "VIEW_3D" and region.type == "UI":
                    region.tag_redraw()


def stop():
    """Ends the run in the background, if any."""
    global _current
    if _current:
        _current.cancel()
        _current = None


def draw(layout):
    """Draws the progress of the run in the background."""
    if _current:
        fraction, text = _current.progress()
        column = layout.column(align=True)
        column.progress(factor=fraction, text=text)
        column.label(text="Esc cancels", icon="EVENT_ESC")
