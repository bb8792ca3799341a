"""What researchers do with numpy: skin, edit weights, read keys, and send rigs to other processes."""

import pickle

import numpy as np
import pytest

import rigscope


def skinned(rig, pose, primitive):
    """Linear blend skinning of a primitive, by numpy."""
    palette = pose.palettes[primitive.skin].astype(np.float64)
    points = np.c_[primitive.positions, np.ones(len(primitive.positions))]
    blended = np.einsum("vi,viab->vab", primitive.weights, palette[primitive.joints])
    return np.einsum("vab,vb->va", blended, points)[:, :3]


def test_palettes_skin_as_the_module_does(figure):
    pose = figure.pose(clip="wave", time=0.4)
    for surface, primitive in zip(pose.skin("lbs"), figure.primitives):
        assert np.abs(skinned(figure, pose, primitive) - surface.positions).max() < 1e-5
    joints = [node.name for node in figure.nodes]
    skin = figure.skins[0]
    world = pose.world[[joints.index(name) for name in skin.joints]]
    assert np.abs(pose.palettes[0] - world @ skin.inverse_binds).max() < 1e-6


def test_keys_are_the_pose_at_their_times(figure):
    clip = next(clip for clip in figure.clips if clip.name == "wave")
    names = [node.name for node in figure.nodes]
    assert clip.fps > 0 and {channel.node for channel in clip.channels} == set(clip.nodes)
    seen = set()
    for channel in clip.channels[:6]:
        assert (np.diff(channel.times) > 0).all() and channel.values.shape[:1] == channel.times.shape
        parts = 3 if channel.interpolation == "CUBICSPLINE" else 1
        assert channel.values.shape[1:] == (parts, 4 if channel.path == "rotation" else 3)
        assert not channel.values.flags.writeable
        at = len(channel.times) // 2
        value = channel.values[at, parts // 2]
        local = figure.pose(clip="wave", time=float(channel.times[at])).local[names.index(channel.node)]
        if channel.path == "translation":
            assert np.abs(local[:3, 3] - value).max() < 1e-6
        elif channel.path == "rotation":
            x, y, z, w = value
            assert abs(local[0, 0] - (1 - 2 * (y * y + z * z))) < 1e-5
            assert abs(local[1, 0] - 2 * (x * y + z * w)) < 1e-5
        seen.add(channel.path)
    assert "rotation" in seen


def test_a_node_is_found_by_its_name(figure):
    assert figure.node("LeftHand").parent == "LeftLowerArm"
    with pytest.raises(rigscope.RigscopeError, match='no joint "Tail"'):
        figure.node("Tail")


def test_weights_are_replaced_by_arrays(tube):
    primitive = tube.primitives[0]
    pose = {"clip": None, "rotations": {tube.joints[1].name: (0, 0, 0.5, 0.8)}}
    same = tube.replace_weights({0: (primitive.joints, primitive.weights * 2)})
    assert np.abs(same.pose(**pose).skin()[0].positions - tube.pose(**pose).skin()[0].positions).max() < 1e-6
    rigid = tube.replace_weights({0: (np.zeros((len(primitive.positions), 1), int), np.ones((len(primitive.positions), 1)))})
    assert np.abs(rigid.pose(**pose).skin()[0].positions - tube.pose().skin()[0].positions).max() < 1e-5
    assert rigid.primitives[0].weights.shape == (len(primitive.positions), 1)
    reversed_ = tube.replace_weights({0: (primitive.joints[:, ::-1], primitive.weights[:, ::-1])})
    assert (np.diff(reversed_.primitives[0].weights) <= 0).all(), "the heaviest first"


def test_weights_that_do_not_suit_are_refused(tube):
    primitive = tube.primitives[0]
    count = len(primitive.positions)
    joints, weights = np.zeros((count, 1), int), np.ones((count, 1))
    for given, told in [
        ({7: (joints, weights)}, "no 7"),
        ({0: (joints[1:], weights[1:])}, f"{count} rows"),
        ({0: (joints, np.c_[weights, weights])}, "same length"),
        ({0: (joints + 99, weights)}, "joints are numbers from 0 to"),
        ({0: (joints, weights * 0)}, "vertex 0 are not positive"),
        ({0: (joints, weights * np.nan)}, "vertex 0 are not positive"),
    ]:
        with pytest.raises(rigscope.RigscopeError, match=told):
            tube.replace_weights(given)


def test_weights_come_from_another_rig_or_are_fixed(tube):
    count = len(tube.primitives[0].positions)
    flat = tube.replace_weights({0: (np.zeros((count, 1), int), np.ones((count, 1)))})
    back = flat.with_weights(source=tube)
    rotated = {"rotations": {tube.joints[1].name: (0, 0, 0.5, 0.8)}}
    assert np.abs(back.pose(**rotated).skin()[0].positions - tube.pose(**rotated).skin()[0].positions).max() < 1e-3
    assert tube.with_weights(fix=True).vertex_count == tube.vertex_count
    with pytest.raises(rigscope.RigscopeError, match="one of method, source and fix"):
        tube.with_weights("auto", fix=True)


def test_a_rig_is_pickled_by_its_path(tmp_path, tube):
    path = tmp_path / "a.glb"
    tube.save(path)
    loaded = rigscope.load(path, scene=0)
    again = pickle.loads(pickle.dumps(loaded))
    assert again.vertex_count == loaded.vertex_count and str(path) in again.source
    assert pickle.loads(pickle.dumps(tube)).source == tube.source
    for rig in [rigscope.load(path.read_bytes()), loaded.with_weights(smooth=1)]:
        with pytest.raises(TypeError, match="save this one"):
            pickle.dumps(rig)


def test_a_file_that_cannot_be_opened_is_an_os_error(tmp_path):
    with pytest.raises(OSError, match="missing.glb"):
        rigscope.load(tmp_path / "missing.glb")
    assert issubclass(rigscope.OpenError, rigscope.RigscopeError)


def test_notebooks_show_rigs_and_poses(tube):
    assert "<th>joints</th>" in tube._repr_html_()
    assert tube.pose()._repr_png_().startswith(b"\x89PNG")


def test_pictures_are_arrays(tube):
    picture = tube.pose().render(size=(40, 30), array=True)
    assert picture.shape == (30, 40, 4) and picture.dtype == np.uint8
    assert (picture[..., 3] == 255).all() and len(np.unique(picture[..., 0])) > 5
    clear = tube.pose().render(size=(40, 30), transparent=True, grid=False, array=True)
    assert clear[0, 0, 3] == 0
