"""Files and images from Python equal those of the program, byte for byte."""

import io
import json
import os
import re
import subprocess

import numpy as np
import pytest
from conftest import PROGRAM, ROOT

import rigscope


@pytest.fixture
def hero(tmp_path):
    """A copy of the figure in an otherwise empty folder."""
    path = tmp_path / "hero.glb"
    path.write_bytes((ROOT / "assets" / "figure.glb").read_bytes())
    return path


def written(run, tmp_path, *command):
    """Runs a command of the program and returns the content of its output file."""
    out = tmp_path / f"program{command[-1]}"
    run(*command[:-1], "-o", out)
    return out.read_bytes()


def test_a_saved_rig_is_that_of_convert(run, tmp_path, sample):
    ours = tmp_path / "ours.glb"
    told = rigscope.load(sample).save(ours)
    assert ours.read_bytes() == written(run, tmp_path, "convert", sample, ".glb")
    assert all(isinstance(sentence, str) for sentence in told)
    again = tmp_path / "again.glb"
    assert rigscope.convert(sample.read_bytes() if sample.suffix == ".glb" else sample, again) == told
    assert again.read_bytes() == ours.read_bytes()


def test_clips_of_other_files_are_saved_too(run, tmp_path, hero):
    expected = written(run, tmp_path, "convert", hero, "--clips-of", "builtin:figure", ".glb")
    for source in [hero, hero.read_bytes()]:
        ours = tmp_path / "ours.glb"
        rigscope.convert(source, ours, clips_from=["builtin:figure"])
        assert len(rigscope.load(ours).clips) == 2 * len(rigscope.load(hero).clips)
        if source == hero:
            assert ours.read_bytes() == expected
    with pytest.raises(rigscope.OpenError, match="No clip of .* moves a joint of this file"):
        rigscope.load("builtin:tube", clips_from=["builtin:figure"])


def test_clips_of_which_few_joints_match_are_taken_only_if_asked_for(tmp_path):
    prop = tmp_path / "prop.gltf"
    prop.write_text("""{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":[{"name":"LeftFoot","children":[1]},{"name":"Tip","translation":[0,7,0]}]}""")
    with pytest.raises(rigscope.OpenError, match="partial=True takes the clips nevertheless"):
        rigscope.load(prop, clips_from=["builtin:figure"])
    assert len(rigscope.load(prop, clips_from=["builtin:figure"], partial=True).clips) > 0


def test_computed_weights_are_saved(tmp_path, tube):
    made = tube.with_weights("rigid")
    made.save(tmp_path / "rigid.glb")
    weights = rigscope.load(tmp_path / "rigid.glb").primitives[0].weights
    assert np.array_equal(weights[:, 0], made.primitives[0].weights[:, 0]) and not np.array_equal(weights, tube.primitives[0].weights)


@pytest.mark.parametrize("ending", [".glb", ".obj", ".ply", ".json"])
def test_baked_meshes_are_those_of_bake(run, tmp_path, hero, ending):
    expected = written(run, tmp_path, "bake", hero, "--method", "dqs", "--clip", "wave", "--time", "0.7", ending)
    rig, ours = rigscope.load(hero), tmp_path / f"program{ending}"
    ours.unlink()
    rig.bake(ours, "dqs", clip="wave", time=0.7)
    assert ours.read_bytes() == expected
    ours.unlink()
    rig.pose(clip="wave", time=0.7).bake(ours, "dqs")
    assert ours.read_bytes() == expected


def test_baked_meshes_of_real_files_are_those_of_bake(run, tmp_path, sample):
    ours = tmp_path / "ours.glb"
    rigscope.load(sample).bake(ours)
    assert ours.read_bytes() == written(run, tmp_path, "bake", sample, ".glb")


