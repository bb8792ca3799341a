"""Dictionaries that are returned: the same keys as the command line prints as JSON.

Written by the test `python_has_the_types_of_the_rows` with UPDATE_GOLDEN=1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, TypedDict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import NotRequired


class WorstVertex(TypedDict):
    """Vertex with the largest measured value; indices as in the file."""

    node: int
    """Index of the node with the mesh."""

    mesh: int
    """Index of the mesh."""

    primitive: int
    """Index of the primitive in the mesh."""

    vertex: int
    """Index of the vertex in the primitive."""

    joint: Optional[str]
    """Name of the joint with the largest weight on the vertex."""


class EquationTerm(TypedDict):
    """Contribution of a joint to a vertex."""

    joint: str
    """Name of the joint."""

    weight: float
    """Weight w_j."""

    moved_m: list[float]
    """T_j v: the vertex moved by this joint alone, metres."""

    term_m: list[float]
    """w_j (T_j v): the joint's contribution, metres."""


class WorstEquation(TypedDict):
    """Equation of the vertex that is farthest from points of another program: sum_j w_j (T_j v) by linear blending."""

    point_index: int
    """Index of the vertex's point in the file, from 0."""

    file_point: list[float]
    """The point in the file's own unit and axes."""

    point_m: list[float]
    """The point in metres and the axes of glTF."""

    expected_m: list[float]
    """Position of the vertex by the method of side A, metres."""

    distance_m: float
    """Distance between point and vertex, metres."""

    bound_m: list[float]
    """Position v in the bind pose, after morph targets, metres."""

    terms: list[EquationTerm]
    """Terms of the joints, largest weight first."""

    sum_m: list[float]
    """Sum of the terms: the vertex by linear blending, metres."""


class PoseNumbers(TypedDict):
    """Comparison of two methods, A and B, in one pose. Distances are also given as fractions of the rig's size, which is the diagonal of its rest bounds."""

    methods: list[str]
    """Names of the two skinnings."""

    volume_m3: list[float]
    """Volume that the surfaces enclose, m³."""

    area_m2: list[float]
    """Area of the surfaces, m²."""

    max_distance_m: float
    """Largest distance between corresponding vertices of A and B, metres; None if the vertices are not matched."""

    mean_distance_m: float
    """Mean distance between corresponding vertices of A and B, metres; None if the vertices are not matched."""

    max_distance_fraction: float
    """The largest distance divided by the rig's size."""

    mean_distance_fraction: float
    """The mean distance divided by the rig's size."""

    worst: Optional[WorstVertex]
    """Vertex with the largest distance; None if all distances are 0 or unknown."""

    equation: NotRequired[WorstEquation]
    """Equation of this vertex; only if side B shows points of another program."""


class MethodLoss(TypedDict):
    """Loss in a joint's region with one method at one angle. Ratios are relative to the same method at angle 0."""

    method: str
    """Name of the method."""

    volume_ratio: Optional[float]
    """Volume of the region with its openings closed, relative to angle 0."""

    volume_ratio_uncertainty: Optional[float]
    """Maximum change of the ratio if other caps closed the openings."""

    min_area_ratio: float
    """Area of the most shrunk triangle, relative to angle 0."""

    max_edge_ratio: float
    """Length of the most stretched edge, relative to angle 0."""

    max_distance_m: float
    """Maximum distance between a vertex's position with this method and with any other method, metres."""


class SweepRow(TypedDict):
    """One rotation of the twist and bend test."""

    motion: Literal["twist", "bend"]
    """Kind of rotation: a twist about the bone or a bend about the hinge."""

    angle_deg: float
    """Angle of the rotation, degrees."""

    methods: list[MethodLoss]
    """Loss with each method."""


class Sweep(TypedDict):
    """Twist and bend test of a joint, one row per rotation."""

    joint: str
    """Name of the joint."""

    triangles: int
    """Number of triangles in the region that the joint and its parent move."""

    rows: list[SweepRow]
    """One row per rotation."""


