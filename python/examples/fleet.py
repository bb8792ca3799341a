"""Checks, measures and draws every rig below a folder or in a bucket, on one machine or many.

    python fleet.py ROOT -o OUT [--config rigscope.toml | --no-config] [--profile NAME]... [--workers N] [--seconds S] [--megabytes M] [--no-pictures] [--flex]

ROOT is a folder, or a file system that pyarrow can open, such as s3://bucket/rigs. OUT is a folder that every machine can access. It can't be a bucket;
copy it there afterwards. Workers import this file by its name from its folder, so every machine must be able to access that folder too. Ray Data
processes the files in batches. Each file is opened in a child process with a time and memory limit, so that a broken, endless or huge file affects no
other file. Results are Parquet files in OUT/results, named after their content: if a batch is processed twice because its worker died, the second
result replaces the first. Files are identified by the hash of their content, and files that are already done are skipped, wherever they are.
OUT/index.html is a summary. Query everything else with DuckDB:

    SELECT path, worst_joint, volume_loss FROM 'OUT/results/*.parquet' JOIN 'OUT/files/*.parquet' USING (hash, config) ORDER BY volume_loss DESC

Every file is checked with a rigscope.toml: limits, severities, a required skeleton. As with `rigscope check`, this is the file that --config names, or
else the nearest one in the file's folder or above, or else the nearest one in the working folder or above. For files in a bucket, it is the nearest one
in the working folder or above. Every machine must be able to access these configs. Each result belongs to one config, whose hash is in the column
"config"; with another config, files are opened again. --no-config disables configs. If a config has strict = true, files with warnings get the status
"errors".

The rank of each file in each profile that --profile or its rigscope.toml names is in a column with the profile's name. Profiles named by --profile don't
change the status of files:

    SELECT path, "vrchat-mobile" FROM read_parquet('OUT/results/*.parquet', union_by_name=true) JOIN 'OUT/files/*.parquet' USING (hash, config)

--flex adds a bend test with the ranges and limits of the config, which takes some seconds per file. Results without it don't count as done. Its columns
are empty without it:

    SELECT path, bend_pose, bend_measure, bend_severity, inert FROM 'OUT/results/*.parquet' JOIN 'OUT/files/*.parquet' USING (hash, config)
    WHERE bend_faults > 0 OR len(inert) > 0 ORDER BY bend_severity DESC

If two files with the same content and config are processed at the same time, both are opened and have a result; the summary counts them once.
"""

import argparse
import base64
import faulthandler
import functools
import hashlib
import html
import json
import logging
import os
import posixpath
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import unquote

import duckdb
import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
import ray

# Self-contained formats, and formats that may refer to files beside them and are therefore opened in place.
WHOLE, WITH_NEIGHBOURS = (".glb", ".vrm"), (".gltf", ".fbx")
THUMBNAIL = (192, 192)
# Maximum number of files and bytes in a batch. With smaller batches, less is lost if a worker dies, but each batch costs a tenth of a second.
BATCH, BATCH_BYTES = 128, 64 << 20

RESULTS = pa.schema(
    {
        "hash": pa.string(),
        "config": pa.string(),  # empty without one
        "status": pa.string(),  # ok, errors, unreadable, too long, too large, crashed
        "reason": pa.string(),
        "seconds": pa.float64(),
        "peak_megabytes": pa.float64(),
        "joints": pa.int64(),
        "vertices": pa.int64(),
        "clips": pa.int64(),
        "errors": pa.int64(),
        "warnings": pa.int64(),
        "codes": pa.list_(pa.string()),
        "max_distance_m": pa.float64(),
        "worst_joint": pa.string(),
        "volume_loss": pa.float64(),
        "worst_clip": pa.string(),
        "worst_clip_s": pa.float64(),
        "worst_clip_joint": pa.string(),
        "worst_clip_loss": pa.float64(),
        "bend_faults": pa.int64(),  # poses with a measure beyond its limit
        "bend_pose": pa.string(),
        "bend_measure": pa.string(),
        "bend_severity": pa.float64(),  # the worst measure relative to its limit
        "inert": pa.list_(pa.string()),
        "picture": pa.binary(),
    }
)
FILES = pa.schema({"path": pa.string(), "hash": pa.string(), "config": pa.string(), "bytes": pa.int64()})


