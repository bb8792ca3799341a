"""Python returns the same results as the program prints and writes."""

import json
import subprocess
import sys
import struct

import numpy as np
import pytest
from conftest import ROOT

import rigscope


def baked(path):
    """Yields positions and normals of each primitive of a baked GLB."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

    def vectors(number):
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return np.frombuffer(binary, "<f4", accessor["count"] * 3, start).reshape(-1, 3)

    for node in document["nodes"]:
        if "mesh" in node:
            for primitive in document["meshes"][node["mesh"]]["primitives"]:
                attributes = primitive["attributes"]
                yield vectors(attributes["POSITION"]), vectors(attributes["NORMAL"]) if "NORMAL" in attributes else None


def assert_as_baked(run, folder, source, method, clip=None, time=0.0):
    out = folder / "baked.glb"
    moment = ["--clip", clip, "--time", time] if clip is not None else []
    run("bake", source, "-o", out, "--method", method, *moment)
    surfaces = rigscope.load(source).skin(method, clip=clip, time=time)
    expected = list(baked(out))
    assert len(surfaces) == len(expected) > 0
    for surface, (positions, normals) in zip(surfaces, expected):
        assert surface.positions.tobytes() == positions.tobytes()
        assert (surface.normals is None) == (normals is None)
        if normals is not None:
            assert surface.normals.tobytes() == normals.tobytes()


@pytest.mark.parametrize("method", ["lbs", "dqs", "blend:0.25", "sclerp"])
def test_surfaces_are_those_of_bake_to_the_bit(run, tmp_path, method):
    assert_as_baked(run, tmp_path, "builtin:figure", method, "wave", 0.7)


def test_surfaces_of_real_files_are_those_of_bake_to_the_bit(run, tmp_path, sample):
    clips = rigscope.load(sample).clips
    clip = clips[0].name if clips else None
    assert_as_baked(run, tmp_path, sample, "dqs", clip, 0.3 if clips else 0.0)


def test_numbers_are_those_of_the_program(figure, tube, numbers):
    moment = ["--clip", "walk", "--time", "0.4"]
    expected = numbers("compare", "builtin:figure", *moment, "--with", "dqs")["pose"]
    assert figure.pose(clip="walk", time=0.4).measure("lbs", "dqs") == expected
    joint = tube.joints[1].name
    expected = numbers("compare", "builtin:tube", "--joint", joint, "--twist", "90")["sweep"]
    assert tube.pose().twist_test(joint, twist=90) == expected
    assert tube.weights() == numbers("weights", "builtin:tube")["weights"]


def test_an_elbow_is_as_far_from_lbs_by_dqs(figure, numbers, tmp_path):
    turn = (0.8137, 0.3487, 0.0, 0.4650)
    pose = tmp_path / "elbow.json"
    pose.write_text(json.dumps({"version": 1, "joints": {"LeftLowerArm": {"rotation": [*turn[1:], turn[0]]}}}))
    expected = numbers("compare", "builtin:figure", "--method", "lbs", "--with", "dqs", "--pose", pose)["pose"]
    assert expected["max_distance_m"] > 1e-3
    assert figure.pose(file=pose).measure("lbs", "dqs") == expected


def test_springs_settle_as_in_the_program(numbers, tmp_path):
    joints = [{"node": node, "stiffness": 0.5, "gravityPower": 0.4, "gravityDir": [1, -1, 0]} for node in (0, 1, 2)]
    springs = {"specVersion": "1.0", "springs": [{"name": "hair", "joints": joints}]}
    path = tmp_path / "hair.gltf"
    nodes = [{"name": "root", "children": [1]}, {"translation": [0, 0.1, 0], "children": [2]}, {"translation": [0, 0.1, 0]}]
    path.write_text(json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
        "extensionsUsed": ["VRMC_springBone"], "extensions": {"VRMC_springBone": springs},
    }))
    rig = rigscope.load(path)
    found = {}
    for settle in (0.0, 1.5):
        listed = numbers("nodes", path, "--settle", settle)["nodes"]["nodes"]
        found[settle] = rig.pose(settle=settle).world
        for world, node in zip(found[settle], listed, strict=True):
            expected = np.array(node["world"]["matrix"], np.float32).reshape(4, 4).T
            assert np.abs(world - expected).max() < 1e-6
    assert np.abs(found[1.5][-1] - found[0.0][-1]).max() > 0.01
    listed = numbers("nodes", path, "--settle", 1.5, "--wind", "0,0,-1")["nodes"]["nodes"]
    blown = rig.pose(settle=1.5, wind=(0, 0, -1)).world
    assert np.abs(blown[-1] - np.array(listed[-1]["world"]["matrix"], np.float32).reshape(4, 4).T).max() < 1e-6
    assert blown[-1][2, 3] < found[1.5][-1][2, 3] - 0.01


def test_motion_is_that_of_the_program(figure, numbers):
    expected = numbers("motion", "builtin:figure", "--clip", "walk", "--fps", "6", "--with", "blend:0.5")["motion"]
    found = figure.motion("walk", fps=6, b="blend:0.5")
    assert found["ranking"] == expected["ranking"] and found["sides"] == ["lbs", "blend:0.5"]
    (clip,), (told,) = found["clips"], expected["clips"]
    frames = len(clip["time_secs"])
    assert clip["volume_m3"].shape == clip["min_area_ratio"].shape == clip["flipped_triangles"].shape == (2, frames)
    for key, value in told.items():
        if isinstance(clip[key], np.ndarray):
            assert np.array_equal(clip[key], np.array(value, clip[key].dtype), equal_nan=True), key
        else:
            assert clip[key] == value, key
    pose = figure.pose(clip="walk", time=float(clip["time_secs"][3])).measure("lbs", "blend:0.5")
    assert list(clip["volume_m3"][:, 3]) == pose["volume_m3"]
    assert clip["max_distance_m"][3] == pose["max_distance_m"]
    assert len(figure.motion(fps=2)["clips"]) == len(figure.clips)
    with pytest.raises(rigscope.RigscopeError, match="from 0.1 to 1000"):
        figure.motion(fps=0)


def test_points_are_diagnosed_from_arrays_and_files(figure, tmp_path):
    pose = figure.pose(clip="walk", time=0.3)
    points = np.concatenate([surface.positions for surface in pose.skin("dqs")])
    assert pose.diagnose(points)["best"] == ["dqs-for-lbs"]
    assert pose.diagnose(points, "dqs")["best"] == []
    np.save(tmp_path / "points.npy", points * 100)
    assert pose.diagnose(tmp_path / "points.npy", "dqs")["best"] == ["centimetres"]
    with pytest.raises(rigscope.RigscopeError, match="--points-rest"):
        pose.diagnose(points[:7])


def test_skinning_is_asserted_with_a_diagnosis(tube):
    pose = tube.pose(clip="twist", time=1.0)
    points = np.concatenate([surface.positions for surface in pose.skin("dqs")])
    rigscope.assert_skinning(points, pose, "dqs")
    errors = rigscope.compare(pose, points)
    expected = np.concatenate([surface.positions for surface in pose.skin("lbs")])
    np.testing.assert_allclose(errors, np.linalg.norm(points - expected, axis=1), atol=1e-6)
    with pytest.raises(AssertionError, match=r"Your points are DQS, not LBS.*\n.*vertices are farther than 1e-05"):
        rigscope.assert_skinning(points, pose)
    with pytest.raises(AssertionError, match="vertices are farther"):
        rigscope.assert_skinning(points, tube)
    rest = np.concatenate([surface.positions for surface in tube.pose().skin()])
    order = np.random.default_rng(1).permutation(len(points))
    rigscope.assert_skinning(points[order], pose, "dqs", points_rest=rest[order])
    assert pose.diagnose(points[order], "dqs", points_rest=rest[order])["best"] == []
    points[3] = np.nan
    assert rigscope.compare(pose, points, "dqs")[3] == np.inf
    with pytest.raises(TypeError, match="Rig or a Pose"):
        rigscope.compare("tube", points)


def test_a_kit_agrees_with_the_module(tube, run, tmp_path):
    run("kit", "builtin:tube", "-o", str(tmp_path / "kit"), "--poses", "2", "-q")
    kit = np.load(tmp_path / "kit" / "kit.npz")
    description = json.loads((tmp_path / "kit" / "kit.json").read_text())
    for number, sample in enumerate(description["samples"]):
        if sample["clip"] is None:
            pose = tube.pose(file=tmp_path / "kit" / "poses" / f"{sample['name']}.json")
        else:
            pose = tube.pose(clip=sample["clip"], time=sample["time_secs"])
        for method in ("lbs", "dqs"):
            rigscope.assert_skinning(kit[f"points_{method}"][number], pose, method)
        skinning, positions = kit["skinning"][number], kit["positions"]
        np.testing.assert_allclose(kit["world"][number] @ kit["inverse_bind"], skinning, atol=1e-6)
        columns = np.array(sample["skinning"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        np.testing.assert_allclose(columns, skinning, atol=1e-6)
        blended = np.einsum("vk,vkab->vab", kit["vertex_weights"], skinning[kit["vertex_joints"]])
        points = np.einsum("vab,vb->va", blended, np.c_[positions, np.ones(len(positions))])[:, :3]
        np.testing.assert_allclose(points, kit["points_lbs"][number], atol=1e-6)


def test_the_check_of_a_kit_finds_wrong_points(run, tmp_path):
    run("kit", "builtin:tube", "-o", str(tmp_path / "kit"), "--poses", "1", "-q")
    points = np.load(tmp_path / "kit" / "kit.npz")["points_lbs"][1]
    for shift, code in ((0.0, 0), (0.5, 1)):
        points[5, 0] += shift
        np.save(tmp_path / "mine.npy", points)
        command = [sys.executable, str(tmp_path / "kit" / "check.py"), "lbs", "1", str(tmp_path / "mine.npy")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr


def test_rows_of_a_rig_are_those_of_the_program(figure, run):
    compared = set()
    for line in run("explain", "json", "--json").splitlines():
        document = json.loads(line)
        name, part = document["python"] or ("", "")
        # Arrays and comparisons with another rig are tested separately.
        if not name.startswith("Rig.") or name in {"Rig.motion", "Rig.prove", "Rig.rigging_metrics"}:
            continue
        _, command, *options = document["command"].split()
        expected = json.loads(run(command, "builtin:figure", *options))
        for key in filter(None, (document["key"], part)):
            expected = expected[key]
        assert getattr(figure, name.removeprefix("Rig."))() == expected, name
        compared.add(name)
    assert compared >= {"Rig.check", "Rig.feet", "Rig.flex", "Rig.seams", "Rig.weight_problems", "Rig.weights"}


def test_a_skeleton_changes_as_on_the_command_line(figure, run, tmp_path):
    run("refit", "builtin:figure", "--add-root", "Root", "--rename", "mixamo", "-o", str(tmp_path / "cli.glb"), "-q")
    refitted = figure.refit("add-root=Root", "rename=mixamo")
    refitted.save(tmp_path / "module.glb")
    assert (tmp_path / "cli.glb").read_bytes() == (tmp_path / "module.glb").read_bytes()
    assert "mixamorig:Hips" in {node.name for node in refitted.nodes}
    proof = figure.prove(refitted)
    assert proof["holds"] and proof["skin"]["max_of_size"] < 1e-5
    assert not figure.prove(figure.refit("limit-influences=1"))["holds"]
    with pytest.raises(rigscope.RigscopeError, match="there is no operation"):
        figure.refit("freeze")
    with pytest.raises(rigscope.RigscopeError, match="already a node"):
        refitted.refit("add-root=Root")


def test_bending_is_tested_with_the_limits_of_a_config(tube, tmp_path):
    found = tube.flex("Far", worst=1)
    assert found["count"] > 1 and [pose["joint"] for pose in found["poses"]] == ["Far"]
    (tmp_path / "rigscope.toml").write_text("[deform]\nlimits = { volume-loss = 0.001 }\n")
    config = rigscope.Config(tmp_path / "rigscope.toml")
    assert tube.flex("Far", config=config)["poses"][0]["severity"] > found["poses"][0]["severity"]
    assert tube.flex("Far", method="dqs")["poses"][0]["severity"] < found["poses"][0]["severity"]
    with pytest.raises(rigscope.RigscopeError, match="no skinning method"):
        tube.flex(method="linear")


def test_seams_are_of_the_chosen_clip(figure):
    (walk,) = figure.seams("walk", fps=10, method="dqs")
    assert walk["clip"] == "walk" and walk["fps"] == 10


def test_feet_are_found_by_name_or_chosen(figure, tube):
    (walk,) = figure.feet("walk", feet=["LeftFoot"], fps=10)
    assert [foot["foot"] for foot in walk["feet"]] == ["LeftFoot"]
    with pytest.raises(rigscope.RigscopeError, match="looks like a foot"):
        tube.feet()


def test_clips_are_those_of_the_program(sample, numbers):
    expected = [(clip["name"], clip["duration_secs"]) for clip in numbers("info", sample)["clips"]]
    found = [(clip.name, clip.duration) for clip in rigscope.load(sample).clips]
    assert [name for name, _ in found] == [name for name, _ in expected]
    assert [seconds for _, seconds in found] == pytest.approx([seconds for _, seconds in expected], rel=1e-6)


def test_the_ranking_is_that_of_the_program(tube, numbers):
    ranked = numbers("compare", "builtin:tube", "--rank", "--range", "full")
    assert tube.pose().rank("full") == {key: ranked[key] for key in ("range", "rank", "too_thin", "specks")}
    for joint in ranked["rank"]:
        test = tube.pose().twist_test(joint["joint"])
        worst = min(test["rows"], key=lambda row: row["methods"][0]["volume_ratio"])
        assert (worst["motion"], worst["angle_deg"]) == (joint["motion"], joint["angle_deg"])
        assert worst["methods"][0]["volume_ratio"] == pytest.approx(1 - joint["volume_loss"], abs=1e-6)


def test_findings_are_those_of_the_program(sample, numbers):
    assert rigscope.load(sample).check() == numbers("check", sample)["findings"]


def test_severities_hide_what_is_less_grave(sample):
    rig = rigscope.load(sample)
    for least, shown in {"warning": {"warning", "error"}, "error": {"error"}}.items():
        expected = [finding for finding in rig.check() if finding["severity"] in shown]
        assert rig.check(severity=least) == expected


def test_a_config_demands_and_hides_as_the_program_does(tmp_path, sample, numbers):
    settings = tmp_path / "rigscope.toml"
    settings.write_text("[limits]\njoints = 1\n[severity]\nRIG091 = 'note'\n[skeleton.joints.Nobody]\n")
    config = rigscope.Config(settings)
    expected = numbers("check", sample, "--config", settings)["findings"]
    assert rigscope.load(sample).check(config=config) == expected != rigscope.load(sample).check()
    expected = numbers("check", sample, "--config", settings, "--severity", "error")["findings"]
    assert rigscope.load(sample).check(config=config, severity="error") == expected
    assert config.files == [settings]
    settings.write_text("[skeleton]\nlike = 'like.glb'\n")
    (tmp_path / "like.glb").write_bytes(sample.read_bytes())
    assert rigscope.Config(settings).files == [settings, tmp_path / "like.glb"]


def test_the_nearest_config_is_that_of_check(tmp_path, monkeypatch, numbers):
    deep, working = tmp_path / "rigs" / "deep", tmp_path / "working"
    deep.mkdir(parents=True)
    working.mkdir()
    monkeypatch.chdir(working)
    file = deep / "tube.glb"
    file.write_bytes((ROOT / "assets" / "tube.glb").read_bytes())

    def checked():
        return rigscope.load(file).check(config=rigscope.Config.nearest(file))

    assert rigscope.Config.find(file) is rigscope.Config.nearest(file) is None
    seen = [checked()]
    for folder, demand in [(working, "influences = 1"), (tmp_path / "rigs", "joints = 1"), (deep, "vertices = 1")]:
        settings = folder / "rigscope.toml"
        settings.write_text("[limits]\n" + demand + "\n")
        assert rigscope.Config.find(file) == settings
        assert rigscope.Config.find("builtin:tube") == working / "rigscope.toml"
        assert checked() == numbers("check", file)["findings"] not in seen
        seen.append(checked())


def test_profiles_of_a_config_count_as_the_program_counts_them(tmp_path, numbers):
    settings, hero, prop = tmp_path / "rigscope.toml", tmp_path / "hero.glb", tmp_path / "props" / "cup.glb"
    prop.parent.mkdir()
    for file in (hero, prop):
        file.write_bytes((ROOT / "assets" / "tube.glb").read_bytes())
    rule = "[[rule]]\nmeasure = 'joints'\nmax = 1\n"
    settings.write_text(f"strict = true\nprofile = 'vrm-1'\n{rule}[[override]]\nfiles = 'props/**'\nrule = []\n")
    config = rigscope.Config(settings)
    assert config.strict
    for file, profiles in ((hero, ["vrm-1", "project"]), (prop, ["vrm-1"])):
        told = numbers("check", file, "--config", settings)
        rig = rigscope.load(file)
        assert rig.check(config=config) == told["findings"]
        assert rig.ranks(config=config) == told["profiles"]
        assert [sheet["profile"] for sheet in told["profiles"]] == profiles


def test_a_rank_that_no_profile_has_is_refused():
    rig = rigscope.load("builtin:tube")
    with pytest.raises(rigscope.RigscopeError, match="there are excellent, good"):
        rig.check(profile="vrchat-pc", at_least="god")
    with pytest.raises(rigscope.RigscopeError, match="say which"):
        rig.check(at_least="good")


def test_a_config_that_cannot_be_read_says_where(tmp_path):
    settings = tmp_path / "rigscope.toml"
    settings.write_text("[limits]\njonts = 1\n")
    with pytest.raises(rigscope.RigscopeError, match="line 2: .*did you mean joints"):
        rigscope.Config(settings)


def test_differences_are_those_of_the_program(figure, tube, numbers):
    assert rigscope.diff(figure, rigscope.load("builtin:figure")) == []
    assert rigscope.diff(tube, figure) == numbers("diff", "builtin:tube", "builtin:figure")["changes"]


def test_a_picture_is_that_of_render(figure, run, tmp_path):
    out = tmp_path / "figure.png"
    run("render", "builtin:figure", "-o", out, "--size", "320x200", "--method", "dqs", "--shading", "clay", "--yaw", "30")
    assert figure.pose().render(size=(320, 200), method="dqs", shading="clay", yaw=30) == out.read_bytes()


def test_what_cannot_be_done_is_told_in_the_programs_words(figure, tmp_path):
    with pytest.raises(rigscope.RigscopeError, match="no skinning method is called \"cubic\"; there are lbs"):
        figure.skin("cubic")
    with pytest.raises(rigscope.RigscopeError, match="There is no clip \"run\"; there are idle, walk, wave"):
        figure.pose(clip="run")
    with pytest.raises(rigscope.OpenError, match="Check that it exists"):
        rigscope.load(tmp_path / "nothing.glb")
    with pytest.raises(rigscope.OpenError, match="what to do|Open|glTF|format"):
        rigscope.load(b"no rig at all")
    assert issubclass(rigscope.OpenError, rigscope.RigscopeError)


def test_a_rig_agrees_with_itself_and_not_with_closest_bones(figure):
    same = figure.rigging_metrics(figure)
    assert same["joints"]["iou"] == 1 and same["weights"]["l1"] == 0
    closest = figure.with_weights("closest").rigging_metrics(figure, tolerance=0.01)
    assert closest["joints"]["mean_tolerance"] == 0.01
    assert 0 < closest["weights"]["precision"] < 1 and closest["weights"]["max_deformation"] > 0
    with pytest.raises(rigscope.RigscopeError, match="fraction"):
        figure.rigging_metrics(figure, tolerance=-1)


def test_weight_problems_show_in_their_pose(figure):
    rigid = figure.with_weights("rigid")
    found = rigid.weight_problems()
    assert found and {"kind", "measure", "message", "joints", "pose", "primitives"} <= found[0].keys()
    worst = {name: turn["rotation"] for name, turn in found[0]["pose"]["joints"].items()}
    assert len(rigid.pose(rotations=worst).skin()) == len(rigid.primitives)


def test_smoothing_alone_keeps_all_influences_as_the_program_does(figure, run, tmp_path):
    out = tmp_path / "smooth.glb"
    run("weights", "builtin:figure", "--smooth", "1", "-o", out)
    expected = rigscope.load(out).weights()
    assert figure.with_weights(smooth=1).weights()["influences"] == expected["influences"]
    limited = figure.with_weights("closest", smooth=1).weights()["influences"]
    assert limited["max"] <= 4