class RankedJoint(TypedDict):
    """Joint, and the rotation at which linear blend skinning loses most of its volume."""

    joint: str
    """Name of the joint."""

    volume_loss: Optional[float]
    """Fraction of the region's volume that is lost."""

    volume_loss_uncertainty: Optional[float]
    """Maximum change of the loss if other caps closed the openings of the region."""

    motion: Literal["twist", "bend"]
    """Kind of rotation: a twist about the bone or a bend about the hinge."""

    angle_deg: float
    """Angle of the rotation, degrees."""

    triangles: int
    """Number of triangles in the region."""


class Ranking(TypedDict):
    """All joints by lost volume, worst first."""

    range: Literal["natural", "full", "limits", "clips"]
    """Range of angles."""

    rank: list[RankedJoint]
    """Ranked joints."""

    specks: list[RankedJoint]
    """Joints with hardly any surface."""

    too_thin: list[RankedJoint]
    """Joints whose loss is too uncertain to rank."""


class RankedClip(TypedDict):
    """Clip, and the frame in which the region of any joint loses most of its volume on side A."""

    clip: str
    """Name of the clip."""

    number: int
    """Index of the clip in the file."""

    time_secs: Optional[float]
    """Time of the frame, seconds."""

    joint: Optional[str]
    """Name of the joint."""

    volume_loss: list[Optional[float]]
    """Fraction of the region's volume that A and B have lost."""

    volume_loss_uncertainty: list[Optional[float]]
    """Maximum change of each loss if other caps closed the openings of the region."""


class ThinJoint(TypedDict):
    """Joint whose loss on side A is too uncertain to rank, in the frame with its largest apparent loss."""

    joint: str
    """Name of the joint."""

    clip: str
    """Name of the clip."""

    number: int
    """Index of the clip in the file."""

    time_secs: float
    """Time of the frame, seconds."""

    volume_loss: float
    """Fraction of the volume that seems lost."""

    volume_loss_uncertainty: float
    """Maximum change of the loss if other caps closed the openings."""


class ClipMotion(TypedDict):
    """Both sides in each frame of a clip. Lists have one entry per frame; pairs have one list per side."""

    clip: str
    """Name of the clip."""

    number: int
    """Index of the clip in the file."""

    fps: float
    """Frames per second."""

    step: int
    """Interval between measured frames, in frames: 1, unless there are too many."""

    time_secs: npt.NDArray[np.float32]
    """Times of the frames, seconds."""

    volume_m3: npt.NDArray[np.float64]
    """Volume, m³."""

    max_distance_m: npt.NDArray[np.float64]
    """Maximum distance between corresponding vertices of A and B, metres."""

    mean_distance_m: npt.NDArray[np.float64]
    """Mean distance between corresponding vertices, metres."""

    worst_vertex: list[Optional[WorstVertex]]
    """Vertex with the maximum distance."""

    min_area_ratio: npt.NDArray[np.float32]
    """Area of the most shrunk triangle, relative to the rest pose."""

    flipped_triangles: npt.NDArray[np.uint32]
    """Number of triangles flipped relative to their rest normal, as transformed by their joint."""

    worst_joint: list[list[Optional[str]]]
    """Name of the joint whose region has lost most of its volume."""

    volume_loss: npt.NDArray[np.float32]
    """Fraction of the volume that this region has lost."""

    volume_loss_uncertainty: npt.NDArray[np.float32]
    """Maximum change of the loss if other caps closed the openings of the region."""


class Motion(TypedDict):
    """Measures of sides A and B over clips. Pairs list A first."""

    sides: list[str]
    """Skinning of A and B."""

    rest_volume_m3: npt.NDArray[np.float64]
    """Volumes of A and B in the file's rest pose, m³."""

    joints_off: NotRequired[str]
    """Reason why there are no volume losses of joints."""

    ranking: list[RankedClip]
    """Clips by the largest loss of side A, worst first."""

    too_thin: list[ThinJoint]
    """Joints whose loss is too uncertain to rank."""

    clips: list[ClipMotion]
    """Measures of each clip, by frame."""


class SeamTravel(TypedDict):
    """Travel of a clip's root from start to end."""

    distance_m: float
    """Distance over the floor, metres."""

    rotation_deg: float
    """Rotation about the vertical, degrees."""

    moves: bool
    """True if the clip travels by at least a tenth of the rig's height or rotates by at least 20°."""


