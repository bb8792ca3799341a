"""A fleet on two workers, in folders and in buckets. Workers and runs die, but no result is lost or duplicated."""

import contextlib
import json
import logging
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

import duckdb
import pyarrow.fs
import pytest
import ray
from moto.server import ThreadedMotoServer
from ray.cluster_utils import Cluster

sys.path.insert(0, str(Path(__file__).parent))
import fleet

ASSETS = Path(__file__).resolve().parents[2] / "assets"
COUNT = int(os.environ.get("FLEET_FILES", "36"))
SECONDS, MEGABYTES = 8, 3000
# Enough for valid files on a busy machine.
PATIENCE = 120
# Of the local server, from which workers inherit them.
os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_EC2_METADATA_DISABLED="true")


def numbered(data, number, has_clips=True):
    """Returns the GLB with a number added, so that each copy is a different file. Without clips, it is inspected in a third of the time."""
    length = struct.unpack_from("<I", data, 12)[0]
    document, rest = json.loads(data[20 : 20 + length]), data[20 + length :]
    document["asset"]["extras"] = {"number": number}
    if not has_clips:
        del document["animations"]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest)) + struct.pack("<I4s", len(text), b"JSON") + text + rest


def faulty(data, chance):
    """Returns the file with a random fault."""
    kind = chance.randrange(4)
    if kind == 0:
        return data[: chance.randrange(20, len(data))]
    broken = bytearray(data)
    for _ in range([1, 40, 400][kind - 1]):
        broken[chance.randrange(20, len(broken))] = chance.randrange(256)
    return bytes(broken)


@pytest.fixture(scope="module")
def rigs(tmp_path_factory):
    """Creates copies of a character, a third of them faulty, some files that hang or crash the program, and a file that refers to others."""
    folder, chance = tmp_path_factory.mktemp("rigs"), random.Random(7)
    tube = (ASSETS / "tube.glb").read_bytes()
    for number in range(COUNT):
        data = numbered(tube, number, has_clips=False)
        below = folder / f"{number % 10}"
        below.mkdir(exist_ok=True)
        (below / f"{number}.glb").write_bytes(faulty(data, chance) if number % 3 == 0 else data)
    for name in ("endless", "greedy", "fatal", "wrong"):
        (folder / f"{name}.glb").write_bytes(f"hostile {name}".encode())
    (folder / "copy.glb").write_bytes((folder / "1" / "1.glb").read_bytes())
    length = struct.unpack_from("<I", tube, 12)[0]
    document = json.loads(tube[20 : 20 + length])
    document["buffers"][0]["uri"] = "tube 1.bin"
    (folder / "tube.gltf").write_text(json.dumps(document))
    (folder / "tube 1.bin").write_bytes(tube[28 + length :])
    return folder


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    cluster.workers = [cluster.add_node(num_cpus=1) for _ in range(2)]
    modules = [str(Path(__file__).with_name(name)) for name in ("fleet.py", "hostile.py")]
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error", runtime_env={"py_modules": modules})
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def rigs_of(out, columns="*"):
    return duckdb.sql(f"SELECT {columns} FROM read_parquet('{out}/rigs.parquet')")


def options(**changes):
    return fleet.Options(**{"seconds": PATIENCE, "megabytes": MEGABYTES, "has_picture": False, **changes})