# Child process.


def inspect(source, has_picture, config, profiles=(), has_bend_test=False):
    """Inspects a file, a path or bytes. Returns the results, including its rank in `profiles` and in the profiles of its config."""
    import rigscope

    rig = rigscope.load(source)
    findings = rig.check(config=config)
    clips = rig.clips
    pose = rig.pose(clip=0, time=clips[0].duration / 2) if clips else rig.pose()
    found = {
        "joints": len(rig.joints),
        "vertices": rig.vertex_count,
        "clips": len(clips),
        "errors": sum(finding["severity"] == "error" for finding in findings),
        "warnings": sum(finding["severity"] == "warning" for finding in findings),
        "codes": sorted({finding["code"] for finding in findings}),
    }
    is_strict = config is not None and config.strict
    found["status"] = "errors" if found["errors"] or (is_strict and found["warnings"]) else "ok"
    found["ranks"] = {sheet["profile"]: sheet["rank"] for sheet in rig.ranks(list(profiles), config=config)}
    if rig.skins and rig.vertex_count:
        found["max_distance_m"] = pose.measure("lbs", "dqs")["max_distance_m"]
        for worst in rig.pose().rank()["rank"][:1]:
            found["worst_joint"], found["volume_loss"] = worst["joint"], worst["volume_loss"]
        # Four frames per second are enough to find the worst clip. `rigscope motion` finds the exact frame.
        for worst in rig.motion(fps=4)["ranking"][:1]:
            found["worst_clip"], found["worst_clip_s"] = worst["clip"], worst["time_secs"]
            found["worst_clip_joint"], found["worst_clip_loss"] = worst["joint"], worst["volume_loss"][0]
        if has_bend_test:
            found.update(bend_test(rig, config))
    if has_picture:
        found["picture"] = pose.render(size=THUMBNAIL)
    return found


def bend_test(rig, config):
    """Poses every joint. Returns the pose that deforms worst, the number of poses beyond a limit, and the joints that move no skin."""
    # More than the maximum number of poses.
    tested = rig.flex(worst=100_000, config=config)
    found = {"bend_faults": sum(pose["severity"] > 1 for pose in tested["poses"]), "inert": tested["inert"]}
    for worst in tested["poses"][:1]:
        found.update(bend_pose=worst["name"], bend_measure=worst["worst"], bend_severity=worst["severity"])
    return found


