from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Optional, Protocol, Union, final

import numpy as np
import numpy.typing as npt

from .types import (
    Change,
    ClipFeet,
    Diagnosis,
    Finding,
    Flex,
    Motion,
    PoseNumbers,
    Ranking,
    Refit,
    RiggingMetrics,
    Seam,
    Sweep,
    WeightNumbers,
    WeightProblem,
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

_Floats = npt.NDArray[np.float32]
_Quaternion = Union[Sequence[float], npt.NDArray[np.floating]]
_Vector = Union[Sequence[float], npt.NDArray[np.floating]]

_Path = Union[str, PathLike[str]]

class _BinaryFile(Protocol):
    def read(self, size: int, /) -> bytes: ...

_Source = Union[_Path, bytes, bytearray, memoryview, _BinaryFile]

__version__: str
METHODS: tuple[str, ...]
WEIGHTINGS: tuple[str, ...]

class RigscopeError(Exception): ...
class OpenError(RigscopeError, OSError): ...

def load(
    source: _Source,
    *,
    scene: Union[int, str, None] = None,
    clips_from: Optional[Sequence[_Path]] = None,
    partial: bool = False,
    memory_limit: Optional[int] = None,
) -> Rig: ...
def convert(
    source: _Source,
    output: _Path,
    *,
    scene: Union[int, str, None] = None,
    clips_from: Optional[Sequence[_Path]] = None,
    partial: bool = False,
    memory_limit: Optional[int] = None,
    over_input: bool = False,
) -> list[str]: ...
def diff(
    old: Rig,
    new: Rig,
    *,
    distance: Optional[float] = None,
    angle: Optional[float] = None,
    fraction: Optional[float] = None,
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
    def node(self, name: str) -> Node: ...
    @property
    def skins(self) -> list[Skin]: ...
    @property
    def clips(self) -> list[Clip]: ...
    @property
    def morphs(self) -> list[str]: ...
    @property
    def expressions(self) -> list[str]: ...
    @property
    def primitives(self) -> list[Primitive]: ...
    @property
    def materials(self) -> list[Material]: ...
    @property
    def images(self) -> list[Image]: ...
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
        config: Optional[Config] = None,
        profile: Union[str, list[str], None] = None,
        at_least: Optional[str] = None,
    ) -> list[Finding]: ...
    def ranks(
        self, profile: Union[str, list[str], None] = None, *, config: Optional[Config] = None
    ) -> list[dict[str, Any]]: ...
    def weights(self) -> WeightNumbers: ...
    def weight_problems(self) -> list[WeightProblem]: ...
    def rigging_metrics(
        self, reference: Rig, *, tolerance: Optional[float] = None
    ) -> RiggingMetrics: ...
    def flex(
        self,
        joint: Optional[str] = None,
        *,
        method: Optional[str] = None,
        clips: bool = False,
        worst: int = 20,
        config: Optional[Config] = None,
    ) -> Flex: ...
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
    ) -> list[ClipFeet]: ...
    def seams(
        self, clip: Union[int, str, None] = None, *, fps: Optional[float] = None, method: str = "lbs"
    ) -> list[Seam]: ...
    def with_weights(
        self,
        method: Optional[str] = None,
        *,
        source: Optional[Rig] = None,
        fix: bool = False,
        smooth: Optional[int] = None,
        prune: Optional[float] = None,
        max_influences: Optional[int] = None,
        symmetric: bool | None = None,
    ) -> Rig: ...
    def replace_weights(self, weights: Mapping[int, tuple[npt.ArrayLike, npt.ArrayLike]]) -> Rig: ...
    def refit(self, *operations: str) -> Rig: ...
    def prove(self, other: Rig) -> Refit: ...
    def save(self, path: _Path, *, over_input: bool = False) -> list[str]: ...
    def bake(
        self,
        path: _Path,
        method: Optional[str] = None,
        *,
        clip: Union[int, str, None] = None,
        time: float = 0.0,
        over_input: bool = False,
    ) -> list[str]: ...
    def report(
        self,
        path: _Path,
        *,
        method: Optional[str] = None,
        config: Optional[Config] = None,
        title: Optional[str] = None,
        note: Optional[str] = None,
        flex: bool = False,
        over_input: bool = False,
    ) -> None: ...
@final
class Config:
    def __new__(cls, path: Union[str, PathLike[str]]) -> Config: ...
    @staticmethod
    def nearest(source: Union[str, PathLike[str]]) -> Optional[Config]: ...
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
    def fps(self) -> float: ...
    @property
    def nodes(self) -> list[str]: ...
    @property
    def channels(self) -> list[Channel]: ...
