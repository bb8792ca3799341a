"""A fleet on a cluster of two workers. One worker dies, but no result is lost or duplicated."""

import json
import os
import random
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest
import ray
from ray.cluster_utils import Cluster

sys.path.insert(0, str(Path(__file__).parent))
import fleet

ASSETS = Path(__file__).resolve().parents[2] / "assets"
COUNT = int(os.environ.get("FLEET_FILES", "36"))
SECONDS, MEGABYTES = 8, 3000
# Enough for valid files on a busy machine.
PATIENCE = 120


def numbered(data, number):
    """Returns the GLB with a number added, so that each copy is a different file."""
    length = struct.unpack_from("<I", data, 12)[0]
    document, rest = json.loads(data[20 : 20 + length]), data[20 + length :]
    document["asset"]["extras"] = {"number": number}
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
        data = numbered(tube, number)
        below = folder / f"{number % 10}"
        below.mkdir(exist_ok=True)
        (below / f"{number}.glb").write_bytes(faulty(data, chance) if number % 3 == 0 else data)
    for name in ("endless", "greedy", "fatal"):
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
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error", runtime_env={"env_vars": {"PYTHONPATH": path}})
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def results_of(out):
    return duckdb.sql(f"SELECT path, hash, status, reason FROM '{out}/files/*.parquet' LEFT JOIN '{out}/results/*.parquet' USING (hash)").fetchall()


def test_a_worker_dies_and_nothing_is_lost(rigs, cluster, tmp_path):
    out = str(tmp_path)
    limits = (SECONDS, MEGABYTES, False, "hostile")

    def kill():
        while len(list(Path(out, "results").glob("*.parquet"))) < 2:
            time.sleep(0.05)
        cluster.remove_node(cluster.workers[1], allow_graceful=False)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    begin = time.monotonic()
    count = fleet.run(str(rigs), out, limits, batch=8)
    print(f"{count} files in {time.monotonic() - begin:.1f} s")
    killer.join(30)
    assert not killer.is_alive()

    paths = sorted(str(path) for path in rigs.rglob("*") if path.suffix in (".glb", ".gltf"))
    found = {}
    for path, content, status, reason in results_of(out):
        assert found.setdefault(path, (content, status, reason))[1] == status
    assert sorted(found) == paths
    listed = duckdb.sql(f"SELECT path FROM '{out}/files/*.parquet'").fetchall()
    assert len(listed) == len(paths)

    status = {Path(path).name: (status, reason) for path, (_, status, reason) in found.items()}
    assert status["endless.glb"][0] == "too long"
    assert status["greedy.glb"][0] == "too large"
    assert status["fatal.glb"][0] == "crashed" and "SIGSEGV" in status["fatal.glb"][1]
    assert status["tube.gltf"][0] == status["copy.glb"][0] == status["1.glb"][0] == "ok"
    sound = [status[f"{number}.glb"][0] for number in range(COUNT) if number % 3]
    assert set(sound) == {"ok"}
    broken = {status[f"{number}.glb"][0] for number in range(COUNT) if number % 3 == 0}
    assert "unreadable" in broken and broken <= {"ok", "errors", "unreadable"}

    counts = fleet.summarize(out)
    assert sum(counts.values()) == len(paths)
    page = Path(out, "index.html").read_text()
    assert "endless.glb" in page and "too long" in page

    # Finished files are not inspected again. Only files that took too much time or memory are retried.
    before = {path.name for path in Path(out, "results").iterdir()}
    Path(rigs, "tube.gltf").touch()
    fleet.run(str(rigs), out, limits, batch=8)
    new = [str(path) for path in Path(out, "results").iterdir() if path.name not in before]
    again = duckdb.sql(f"SELECT status FROM read_parquet({new!r})").fetchall() if new else []
    assert {row[0] for row in again} <= {"too long", "too large", "crashed"}


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
        fleet.held_to.cache_clear()
        fleet.run(str(rigs), out, (PATIENCE, MEGABYTES, False, "fleet"), str(config) if text else None)
        return fleet.summarize(out)

    def results():
        return {path.name for path in Path(out, "results").iterdir()}

    assert statuses(None) == {"ok": 3, "unreadable": 1}
    assert "sealed.gltf" in Path(out, "index.html").read_text()
    strict = "[limits]\njoints = 1\n[skeleton]\nlike = 'like.glb'\n"
    assert statuses(strict) == {"errors": 3, "unreadable": 1}
    before = results()
    assert statuses(None) == {"ok": 3, "unreadable": 1} and statuses(strict) == {"errors": 3, "unreadable": 1}
    again = [str(Path(out, "results", name)) for name in results() - before]
    assert not again, "a file was opened again under the same config"
    (tmp_path / "like.glb").write_bytes(numbered(tube, 9))
    assert statuses(strict) == {"errors": 3, "unreadable": 1} and results() != before


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
        fleet.held_to.cache_clear()
        fleet.run(str(rigs), out, (PATIENCE, MEGABYTES, False, "fleet"), **how)
        fleet.summarize(out)
        joined = f"FROM '{out}/files/*.parquet' JOIN '{out}/results/*.parquet' USING (hash, config)"
        return {Path(path).name: status for path, status in duckdb.sql(f"SELECT path, status {joined}").fetchall()}

    assert statuses() == {"loose.glb": "ok", "near.glb": "ok", "below.glb": "ok"}, "none is looked for"
    assert statuses(is_nearest=True) == {"loose.glb": "ok", "near.glb": "errors", "below.glb": "errors"}
    (working.parent / "rigscope.toml").write_text("[limits]\nvertices = 1\n")
    assert statuses(is_nearest=True)["loose.glb"] == "errors", "above the working folder"
    (rigs / "strict" / "rigscope.toml").write_text("")
    assert statuses(is_nearest=True) == {"loose.glb": "errors", "near.glb": "ok", "below.glb": "ok"}