def test_a_report_is_that_of_the_program_but_for_the_command(tmp_path, hero, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    theirs, ours = tmp_path / "theirs.html", tmp_path / "ours.html"
    done = subprocess.run([PROGRAM, "report", hero, "-o", theirs], capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0, done.stderr
    rigscope.load(hero).report(ours)

    def without_command(page):
        return re.sub(r"(<span>Command</span></td><td><span>).*?</span>", r"\1", page.read_text(encoding="utf-8"), flags=re.DOTALL)

    assert without_command(ours) != ours.read_text(encoding="utf-8")
    assert without_command(ours) == without_command(theirs)


def test_a_report_has_a_bend_test_on_request(tmp_path, tube):
    plain, tested = tmp_path / "plain.html", tmp_path / "tested.html"
    tube.report(plain)
    tube.report(tested, flex=True, title="Second delivery", note="Elbows are new.")
    assert '#bend' not in plain.read_text() and '#bend' in tested.read_text()
    assert "<h1>Second delivery</h1>" in tested.read_text() and "Elbows are new." in tested.read_text()
    assert "Second delivery" not in plain.read_text()


def test_a_report_heeds_a_config(tmp_path, tube):
    (tmp_path / "rigscope.toml").write_text("[limits]\njoints = 1\n")
    plain, strict = tmp_path / "plain.html", tmp_path / "strict.html"
    tube.report(plain)
    tube.pose().report(strict, config=rigscope.Config(tmp_path / "rigscope.toml"))
    code = next(f["code"] for f in tube.check(config=rigscope.Config(tmp_path / "rigscope.toml")) if f not in tube.check())
    assert code in strict.read_text(encoding="utf-8") and code not in plain.read_text(encoding="utf-8")


def test_nothing_that_was_read_is_written_over_unless_it_is_asked_for(tmp_path, hero):
    (tmp_path / "pose.json").write_text(json.dumps({"version": 1, "joints": {}}))
    before = hero.read_bytes()
    link = tmp_path / "link.glb"
    link.hardlink_to(hero) if hasattr(link, "hardlink_to") else os.link(hero, link)
    rig = rigscope.load(hero)
    pose = rig.pose(file=tmp_path / "pose.json")
    for write in [
        lambda: rig.save(hero),
        lambda: rig.save(link),
        lambda: rig.bake(hero),
        lambda: rig.report(hero),
        lambda: rigscope.convert(hero, hero),
        lambda: pose.bake(tmp_path / "pose.json"),
    ]:
        with pytest.raises(rigscope.RigscopeError, match="would be lost; choose another path, or pass over_input=True"):
            write()
    assert hero.read_bytes() == before
    rig.with_weights("rigid").save(hero, over_input=True)
    assert hero.read_bytes() != before
    assert rigscope.load(hero).primitives[0].weights[:, 0].min() == 1


def test_what_cannot_be_written_is_told_in_the_programs_words(tmp_path, tube, hero):
    for write, begin, command in [
        (tube.save, "The rig was not saved: ", "convert"),
        (tube.bake, "", "bake"),
    ]:
        for name in ["a.fbx", "nowhere/a.glb"]:
            with pytest.raises(rigscope.RigscopeError) as refused:
                write(tmp_path / name)
            command_line = [PROGRAM, command, "builtin:tube", "-o", tmp_path / name]
            done = subprocess.run(command_line, capture_output=True, text=True, check=False)
            assert done.returncode == 2 and str(refused.value) in done.stderr, (str(refused.value), done.stderr)
            assert str(refused.value).startswith(begin)
    with pytest.raises(rigscope.RigscopeError, match="The report was not saved: .*nowhere"):
        tube.report(tmp_path / "nowhere" / "a.html")
    with pytest.raises(rigscope.RigscopeError, match="needs the data of a VRM"):
        tube.save(tmp_path / "a.vrm")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hero.glb"]


PICTURES = {
    "overlay": (["--overlay", "distance", "--with", "dqs"], {"overlay": "distance", "b": "dqs"}),
    "weight": (["--overlay", "weight", "--joint", "LeftLowerArm"], {"overlay": "weight", "joint": "LeftLowerArm"}),
    "side by side": (["--compare", "side-by-side", "--with", "rest"], {"compare": "side-by-side", "b": "rest"}),
    "ghost": (["--compare", "ghost-outline"], {"compare": "ghost-outline"}),
    "wipe": (
        ["--compare", "wipe", "--wipe-angle", "40", "--wipe-offset", "0.1", "--captions", "--overlay", "area-stretch"],
        {"compare": "wipe", "wipe_angle": 40, "wipe_offset": 0.1, "captions": True, "overlay": "area-stretch"},
    ),
    "transparent": (["--transparent", "--no-grid", "--bones"], {"transparent": True, "grid": False, "bones": True}),
    "authored": ([], {}),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_those_of_render(run, tmp_path, figure, name):
    options, arguments = PICTURES[name]
    command = ["render", "builtin:figure", "--clip", "wave", "--time", "0.7", "--size", "240x180", *options]
    expected = written(run, tmp_path, *command, ".png")
    assert figure.pose(clip="wave", time=0.7).render(size=(240, 180), **arguments) == expected


def test_another_file_beside_it_is_that_of_render(run, tmp_path, figure, hero):
    expected = written(run, tmp_path, "render", "builtin:figure", "--size", "240x180", "--with-file", hero, ".png")
    assert figure.pose().render(size=(240, 180), comparison_file=hero) == expected
    with pytest.raises(rigscope.RigscopeError, match="nothing.glb"):
        figure.pose().render(comparison_file=tmp_path / "nothing.glb")


def test_names_that_a_picture_does_not_know_are_refused_with_those_that_there_are(figure):
    pose = figure.pose()
    for arguments, told in [
        ({"overlay": "beauty"}, "distance"),
        ({"compare": "halves"}, "wipe, side-by-side, ghost, ghost-outline"),
        ({"compare": "wipe", "b": "cubic"}, "or rest for the rest pose"),
        ({"b": "dqs"}, "only with compare or overlay"),
        ({"compare": "wipe", "b": "dqs", "comparison_file": "x.glb"}, "pass either b or comparison_file"),
        ({"overlay": "weight"}, "Name a joint by joint="),
        ({"overlay": "weight", "joint": "Tail"}, "There is no joint"),
        ({"overlay": "morph"}, "Name it by target="),
        ({"overlay": "morph", "target": "Grin"}, "There is no morph target"),
        ({"compare": "wipe", "wipe_angle": float("nan")}, "wipe_angle must be finite"),
        ({"wipe_angle": 40}, "needs a comparison"),
    ]:
        with pytest.raises(rigscope.RigscopeError, match=re.escape(told)):
            pose.render(**arguments)


def test_a_file_is_read_from_whatever_holds_its_bytes(hero):
    expected = rigscope.load(hero).skin()[0].positions
    content = hero.read_bytes()
    held = [bytearray(content), memoryview(content), np.frombuffer(content, np.uint8), io.BytesIO(content)]
    for source in held:
        assert np.array_equal(rigscope.load(source).skin()[0].positions, expected), type(source)
    with hero.open("rb") as file, hero.open("rb", buffering=0) as raw:
        for source in [file, raw]:
            assert np.array_equal(rigscope.load(source).skin()[0].positions, expected)
    with pytest.raises(TypeError, match="binary mode"):
        rigscope.load(io.StringIO("{}"))
    with pytest.raises(TypeError, match="A path, bytes or a binary file is wanted"):
        rigscope.load(3.5)
    with pytest.raises(rigscope.OpenError, match="more than 1 MiB"):
        rigscope.load(io.BytesIO(bytes(3 << 20)), memory_limit=1 << 20)

    class Broken:
        def read(self, size):
            raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        rigscope.load(Broken())


def textured(tmp_path):
    """A triangle with texture coordinates, a material, an image and a morph target."""
    pixels = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)
    png = io.BytesIO()
    write_png(png, pixels)
    arrays = {
        "POSITION": np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32),
        "TEXCOORD_0": np.array([[0, 0], [1, 0.25], [0.5, 1]], np.float32),
        "target": np.array([[0, 0, 0.5], [0, 0, 0], [0, -0.25, 0]], np.float32),
    }
    blocks = [array.tobytes() for array in arrays.values()] + [png.getvalue()]
    views, start = [], 0
    for block in blocks:
        views.append({"buffer": 0, "byteOffset": start, "byteLength": len(block)})
        start += (len(block) + 3) // 4 * 4
    binary = b"".join(block + bytes(-len(block) % 4) for block in blocks)
    types = {"POSITION": "VEC3", "TEXCOORD_0": "VEC2", "target": "VEC3"}
    accessors = [
        {"bufferView": number, "componentType": 5126, "count": 3, "type": types[name], "min": array.min(0).tolist(), "max": array.max(0).tolist()}
        for number, (name, array) in enumerate(arrays.items())
    ]
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "flag"}],
        "meshes": [{
            "primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "targets": [{"POSITION": 2}], "material": 0}],
            "weights": [0.5], "extras": {"targetNames": ["Bend"]},
        }],
        "materials": [{
            "name": "cloth", "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": True, "emissiveFactor": [0.5, 0, 0],
            "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.25, 1], "baseColorTexture": {"index": 0}, "metallicFactor": 0.75, "roughnessFactor": 0.5},
        }],
        "textures": [{"source": 0}], "images": [{"bufferView": 3, "mimeType": "image/png"}],
        "buffers": [{"byteLength": len(binary), "uri": "flag.bin"}], "bufferViews": views, "accessors": accessors,
    }
    (tmp_path / "flag.bin").write_bytes(binary)
    path = tmp_path / "flag.gltf"
    path.write_text(json.dumps(document))
    return path, arrays, pixels