def test_a_worker_dies_and_nothing_is_lost(rigs, cluster, tmp_path, capsys):
    out = str(tmp_path)
    how = options(seconds=SECONDS, module="hostile")

    def kill():
        while len(list(Path(out, "results").glob("*.parquet"))) < 2:
            time.sleep(0.05)
        cluster.remove_node(cluster.workers[1], allow_graceful=False)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    metrics = fleet.run(str(rigs), out, how, batch=8)
    killer.join(30)
    assert not killer.is_alive()

    paths = sorted(str(path) for path in rigs.rglob("*") if path.suffix in (".glb", ".gltf"))
    rows = rigs_of(out, "path, status, reason, exception").fetchall()
    assert [row[0] for row in rows] == paths
    status = {Path(path).name: tuple(result) for path, *result in rows}
    assert status["endless.glb"][0] == "too long"
    assert status["greedy.glb"][::2] == ("too large", "MemoryError")
    assert status["fatal.glb"] == ("crashed", "The process ended with SIGSEGV", "SIGSEGV")
    assert status["wrong.glb"] == ("crashed", "TypeError: a bug", "TypeError")
    assert status["tube.gltf"][0] == status["copy.glb"][0] == status["1.glb"][0] == "ok"
    sound = [status[f"{number}.glb"][0] for number in range(COUNT) if number % 3]
    assert set(sound) == {"ok"}
    broken = {status[f"{number}.glb"][0] for number in range(COUNT) if number % 3 == 0}
    assert "unreadable" in broken and broken <= {"ok", "errors", "unreadable"}

    assert sum(metrics["statuses"].values()) == metrics["files"] == len(paths) and metrics["files_per_second"] > 0
    assert all(metrics["exceptions"][name] == 1 for name in ("SIGSEGV", "MemoryError", "TypeError"))
    assert metrics["failures"] == sum(count for status, count in metrics["statuses"].items() if status not in ("ok", "errors"))
    assert json.loads(Path(out, "metrics.json").read_text()) == metrics
    page = Path(out, "index.html").read_text()
    assert "endless.glb" in page and "too long" in page
    assert f"{rigs}/fatal.glb: crashed: The process ended with SIGSEGV" in capsys.readouterr().err

    # Finished files are not inspected again, even if they are touched. Only files that took too much time or memory are retried.
    Path(rigs, "tube.gltf").touch()
    again = fleet.run(str(rigs), out, how._replace(seconds=2), batch=8)
    assert (again["opened"], again["tried"], again["unchanged"]) == (4, 5, len(paths) - 5)
    assert again["statuses"] == metrics["statuses"] and len(rigs_of(out).fetchall()) == len(paths)


def test_files_are_held_to_a_config_and_opened_again_under_another(cluster, tmp_path):
    rigs, out, config = tmp_path / "rigs", str(tmp_path / "an artist's out"), tmp_path / "rigscope.toml"
    rigs.mkdir()
    tube = (ASSETS / "tube.glb").read_bytes()
    for number in range(3):
        (rigs / f"{number}.glb").write_bytes(numbered(tube, number))
    # A file that exists but can't be read.
    (rigs / "sealed.gltf").symlink_to("/proc/self/mem")
    (tmp_path / "like.glb").write_bytes(tube)

    def statuses(text):
        config.write_text(text or "")
        metrics = fleet.run(str(rigs), out, options(), str(config) if text else None)
        assert metrics["exceptions"]["OSError"] == 1 and metrics["statuses"].pop("not read") == 1
        return metrics["statuses"], metrics["unchanged"]

    assert statuses(None) == ({"ok": 3}, 0)
    assert "sealed.gltf" in Path(out, "index.html").read_text()
    strict = "[limits]\njoints = 1\n[skeleton]\nlike = 'like.glb'\n"
    assert statuses(strict) == ({"errors": 3}, 0)
    assert statuses(None) == ({"ok": 3}, 3) and statuses(strict) == ({"errors": 3}, 3)
    (tmp_path / "like.glb").write_bytes(numbered(tube, 9))
    assert statuses(strict) == ({"errors": 3}, 0), "files are opened again if a file of the config changes"


def test_each_file_is_held_to_the_nearest_settings_and_else_to_those_of_the_working_folder(cluster, tmp_path, monkeypatch):
    rigs, out, working = tmp_path / "rigs", str(tmp_path / "out"), tmp_path / "working" / "below"
    (rigs / "strict" / "deep").mkdir(parents=True)
    working.mkdir(parents=True)
    monkeypatch.chdir(working)
    tube = (ASSETS / "tube.glb").read_bytes()
    # The same content in all three places has a result for each config.
    for place in ("loose.glb", "strict/near.glb", "strict/deep/below.glb"):
        (rigs / place).write_bytes(tube)
    (rigs / "strict" / "rigscope.toml").write_text("[limits]\njoints = 1\n")

    def statuses(**how):
        fleet.run(str(rigs), out, options(), **how)
        return {Path(path).name: status for path, status in rigs_of(out, "path, status").fetchall()}

    assert statuses() == {"loose.glb": "ok", "near.glb": "ok", "below.glb": "ok"}, "none is looked for"
    assert statuses(is_nearest=True) == {"loose.glb": "ok", "near.glb": "errors", "below.glb": "errors"}
    (working.parent / "rigscope.toml").write_text("[limits]\nvertices = 1\n")
    assert statuses(is_nearest=True)["loose.glb"] == "errors", "above the working folder"
    (rigs / "strict" / "rigscope.toml").write_text("[[override]]\nfiles = 'deep/*'\nlimits = { joints = 1 }\n")
    assert statuses(is_nearest=True) == {"loose.glb": "errors", "near.glb": "ok", "below.glb": "errors"}