class SeamGap(TypedDict):
    """Distance of a joint between start and end."""

    joint: str
    """Name of the joint."""

    distance_m: float
    """Distance, metres."""


class SeamRotation(TypedDict):
    """Angle between a joint's rotations at start and end."""

    joint: str
    """Name of the joint."""

    angle_deg: float
    """Angle, degrees."""


class SkinGap(TypedDict):
    """Distances of vertices between start and end."""

    max_distance_m: float
    """Maximum distance, metres."""

    mean_distance_m: float
    """Mean distance, metres."""

    worst: Optional[WorstVertex]
    """Vertex with the maximum distance."""


class SeamJump(TypedDict):
    """Jump of a vertex's velocity."""

    speed_m_s: float
    """Change of the velocity, m/s."""

    worst: Optional[WorstVertex]
    """Vertex that jumps."""


class SeamSpin(TypedDict):
    """Jump of a joint's angular velocity."""

    joint: str
    """Name of the joint."""

    speed_deg_s: float
    """Change of the angular velocity, degrees per second."""


class Spike(TypedDict):
    """Frame that a vertex jumps to and returns from."""

    time_secs: float
    """Time of the frame, seconds."""

    offset_m: float
    """Distance of the vertex from the midpoint of its positions one frame before and after, metres."""

    times: Optional[float]
    """Change of velocity, divided by the median over all frames of the largest change."""

    worst: Optional[WorstVertex]
    """Vertex that jumps."""


class RotationSpike(TypedDict):
    """Frame that a joint rotates to and returns from."""

    time_secs: float
    """Time of the frame, seconds."""

    angle_deg: float
    """Angle between the joint's rotation and the midpoint of its rotations one frame before and after, degrees."""

    times: Optional[float]
    """Change of angular velocity, divided by the median over all frames of the largest change."""

    joint: str
    """Name of the joint."""


class KeyCounts(TypedDict):
    """Counts of a clip's channels and keys, and the size of redundant keys in single precision."""

    channels: int
    """Number of channels."""

    constant_channels: int
    """Channels with several keys that all have the same value."""

    keys: int
    """Number of keys in all channels."""

    spare_keys: int
    """Keys that linear interpolation between the remaining keys reproduces within 0.1 mm, a factor of 0.0001, or 0.006°. A constant channel needs only one key."""

    spare_bytes: int
    """Bytes of the times and values of redundant keys. Times shared by channels count once per channel."""


class Seam(TypedDict):
    """Loop seam and spikes of one clip of the file, measured on the skin of side A."""

    clip: str
    """Name of the clip."""

    number: int
    """Index of the clip in the file."""

    fps: float
    """Frames per second."""

    step: int
    """Interval between measured frames, in frames: 1, unless there are too many."""

    frames: int
    """Number of measured frames."""

    travel: SeamTravel
    """Travel of the root from start to end. If `moves` is true, it is removed before the ends are compared."""

    gap: Optional[SeamGap]
    """Joint with the largest distance between start and end."""

    rotation_gap: Optional[SeamRotation]
    """Joint with the largest angle between its rotations at start and end."""

    skin_gap: SkinGap
    """Distances of vertices between start and end."""

    jump: Optional[SeamJump]
    """Largest difference between a vertex's velocities in the first and last step."""

    rotation_jump: Optional[SeamSpin]
    """Largest difference between a joint's angular velocities in the first and last step."""

    ratio: Optional[float]
    """Largest jump of a vertex, divided by the median over all frames of the largest change of a vertex's velocity: 1 for a seam like any other frame."""

    spikes: list[Spike]
    """Frames at the clip's own keys that a vertex jumps to and returns from."""

    rotation_spikes: list[RotationSpike]
    """Frames at the clip's own keys that a joint rotates to and returns from."""

    keys: KeyCounts
    """Channels and keys of the clip."""


class Stance(TypedDict):
    """Contact of a foot with the floor."""

    start_secs: float
    """Start time, seconds."""

    end_secs: float
    """End time, seconds; before the start if the contact continues across a loop's seam."""

    slide_mm: float
    """Path length of the supporting vertices over the ground, mm."""


