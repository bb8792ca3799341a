"""Checks, measures and draws every rig below a folder or in a bucket, on one machine or many.

    python fleet.py ROOT -o OUT [--config rigscope.toml | --no-config] [--profile NAME]... [--workers N] [--seconds S] [--megabytes M] [--no-pictures]

ROOT is a folder, or what pyarrow opens as a file system, such as s3://bucket/rigs. OUT is a folder that every machine reaches, and no bucket: copy it
there afterwards. Workers import this file by its name, from the folder that it is in, which every machine reaches too. Files go through Ray Data in batches. Each file is opened in a child process with a limit of time and memory, so that one that is broken, endless or
huge costs itself alone. Results are Parquet files in OUT/results, named by what is in them: a batch that is done twice, because
the worker that did it died, replaces its own result. A file is known by the hash of its content; one that is done already is skipped, wherever
it lies. OUT/index.html sums up; DuckDB reads the rest:

    SELECT path, worst_joint, volume_loss FROM 'OUT/results/*.parquet' JOIN 'OUT/files/*.parquet' USING (hash, config) ORDER BY volume_loss DESC

Every file is held to what a rigscope.toml demands: limits, severities, a skeleton. As with `rigscope check`, that is the file that --config names,
else the one in the file's folder or the nearest above it, else in the working folder or the nearest above that; for files in a bucket, in the
working folder or above. Every machine reaches those files too. Results are of one config, by the hash of its files in the column "config"; under
another config, files are opened again. --no-config looks for none. With strict = true there, warnings make errors of a file's status.

The rank of every file by each profile that --profile or its rigscope.toml names is in a column of the profile's name; what --profile names changes
no file's status:

    SELECT path, "vrchat-mobile" FROM read_parquet('OUT/results/*.parquet', union_by_name=true) JOIN 'OUT/files/*.parquet' USING (hash, config)

Two files of one content and config that are met at the same time are both opened, and have a result each; the page counts them once.
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

# Files that are one file, and those that may name others beside them and are therefore opened where they lie.
WHOLE, WITH_NEIGHBOURS = (".glb", ".vrm"), (".gltf", ".fbx")
THUMBNAIL = (192, 192)
# What a worker takes at a time, at most: files, and bytes of them. Less is lost with a worker, but each batch costs a tenth of a second.
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
        "picture": pa.binary(),
    }
)
FILES = pa.schema({"path": pa.string(), "hash": pa.string(), "config": pa.string(), "bytes": pa.int64()})


# In the child process.


def inspect(source, has_picture, config, profiles=()):
    """What is found in one file, and its rank by some profiles and those of its config; `source` is a path or bytes."""
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
        # Four frames per second find the worst clip; `rigscope motion` finds the frame.
        for worst in rig.motion(fps=4)["ranking"][:1]:
            found["worst_clip"], found["worst_clip_s"] = worst["clip"], worst["time_s"]
            found["worst_clip_joint"], found["worst_clip_loss"] = worst["joint"], worst["volume_loss"][0]
    if has_picture:
        found["picture"] = pose.render(size=THUMBNAIL)
    return found


def serve(seconds, megabytes, has_picture, profiles=()):
    """Answers requests of the parent until it is gone: the hash of a config, a space and the path of its rigscope.toml, both empty without one; then a
    path or bytes, each with its length before it. Answers are JSON and a picture likewise."""
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
        # The parent kills what takes too long; this ends it where the parent is gone.
        faulthandler.dump_traceback_later(seconds + 10, exit=True, file=nowhere)
        begin = time.monotonic()
        try:
            found = inspect(body if kind == b"b" else body.decode(), has_picture, config_of(named), profiles)
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


# In a worker.


class Child:
    """A process that opens files; it is killed where one takes too long, and started anew where it is gone."""

    def __init__(self, seconds, megabytes, has_picture, module, profiles=()):
        self.seconds, self.process = seconds, None
        call = f"serve({seconds!r}, {megabytes!r}, {has_picture!r}, {profiles!r})"
        self.code = f"import sys; sys.path[:0] = {sys.path!r}; import {module} as fleet; fleet.{call}"

    def start(self):
        command = [sys.executable, "-c", self.code]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def inspect(self, named, kind, body):
        """What the child finds; `named` is the hash of a config and the path of its rigscope.toml, `kind` is b"p" for a path or b"b" for bytes."""
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
    """Kills a process when its time is over."""

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
    """One for each worker process, kept from batch to batch."""
    if limits not in CHILDREN:
        CHILDREN[limits] = Child(*limits)
    return CHILDREN[limits]


def inspect_batch(batch, out, done, limits, configs):
    """Inspects what is not done, writes the results of the batch as one file, and passes on which file is which."""
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
    """Results with a column for each profile that any of them has a rank by."""
    ranks = [result.pop("ranks", {}) for result in results]
    profiles = sorted({profile for of_file in ranks for profile in of_file})
    rows = [{**result, **{profile: of_file.get(profile) for profile in profiles}} for result, of_file in zip(results, ranks)]
    return pa.Table.from_pylist(rows, pa.schema([*RESULTS, *((profile, pa.string()) for profile in profiles)]))


def identity(path, data):
    """Hash of what a file holds, and of what it names beside it."""
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
    """The files that a .gltf names."""
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
    """A file that is there whole or not at all; the same keys again replace it."""
    name = hashlib.sha256("\n".join(keys).encode()).hexdigest()[:24]
    path = Path(out) / folder / f"{name}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as temporary:
        pq.write_table(table, temporary)
    os.replace(temporary.name, path)


# In the program.


def listed(root):
    """Files below a folder or in a bucket: those that are one file, and those that are opened where they lie."""
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
    """Which rigscope.toml each file is held to, and the hash of what it says: found in the program, known to every worker."""

    def __init__(self, files=(), config_path=None, is_local=True, profiles=()):
        """Those that are nearest to the files, or one that is named; none without either. What is held to other profiles is held to another config."""
        self.profiles = "".join(f"+{profile}" for profile in profiles)
        self.everywhere = held_to(config_path)
        self.by_folder = {}
        for path in files:
            folder = posixpath.dirname(path)
            if folder not in self.by_folder:
                self.by_folder[folder] = nearest(path if is_local else "-")

    def of(self, path):
        """The path of the rigscope.toml, empty where there is none, and the hash with the names of profiles behind it."""
        config_path, config = self.by_folder.get(posixpath.dirname(path), self.everywhere)
        return config_path, config + self.profiles


@functools.lru_cache(maxsize=None)
def held_to(config_path):
    """A rigscope.toml, and the hash of its files: both empty where there is none."""
    import rigscope

    if not config_path:
        return "", ""
    config = rigscope.Config(config_path)
    return str(Path(config_path).resolve()), "+".join(identity(str(path), None) for path in config.files)


def nearest(path):
    """What `rigscope check` would hold a file to."""
    import rigscope

    return held_to(rigscope.Config.find(path))


def hashes_done(out):
    """What earlier runs have finished, by hash and config; files that took too long or too much are tried again."""
    results = Path(out) / "results"
    if not any(results.glob("*.parquet")):
        return frozenset()
    query = f"SELECT hash, config FROM {parquet(out, 'results')} WHERE status IN ('ok', 'errors', 'unreadable')"
    return frozenset(duckdb.sql(query).fetchall())


def parquet(out, folder):
    """All rows of a folder, as DuckDB selects from them."""
    path = f"{out}/{folder}/*.parquet".replace("'", "''")
    return f"read_parquet('{path}', union_by_name=true)"


def run(root, out, limits, config_path=None, is_nearest=False, batch=BATCH):
    """Inspects everything that is not done, by one rigscope.toml or by those that are nearest to each file; how many files there are."""
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False
    out = folder(out)
    system, whole, beside = listed(root)
    shutil.rmtree(Path(out) / "files", ignore_errors=True)
    found = [info.path for info in whole + beside] if is_nearest else []
    profiles = limits[4] if len(limits) > 4 else ()
    configs = ray.put(Configs(found, config_path, isinstance(system, pa.fs.LocalFileSystem), profiles))
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
    """How many batches."""
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
    """Writes OUT/index.html of the last run's files, each by the config that it was held to; the number of files by status."""
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
    page = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Rigs</title><style>{STYLE}</style><h1>Rigs</h1>",
        table("Files", ["status", "files"], statuses),
        table("Findings", ["code", "files"], codes),
        *([table("Ranks", ["file", *profiles], of_files)] if profiles else []),
        "<h2>Most volume lost by linear blend skinning</h2><div class=rigs>",
        *(card(*row) for row in worst),
        "</div>",
        table("Clips in which linear blend skinning loses most", ["file", "clip", "at s", "joint", "loss"], clips),
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
    """The folder that results go to; an address of a bucket is refused."""
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
    asked = parser.parse_args()
    path = os.pathsep.join([str(Path(__file__).resolve().parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    # Without an address, Ray would join any cluster that runs on this machine.
    is_cluster_given = "RAY_ADDRESS" in os.environ
    ray.init(
        address=None if is_cluster_given else "local",
        num_cpus=None if is_cluster_given else asked.workers,
        log_to_driver=False,
        logging_level="error",
        runtime_env={"env_vars": {"PYTHONPATH": path}},
    )
    limits = (asked.seconds, asked.megabytes, not asked.no_pictures, "fleet", tuple(asked.profile))
    is_nearest = not asked.config and not asked.no_config
    count = run(asked.root, asked.out, limits, asked.config, is_nearest)
    for status, files in summarize(asked.out).items():
        print(f"{files:8} {status}")
    print(f"{count:8} files; {Path(asked.out, 'index.html')}")


if __name__ == "__main__":
    # Workers look for functions by the name of their module, and the module of a script has no name that they know.
    import fleet

    fleet.main()
