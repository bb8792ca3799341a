"""Compares skinned points of other programs with the right ones."""


def compare(rig_or_pose, positions, method="lbs", *, points_rest=None):
    """Returns the distance of each point to the right one.

    Parameters
    ----------
    rig_or_pose : Rig or Pose
        Pose that the points should show; a rig stands for its rest pose.
    positions : array_like, (vertices, 3), or path
        Skinned points of your program in world space, metres, +Y up: one per vertex of the file's ``POSITION``
        accessors, in their order. Or a file that ``rigscope diagnose`` reads.
    method : str
        What the points should show, ``"lbs"`` or ``"dqs"``.
    points_rest : array_like or path, optional
        Points of the same program in the rest pose, to match vertices by position instead of by order.

    Returns
    -------
    numpy.ndarray, (vertices,) float64
        Distances, metres, in the order of ``Rig.primitives``; infinite for points that are not finite.

    Raises
    ------
    RigscopeError
        The points cannot be read or matched with the vertices.
    """
    return _pose(rig_or_pose)._point_errors(positions, method, points_rest=points_rest)[0]


def assert_skinning(positions, rig_or_pose, method="lbs", tol=1e-5, *, points_rest=None):
    """Asserts that points of your program are right, and otherwise names the mistake that gives them.

    Parameters
    ----------
    positions, rig_or_pose, method, points_rest
        As for `compare`.
    tol : float
        Largest allowed distance, as a fraction of the diagonal of the bounding box.

    Raises
    ------
    AssertionError
        A point is farther away. The message has the diagnosis, such as ``Your points are LBS with transposed inverse
        bind matrices``.
    RigscopeError
        The points cannot be read or matched with the vertices.
    """
    pose = _pose(rig_or_pose)
    errors, size = pose._point_errors(positions, method, points_rest=points_rest)
    far = errors > tol * size
    if not far.any():
        return
    worst = int(errors.argmax())
    found = pose.diagnose(positions, method, points_rest=points_rest)
    # Rounding that explains itself is more than tol allows here.
    is_right = found["best"] == []
    lines = [
        "No known mistake explains the difference." if is_right else found["summary"],
        f"{int(far.sum())} of {len(errors)} vertices are farther than {tol:g} of the size from {method}; "
        f"the farthest is vertex {worst}, by {errors[worst] / size:.2g} of the size ({errors[worst]:.3g} m).",
    ]
    if found["disagreement"]:
        lines.append(found["disagreement"] + ".")
    if found["tied"]:
        tied = ", ".join(" + ".join(ids) for ids in found["tied"])
        lines.append(f"In this pose, these mistakes give the same points: {tied}. Try another pose.")
    if found["best"]:
        lines.append("Explained by: rigscope explain " + " ".join(found["best"]))
    raise AssertionError("\n".join(lines))


def _pose(rig_or_pose):
    from . import Pose, Rig

    if isinstance(rig_or_pose, Rig):
        return rig_or_pose.pose()
    if isinstance(rig_or_pose, Pose):
        return rig_or_pose
    raise TypeError(f"rig_or_pose must be a Rig or a Pose, not {type(rig_or_pose).__name__}")