def serve(seconds, megabytes, has_picture, profiles=(), has_bend_test=False):
    """Serves the parent's requests until the parent ends.

    A request has two fields, each preceded by its length: the hash of a config, a space and the path of its rigscope.toml (both empty without a config);
    then the file as a path or bytes. A response has JSON and an image in the same form."""
    import rigscope

    @functools.lru_cache(maxsize=64)
    def config_of(named):
        config_path = named.partition(" ")[2]
        return rigscope.Config(config_path) if config_path else None

    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    nowhere = open(os.devnull, "w")
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while header := requests.read(9):
        kind, named_length, length = struct.unpack("<cII", header)
        named, body = requests.read(named_length).decode(), requests.read(length)
        # The parent kills this process if it takes too long. This ends it if the parent no longer exists.
        faulthandler.dump_traceback_later(seconds + 10, exit=True, file=nowhere)
        begin = time.monotonic()
        try:
            found = inspect(body if kind == b"b" else body.decode(), has_picture, config_of(named), profiles, has_bend_test)
        except rigscope.OpenError as problem:
            found = {"status": "unreadable", "reason": str(problem)}
        except MemoryError:
            found = {"status": "too large", "reason": f"It needs more than {megabytes} MiB"}
        except Exception as problem:
            found = {"status": "crashed", "reason": f"{type(problem).__name__}: {problem}"}
        faulthandler.cancel_dump_traceback_later()
        found["seconds"] = time.monotonic() - begin
        found["peak_megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        picture = found.pop("picture", b"")
        reply = json.dumps(found).encode()
        replies.write(struct.pack("<II", len(reply), len(picture)) + reply + picture)
        replies.flush()


# Worker.


class Child:
    """A process that opens files. It is killed if a file takes too long, and restarted if it has ended."""

    def __init__(self, seconds, megabytes, has_picture, module, profiles=(), has_bend_test=False):
        self.seconds, self.process = seconds, None
        call = f"serve({seconds!r}, {megabytes!r}, {has_picture!r}, {profiles!r}, {has_bend_test!r})"
        self.code = f"import sys; sys.path[:0] = {sys.path!r}; import {module} as fleet; fleet.{call}"

    def start(self):
        command = [sys.executable, "-c", self.code]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def inspect(self, named, kind, body):
        """Returns the child's result for a file. `named` is the hash of a config and the path of its rigscope.toml; `kind` is b"p" for a path, b"b" for bytes."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        alarm = Alarm(self.seconds, self.process)
        try:
            named = named.encode()
            self.process.stdin.write(struct.pack("<cII", kind, len(named), len(body)) + named + body)
            self.process.stdin.flush()
            header = self.process.stdout.read(8)
            length, picture_length = struct.unpack("<II", header)
            found = json.loads(self.process.stdout.read(length))
            found["picture"] = self.process.stdout.read(picture_length) or None
            return found
        except (BrokenPipeError, struct.error):
            self.process.kill()
            code = self.process.wait()
            self.process = None
            if alarm.has_rung:
                return {"status": "too long", "reason": f"It takes more than {self.seconds} s", "seconds": self.seconds}
            is_memory = code in (-signal.SIGKILL, -signal.SIGABRT)
            reason = f"The process ended by {signal.Signals(-code).name}" if code < 0 else f"The process ended with {code}"
            return {"status": "too large" if is_memory else "crashed", "reason": reason}
        finally:
            alarm.cancel()


class Alarm:
    """Kills a process after a time limit."""

    def __init__(self, seconds, process):
        self.has_rung, self.process = False, process
        self.timer = threading.Timer(seconds, self.ring)
        self.timer.daemon = True
        self.timer.start()

    def ring(self):
        self.has_rung = True
        self.process.kill()

    def cancel(self):
        self.timer.cancel()


CHILDREN = {}


def child_of(limits):
    """Returns the child of this worker process, which is reused for later batches."""
    if limits not in CHILDREN:
        CHILDREN[limits] = Child(*limits)
    return CHILDREN[limits]


def inspect_batch(batch, out, done, limits, configs):
    """Inspects the files of a batch that are not done yet. Writes the results, and the list of files with their hashes, as one file each."""
    rows, results = [], []
    for path, data in zip(batch["path"], batch.get("bytes", [None] * len(batch["path"]))):
        path = str(path)
        config_path, config = configs.of(path)
        try:
            content = identity(path, data)
        except OSError as problem:
            unread = f"unread {hashlib.sha256(path.encode()).hexdigest()}"
            rows.append({"path": path, "hash": unread, "config": config, "bytes": None})
            results.append({"hash": unread, "config": config, "status": "unreadable", "reason": str(problem)})
            continue
        rows.append({"path": path, "hash": content, "config": config, "bytes": size_of(path, data)})
        is_new = all((result["hash"], result["config"]) != (content, config) for result in results)
        if (content, config) not in done and is_new:
            request = (b"p", path.encode()) if data is None else (b"b", bytes(data))
            results.append({"hash": content, "config": config, **child_of(limits).inspect(f"{config} {config_path}", *request)})
    if results:
        keys = [f"{result['config']} {result['hash']}" for result in results]
        write(out, "results", keys, table_of(results))
    write(out, "files", [row["path"] for row in rows], pa.Table.from_pylist(rows, FILES))
    return {"path": [row["path"] for row in rows]}


def table_of(results):
    """Returns the results as a table, with a column for each profile in which a file has a rank."""
    ranks = [result.pop("ranks", {}) for result in results]
    profiles = sorted({profile for of_file in ranks for profile in of_file})
    rows = [{**result, **{profile: of_file.get(profile) for profile in profiles}} for result, of_file in zip(results, ranks)]
    return pa.Table.from_pylist(rows, pa.schema([*RESULTS, *((profile, pa.string()) for profile in profiles)]))


def identity(path, data):
    """Returns a hash of a file's content and of the files that it refers to."""
    digest = hashlib.sha256()
    if data is not None:
        digest.update(data)
        return digest.hexdigest()
    content = Path(path).read_bytes()
    digest.update(content)
    for neighbour in neighbours(path, content):
        digest.update(neighbour.name.encode() + b"\0")
        digest.update(neighbour.read_bytes() if neighbour.is_file() else b"")
    return digest.hexdigest()


def neighbours(path, content):
    """Returns the files that a .gltf refers to."""
    if not path.lower().endswith(".gltf"):
        return []
    try:
        document = json.loads(content)
        named = [part.get("uri", "") for kind in ("buffers", "images") for part in document.get(kind, [])]
    except (ValueError, AttributeError, TypeError):
        return []
    return [Path(path).parent / unquote(uri) for uri in named if isinstance(uri, str) and uri and not uri.startswith("data:")]


def size_of(path, data):
    return len(data) if data is not None else os.path.getsize(path)


def write(out, folder, keys, table):
    """Writes a table atomically. Writing the same keys again replaces it."""
    name = hashlib.sha256("\n".join(keys).encode()).hexdigest()[:24]
    path = Path(out) / folder / f"{name}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as temporary:
        pq.write_table(table, temporary)
    os.replace(temporary.name, path)


# Main program.


def listed(root):
    """Lists the files in a folder or bucket: self-contained ones, and those that are opened in place."""
    system, base = pa.fs.FileSystem.from_uri(root) if "://" in root else (pa.fs.LocalFileSystem(), str(Path(root).resolve()))
    found = system.get_file_info(pa.fs.FileSelector(base, recursive=True))
    files = sorted((info for info in found if info.is_file), key=lambda info: info.path)
    ending = lambda info: posixpath.splitext(info.path)[1].lower()
    whole = [info for info in files if ending(info) in WHOLE]
    beside = [info for info in files if ending(info) in WITH_NEIGHBOURS]
    if beside and not isinstance(system, pa.fs.LocalFileSystem):
        print(f"{len(beside)} .gltf and .fbx files are left out: what they name beside them is found in folders alone")
        beside = []
    return system, whole, beside


class Configs:
    """The rigscope.toml of each file and its hash. The main program finds them and passes them to all workers."""

    def __init__(self, files=(), config_path=None, is_local=True, profiles=(), has_bend_test=False):
        """Uses the named config, if any, or finds the config nearest to each file. Other profiles, and a bend test, count as another config."""
        self.extras = "".join(f"+{extra}" for extra in [*profiles, *(["flex"] if has_bend_test else [])])
        self.everywhere = held_to(config_path)
        self.by_folder = {}
        for path in files:
            folder = posixpath.dirname(path)
            if folder not in self.by_folder:
                self.by_folder[folder] = nearest(path if is_local else "-")

    def of(self, path):
        """Returns the path of a file's rigscope.toml (empty if there is none), and its hash followed by the names of the profiles, and by flex with a bend test."""
        config_path, config = self.by_folder.get(posixpath.dirname(path), self.everywhere)
        return config_path, config + self.extras


@functools.lru_cache(maxsize=None)
def held_to(config_path):
    """Returns the path of a rigscope.toml and the hash of its files. Both are empty without a config."""
    import rigscope

    if not config_path:
        return "", ""
    config = rigscope.Config(config_path)
    return str(Path(config_path).resolve()), "+".join(identity(str(path), None) for path in config.files)


def nearest(path):
    """Returns the config that `rigscope check` would use for a file, and its hash."""
    import rigscope

    return held_to(rigscope.Config.find(path))


def hashes_done(out):
    """Returns the hash and config of files finished by earlier runs. Files that took too much time or memory are tried again."""
    results = Path(out) / "results"
    if not any(results.glob("*.parquet")):
        return frozenset()
    query = f"SELECT hash, config FROM {parquet(out, 'results')} WHERE status IN ('ok', 'errors', 'unreadable')"
    return frozenset(duckdb.sql(query).fetchall())


def parquet(out, folder):
    """Returns an SQL expression for all rows in a folder."""
    path = f"{out}/{folder}/*.parquet".replace("'", "''")
    return f"read_parquet('{path}', union_by_name=true)"


def run(root, out, limits, config_path=None, is_nearest=False, batch=BATCH):
    """Inspects all files that are not done, with one rigscope.toml or with the one nearest to each file. Returns the number of files."""
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False
    out = folder(out)
    system, whole, beside = listed(root)
    shutil.rmtree(Path(out) / "files", ignore_errors=True)
    found = [info.path for info in whole + beside] if is_nearest else []
    configs = ray.put(Configs(found, config_path, isinstance(system, pa.fs.LocalFileSystem), *limits[4:]))
    done = ray.put(hashes_done(out))
    inspect = lambda rows: inspect_batch(rows, out, ray.get(done), limits, ray.get(configs))
    datasets = []
    if whole:
        paths, parts = [info.path for info in whole], blocks(whole, batch)
        datasets.append(ray.data.read_binary_files(paths, filesystem=system, include_paths=True, override_num_blocks=parts))
    if beside:
        items = [{"path": info.path} for info in beside]
        datasets.append(ray.data.from_items(items, override_num_blocks=blocks(beside, batch)))
    count = 0
    for data in datasets:
        for rows in data.map_batches(inspect, batch_size=None).iter_batches(batch_size=None):
            count += len(rows["path"])
            print(f"\r{count} of {len(whole) + len(beside)} files", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return count


def blocks(files, batch):
    """Returns the number of batches."""
    total = sum(info.size or 0 for info in files)
    return max(1, -(-len(files) // batch), min(len(files), -(-total // BATCH_BYTES)))


STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 2rem; }
td, th { padding: 0.25rem 1rem 0.25rem 0; text-align: left; border-bottom: 1px solid #8884; }
.rigs { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: 1rem; }
.rigs img { width: 100%; border-radius: 6px; }
.rigs div { overflow-wrap: anywhere; font-size: 0.85rem; }
"""


def summarize(out):
    """Writes OUT/index.html for the files of the last run, each with the result for its config. Returns the number of files by status."""
    base = duckdb.connect()
    base.sql(f"CREATE VIEW files AS SELECT * FROM {parquet(out, 'files')}")
    base.sql(f"CREATE TABLE results AS SELECT DISTINCT ON (hash, config) * FROM {parquet(out, 'results')}")
    base.sql("CREATE VIEW rigs AS SELECT * FROM files JOIN results USING (hash, config)")
    statuses = base.sql("SELECT status, count(*) FROM rigs GROUP BY status ORDER BY 2 DESC").fetchall()
    profiles = [name for name in base.sql("SELECT * FROM results LIMIT 0").columns if name not in RESULTS.names]
    names = ", ".join(f'"{name}"' for name in profiles)
    of_files = base.sql(f"SELECT path, {names} FROM rigs ORDER BY path LIMIT 1000").fetchall() if profiles else []
    codes = base.sql("SELECT unnest(codes) AS code, count(*) FROM rigs GROUP BY code ORDER BY 2 DESC, code").fetchall()
    slow = base.sql("SELECT path, round(seconds, 2), round(peak_megabytes) FROM rigs ORDER BY seconds DESC LIMIT 10").fetchall()
    failed = "SELECT path, status, reason FROM rigs WHERE status NOT IN ('ok', 'errors') ORDER BY status, path LIMIT 100"
    worst = "SELECT any_value(path), worst_joint, volume_loss, any_value(picture) FROM rigs WHERE volume_loss IS NOT NULL"
    worst = base.sql(f"{worst} GROUP BY hash, worst_joint, volume_loss ORDER BY volume_loss DESC LIMIT 24").fetchall()
    clips = "SELECT path, worst_clip, round(worst_clip_s, 3), worst_clip_joint, round(worst_clip_loss, 4) FROM rigs"
    clips = base.sql(f"{clips} WHERE worst_clip_loss IS NOT NULL ORDER BY worst_clip_loss DESC, path LIMIT 24").fetchall()
    bends = "SELECT path, bend_pose, bend_measure, round(bend_severity, 2), bend_faults, array_to_string(inert, ', ') FROM rigs"
    bends = base.sql(f"{bends} WHERE bend_faults IS NOT NULL ORDER BY bend_severity DESC NULLS LAST, path LIMIT 24").fetchall()
    page = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Rigs</title><style>{STYLE}</style><h1>Rigs</h1>",
        table("Files", ["status", "files"], statuses),
        table("Findings", ["code", "files"], codes),
        *([table("Ranks", ["file", *profiles], of_files)] if profiles else []),
        "<h2>Most volume lost by linear blend skinning</h2><div class=rigs>",
        *(card(*row) for row in worst),
        "</div>",
        table("Clips in which linear blend skinning loses most", ["file", "clip", "at s", "joint", "loss"], clips),
        *([table("Poses that deform worst", ["file", "pose", "measure", "of its limit", "poses beyond", "inert joints"], bends)] if bends else []),
        table("Not opened", ["file", "status", "reason"], base.sql(failed).fetchall()),
        table("Slowest", ["file", "seconds", "MiB"], slow),
    ]
    Path(out, "index.html").write_text("".join(page), encoding="utf-8")
    return dict(statuses)


def table(title, head, rows):
    line = lambda kind, cells: f"<tr>{''.join(f'<{kind}>{html.escape(str(cell))}' for cell in cells)}"
    shown = ([cell if cell is not None else "" for cell in row] for row in rows)
    return f"<h2>{title}</h2><table>{line('th', head)}{''.join(line('td', row) for row in shown)}</table>"


def card(path, joint, loss, picture):
    image = f"<img alt='' src='data:image/png;base64,{base64.b64encode(picture).decode()}'>" if picture else ""
    return f"<div>{image}{html.escape(path)}<br>{html.escape(joint)}: {loss:.1%}</div>"


def folder(out):
    """Returns the folder for results. Addresses of buckets are refused."""
    if "://" in out:
        raise argparse.ArgumentTypeError(f"{out} is not a folder: results go to one that every machine reaches; copy it to the bucket afterwards")
    return str(Path(out).resolve())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("-o", "--out", required=True, type=folder)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--config", help="a rigscope.toml that every file is held to, in place of the nearest to each")
    which.add_argument("--no-config", action="store_true", help="look for no rigscope.toml")
    parser.add_argument("--profile", action="append", default=[], help="a profile whose rank every file has a column of; may be repeated")
    parser.add_argument("--workers", type=int, help="processes on this machine, where no cluster is given by RAY_ADDRESS")
    parser.add_argument("--seconds", type=float, default=60, help="that a file may take [default: 60]")
    parser.add_argument("--megabytes", type=int, default=4096, help="that a file may take [default: 4096]")
    parser.add_argument("--no-pictures", action="store_true")
    parser.add_argument("--flex", action="store_true", help="add a bend test, which takes some seconds per file")
    asked = parser.parse_args()
    path = os.pathsep.join([str(Path(__file__).resolve().parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    # Without an address, Ray would join any cluster running on this machine.
    is_cluster_given = "RAY_ADDRESS" in os.environ
    ray.init(
        address=None if is_cluster_given else "local",
        num_cpus=None if is_cluster_given else asked.workers,
        log_to_driver=False,
        logging_level="error",
        runtime_env={"env_vars": {"PYTHONPATH": path}},
    )
    limits = (asked.seconds, asked.megabytes, not asked.no_pictures, "fleet", tuple(asked.profile), asked.flex)
    is_nearest = not asked.config and not asked.no_config
    count = run(asked.root, asked.out, limits, asked.config, is_nearest)
    for status, files in summarize(asked.out).items():
        print(f"{files:8} {status}")
    print(f"{count:8} files; {Path(asked.out, 'index.html')}")


if __name__ == "__main__":
    # Workers find functions by module name, but a script runs as __main__.
    import fleet

    fleet.main()
