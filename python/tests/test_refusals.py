"""Invalid arguments raise an error that names them, before anything is done."""

import math
import re

import pytest

import rigscope

NUMBERS = [math.nan, math.inf, -math.inf, 1e300]


@pytest.mark.parametrize("size", [(10**9, 5), (5, 10**9), (0, 5), (32769, 1)])
def test_a_size_that_no_picture_has_is_refused(tube, size):
    told = f"1 to 32768 pixels a side, not {size[0]} x {size[1]}"
    with pytest.raises(rigscope.RigscopeError, match=told):
        tube.pose().render(size=size)


@pytest.mark.parametrize("scene", ["park", 7, -1])
def test_a_scene_that_is_not_there_is_an_error_that_names_those_that_are(scene):
    told = re.escape(f'There is no scene "{scene}"; there are Tube.')
    with pytest.raises(rigscope.OpenError, match=told):
        rigscope.load("builtin:tube", scene=scene)
    assert rigscope.load("builtin:tube", scene=0).vertex_count == rigscope.load("builtin:tube", scene="Tube").vertex_count


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_that_are_not_finite_are_refused_with_their_argument(figure, number):
    joint = "LeftLowerArm"
    for name, value in {"rotations": (0, 0, 0, number), "translations": (0, number, 0), "scales": (1, 1, number)}.items():
        with pytest.raises(rigscope.RigscopeError, match=re.escape(f'{name}["{joint}"] must be finite')):
            figure.pose(**{name: {joint: value}})
    for clip in [None, "walk"]:
        for call in [figure.pose, figure.skin]:
            with pytest.raises(rigscope.RigscopeError, match="time must be finite"):
                call(clip=clip, time=number)
    for name in ["yaw", "pitch"]:
        with pytest.raises(rigscope.RigscopeError, match=f"{name} must be finite"):
            figure.pose().render(**{name: number})
    with pytest.raises(rigscope.RigscopeError, match="prune must be finite"):
        figure.with_weights(prune=number)
    with pytest.raises(rigscope.RigscopeError, match="distance must be finite"):
        rigscope.diff(figure, figure, distance=number)


def test_clips_are_found_by_name_or_number_and_others_are_refused_with_those_that_there_are(figure):
    for wanted in [-1, 3]:
        with pytest.raises(rigscope.RigscopeError, match=f"There is no clip {wanted}; there are idle, walk, wave"):
            figure.pose(clip=wanted)
    for wanted in [1.5, [1], 10**30]:
        with pytest.raises((TypeError, rigscope.RigscopeError)) as refused:
            figure.pose(clip=wanted)
        assert "NameOrNumber" not in str(refused.value) and "enum" not in str(refused.value)
