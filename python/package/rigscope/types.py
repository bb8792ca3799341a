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
    """The vertex at which two ways of skinning differ most, by the file's numbers."""

    node: int
    """Node that carries the mesh."""

    mesh: int
    """Mesh of the vertex."""

    primitive: int
    """Primitive of the mesh."""

    vertex: int
    """Vertex of the primitive."""

    joint: Optional[str]
    """Name of the joint that moves the vertex most."""


class PoseNumbers(TypedDict):
    """Two methods, A and B, at one pose; shares are of the rig's size, the diagonal of its bounds at rest."""

    methods: list[str]
    """Names of the two skinnings."""

    volume_m3: list[float]
    """Volume that the surfaces enclose, m³."""

    area_m2: list[float]
    """Area of the surfaces, m²."""

    max_distance_m: float
    """Largest distance of a vertex of A from that of B, metres; None where it is not known which vertex is which."""

    mean_distance_m: float
    """Mean distance of the vertices of A from those of B, metres; None where it is not known which vertex is which."""

    max_distance_share: float
    """The largest distance as a share of the rig's size."""

    mean_distance_share: float
    """The mean distance as a share of the rig's size."""

    worst: Optional[WorstVertex]
    """Vertex of the largest distance; None where there is none above 0."""


class MethodLoss(TypedDict):
    """The loss in a joint's region by one method at one angle; ratios are relative to the same method at angle 0."""

    method: str
    """The method."""

    volume_ratio: Optional[float]
    """Volume of the region with its openings closed, as a share of that at angle 0."""

    volume_ratio_uncertainty: Optional[float]
    """Most by which the ratio would be another if the openings were closed otherwise."""

    least_area_ratio: float
    """Area of the triangle that shrank most, as a share of its area at angle 0."""

    largest_edge_ratio: float
    """Length of the edge that grew most, as a share of its length at angle 0."""

    largest_distance_m: float
    """Largest distance of a vertex by the method from where another method puts it, metres."""


class SweepRow(TypedDict):
    """One turn of the twist and bend test, with the loss by each method."""

    motion: Literal["twist", "bend"]
    """A twist about the bone or a bend about the hinge."""

    angle_deg: float
    """Angle of the turn, degrees."""

    methods: list[MethodLoss]
    """The loss by each method."""


class Sweep(TypedDict):
    """The twist and bend test of a joint, turn by turn."""

    joint: str
    """Name of the joint."""

    triangles: int
    """Number of triangles of the region that it and its parent move."""

    rows: list[SweepRow]
    """The turns."""


class RankedJoint(TypedDict):
    """A joint, and the turn at which linear blend skinning loses the largest share of its volume."""

    joint: str
    """Name of the joint."""

    volume_loss: Optional[float]
    """Share of the volume of the joint's region that is lost."""

    volume_loss_uncertainty: Optional[float]
    """Most by which the loss would be another if the openings of the region were closed otherwise."""

    motion: Literal["twist", "bend"]
    """A twist about the bone or a bend about the hinge."""

    angle_deg: float
    """Angle of the turn, degrees."""

    triangles: int
    """Number of triangles of the region."""


class Ranking(TypedDict):
    """All joints by the volume that they lose, the worst first."""

    rank: list[RankedJoint]
    """The joints that are ranked."""

    specks: list[RankedJoint]
    """Joints with hardly any surface."""

    too_thin: list[RankedJoint]
    """Joints that are too thin to tell: their uncertainty swamps the loss."""


class RankedClip(TypedDict):
    """A clip, and the frame in which side A loses most at a joint: the share of its region's volume that each side has lost there."""

    clip: str
    """Name of the clip."""

    number: int
    """Number of the clip in the file."""

    time_s: Optional[float]
    """Time of the frame, seconds."""

    joint: Optional[str]
    """Name of the joint."""

    volume_loss: list[Optional[float]]
    """Share of the volume that A and B have lost."""

    volume_loss_uncertainty: list[Optional[float]]
    """Most by which each loss would be another if the openings of the region were closed otherwise."""


class ThinJoint(TypedDict):
    """A joint whose region seems to lose volume by side A, and is too thin to tell, in the frame in which it seems to lose most."""

    joint: str
    """Name of the joint."""

    clip: str
    """Name of the clip."""

    number: int
    """Number of the clip in the file."""

    time_s: float
    """Time of the frame, seconds."""

    volume_loss: float
    """Share of the volume that seems to be lost."""

    volume_loss_uncertainty: float
    """Most by which the loss would be another."""


