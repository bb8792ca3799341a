"""Rigged characters as numpy arrays: posed, skinned by several methods, measured, checked and drawn.

    >>> import rigscope
    >>> figure = rigscope.load("builtin:figure")
    >>> surfaces = figure.pose(clip="wave", time=0.5).skin("dqs")
    >>> surfaces[0].positions.shape
    (17895, 3)

Lengths are in metres, angles in degrees, times in seconds. +Y is up. Matrices multiply column vectors and are stored
in row-major order, like other numpy arrays. Calls that take time release the interpreter's lock, use all cores, and
stop with ``KeyboardInterrupt`` on Ctrl+C.
"""

from ._assertions import assert_skinning, compare
from ._rigscope import (
    METHODS,
    WEIGHTINGS,
    Channel,
    Clip,
    Config,
    Image,
    Material,
    MorphTarget,
    Node,
    OpenError,
    Primitive,
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
    "Channel",
    "Clip",
    "Config",
    "Image",
    "Material",
    "MorphTarget",
    "Node",
    "OpenError",
    "Primitive",
    "Pose",
    "Rig",
    "RigscopeError",
    "Skin",
    "Surface",
    "__version__",
    "assert_skinning",
    "compare",
    "convert",
    "diff",
    "load",
]


def _load_again(source, keywords):
    """Opens a pickled rig."""
    return load(source, **keywords)
