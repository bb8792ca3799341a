"""Arrays: shapes, types and ownership."""

import gc

import numpy as np
import pytest

import rigscope


def test_arrays_of_a_primitive_view_the_rigs_memory(tube):
    primitive = tube.primitives[0]
    count = len(primitive.positions)
    assert primitive.positions.shape == primitive.normals.shape == (count, 3)
    assert primitive.positions.dtype == primitive.weights.dtype == np.float32
    assert primitive.joints.dtype == np.uint16 and primitive.joints.shape == primitive.weights.shape
    assert primitive.triangles.dtype == np.uint32 and primitive.triangles.max() < count
    assert np.allclose(primitive.weights.sum(axis=1), 1, atol=1e-6)
    assert np.shares_memory(primitive.positions, tube.primitives[0].positions)
    with pytest.raises(ValueError, match="read-only"):
        primitive.positions[0, 0] = 1


def test_arrays_outlive_the_rig():
    rig = rigscope.load("builtin:tube")
    positions, surface = rig.primitives[0].positions, rig.skin()[0].positions
    kept, skinned = positions.copy(), surface.copy()
    del rig
    gc.collect()
    rigscope.load("builtin:figure").skin()
    assert np.array_equal(positions, kept) and np.array_equal(surface, skinned)


def test_surfaces_own_their_memory(tube):
    surface = tube.skin()[0]
    assert surface.positions is surface.positions
    surface.positions[:] = 0
    assert tube.skin()[0].positions.any()
    assert surface.primitive.positions.any()


def test_world_matrices_and_binds_skin_as_the_kernels_do(figure):
    """Computes linear blend skinning in numpy, from the data that the module returns."""
    pose = figure.pose(clip="wave", time=1.1, rotations={figure.joints[4].name: (0.0, 0.6, 0.0, 0.8)})
    numbers = {node.name: number for number, node in enumerate(figure.nodes)}
    world = pose.world.astype(np.float64)
    for surface in pose.skin("lbs"):
        primitive = surface.primitive
        skin = figure.skins[primitive.skin]
        palette = world[[numbers[name] for name in skin.joints]] @ skin.inverse_binds.astype(np.float64)
        points = np.concatenate([primitive.positions, np.ones((len(primitive.positions), 1))], axis=1)
        blended = np.einsum("vk,vkij->vij", primitive.weights.astype(np.float64), palette[primitive.joints])
        expected = np.einsum("vij,vj->vi", blended, points)[:, :3]
        assert np.abs(surface.positions - expected).max() < 1e-5


def test_user_transforms_are_multiplied_on_the_right(figure):
    """W_j = W_parent * L_j * Ul_j."""
    joint = figure.joints[6]
    numbers = {node.name: number for number, node in enumerate(figure.nodes)}
    turn = (0.0, np.sqrt(0.5), 0.0, np.sqrt(0.5))
    pose = figure.pose(rotations={joint.name: turn}, translations={joint.name: (0.1, 0.2, 0.3)}, scales={joint.name: (1, 2, 3)})
    user = np.eye(4)
    user[:3, :3] = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]) @ np.diag([1, 2, 3])
    user[:3, 3] = (0.1, 0.2, 0.3)
    expected = pose.world[numbers[joint.parent]] @ joint.rest @ user
    assert np.allclose(pose.world[numbers[joint.name]], expected, atol=1e-6)


def test_computed_weights_are_another_rig(tube):
    made = tube.with_weights("closest", max_influences=2)
    assert made.primitives[0].weights.shape[1] <= 2
    assert not np.array_equal(made.skin("lbs")[0].positions, np.zeros(3))
    assert tube.primitives[0].weights.shape == rigscope.load("builtin:tube").primitives[0].weights.shape
    with pytest.raises(rigscope.RigscopeError, match="no method of weights is called \"magic\"; there are auto, voxel"):
        tube.with_weights("magic")


def test_bytes_are_a_file(tmp_path, sample):
    if sample.suffix == ".glb":
        ours, theirs = rigscope.load(sample.read_bytes()), rigscope.load(sample)
        assert np.array_equal(ours.skin()[0].positions, theirs.skin()[0].positions)