class Foot(TypedDict):
    """Foot in a clip."""

    foot: str
    """Name of the joint."""

    contacts: int
    """Number of contacts."""

    stances: list[Stance]
    """One entry per contact."""

    contact_fraction: float
    """Fraction of the clip in which the foot is in contact."""

    low_fraction: float
    """Fraction of the clip in which the foot is low enough for contact, at any speed."""

    mean_skate_mm_s: float
    """Mean skate near the floor, mm/s."""

    worst_skate_mm_s: float
    """Maximum skate, mm/s."""

    worst_secs: float
    """Start time of the step with the maximum skate, seconds."""

    slide_mm: float
    """Mean slide per contact, mm."""

    worst_slide_mm: float
    """Maximum slide of a contact, mm."""

    worst_slide_secs: float
    """Start time of the contact with the maximum slide, seconds."""

    sliding_fraction: float
    """Fraction of the steps near the floor with a skate above 0.1 m/s, for a leg of 0.9 m."""

    sinks_mm: float
    """Maximum depth of the sole below its lowest point at rest, mm."""

    floats_mm: float
    """Mean height of the sole over the floor while in contact, mm."""


class ClipFeet(TypedDict):
    """Floor contacts of the feet in one clip of the file, measured on the skin of side A."""

    clip: str
    """Name of the clip."""

    number: int
    """Index of the clip in the file."""

    fps: float
    """Frames per second."""

    step: int
    """Interval between measured frames, in frames: 1, unless there are too many."""

    frames: int
    """Number of measured frames."""

    moves: bool
    """True if the clip travels by at least a tenth of the rig's height or rotates by at least 20°."""

    root_speed_m_s: float
    """Speed of the root over the floor, m/s."""

    ground_speed_m_s: float
    """Speed of the ground implied by the feet of an in-place clip, m/s."""

    floor_m: float
    """Height of the floor in file coordinates, metres."""

    floor_at_rest: bool
    """True if the floor is at the soles' rest height, false if it is at the height of slow feet."""

    doubtful: bool
    """True if contacts are too rare for reliable results."""

    worst_foot: Optional[str]
    """Name of the foot with the longest slide."""

    feet: list[Foot]
    """One entry per foot."""


class FlexValue(TypedDict):
    """Value of a measure in a pose."""

    measure: Literal["volume-loss", "pinched", "flipped", "stretch", "folds", "layers", "elsewhere", "abrupt"]
    """The measure."""

    value: float
    """Value: a fraction, or for stretch a ratio."""

    joint: Optional[str]
    """Name of the joint that moves, or whose region is worst."""


class FlexContact(TypedDict):
    """Surfaces of two joints that intersect."""

    kind: Literal["fold", "layers", "contact"]
    """How the surfaces meet."""

    joints: list[str]
    """Names of the two joints, equal if a region meets itself."""

    count: int
    """Number of intersecting pairs of triangles."""

    fraction: float
    """Area of the intersecting triangles, as a fraction of both regions."""

    depth_m: float
    """Largest depth of a pair, metres."""


class JointRotation(TypedDict):
    """Rotation of a joint."""

    rotation: list[float]
    """Unit quaternion x, y, z, w."""


class WeightProblemPose(TypedDict):
    """Pose in the format of pose files."""

    version: int
    """Version of the pose file format."""

    joints: dict[str, JointRotation]
    """Rotated joints, by name."""


class FlexPose(TypedDict):
    """One pose of the bend test."""

    name: str
    """Name of the pose: joint, motion and angle, or the name of the pose or clip."""

    kind: Literal["joint", "whole-body", "clip"]
    """Kind of pose."""

    joint: Optional[str]
    """Name of the joint that moves, if only one does."""

    axis: Optional[Literal["flexion", "abduction", "twist"]]
    """Motion of the joint."""

    angle_deg: Optional[float]
    """Angle of the joint from its anatomical position, degrees."""

    source: Optional[str]
    """Publication of the joint's natural range."""

    clip: Optional[int]
    """Index of the clip, for frames of clips."""

    time_secs: Optional[float]
    """Time in the clip, seconds."""

    severity: float
    """Largest measure relative to its limit; above 1 for a fault."""

    worst: Optional[Literal["volume-loss", "pinched", "flipped", "stretch", "folds", "layers", "elsewhere", "abrupt"]]
    """The measure that determines the severity."""

    measures: list[FlexValue]
    """Measures with their places."""

    min_area_ratio: float
    """Smallest area of a triangle, relative to rest."""

    flipped_triangles: int
    """Number of triangles that turn over."""

    volume_m3: float
    """Volume of everything drawn, cubic metres."""

    contacts: list[FlexContact]
    """Surfaces that intersect in the pose and not at rest."""

    pose: WeightProblemPose
    """The pose, in the format of pose files."""