class ClipMotion(TypedDict):
    """Both sides in each frame of a clip: lists have an entry for each frame, those of both sides two lists."""

    clip: str
    """Name of the clip."""

    number: int
    """Number of the clip in the file."""

    fps: float
    """Frames a second."""

    step: int
    """Frames from one that was measured to the next: 1, unless there are too many."""

    time_s: npt.NDArray[np.float32]
    """Times of the frames, seconds."""

    volume_m3: npt.NDArray[np.float64]
    """Volume, m³."""

    max_distance_m: npt.NDArray[np.float64]
    """Largest distance of a vertex of A from that of B, metres."""

    mean_distance_m: npt.NDArray[np.float64]
    """Mean distance of the vertices, metres."""

    worst_vertex: list[Optional[WorstVertex]]
    """Vertex of the largest distance."""

    least_area_ratio: npt.NDArray[np.float32]
    """Area of the triangle that has shrunk most, as a share of that in the rest pose."""

    flipped_triangles: npt.NDArray[np.uint32]
    """Number of triangles that are turned over, seen along the normal that their joint would give them."""

    worst_joint: list[list[Optional[str]]]
    """Name of the joint whose region has lost the largest share of its volume."""

    volume_loss: npt.NDArray[np.float32]
    """Share of the volume that it has lost."""

    volume_loss_uncertainty: npt.NDArray[np.float32]
    """Most by which the loss would be another if the openings of the region were closed otherwise."""


class Motion(TypedDict):
    """Two sides, A and B, over clips. Lists of both sides have A first."""

    sides: list[str]
    """Skinning of A and of B."""

    rest_volume_m3: npt.NDArray[np.float64]
    """Volume of A and of B in the file's rest pose, m³."""

    joints_off: NotRequired[str]
    """Why there are no volume losses of joints."""

    ranking: list[RankedClip]
    """The clips, that first in which A loses most."""

    too_thin: list[ThinJoint]
    """Joints that are too thin to tell."""

    clips: list[ClipMotion]
    """The clips, frame by frame."""


class SeamTravel(TypedDict):
    """Way of a clip's root from start to end."""

    distance_m: float
    """Way over the floor, metres."""

    turn_deg: float
    """Turn about the vertical, degrees."""

    moves: bool
    """True where the clip travels: by a tenth of the rig's height or by 20°."""


class SeamGap(TypedDict):
    """How far a joint is at the end from where it began."""

    joint: str
    """Name of the joint."""

    distance_m: float
    """Distance, metres."""


class SeamTurn(TypedDict):
    """How far a joint is turned at the end from how it began."""

    joint: str
    """Name of the joint."""

    angle_deg: float
    """Angle, degrees."""


class SkinGap(TypedDict):
    """How far vertices are at the end from where they began."""

    max_distance_m: float
    """Largest distance, metres."""

    mean_distance_m: float
    """Mean distance, metres."""

    worst: Optional[WorstVertex]
    """Vertex of the largest distance."""


class SeamJump(TypedDict):
    """By how much the velocity of a vertex jumps."""

    speed_m_s: float
    """Change of the velocity, metres a second."""

    worst: Optional[WorstVertex]
    """The vertex."""


class SeamSpin(TypedDict):
    """By how much the angular velocity of a joint jumps."""

    joint: str
    """Name of the joint."""

    speed_deg_s: float
    """Change of the angular velocity, degrees a second."""


class Spike(TypedDict):
    """A frame that a vertex goes to and comes back from."""

    time_s: float
    """Time of the frame, seconds."""

    offset_m: float
    """Distance of the vertex from the middle between where it is a frame before and a frame after, metres."""

    times: Optional[float]
    """The offset over the median of the largest offsets of all frames."""

    worst: Optional[WorstVertex]
    """The vertex."""


class TurnSpike(TypedDict):
    """A frame that a joint turns to and back from."""

    time_s: float
    """Time of the frame, seconds."""

    angle_deg: float
    """Angle between the rotation of the joint and the middle of those a frame before and a frame after, degrees."""

    times: Optional[float]
    """The change of angular velocity over the median of the largest changes of all frames."""

    joint: str
    """Name of the joint."""


class KeyCounts(TypedDict):
    """Counts of a clip's channels and keys, and the bytes that those which say nothing take as single precision numbers."""

    channels: int
    """Number of channels."""

    constant_channels: int
    """Channels of several keys that all have one value."""

    keys: int
    """Number of keys of all channels."""

    spare_keys: int
    """Keys that may be left out: linear interpolation between those that stay makes them, to within 0.1 mm, 0.0001 of a factor and 0.006°. Of a constant channel all but one."""

    spare_bytes: int
    """Bytes of the spare keys' times and values; times that channels share count once for each."""