def test_every_profile_has_a_column_and_strict_settings_make_errors_of_warnings(cluster, tmp_path):
    rigs, out, config = tmp_path / "rigs", str(tmp_path / "out"), tmp_path / "rigscope.toml"
    rigs.mkdir()
    (rigs / "tube.glb").write_bytes((ASSETS / "tube.glb").read_bytes())
    rule = "[about]\nname = 'own'\n[[rule]]\nmeasure = 'joints'\nmax = 1\nseverity = 'warning'\n"

    def ranks(text, *profiles):
        config.write_text(text)
        fleet.held_to.cache_clear()
        fleet.run(str(rigs), out, (PATIENCE, MEGABYTES, False, "fleet", profiles), str(config))
        counts = fleet.summarize(out)
        results = fleet.parquet(out, "results")
        found = duckdb.sql(f"SELECT * FROM {results} JOIN '{out}/files/*.parquet' USING (hash, config)")
        return counts, dict(zip(found.columns, found.limit(1).fetchall()[0]))

    counts, row = ranks(rule, "vrchat-pc", "vrm-1")
    assert counts == {"ok": 1}
    assert (row["own"], row["vrchat-pc"], row["vrm-1"]) == ("passed with warnings", "excellent", "failed")
    page = Path(out, "index.html").read_text()
    assert "<th>vrchat-pc" in page and "passed with warnings" in page
    counts, row = ranks("strict = true\n" + rule)
    assert counts == {"errors": 1} and row["own"] == "passed with warnings"


def test_a_bend_test_has_columns_and_files_without_it_are_opened_again(cluster, tmp_path):
    rigs, out, config = tmp_path / "rigs", str(tmp_path / "out"), tmp_path / "rigscope.toml"
    rigs.mkdir()
    for name in ("tube", "figure"):
        (rigs / f"{name}.glb").write_bytes((ASSETS / f"{name}.glb").read_bytes())
    config.write_text("[deform]\nlimits = { stretch = 1.01, volume-loss = 0.01 }\n")

    def rows(*has_bend_test):
        fleet.run(str(rigs), out, (PATIENCE, MEGABYTES, False, "fleet", (), *has_bend_test), str(config))
        assert fleet.summarize(out) == {"ok": 2}
        joined = f"FROM '{out}/files/*.parquet' JOIN '{out}/results/*.parquet' USING (hash, config)"
        found = duckdb.sql(f"SELECT path, bend_faults, bend_pose, bend_measure, bend_severity, inert {joined}").fetchall()
        return {Path(path).stem: row for path, *row in found}

    assert set(map(tuple, rows().values())) == {(None,) * 5}, "only on request"
    assert "Poses that deform worst" not in Path(out, "index.html").read_text()
    bent = rows(True)
    for faults, pose, _, severity, inert in bent.values():
        assert faults > 0 and pose and severity > 1 and inert == [], "by the limits of the config"
    assert (bent["tube"][2], bent["figure"][2]) == ("volume-loss", "stretch")
    assert "Poses that deform worst" in Path(out, "index.html").read_text()


def test_it_runs_as_a_script(tmp_path):
    rigs, out = tmp_path / "rigs", tmp_path / "out"
    rigs.mkdir()
    tube = (ASSETS / "tube.glb").read_bytes()
    for number in range(3):
        (rigs / f"{number}.glb").write_bytes(numbered(tube, number))
    command = [sys.executable, fleet.__file__, str(rigs), "-o", str(out), "--workers", "1", "--no-pictures"]
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert f"3 files; {out}/index.html" in done.stdout and (out / "index.html").exists()
    assert {row[2] for row in results_of(str(out))} == {"ok"}


def test_results_do_not_go_to_an_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, fleet.__file__, str(tmp_path), "-o", "s3://bucket/results"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2 and "s3://bucket/results is not a folder" in done.stderr
    assert not list(tmp_path.iterdir())