def test_every_profile_has_a_column_and_strict_settings_make_errors_of_warnings(cluster, tmp_path):
    rigs, out, config = tmp_path / "rigs", str(tmp_path / "out"), tmp_path / "rigscope.toml"
    rigs.mkdir()
    (rigs / "tube.glb").write_bytes((ASSETS / "tube.glb").read_bytes())
    rule = "[about]\nname = 'own'\n[[rule]]\nmeasure = 'joints'\nmax = 1\nseverity = 'warning'\n"

    def ranks(text, *profiles):
        config.write_text(text)
        metrics = fleet.run(str(rigs), out, options(profiles=profiles, has_picture=True), str(config))
        found = rigs_of(out)
        return metrics["statuses"], dict(zip(found.columns, found.fetchall()[0]))

    counts, row = ranks(rule, "vrchat-pc", "vrm-1")
    assert counts == {"ok": 1}
    assert (row["own"], row["vrchat-pc"], row["vrm-1"]) == ("passed with warnings", "excellent", "failed")
    page = Path(out, "index.html").read_text()
    assert "<th>vrchat-pc" in page and "passed with warnings" in page and "src='data:image/png;base64,iVBOR" in page
    counts, row = ranks("strict = true\n" + rule)
    assert counts == {"errors": 1} and row["own"] == "passed with warnings"


def test_a_bend_test_has_columns_and_files_without_it_are_opened_again(cluster, tmp_path):
    rigs, out, config = tmp_path / "rigs", str(tmp_path / "out"), tmp_path / "rigscope.toml"
    rigs.mkdir()
    for name in ("tube", "figure"):
        (rigs / f"{name}.glb").write_bytes((ASSETS / f"{name}.glb").read_bytes())
    config.write_text("[deform]\nlimits = { stretch = 1.01, volume-loss = 0.01 }\n")

    def rows(has_bend_test=False):
        assert fleet.run(str(rigs), out, options(has_bend_test=has_bend_test), str(config))["statuses"] == {"ok": 2}
        found = rigs_of(out, "path, bend_faults, bend_pose, bend_measure, bend_severity, inert").fetchall()
        return {Path(path).stem: row for path, *row in found}

    assert set(map(tuple, rows().values())) == {(None,) * 5}, "only on request"
    assert "Poses that deform worst" not in Path(out, "index.html").read_text()
    bent = rows(True)
    for faults, pose, _, severity, inert in bent.values():
        assert faults > 0 and pose and severity > 1 and inert == [], "by the limits of the config"
    assert (bent["tube"][2], bent["figure"][2]) == ("volume-loss", "stretch")
    assert "Poses that deform worst" in Path(out, "index.html").read_text()


@pytest.fixture(scope="module")
def server():
    """Starts a server for buckets, with one bucket. Yields the options of its addresses, its file system, and the requests that it answers."""
    logger, requests = logging.getLogger("werkzeug"), []
    handler = logging.Handler()
    handler.emit = lambda record: requests.append(record.getMessage())
    logger.addHandler(handler)
    logger.propagate = False
    server = ThreadedMotoServer("127.0.0.1", port=0)
    server.start()
    address = f"scheme=http&region=us-east-1&endpoint_override=127.0.0.1:{server.get_host_and_port()[1]}"
    system, _ = pyarrow.fs.FileSystem.from_uri(f"s3://studio?{address}&allow_bucket_creation=true")
    system.create_dir("studio")
    yield address, system, requests
    server.stop()
    logger.removeHandler(handler)


def upload(system, path, content):
    with system.open_output_stream(path) as stream:
        stream.write(content)


def png():
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


TRIANGLE = """; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXVersion: 7400
}
Objects:  {
	Geometry: 1, "Geometry::", "Mesh" {
		Vertices: *9 {
			a: 0,0,0,1,0,0,0,1,0
		}
		PolygonVertexIndex: *3 {
			a: 0,1,-3
		}
		LayerElementUV: 0 {
			MappingInformationType: "ByPolygonVertex"
			ReferenceInformationType: "Direct"
			UV: *6 {
				a: 0,0,1,0,0,1
			}
		}
		Layer: 0 {
			LayerElement:  {
				Type: "LayerElementUV"
				TypedIndex: 0
			}
		}
	}
	Model: 2, "Model::Mesh", "Mesh" {
	}
	Material: 3, "Material::Skin", "" {
	}
	Texture: 4, "Texture::Skin", "" {
		FileName: "C:\\work\\Skin.PNG"
		RelativeFilename: "..\\Skin.PNG"
	}
}
Connections:  {
	C: "OO",2,0
	C: "OO",1,2
	C: "OO",3,2
	C: "OP",4,3, "DiffuseColor"
}
"""