class Seam(TypedDict):
    """How a clip loops and where it jerks, measured on the skin of side A of the clip as it is in the file."""

    clip: str
    """Name of the clip."""

    number: int
    """Number of the clip in the file."""

    fps: float
    """Frames a second."""

    step: int
    """Frames from one that was measured to the next: 1, unless there are too many."""

    frames: int
    """Number of frames that were measured."""

    travel: SeamTravel
    """Way of the root from start to end, which is taken out before the ends are compared where the clip travels."""

    gap: Optional[SeamGap]
    """Joint that ends farthest from where it began."""

    turn_gap: Optional[SeamTurn]
    """Joint whose rotation at the end differs most from that at the start."""

    skin_gap: SkinGap
    """Distances of vertices at the end from where they began."""

    jump: Optional[SeamJump]
    """Largest difference between the velocities of a vertex in the first step and in the last."""

    turn_jump: Optional[SeamSpin]
    """Largest difference between the angular velocities of a joint in the first step and in the last."""

    ratio: Optional[float]
    """Largest jump of a vertex over the median, over all frames, of the largest change of a vertex's velocity: 1 for a seam like any other frame."""

    spikes: list[Spike]
    """Frames of the clip's own keys that a vertex goes to and comes back from."""

    turn_spikes: list[TurnSpike]
    """Frames of the clip's own keys that a joint turns to and back from."""

    keys: KeyCounts
    """Channels and keys of the clip."""


class Stance(TypedDict):
    """A contact of a foot with the floor."""

    start_s: float
    """Time at which it begins, seconds."""

    end_s: float
    """Time at which it ends, seconds; before its start where it goes on across the seam of a loop."""

    slide_mm: float
    """Length of the path over the ground of what the foot stands on, mm."""


class Foot(TypedDict):
    """A foot in a clip."""

    foot: str
    """Name of the joint."""

    contacts: int
    """Number of contacts."""

    stances: list[Stance]
    """The contacts."""

    contact_share: float
    """Share of the clip in which the foot is in contact."""

    low_share: float
    """Share of the clip in which the foot is as low as in contact, however fast."""

    mean_skate_mm_s: float
    """Mean skate near the floor, mm/s."""

    worst_skate_mm_s: float
    """Largest skate, mm/s."""

    worst_s: float
    """Time at which the largest skate begins, seconds."""

    slide_mm: float
    """Mean slide of a contact, mm."""

    worst_slide_mm: float
    """Largest slide of a contact, mm."""

    worst_slide_s: float
    """Time at which that contact begins, seconds."""

    sliding_share: float
    """Share of the steps near the floor with a skate of more than 0.1 m/s, for a leg of 0.9 m."""

    sinks_mm: float
    """Depth of the sole below where it is at rest, at most, mm."""

    floats_mm: float
    """Height of the sole over the floor in contact, the mean, mm."""


class ClipFeet(TypedDict):
    """How feet stand on the floor in a clip, measured on the skin of side A of the clip as it is in the file."""

    clip: str
    """Name of the clip."""

    number: int
    """Number of the clip in the file."""

    fps: float
    """Frames a second."""

    step: int
    """Frames from one that was measured to the next: 1, unless there are too many."""

    frames: int
    """Number of frames that were measured."""

    moves: bool
    """True where the clip travels: by a tenth of the rig's height or by 20°."""

    root_speed_m_s: float
    """Speed of the root over the floor, metres a second."""

    ground_speed_m_s: float
    """Speed of the ground that the feet imply in a clip in place, metres a second."""

    floor_m: float
    """Height of the floor in the coordinates of the file, metres."""

    floor_at_rest: bool
    """True where the floor is where soles are at rest, false where it is where slow feet are."""

    doubtful: bool
    """True where feet hardly ever stand, so that the numbers say little."""

    worst_foot: Optional[str]
    """Name of the foot that slides most."""

    feet: list[Foot]
    """The feet."""


class InfluenceNumbers(TypedDict):
    """Numbers of joints with a weight above 0 per vertex."""

    mean: float
    """Mean number of influences over all vertices."""

    p99: int
    """Number of influences that 99 of 100 vertices do not exceed."""

    most: int
    """Number of influences of the vertex that has the most."""


class Balance(TypedDict):
    """Difference between the weights of points and their mirror images, as the sum of absolute differences: 0 where they agree, 2 where they have no joint in common."""

    mean_error: float
    """Mean difference over the points that have an image."""

    largest_error: float
    """Difference at the worst point."""

    matched_share: float
    """Share of the points that have an image: another point, or themselves."""