class FlexJoint(TypedDict):
    """Worst values of a joint over all poses."""

    joint: str
    """Name of the joint."""

    worst: dict[str, float]
    """Worst value of each measure: a fraction, or for stretch a ratio."""


class Flex(TypedDict):
    """Bend test of a rig."""

    count: int
    """Number of tested poses, listed or not."""

    poses: list[FlexPose]
    """Poses by severity, worst first."""

    joints: list[FlexJoint]
    """Worst value of each measure by joint, worst joint first. `check --against` reads them."""

    inert: list[str]
    """Names of joints that move no skin although their names promise it."""


class InfluenceStatistics(TypedDict):
    """Number of joints with a weight above 0 per vertex."""

    mean: float
    """Mean number of influences over all vertices."""

    p99: int
    """99th percentile of influences per vertex."""

    max: int
    """Maximum number of influences per vertex."""


class WeightSymmetry(TypedDict):
    """Difference between the weights of a point and of its mirror image: the sum of absolute differences, from 0 (equal) to 2 (no joint in common)."""

    mean_error: float
    """Mean difference over points that have a mirror image."""

    largest_error: float
    """Difference at the worst point."""

    matched_fraction: float
    """Fraction of the points whose mirror image is on the body's surface."""


class JointWeights(TypedDict):
    """Vertices and weights of a joint."""

    joint: str
    """Name of the joint."""

    vertices: int
    """Number of vertices that the joint moves."""

    weight_sum: float
    """Sum of the joint's weights."""

    largest: float
    """Largest of the joint's weights."""

    energy: float
    """Dirichlet energy of the joint's weights over the bound surface, unitless: C/L if the weight falls linearly from 1 to 0 over a length L of a limb with circumference C."""

    components: int
    """Number of connected surface components where the joint's weight is at least 0.01."""

    islands: int
    """Number of these components beyond the first on each connected surface."""


class WeightNumbers(TypedDict):
    """Weight statistics. Each vertex of the file counts once."""

    vertices: int
    """Number of vertices that a skin moves."""

    sum_error: float
    """Maximum deviation of a vertex's weight sum from 1."""

    without: int
    """Number of vertices without weight in the file."""

    influences: Optional[InfluenceStatistics]
    """Number of joints per vertex."""

    energy: float
    """Sum of the energies of the joints."""

    islands: int
    """Sum of the islands of the joints."""

    leak: float
    """Fraction of all weight that leaks: its joint is much closer to the vertex in a straight line than through the body."""

    symmetry: Optional[WeightSymmetry]
    """Difference between the two halves of the body; None without pairs of left and right joints."""

    joints: list[JointWeights]
    """Every joint of a skin, in the order of the hierarchy."""


class WeightProblemVertices(TypedDict):
    """Vertices of the region in one primitive. Indices are those of the file."""

    node: int
    """Index of the node with the mesh."""

    mesh: int
    """Index of the mesh."""

    primitive: int
    """Index of the primitive in the mesh."""

    vertices: list[int]
    """Indices of the vertices in the primitive, at most 4096."""

    count: int
    """Number of all vertices, listed or not."""


class WeightProblem(TypedDict):
    """Region with wrong weights, and the pose that shows it best."""

    kind: Literal["stretch", "crossing", "far-joint", "one-sided"]
    """Kind of problem: edges that stretch, layers that cross, a joint that is far away, or sides that differ."""

    measure: float
    """Severity at the worst point, in `unit`."""

    unit: Literal["times", "m", "fraction"]
    """Unit of `measure`: times the rest length, metres, or fraction of the weight."""

    message: str
    """Description of the problem in a sentence."""

    joints: list[str]
    """Name of the joint with wrong weights, then names of the joints that the surrounding surface follows."""

    area_fraction: float
    """Area of the region as a fraction of the whole surface, 0 to 1."""

    position_m: list[float]
    """Centre of the region at rest, metres, world space."""

    pose: WeightProblemPose
    """Pose in which the region is worst, in the format of pose files."""

    primitives: list[WeightProblemVertices]
    """Vertices of the region."""