@final
class Channel:
    @property
    def node(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def interpolation(self) -> str: ...
    @property
    def times(self) -> _Floats: ...
    @property
    def values(self) -> _Floats: ...
@final
class Primitive:
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
    def uvs(self) -> Optional[_Floats]: ...
    @property
    def second_uvs(self) -> Optional[_Floats]: ...
    @property
    def colors(self) -> Optional[_Floats]: ...
    @property
    def material(self) -> Optional[int]: ...
    @property
    def morph_targets(self) -> list[MorphTarget]: ...
    @property
    def triangles(self) -> npt.NDArray[np.uint32]: ...
    @property
    def joints(self) -> Optional[npt.NDArray[np.uint16]]: ...
    @property
    def weights(self) -> Optional[_Floats]: ...
@final
class MorphTarget:
    @property
    def name(self) -> str: ...
    @property
    def index(self) -> int: ...
    @property
    def weight(self) -> float: ...
    @property
    def positions(self) -> Optional[_Floats]: ...
    @property
    def normals(self) -> Optional[_Floats]: ...
    @property
    def tangents(self) -> Optional[_Floats]: ...
@final
class Material:
    @property
    def name(self) -> str: ...
    @property
    def base_color(self) -> tuple[float, float, float, float]: ...
    @property
    def textures(self) -> dict[str, int]: ...
    @property
    def metallic(self) -> float: ...
    @property
    def roughness(self) -> float: ...
    @property
    def emission(self) -> tuple[float, float, float]: ...
    @property
    def alpha(self) -> str: ...
    @property
    def alpha_cutoff(self) -> Optional[float]: ...
    @property
    def double_sided(self) -> bool: ...
    @property
    def unlit(self) -> bool: ...
@final
class Image:
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def pixels(self) -> npt.NDArray[np.uint8]: ...
    def png(self) -> bytes: ...
@final
class Pose:
    @property
    def local(self) -> _Floats: ...
    @property
    def world(self) -> _Floats: ...
    @property
    def palettes(self) -> list[_Floats]: ...
    def skin(self, method: Optional[str] = None) -> list[Surface]: ...
    def measure(self, a: str = "lbs", b: str = "dqs") -> PoseNumbers: ...
    def diagnose(
        self,
        points: Union[_Path, npt.ArrayLike],
        method: str = "lbs",
        *,
        points_rest: Optional[Union[_Path, npt.ArrayLike]] = None,
    ) -> Diagnosis: ...
    def twist_test(
        self,
        joint: str,
        methods: Optional[Sequence[str]] = None,
        *,
        twist: Optional[float] = None,
        bend: Optional[float] = None,
    ) -> Sweep: ...
    def rank(self, range: str = "natural") -> Ranking: ...
    def render(
        self,
        *,
        size: tuple[int, int] = (1280, 800),
        method: Optional[str] = None,
        shading: str = "textured",
        yaw: Optional[float] = None,
        pitch: Optional[float] = None,
        bones: bool = False,
        grid: bool = True,
        overlay: Optional[str] = None,
        joint: Optional[str] = None,
        target: Optional[str] = None,
        compare: Optional[str] = None,
        b: Optional[str] = None,
        comparison_file: Optional[_Path] = None,
        wipe_angle: Optional[float] = None,
        wipe_offset: Optional[float] = None,
        transparent: bool = False,
        captions: bool = False,
        array: bool = False,
    ) -> Any: ...
    def bake(self, path: _Path, method: Optional[str] = None, *, over_input: bool = False) -> list[str]: ...
    def report(
        self,
        path: _Path,
        *,
        method: Optional[str] = None,
        config: Optional[Config] = None,
        title: Optional[str] = None,
        note: Optional[str] = None,
        flex: bool = False,
        over_input: bool = False,
    ) -> None: ...
@final
class Surface:
    @property
    def primitive(self) -> Primitive: ...
    @property
    def positions(self) -> _Floats: ...
    @property
    def normals(self) -> Optional[_Floats]: ...

def compare(
    rig_or_pose: Union[Rig, Pose],
    positions: Union[_Path, npt.ArrayLike],
    method: str = "lbs",
    *,
    points_rest: Optional[Union[_Path, npt.ArrayLike]] = None,
) -> npt.NDArray[np.float64]: ...
def assert_skinning(
    positions: Union[_Path, npt.ArrayLike],
    rig_or_pose: Union[Rig, Pose],
    method: str = "lbs",
    tol: float = 1e-5,
    *,
    points_rest: Optional[Union[_Path, npt.ArrayLike]] = None,
) -> None: ...
