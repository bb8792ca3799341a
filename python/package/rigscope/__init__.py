"""Rigged characters as numpy arrays: posed, skinned by several methods, measured, checked and drawn.

    >>> import rigscope
    >>> figure = rigscope.load("builtin:figure")
    >>> surfaces = figure.pose(clip="wave", time=0.5).skin("dqs")
    >>> surfaces[0].positions.shape
    (17895, 3)

Lengths are metres, angles degrees, times seconds; +Y is up, matrices multiply column vectors and are stored as numpy
stores them, rows first. Every call that takes time releases the interpreter's lock, uses all cores, and ends with
``KeyboardInterrupt`` on Ctrl+C.
"""

from ._rigscope import (
    METHODS,
    WEIGHTINGS,
    Clip,
    Config,
    Image,
    Material,
    MorphTarget,
    Node,
    OpenError,
    Part,
    Pose,
    Rig,
    RigscopeError,
    Skin,
    Surface,
    __version__,
    convert,
    diff,
    load,
)

__all__ = [
    "METHODS",
    "WEIGHTINGS",
    "Clip",
    "Config",
    "Image",
    "Material",
    "MorphTarget",
    "Node",
    "OpenError",
    "Part",
    "Pose",
    "Rig",
    "RigscopeError",
    "Skin",
    "Surface",
    "__version__",
    "convert",
    "diff",
    "load",
]