class JointMetrics(TypedDict):
    """Joints of a rig against those of a reference."""

    count: int
    """Number of joints of the rig."""

    reference_count: int
    """Number of joints of the reference."""

    matched: int
    """Number of joints with a partner within the tolerance; each joint has at most one partner."""

    precision: float
    """Fraction of the rig's joints that are matched."""

    recall: float
    """Fraction of the reference's joints that are matched."""

    iou: float
    """Twice the number of matched joints, divided by the number of all joints of both."""

    mean_tolerance: float
    """Tolerance, averaged over the joints of the reference."""

    cd_j2j: float
    """Chamfer distance between joints."""

    cd_j2b: float
    """Chamfer distance from joints to bones."""

    cd_b2b: float
    """Chamfer distance between bones."""

    extra: list[str]
    """Names of the rig's joints without a partner."""

    missing: list[str]
    """Names of the reference's joints without a partner."""


class WeightMetrics(TypedDict):
    """Weights of matched vertices against those of a reference."""

    vertices: int
    """Number of vertices of the reference that have weights and a counterpart."""

    reference_vertices: int
    """Number of vertices of the reference that have weights."""

    threshold: float
    """Weights above this count as an influence."""

    precision: float
    """Fraction of the rig's influences that the reference has too."""

    recall: float
    """Fraction of the reference's influences that the rig has too."""

    l1: float
    """Sum of the absolute differences of a vertex's weights, averaged over vertices: 0 if equal, at most 2."""

    poses: int
    """Number of random poses."""

    mean_deformation: Optional[float]
    """Distance between the vertices of the reference with its weights and with the rig's, averaged over vertices and poses; None if no vertex was measured."""

    max_deformation: Optional[float]
    """Largest of these distances; None if no vertex was measured."""


class RiggingMetrics(TypedDict):
    """Metrics of rigging papers: a rig against a reference. Distances are fractions of the longest side of the reference's bounding box."""

    reference: str
    """The reference."""

    unit_m: float
    """Longest side of the reference's bounding box at rest, metres."""

    joints: JointMetrics
    """Joints, by their positions at rest."""

    weights: Optional[WeightMetrics]
    """Weights; None if no vertices were matched."""

    weights_off: Optional[str]
    """Why weights were not compared."""


class Explanation(TypedDict):
    """A combination of mistakes. Distances are fractions of the size."""

    id: list[str]
    """Identifiers of the mistakes; empty if the points are right."""

    max: float
    """Largest distance."""

    mean: float
    """Mean distance."""

    vertices: int
    """Number of vertices that are farther away than rounding explains."""


class Similarity(TypedDict):
    """A scale, rotation, reflection and translation from the expected points to the given ones."""

    scale: float
    """Factor from metres to the unit of the points."""

    angle_deg: float
    """Rotation angle, degrees."""

    mirrors: bool
    """Whether it mirrors."""

    translation: list[float]
    """Translation, in the unit of the points."""

    rms: float
    """Root mean square of the remaining distances, as a fraction of the size."""


class MatrixJoint(TypedDict):
    """Difference of the matrix of a joint."""

    joint: str
    """Name of the joint."""

    max: Optional[float]
    """Largest difference of a number; None if it is not a number."""


class Matrices(TypedDict):
    """Matrices of another program, compared joint by joint."""

    mistake: Optional[str]
    """Identifier of the mistake that explains the matrices; None if they are right or nothing does."""

    fits: bool
    """Whether the matrices are right, or a mistake explains them."""

    max: Optional[float]
    """Largest difference of a number; of translations, as a fraction of the size; None if it is not a number."""

    is_skinning: bool
    """Whether they are skinning matrices, not world matrices of joints."""

    is_by_columns: bool
    """Whether each matrix is stored by columns."""

    joints: list[MatrixJoint]
    """Joints with the largest differences from the right matrices."""