def write_png(to, pixels):
    """Writes a minimal PNG of RGBA pixels."""
    import struct
    import zlib

    def chunk(kind, data):
        to.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))

    height, width, _ = pixels.shape
    to.write(b"\x89PNG\r\n\x1a\n")
    chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row.tobytes() for row in pixels)))
    chunk(b"IEND", b"")


def test_texture_coordinates_materials_images_and_morph_targets_are_those_of_the_file(tmp_path):
    path, arrays, pixels = textured(tmp_path)
    rig = rigscope.load(path)
    (primitive,) = rig.primitives
    assert np.array_equal(primitive.uvs, arrays["TEXCOORD_0"])
    assert primitive.second_uvs is None and primitive.colors is None
    with pytest.raises(ValueError, match="read-only"):
        primitive.uvs[0] = 0
    (material,) = rig.materials
    assert primitive.material == 0 and material.name == "cloth"
    assert material.base_color == (1, 0.5, 0.25, 1) and material.emission == (0.5, 0, 0)
    assert (material.metallic, material.roughness) == (0.75, 0.5)
    assert (material.alpha, material.alpha_cutoff, material.double_sided, material.unlit) == ("mask", 0.25, True, False)
    assert material.textures == {"base colour": 0}
    (image,) = rig.images
    assert (image.width, image.height) == (3, 2) and np.array_equal(image.pixels, pixels)
    with pytest.raises(ValueError, match="read-only"):
        image.pixels[0] = 0
    assert image.png().startswith(b"\x89PNG")
    rig.save(tmp_path / "flag.glb")
    assert image.png() in (tmp_path / "flag.glb").read_bytes()
    (target,) = primitive.morph_targets
    assert (target.name, target.index, target.weight) == ("Bend", 0, 0.5) and target.name in rig.morphs
    assert np.array_equal(target.positions, arrays["target"]) and target.normals is None and target.tangents is None
    posed = rig.pose(morphs={"Bend": 0.5}).skin()[0].positions
    assert np.allclose(posed, primitive.positions + target.positions)
