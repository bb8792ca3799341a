"""Dictionaries that are returned: the same keys as the command line prints as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, TypedDict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Finding(TypedDict):
    """A finding: what is odd in a rig, why it matters, and what to do. `target` has a `kind` and the file's own numbers."""

    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    why: str
    advice: str
    target: dict[str, object]


class SuspectPart(TypedDict):
    """Vertices of a suspicious region by the file's own numbers, the first 4096 of `count`."""

    node: int
    mesh: int
    primitive: int
    vertices: list[int]
    count: int


class Suspect(TypedDict):
    """A region whose weights are suspicious, and a pose in which it shows, as pose files have it."""

    kind: Literal["stretch", "crossing", "far-joint", "one-sided"]
    measure: float
    unit: Literal["times", "m", "share"]
    message: str
    joints: list[str]
    area_share: float
    place_m: list[float]
    pose: dict[str, object]
    parts: list[SuspectPart]


class Change(TypedDict):
    """What differs between two versions; `kind` is what the text of ``rigscope diff`` says, with _ for each space."""

    kind: str
    of: str
    was: Optional[str]
    now: Optional[str]
    amounts: dict[str, float]


class WorstVertex(TypedDict):
    """A vertex by the file's own numbers, and the joint that moves it most."""

    node: int
    mesh: int
    primitive: int
    vertex: int
    joint: Optional[str]


class PoseNumbers(TypedDict):
    """Two methods, A and B, at one pose; shares are of the rig's size."""

    methods: list[str]
    volume_m3: list[float]
    area_m2: list[float]
    max_distance_m: float
    mean_distance_m: float
    max_distance_share: float
    mean_distance_share: float
    worst: Optional[WorstVertex]


class RankedClip(TypedDict):
    """A clip, and the frame in which side A loses most at a joint: the share of its region's volume that each side has lost there."""

    clip: str
    number: int
    time_s: Optional[float]
    joint: Optional[str]
    volume_loss: list[Optional[float]]
    volume_loss_uncertainty: list[Optional[float]]


class ThinJoint(TypedDict):
    """A joint whose region seems to lose volume by side A, and is too thin to tell, in the frame in which it seems to lose most."""

    joint: str
    clip: str
    number: int
    time_s: float
    volume_loss: float
    volume_loss_uncertainty: float


class ClipMotion(TypedDict):
    """Two methods, A and B, in each frame of a clip; arrays are (frames,), those of both sides (2, frames)."""

    clip: str
    number: int
    fps: float
    step: int
    time_s: npt.NDArray[np.float32]
    volume_m3: npt.NDArray[np.float64]
    max_distance_m: npt.NDArray[np.float64]
    mean_distance_m: npt.NDArray[np.float64]
    worst_vertex: list[Optional[WorstVertex]]
    least_area_ratio: npt.NDArray[np.float32]
    flipped_triangles: npt.NDArray[np.uint32]
    worst_joint: list[list[Optional[str]]]
    volume_loss: npt.NDArray[np.float32]
    volume_loss_uncertainty: npt.NDArray[np.float32]


class Motion(TypedDict):
    """Two methods, A and B, over clips, of which `ranking` has the worst first."""

    sides: list[str]
    rest_volume_m3: npt.NDArray[np.float64]
    ranking: list[RankedClip]
    too_thin: list[ThinJoint]
    clips: list[ClipMotion]


class MethodLoss(TypedDict):
    """The loss in a joint's region by one method at one angle; ratios are relative to the same method at angle 0."""

    method: str
    volume_ratio: Optional[float]
    volume_ratio_uncertainty: Optional[float]
    least_area_ratio: float
    largest_edge_ratio: float
    largest_distance_m: float


class SweepRow(TypedDict):
    """One turn of the twist and bend test, with the loss by each method."""

    motion: Literal["twist", "bend"]
    angle_deg: float
    methods: list[MethodLoss]


class Sweep(TypedDict):
    """The twist and bend test of a joint, turn by turn."""

    joint: str
    triangles: int
    rows: list[SweepRow]


class RankedJoint(TypedDict):
    """A joint, and the turn at which linear blend skinning loses the largest share of its volume."""

    joint: str
    volume_loss: Optional[float]
    volume_loss_uncertainty: Optional[float]
    motion: Literal["twist", "bend"]
    angle_deg: float
    triangles: int


class Ranking(TypedDict):
    """All joints by the volume that they lose, the worst first; apart those too thin to tell, and specks, with hardly any surface."""

    rank: list[RankedJoint]
    too_thin: list[RankedJoint]
    specks: list[RankedJoint]