class Diagnosis(TypedDict):
    """Which mistakes explain the points of another program."""

    summary: str
    """The answer as a sentence."""

    explanations: list[Explanation]
    """Explanations, best first."""

    best: Optional[list[str]]
    """Identifiers of the explanation that fits; empty if the points are right, None if nothing fits."""

    tied: list[list[str]]
    """Identifiers of other explanations that give the same points in this pose."""

    method: str
    """Method that the points should show."""

    matched_by: str
    """How points were matched with vertices."""

    vertices: int
    """Number of matched vertices."""

    size_m: float
    """Diagonal of the bounding box of the expected points, metres."""

    disagreement: Optional[str]
    """What the vertices have in common that the first explanation doesn't explain, if only some are not."""

    similarity: Optional[Similarity]
    """Unit, rotation and handedness of the points relative to the expected ones, by least squares."""

    matrices: Optional[Matrices]
    """Comparison of matrices, if there are any."""


class Change(TypedDict):
    """A difference between two versions."""

    kind: str
    """Kind of the change, as in the text of rigscope diff, with _ for each space."""

    of: str
    """Name of the changed object, from the old version if the names differ."""

    was: Optional[str]
    """Value in the old version, in words."""

    now: Optional[str]
    """Value in the new version, in words."""

    amounts: dict[str, float]
    """Amounts of the change: `distance_m`, `angle_deg`, `stretch`, `l1`, `largest`, `vertices`, `vertices_added`, `vertices_removed`, `triangles_added`, `triangles_removed`, `duration_secs`, `secs`, `keys`."""


class Deviation(TypedDict):
    """Distances of many points."""

    max_m: Optional[float]
    """Largest distance, metres; `None` if it is not a finite number."""

    max_of_size: Optional[float]
    """Largest distance as a fraction of the size."""

    mean_m: Optional[float]
    """Mean distance, metres."""

    place: str
    """Joint, or vertex and mesh, with the largest distance."""

    pose: str
    """Pose with the largest distance."""


class Refit(TypedDict):
    """Change of a skeleton and its proof."""

    operations: list[str]
    """What each operation did, as `NAME: clause`, in order."""

    holds: bool
    """Whether no distance is more than 1e-5 of the size."""

    changes_skin: bool
    """Whether an operation is meant to change the skin."""

    is_complete: bool
    """Whether every joint, clip and vertex of the first file was compared."""

    size_m: float
    """Size of the new rig at rest, metres."""

    poses: int
    """Number of random poses within the natural range of each joint, and the rest pose."""

    moments: int
    """Number of moments of clips."""

    skin: Deviation
    """Distances of vertices, by linear blend and dual quaternion skinning."""

    joints: Deviation
    """Distances of the origins of joints."""

    notes: list[str]
    """What the proof leaves out: clips, nodes and vertices without a counterpart, other rest poses."""


class Target(TypedDict):
    """Location of a finding: its kind and indices in the file. Lists have at most 100 nodes or vertices."""

    kind: str
    """Kind of location: file, nodes, skin, primitive, clip or material."""

    skin: NotRequired[int]
    """Index of the skin."""

    mesh: NotRequired[int]
    """Index of the primitive's mesh."""

    primitive: NotRequired[int]
    """Index of the primitive in the mesh."""

    joint: NotRequired[Optional[int]]
    """Node of the joint that moves the vertices."""

    clip: NotRequired[int]
    """Index of the clip."""

    nodes: NotRequired[list[int]]
    """Indices of the nodes."""

    vertices: NotRequired[list[int]]
    """Indices of the vertices in the primitive."""

    count: NotRequired[int]
    """Number of all nodes or vertices."""

    material: NotRequired[int]
    """Index of the material."""


class Finding(TypedDict):
    """Finding: a problem in a rig, why it matters, and what to do."""

    code: str
    """Code, such as RIG010, or name of a rule."""

    severity: Literal["error", "warning", "note"]
    """Severity of the finding."""

    message: str
    """Description of the problem."""

    why: str
    """Why it matters."""

    advice: str
    """What to do."""

    target: Target
    """Location of the problem."""