class JointWeights(TypedDict):
    """Vertices and weights of a joint."""

    joint: str
    """Name of the joint."""

    vertices: int
    """Number of vertices that it moves."""

    weight_sum: float
    """Sum of its weights."""

    largest: float
    """Largest of its weights."""

    energy: float
    """Dirichlet energy of its weights over the bound surface, without unit: a band of length L around a limb of circumference C, over which the weight falls evenly from 1 to 0, has C/L."""

    pieces: int
    """Number of connected parts of the surface on which its weight is at least 0.01."""

    islands: int
    """Number of pieces beyond the first on each connected surface."""


class WeightNumbers(TypedDict):
    """Numbers of the weights. Each vertex of the file counts once."""

    vertices: int
    """Number of vertices that a skin moves."""

    sum_error: float
    """Largest deviation of a vertex's sum of weights from 1."""

    without: int
    """Number of vertices without weight in the file."""

    influences: Optional[InfluenceNumbers]
    """Joints per vertex."""

    energy: float
    """Sum of the energies of the joints."""

    islands: int
    """Sum of the islands of the joints."""

    leak: float
    """Share of all weight that leaks: to joints much nearer in a straight line than through the body."""

    symmetry: Optional[Balance]
    """Agreement of the two halves of the body; None where joints do not pair."""

    joints: list[JointWeights]
    """Every joint of a skin, in the order of the hierarchy."""


class SuspectTurn(TypedDict):
    """Rotation of a joint."""

    rotation: list[float]
    """Unit quaternion x, y, z, w."""


class SuspectPose(TypedDict):
    """A pose as pose files have it."""

    version: int
    """Version of pose files."""

    joints: dict[str, SuspectTurn]
    """Joints that are turned, by name."""


class SuspectPart(TypedDict):
    """Vertices of a suspicious region by the file's own numbers, the first 4096 of `count`."""

    node: int
    """Node that carries the mesh."""

    mesh: int
    """The mesh."""

    primitive: int
    """Primitive of the mesh."""

    vertices: list[int]
    """Vertices of the primitive, the first of them."""

    count: int
    """Number of all vertices."""


class Suspect(TypedDict):
    """A region whose weights are suspicious, and a pose in which it shows, as pose files have it."""

    kind: Literal["stretch", "crossing", "far-joint", "one-sided"]
    """What is suspicious: edges that become much longer, layers that cross, a joint that is far away, sides that differ."""

    measure: float
    """How suspicious the worst place is, in the unit."""

    unit: Literal["times", "m", "share"]
    """Unit of the measure: times the length at rest, metres, or a share of the weight."""

    message: str
    """A sentence on the region."""

    joints: list[str]
    """Names of the joint that is doubted, and of those that its surroundings follow."""

    area_share: float
    """Share of the whole surface."""

    place_m: list[float]
    """Middle of the region at rest, metres in the world."""

    pose: SuspectPose
    """The pose in which the region is worst, as pose files have it."""

    parts: list[SuspectPart]
    """Vertices of the region."""


class Change(TypedDict):
    """What differs between two versions."""

    kind: str
    """Kind of the change: what the text of rigscope diff says, with _ for each space."""

    of: str
    """Name of what changed, in the old version where the two differ."""

    was: Optional[str]
    """Value in the old version, in words."""

    now: Optional[str]
    """Value in the new version, in words."""

    amounts: dict[str, float]
    """Amounts of the change: `distance_m`, `angle_deg`, `stretch`, `l1`, `largest`, `vertices`, `vertices_added`, `vertices_removed`, `triangles_added`, `triangles_removed`, `duration_secs`, `secs`, `keys`."""


class Target(TypedDict):
    """Place of a finding: its kind and the file's own numbers. At most 100 nodes or vertices are listed."""

    kind: str
    """What the place is: file, nodes, skin, primitive, clip or material."""

    skin: NotRequired[int]
    """The skin."""

    mesh: NotRequired[int]
    """Mesh of the primitive."""

    primitive: NotRequired[int]
    """The primitive."""

    joint: NotRequired[Optional[int]]
    """Joint of the vertices."""

    clip: NotRequired[int]
    """The clip."""

    nodes: NotRequired[list[int]]
    """The nodes."""

    vertices: NotRequired[list[int]]
    """The vertices."""

    count: NotRequired[int]
    """Number of all nodes or vertices."""

    material: NotRequired[int]
    """The material."""


class Finding(TypedDict):
    """A finding: what is odd in a rig, why it matters, and what to do."""

    code: str
    """Code, such as RIG010, or name of a rule."""

    severity: Literal["error", "warning", "note"]
    """Severity."""

    message: str
    """What is odd."""

    why: str
    """Why it matters."""

    advice: str
    """What to do."""

    target: Target
    """Where it is."""