def test_files_configs_and_results_are_in_a_bucket(cluster, server, tmp_path, monkeypatch):
    address, system, requests = server
    monkeypatch.chdir(tmp_path)
    root, out = f"s3://studio/show/rigs?{address}", f"s3://studio/results?{address}"
    tube = (ASSETS / "tube.glb").read_bytes()
    length = struct.unpack_from("<I", tube, 12)[0]
    document = json.loads(tube[20 : 20 + length])
    document["buffers"][0]["uri"] = "data/tube%201.bin"
    document["images"] = [{"uri": "skin.png"}, {"uri": "../secret.png"}]
    document["textures"] = [{"source": 0}]
    document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    objects = {
        "show/rigs/plain.glb": tube,
        "show/rigs/strict/near.glb": tube,
        "show/rigs/a/tube.gltf": json.dumps(document).encode(),
        "show/rigs/a/data/tube 1.bin": tube[28 + length :],
        "show/rigs/a/skin.png": png(),
        "show/rigs/b/triangle.fbx": TRIANGLE.encode(),
        "show/rigs/b/textures/skin.png": png(),
        "show/rigs/strict/rigscope.toml": b"[[override]]\nfiles = 'near.*'\nlimits = { joints = 1 }\n",
        "show/rigscope.toml": b"[skeleton]\nlike = '../like/rest.glb'\n",
        "like/rest.glb": tube,
    }
    for name, content in objects.items():
        upload(system, f"studio/{name}", content)

    def run(**how):
        del requests[:]
        metrics = fleet.run(root, out, options(), **how)
        with system.open_input_file("studio/results/rigs.parquet") as file:
            rows = fleet.pq.read_table(file, columns=["path", "status", "codes", "reason"]).to_pylist()
        downloads = sorted({line.partition("GET ")[2].split()[0] for line in requests if "GET /studio/show/rigs/" in line})
        return metrics, {row["path"].rpartition("/")[2]: row for row in rows}, downloads

    metrics, rows, downloads = run(is_nearest=True)
    assert {name: row["status"] for name, row in rows.items()} == {"plain.glb": "ok", "near.glb": "errors", "tube.gltf": "ok", "triangle.fbx": "errors"}
    assert "RIG070" not in rows["tube.gltf"]["codes"] + rows["triangle.fbx"]["codes"], "images are downloaded, too"
    assert metrics["opened"] == 4 and len(downloads) == 8, downloads
    metrics, _, downloads = run(is_nearest=True)
    assert (metrics["unchanged"], metrics["opened"]) == (4, 0) and downloads == ["/studio/show/rigs/strict/rigscope.toml"]

    # An object that is replaced by the same content has another time and the same ETag.
    time.sleep(1)
    upload(system, "studio/show/rigs/plain.glb", tube)
    metrics, _, downloads = run(is_nearest=True)
    assert (metrics["unchanged"], metrics["tried"], metrics["opened"], metrics["downloaded_bytes"]) == (3, 1, 0, 0) and len(downloads) == 1
    upload(system, "studio/show/rigs/a/skin.png", png()[:-12])
    metrics, rows, _ = run(is_nearest=True)
    assert metrics["unchanged"] == 3 and metrics["opened"] == 1, "an image is part of the content"

    metrics, rows, _ = run(config=f"s3://studio/show/rigs/strict/rigscope.toml?{address}")
    assert {name: row["status"] for name, row in rows.items()} == {"plain.glb": "ok", "near.glb": "errors", "tube.gltf": "ok", "triangle.fbx": "ok"}
    system.delete_file("studio/show/rigs/a/data/tube 1.bin")
    metrics, rows, _ = run()
    assert rows["tube.gltf"]["status"] == "unreadable" and "tube%201.bin" in rows["tube.gltf"]["reason"]
    with system.open_input_file("studio/results/index.html") as page:
        assert b"tube.gltf" in page.read()


