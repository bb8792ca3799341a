from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Optional, Union, final

import numpy as np
import numpy.typing as npt

from .types import Change, Finding, Motion, PoseNumbers, Ranking, Suspect, Sweep

__all__ = [
    "METHODS",
    "WEIGHTINGS",
    "Clip",
    "Node",
    "OpenError",
    "Part",
    "Policy",
    "Pose",
    "Rig",
    "RigscopeError",
    "Skin",
    "Surface",
    "__version__",
    "diff",
    "load",
]

_Floats = npt.NDArray[np.float32]
_Quaternion = Union[Sequence[float], npt.NDArray[np.floating]]
_Vector = Union[Sequence[float], npt.NDArray[np.floating]]

__version__: str
METHODS: tuple[str, ...]
WEIGHTINGS: tuple[str, ...]

class RigscopeError(Exception): ...
class OpenError(RigscopeError): ...

def load(
    source: Union[str, PathLike[str], bytes],
    *,
    scene: Union[int, str, None] = None,
    clips_of: Optional[Sequence[Union[str, PathLike[str]]]] = None,
    memory_limit: Optional[int] = None,
) -> Rig: ...
def diff(
    old: Rig,
    new: Rig,
    *,
    distance: Optional[float] = None,
    angle: Optional[float] = None,
    share: Optional[float] = None,
    time: Optional[float] = None,
) -> list[Change]: ...
@final
class Rig:
    @property
    def source(self) -> str: ...
    @property
    def nodes(self) -> list[Node]: ...
    @property
    def joints(self) -> list[Node]: ...
    @property
    def skins(self) -> list[Skin]: ...
    @property
    def clips(self) -> list[Clip]: ...
    @property
    def morphs(self) -> list[str]: ...
    @property
    def expressions(self) -> list[str]: ...
    @property
    def parts(self) -> list[Part]: ...
    @property
    def scenes(self) -> list[str]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def vertex_count(self) -> int: ...
    def pose(
        self,
        *,
        clip: Union[int, str, None] = None,
        time: float = 0.0,
        rotations: Optional[Mapping[str, _Quaternion]] = None,
        translations: Optional[Mapping[str, _Vector]] = None,
        scales: Optional[Mapping[str, _Vector]] = None,
        morphs: Optional[Mapping[str, float]] = None,
        expressions: Optional[Mapping[str, float]] = None,
        look_at: Optional[Sequence[float]] = None,
        settle: float = 0.0,
        wind: Optional[Sequence[float]] = None,
        file: Union[str, PathLike[str], None] = None,
    ) -> Pose: ...
    def skin(
        self, method: Optional[str] = None, *, clip: Union[int, str, None] = None, time: float = 0.0
    ) -> list[Surface]: ...
    def check(
        self,
        *,
        severity: str = "note",
        policy: Optional[Policy] = None,
        profile: Union[str, list[str], None] = None,
        at_least: Optional[str] = None,
    ) -> list[Finding]: ...
    def ranks(
        self, profile: Union[str, list[str], None] = None, *, policy: Optional[Policy] = None
    ) -> list[dict[str, Any]]: ...
    def weights(self) -> dict[str, object]: ...
    def suspicious(self) -> list[Suspect]: ...
    def motion(
        self,
        clip: Union[int, str, None] = None,
        *,
        fps: Optional[float] = None,
        a: str = "lbs",
        b: str = "dqs",
    ) -> Motion: ...
    def feet(
        self,
        clip: Union[int, str, None] = None,
        *,
        feet: Optional[Sequence[str]] = None,
        fps: Optional[float] = None,
        method: str = "lbs",
    ) -> list[dict[str, Any]]: ...
    def seams(
        self, clip: Union[int, str, None] = None, *, fps: Optional[float] = None, method: str = "lbs"
    ) -> list[dict[str, Any]]: ...
    def with_weights(
        self,
        method: Optional[str] = None,
        *,
        smooth: Optional[int] = None,
        prune: Optional[float] = None,
        max_influences: int = 4,
        symmetric: bool | None = None,
    ) -> Rig: ...
@final
class Policy:
    def __new__(cls, path: Union[str, PathLike[str]]) -> Policy: ...
    @staticmethod
    def nearest(source: Union[str, PathLike[str]]) -> Optional[Policy]: ...
    @staticmethod
    def find(source: Union[str, PathLike[str]]) -> Optional[Path]: ...
    @property
    def files(self) -> list[Path]: ...
    @property
    def strict(self) -> bool: ...

@final
class Node:
    @property
    def name(self) -> str: ...
    @property
    def index(self) -> int: ...
    @property
    def parent(self) -> Optional[str]: ...
    @property
    def is_joint(self) -> bool: ...
    @property
    def human_bone(self) -> Optional[str]: ...
    @property
    def moved_vertices(self) -> int: ...
    @property
    def rest(self) -> _Floats: ...
@final
class Skin:
    @property
    def name(self) -> str: ...
    @property
    def joints(self) -> list[str]: ...
    @property
    def inverse_binds(self) -> _Floats: ...
@final
class Clip:
    @property
    def name(self) -> str: ...
    @property
    def duration(self) -> float: ...
    @property
    def nodes(self) -> list[str]: ...
@final
class Part:
    @property
    def mesh(self) -> int: ...
    @property
    def primitive_index(self) -> int: ...
    @property
    def node(self) -> str: ...
    @property
    def skin(self) -> Optional[int]: ...
    @property
    def positions(self) -> _Floats: ...
    @property
    def normals(self) -> Optional[_Floats]: ...
    @property
    def triangles(self) -> npt.NDArray[np.uint32]: ...
    @property
    def joints(self) -> Optional[npt.NDArray[np.uint16]]: ...
    @property
    def weights(self) -> Optional[_Floats]: ...
@final
class Pose:
    @property
    def local(self) -> _Floats: ...
    @property
    def world(self) -> _Floats: ...
    def skin(self, method: Optional[str] = None) -> list[Surface]: ...
    def measure(self, a: str = "lbs", b: str = "dqs") -> PoseNumbers: ...
    def twist_test(
        self,
        joint: str,
        methods: Optional[Sequence[str]] = None,
        *,
        twist: Optional[float] = None,
        bend: Optional[float] = None,
    ) -> Sweep: ...
    def rank(self) -> Ranking: ...
    def render(
        self,
        *,
        size: tuple[int, int] = (1280, 800),
        method: Optional[str] = None,
        look: str = "textured",
        yaw: Optional[float] = None,
        pitch: Optional[float] = None,
        bones: bool = False,
        grid: bool = True,
    ) -> bytes: ...
@final
class Surface:
    @property
    def part(self) -> Part: ...
    @property
    def positions(self) -> _Floats: ...
    @property
    def normals(self) -> Optional[_Floats]: ...