def descendants(process):
    """Yields the processes that a process has started, and their titles."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents.setdefault(int(status.read_text().rpartition(")")[2].split()[1]), []).append(int(status.parent.name))
    pending = [process]
    while pending:
        for child in parents.get(pending.pop(), []):
            pending.append(child)
            with contextlib.suppress(OSError):
                yield child, Path(f"/proc/{child}/cmdline").read_text()


def test_it_runs_as_a_script_and_continues_after_it_was_killed(server, tmp_path):
    address, system, _ = server
    out = f"s3://studio/script?{address}"
    rigs = tmp_path / "rigs"
    rigs.mkdir()
    tube = (ASSETS / "tube.glb").read_bytes()
    for number in range(48):
        (rigs / f"{number}.glb").write_bytes(numbered(tube, number, has_clips=False))
    environment = {name: value for name, value in os.environ.items() if name not in ("RAY_ADDRESS", "PYTHONPATH")}

    def start(*more):
        command = [sys.executable, fleet.__file__, str(rigs), "-o", out, "--workers", "2", "--no-pictures", *more]
        return subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def batches_done():
        return len(fleet.Location.parse(out).below("results").tables())

    def wait(process, find):
        """Waits until `find` returns something while a process runs."""
        deadline = time.monotonic() + PATIENCE
        while not (found := find()):
            assert process.poll() is None and time.monotonic() < deadline, process.communicate()
            time.sleep(0.02)
        return found

    def busy_workers(process):
        return [worker for worker, title in descendants(process.pid) if title.startswith("ray::MapBatches")]

    def finish(process, code):
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == code, output + errors
        return output, errors

    def metrics():
        with system.open_input_file("studio/script/metrics.json") as file:
            return json.loads(file.read())

    killed = start()
    wait(killed, batches_done)
    killed.kill()
    finish(killed, -signal.SIGKILL)
    done = batches_done()
    assert done < 8, "it was killed before it was done"

    (rigs / "broken.glb").write_bytes(b"glTF")
    resumed = start()
    wait(resumed, lambda: batches_done() > done)
    os.kill(wait(resumed, lambda: busy_workers(resumed))[0], signal.SIGKILL)
    output, errors = finish(resumed, 1)
    assert "48 ok" in output and "1 unreadable" in output and "49 files in" in output
    assert "broken.glb: unreadable: " in errors
    first = metrics()
    assert first["statuses"] == {"ok": 48, "unreadable": 1} and 6 <= first["unchanged"] < 48 and first["opened"] == 49 - first["unchanged"]

    (rigs / "broken.glb").unlink()
    output, _ = finish(start(), 0)
    assert "48 ok" in output and metrics()["unchanged"] == 48


def test_a_worker_without_the_module_reports_it(tmp_path):
    child = fleet.Child(options(module="absent_module"))
    with pytest.raises(RuntimeError, match="does not start: ModuleNotFoundError: No module named 'absent_module'"):
        child.inspect("rig.glb", "", "")


def test_a_run_that_is_not_possible_has_its_own_exit_code(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rig.glb").touch()
    (tmp_path / "wrong.toml").write_text("limts = 3")
    (tmp_path / "empty").mkdir()
    for arguments in ("absent", "zip://bucket/rigs", "empty", ". -o /proc/out", ". --config absent.toml", ". --config wrong.toml"):
        monkeypatch.setattr(sys, "argv", ["fleet.py", "-o", "out", *arguments.split()])
        assert fleet.main() == 2
        message = capsys.readouterr().err
        assert message.startswith("The run failed: ") and len(message.splitlines()) == 1, message


def test_images_of_fbx_files_are_found_where_rigscope_looks_for_them():
    content = b'S\x0d\0\0\0..\\a\\Body.TGAS\x08\0\0\0tex/b.pngx FileName: "C:\\work\\c.jpeg" .pngs'
    spellings = {path.lower(): path for path in ("b/hero.fbm/body.tga", "b/tex/b.png", "b/b.png", "c.jpeg")}
    found = fleet.references("b/hero.fbx", content.replace(b"TGAS", b"TGA\0S").replace(b"pngx", b"png\0x"), spellings)
    assert found == ["b/hero.fbm/body.tga", *(f"b/{name}c.jpeg" for name in ("", "textures/", "texture/", "maps/", "hero.fbm/")), "b/tex/b.png"]
    assert fleet.references("b/hero.vrm", content, spellings) == []
