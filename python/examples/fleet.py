"""Checks, measures and draws every rig below a folder or in a bucket, on one machine or many.

    python fleet.py ROOT -o OUT [--config rigscope.toml | --no-config] [--profile NAME]... [--workers N] [--seconds S] [--megabytes M] [--no-pictures] [--flex]

ROOT, OUT and the file of --config are paths, or addresses that pyarrow can open: s3://bucket/rigs, gs://bucket/rigs, file:///rigs. Options are part of the
address: s3://bucket/rigs?region=eu-west-1, or ?scheme=http&endpoint_override=host:9000 for MinIO and other servers. Credentials come from the environment, as
in the tools of the cloud. Folders must be accessible to every machine under the same path.

By default, Ray starts workers on this machine. RAY_ADDRESS names a cluster instead. This file is sent to its workers; rigscope, duckdb and pyarrow must be
installed on them. Each file is opened in a child process with a time and memory limit, so that a broken, endless or huge file affects no other file.

OUT has these files:

- index.html is a summary. metrics.json has files per second, the number of files by status, exceptions by class, and how many files were unchanged, tried,
  opened or failed in this run. It has no statuses while a run isn't complete.
- rigs.parquet has a row per file of the last complete run. Query it with DuckDB:

      SELECT path, worst_joint, volume_loss FROM 'OUT/rigs.parquet' ORDER BY volume_loss DESC

- results and files have what is done, a Parquet file per batch. Each row of results has a picture.

The exit code is 0 if all files are ok, 1 if a file has errors or could not be opened, and 2 if the run failed. The status of a file is one of these:

    ok, errors     opened; with errors, or with warnings if the config has strict = true
    unreadable     not a valid file
    not read       the file, or a file that it refers to, could not be read or downloaded
    too long       took more than --seconds
    too large      took more than --megabytes, or is larger
    crashed        ended the process, or an exception that is a bug

A run that was interrupted continues when it is started again. Files are not opened again unless their content, what they refer to, or their config changed.
The last three statuses and "not read" are tried again. Content is compared in three steps:

1. Files whose size and time of modification are those of an earlier run are not read at all. This needs no requests beyond listing ROOT.
2. If only the time differs, ETags are compared, which takes a request without content. File systems without ETags skip this step.
3. Otherwise the file is read, and skipped if an earlier run has a result for the hash of its content, wherever that file was.

Buffers and images of .gltf files, and textures of .fbx files, are found below the folder of the file, and are part of its content. From a bucket, they are
downloaded with the file.

Every file is checked with a rigscope.toml: limits, severities, a required skeleton. As with `rigscope check`, this is the file that --config names, or else
the nearest one in the file's folder or above, in the bucket too, or else the nearest one in the working folder or above. Each result belongs to one config
and version of Rigscope, which are in the column "config"; with others, files are opened again. --no-config disables configs. Configs are sent to workers with
the files that they name, except if both config and ROOT are in folders.

The rank of each file in each profile that --profile or its rigscope.toml names is in a column with the profile's name. Profiles named by --profile don't
change the status of files:

    SELECT path, "vrchat-mobile" FROM 'OUT/rigs.parquet'

--flex adds a bend test with the ranges and limits of the config, which takes some seconds per file. Results without it don't count as done. Its columns
are empty without it:

    SELECT path, bend_pose, bend_measure, bend_severity, inert FROM 'OUT/rigs.parquet' WHERE bend_faults > 0 OR len(inert) > 0 ORDER BY bend_severity DESC
"""

import argparse
import base64
import contextlib
import faulthandler
import functools
import hashlib
import html
import json
import logging
import os
import posixpath
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import ChainMap
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import duckdb
import pyarrow as pa
import pyarrow.dataset
import pyarrow.fs
import pyarrow.parquet as pq
import ray
import ray.data

# Formats, and those of them that may refer to other files.
RIGS, WITH_OTHERS = (".glb", ".vrm", ".gltf", ".fbx"), (".gltf", ".fbx")
CONFIG_NAME = "rigscope.toml"
THUMBNAIL = (192, 192)
# Maximum number of files and bytes in a batch. With smaller batches, less is lost if a worker dies, but each batch costs a tenth of a second.
BATCH, BATCH_BYTES = 128, 64 << 20
# Minimum number of batches per processor, so that no processor waits for the last batch of another.
BATCHES_PER_PROCESSOR = 4
# What a child process sends when it can open files, and how long that may take.
READY, START_SECONDS = b"\n", 120
# Number of failures that the terminal shows. All are in the results.
MAX_SHOWN = 50

RESULTS = pa.schema(
    {
        "hash": pa.string(),
        "config": pa.string(),  # hash of the config, if any, and what else counts as another config
        "finished": pa.float64(),  # Unix time in seconds
        "status": pa.string(),
        "reason": pa.string(),
        "exception": pa.string(),  # class of the exception, or name of the signal
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
        "worst_clip_secs": pa.float64(),
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
# A file when it was read. Empty where it is missing, or the file system has no ETags.
VERSION = pa.struct({"path": pa.string(), "bytes": pa.int64(), "modified_ns": pa.int64(), "etag": pa.string()})
FILES = pa.schema(
    {
        "path": pa.string(),
        "hash": pa.string(),
        "config": pa.string(),
        "bytes": pa.int64(),
        "versions": pa.list_(VERSION),  # of the file, then of the files that it refers to
    }
)
# A file for a worker, and its row of an earlier run, if any.
TASKS = pa.schema(
    {
        "path": pa.string(),
        "bytes": pa.int64(),
        "modified_ns": pa.int64(),
        "config": pa.string(),
        "config_number": pa.int64(),
        "known": pa.struct({"hash": pa.string(), "versions": pa.list_(VERSION)}),
    }
)
# What a worker returns of each file: its row, bytes downloaded, and how it went if it was opened.
ANSWERS = pa.schema([*FILES, pa.field("downloaded", pa.int64()), RESULTS.field("status"), RESULTS.field("reason")])


class Options(NamedTuple):
    """How files are inspected."""

    seconds: float
    megabytes: int
    has_picture: bool = True
    profiles: tuple = ()
    has_bend_test: bool = False
    module: str = "fleet"  # whose function `serve` inspects files


# Files in folders and buckets.


def etag(stream):
    value = (stream.metadata() or {}).get("ETag")
    return value.decode() if value else None


class Location(NamedTuple):
    """A path in a file system."""

    system: pa.fs.FileSystem
    path: str

    @classmethod
    def parse(cls, text):
        """Parses a path or an address."""
        try:
            return cls(*pa.fs.FileSystem.from_uri(text)) if "://" in text else cls(pa.fs.LocalFileSystem(), str(Path(text).resolve()))
        except (OSError, ValueError) as problem:
            raise ValueError(f"{text} can't be opened: {problem}") from problem

    @property
    def is_local(self):
        return isinstance(self.system, pa.fs.LocalFileSystem)

    def below(self, *names):
        return self._replace(path=posixpath.join(self.path, *names))

    def read(self):
        """Returns the content of a file and its ETag."""
        with self.system.open_input_stream(self.path) as stream:
            return stream.readall(), etag(stream)

    def etag(self):
        """Returns the ETag of a file, without reading it; `None` in folders."""
        if self.is_local:
            return None
        with self.system.open_input_stream(self.path) as stream:
            return etag(stream)

    def write(self, content):
        """Writes a file completely or not at all."""
        # Objects in buckets appear when they are complete, and need no folder.
        if not self.is_local:
            with self.system.open_output_stream(self.path) as stream:
                stream.write(content)
            return
        path = Path(self.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        # Not `tempfile`, whose files only their owner may read.
        temporary = path.with_name(f".{path.name}-{os.getpid()}-{threading.get_ident()}")
        try:
            temporary.write_bytes(content)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def write_table(self, table):
        buffer = pa.BufferOutputStream()
        pq.write_table(table, buffer)
        self.write(buffer.getvalue())

    def tables(self):
        """Returns the Parquet files in a folder."""
        found = self.system.get_file_info(pa.fs.FileSelector(self.path, allow_not_found=True))
        return sorted(info.path for info in found if info.is_file and info.path.endswith(".parquet"))

    def dataset(self, schema):
        """Returns the rows of all Parquet files in a folder, with the columns of `schema` and those that only some of the files have."""
        paths = self.tables()
        if not paths:
            return pa.dataset.dataset(schema.empty_table())
        found = pa.dataset.dataset(paths, filesystem=self.system, format="parquet", schema=schema)
        return found.replace_schema(pa.unify_schemas([schema, *(part.physical_schema for part in found.get_fragments())]))


def ending(path):
    return posixpath.splitext(path)[1].lower()


def listed(root):
    """Returns size and time of modification of every file below a folder or in a bucket, by path."""
    found = root.system.get_file_info(pa.fs.FileSelector(root.path, recursive=True))
    return {info.path: (info.size, info.mtime_ns) for info in found if info.is_file}


def version_of(path, listing, etag=None):
    """Returns a `VERSION`."""
    size, modified = listing.get(path, (None, None))
    return {"path": path, "bytes": size, "modified_ns": modified, "etag": etag}


def is_unchanged(version, listing, etag_of=lambda path: None):
    """Returns whether a file has the size and time of modification of a `VERSION`, or else its size and ETag."""
    size, modified = listing.get(version["path"], (None, None))
    if size != version["bytes"]:
        return False
    return modified == version["modified_ns"] or (version["etag"] is not None and version["etag"] == etag_of(version["path"]))


# Names of images in FBX files end like this. They are not compressed, and follow a control character or a quotation mark.
IMAGE_ENDING = re.compile(rb"\.(?:png|jpe?g|tga|bmp|webp|ktx2|tiff?|psd|exr|hdr|dds)(?![a-z0-9])", re.IGNORECASE)
BEFORE_NAME = re.compile(rb"[\x00-\x1f\"<>|?*]")
MAX_NAME = 400
# Folders in which Rigscope looks for textures of FBX files, besides NAME.fbm.
TEXTURE_FOLDERS = ("", "textures", "texture", "maps")


def references(path, content, spellings):
    """Returns the paths of the files that a rig refers to, below its folder. Some of them may not exist. `spellings` has the paths of existing files by their
    lowercase form, since Rigscope ignores the case of textures of FBX files."""
    folder = posixpath.dirname(path)
    is_below = lambda name: ":" not in name and not {"", ".."} & set(name.split("/"))
    below = lambda names: [posixpath.join(folder, name) for name in names if is_below(name)]
    if ending(path) != ".fbx":
        return below(dict.fromkeys(uris(content) if ending(path) == ".gltf" else ()))
    found = []
    media = [*TEXTURE_FOLDERS, posixpath.splitext(posixpath.basename(path))[0] + ".fbm"]
    for name in sorted(set(image_names(content))):
        candidates = below([name, *(posixpath.join(texture_folder, posixpath.basename(name)) for texture_folder in media)])
        existing = (spellings.get(candidate.lower()) for candidate in candidates)
        first = next(filter(None, existing), None)
        found += [first] if first else candidates
    return list(dict.fromkeys(found))


def uris(content):
    """Yields the names of buffers and images in a .gltf."""
    try:
        document = json.loads(content)
        named = [part.get("uri") for kind in ("buffers", "images") for part in document.get(kind, [])]
    except (ValueError, AttributeError, TypeError):
        return
    for uri in named:
        if isinstance(uri, str) and not uri.startswith("data:"):
            yield unquote(uri).replace("\\", "/")


def image_names(content):
    """Yields the names of images in an FBX file."""
    for match in IMAGE_ENDING.finditer(content):
        name = BEFORE_NAME.split(content[max(0, match.start() - MAX_NAME) : match.end()])[-1]
        yield name.decode("utf-8", "replace").replace("\\", "/")


# Configs.


class Config(NamedTuple):
    """A rigscope.toml. `files` has the content of all its files by path, if they are sent to workers instead of read in place."""

    path: str = ""
    hash: str = ""
    files: dict = {}
    has_overrides: bool = False

    @classmethod
    def read(cls, location, is_sent):
        """Reads a config."""
        import rigscope

        files = config_files(location) if is_sent else {}
        text = files.get(location.path) or Path(location.path).read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            save(folder, files)
            config = rigscope.Config(saved(folder, location.path) if is_sent else location.path)
            content = "+".join(hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in config.files)
        return cls(location.path, content, files, re.search(rb"^\s*\[\[override", text, re.MULTILINE) is not None)

    def key(self, path, extras):
        """Returns the value of the column "config" for a file."""
        # Overrides apply to paths, so the same content may have other results elsewhere.
        place = "@" + hashlib.sha256(path.encode()).hexdigest()[:16] if self.has_overrides else ""
        return self.hash + place + extras


def config_files(location):
    """Returns the content of a config and of the files that it names, by path."""
    files, pending = {}, [location.path]
    while pending:
        path = pending.pop()
        files[path], _ = location._replace(path=path).read()
        beside = (posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) for name in names_in(path, files[path]) if ending(name))
        paths = sorted(path for path in set(beside) - files.keys() if not path.startswith(".."))
        pending += [info.path for info in location.system.get_file_info(paths) if info.is_file] if paths else []
    return files


# A string in a TOML file, which may be the name of a file.
TOML_STRING = re.compile(r"""["']([^"'\n]+)["']""")


def names_in(path, content):
    """Returns possible names of files in a config, a profile, or a .gltf whose skeleton is required."""
    if ending(path) == ".toml":
        return TOML_STRING.findall(content.decode("utf-8", "replace"))
    return list(uris(content)) if ending(path) == ".gltf" else []


def find_configs(root, listing, paths):
    """Returns the location of the config nearest to each folder, as `rigscope check` finds it; `None` without one."""
    import rigscope

    local = lambda path: Location.parse(str(path)) if path else None
    folders = {posixpath.dirname(path): path for path in paths}
    if root.is_local:
        return {folder: local(rigscope.Config.find(path)) for folder, path in folders.items()}
    present = {path for path in listing if posixpath.basename(path) == CONFIG_NAME}
    above = [posixpath.join(folder, CONFIG_NAME) for folder in ancestors(root.path)]
    try:
        present |= {info.path for info in root.system.get_file_info(above) if info.is_file}
    except OSError:
        pass  # Credentials may be for ROOT alone.
    elsewhere = local(rigscope.Config.find("-"))
    found = {}
    for folder in folders:
        nearest = (posixpath.join(above, CONFIG_NAME) for above in ancestors(folder))
        path = next((path for path in nearest if path in present), None)
        found[folder] = root._replace(path=path) if path else elsewhere
    return found


def ancestors(folder):
    """Yields a folder and the folders above it."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)


def saved(folder, path):
    """Returns where a file of a bucket is saved in a local folder. Refuses keys such as "bucket/../../name"."""
    local = os.path.normpath(os.path.join(folder, path.lstrip("/")))
    if not local.startswith(os.path.join(folder, "")):
        raise OSError(f"{path} leads out of its bucket")
    return local


def save(folder, files):
    for path, content in files.items():
        local = Path(saved(folder, path))
        local.parent.mkdir(parents=True, exist_ok=True)
        local.write_bytes(content)


# Child process.


def inspect(path, has_picture, config, profiles=(), has_bend_test=False):
    """Inspects a file. Returns the results, including its rank in `profiles` and in the profiles of its config."""
    import rigscope

    rig = rigscope.load(path)
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
            found["worst_clip"], found["worst_clip_secs"] = worst["clip"], worst["time_secs"]
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


def serve(options):
    """Serves the parent's requests until the parent ends.

    It first sends `READY`. A request is a line of JSON: the path of a file, and the hash and path of its config, both empty without one. A response has two
    lengths, JSON and an image."""
    import rigscope

    @functools.lru_cache(maxsize=64)
    def config_of(_content, path):
        return rigscope.Config(path) if path else None

    seconds, megabytes = options.seconds, options.megabytes
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    nowhere = open(os.devnull, "w")
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    replies.write(READY)
    replies.flush()
    for request in requests:
        path, *config = json.loads(request)
        # The parent kills this process if it takes too long. This ends it if the parent no longer exists.
        faulthandler.dump_traceback_later(seconds + 10, exit=True, file=nowhere)
        begin = time.monotonic()
        try:
            found = inspect(path, options.has_picture, config_of(*config), options.profiles, options.has_bend_test)
        except rigscope.OpenError as problem:
            found = failure("unreadable", problem, str(problem))
        except MemoryError as problem:
            found = failure("too large", problem, f"It needs more than {megabytes} MiB")
        except Exception as problem:
            found = failure("crashed", problem)
        faulthandler.cancel_dump_traceback_later()
        found["seconds"] = time.monotonic() - begin
        found["peak_megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        picture = found.pop("picture", b"")
        reply = json.dumps(found).encode()
        replies.write(struct.pack("<II", len(reply), len(picture)) + reply + picture)
        replies.flush()


def failure(status, problem, reason=None):
    return {"status": status, "reason": reason or f"{type(problem).__name__}: {problem}", "exception": type(problem).__name__}


# Worker.


class Child:
    """A process that opens files. It is killed if a file takes too long, and restarted if it has ended."""

    def __init__(self, options):
        self.seconds, self.process, self.errors = options.seconds, None, None
        module = options.module
        self.code = f"import sys; sys.path[:0] = {sys.path!r}; import {module} as fleet; fleet.serve(fleet.Options(*{tuple(options)!r}))"

    def start(self):
        command = [sys.executable, "-c", self.code]
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        alarm = Alarm(START_SECONDS, self.process)
        is_ready = self.process.stdout.read(1) == READY
        alarm.cancel()
        if not is_ready:
            raise RuntimeError(f"the process that opens files does not start{self.end(0)[1]}")

    def end(self, position):
        """Ends the process. Returns its exit code and the last line of its messages after a position."""
        self.process.kill()
        code = self.process.wait()
        self.process = None
        messages = os.pread(self.errors.fileno(), 1 << 20, position).decode("utf-8", "replace").strip()
        return code, f": {messages.splitlines()[-1]}" if messages else ""

    def inspect(self, path, config_hash, config_path):
        """Returns the child's result for a file."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        position = os.fstat(self.errors.fileno()).st_size
        alarm = Alarm(self.seconds, self.process)
        try:
            self.process.stdin.write(json.dumps([path, config_hash, config_path]).encode() + b"\n")
            self.process.stdin.flush()
            header = self.process.stdout.read(8)
            length, picture_length = struct.unpack("<II", header)
            found = json.loads(self.process.stdout.read(length))
            found["picture"] = self.process.stdout.read(picture_length) or None
            return found
        except (BrokenPipeError, struct.error):
            code, message = self.end(position)
            if alarm.has_rung:
                return {"status": "too long", "reason": f"It takes more than {self.seconds} s", "seconds": self.seconds}
            is_memory = code in (-signal.SIGKILL, -signal.SIGABRT)
            name = signal.Signals(-code).name if code < 0 else str(code)
            return {"status": "too large" if is_memory else "crashed", "reason": f"The process ended with {name}{message}", "exception": name}
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


class Job(NamedTuple):
    """What all workers need."""

    root: Location
    out: Location
    options: Options
    configs: list
    done: frozenset  # hashes and configs with results of earlier runs
    listing: dict  # files that rigs may refer to
    spellings: dict


# Cached in each worker process, so that their cost doesn't grow with the number of batches.


@functools.lru_cache(maxsize=1)
def job_of(reference):
    return ray.get(reference)


@functools.lru_cache(maxsize=8)
def child_of(options):
    return Child(options)


def folder_of(config, copies):
    """Returns the folder for copies of files that are checked with a config, and of the config itself. Paths in it are those in the bucket, for overrides."""
    folder = os.path.join(copies, hashlib.sha256(f"{config.path} {config.hash}".encode()).hexdigest()[:16])
    if not os.path.isdir(folder):
        os.mkdir(folder)
        save(folder, config.files)
    return folder


def inspect_batch(tasks, reference):
    """Inspects the files of a batch. Writes the results, and the list of files with their hashes, as one file each."""
    job = job_of(reference)
    answers, results = [], {}
    with tempfile.TemporaryDirectory(prefix="fleet-") as copies:
        for task in tasks.to_pylist():
            row, result = inspect_file(task, job, results, copies)
            answers.append({**(result or {}), **row})
            if result is not None:
                key = {"hash": row["hash"], "config": row["config"]}
                results[row["hash"], row["config"]] = {**result, **key, "finished": time.time()}
    if results:
        keys = [f"{config} {content}" for content, config in results]
        job.out.below("results", table_name(keys)).write_table(table_of(list(results.values())))
    answers = pa.Table.from_pylist(answers, ANSWERS)
    job.out.below("files", table_name(answers["path"].to_pylist())).write_table(answers.select(FILES.names))
    return answers


def table_name(keys):
    """Returns the name of a Parquet file. Writing the same keys again replaces it, for example after a worker has died."""
    return hashlib.sha256("\n".join(keys).encode()).hexdigest()[:24] + ".parquet"


def inspect_file(task, job, results, copies):
    """Returns the row of a file, and its result if neither an earlier run nor `results` has one. Files from buckets are saved in the folder `copies`."""
    row = {"path": task["path"], "config": task["config"], "bytes": task["bytes"], "downloaded": 0}
    listing = ChainMap({task["path"]: (task["bytes"], task["modified_ns"])}, job.listing)
    config, known = job.configs[task["config_number"]], task["known"]
    is_done = lambda content: (content, task["config"]) in job.done or (content, task["config"]) in results
    try:
        etag_of = lambda path: job.root._replace(path=path).etag()
        if known and is_done(known["hash"]) and all(is_unchanged(version, listing, etag_of) for version in known["versions"]):
            versions = [version_of(version["path"], listing, version["etag"]) for version in known["versions"]]
            return {**row, "hash": known["hash"], "versions": versions}, None
        if task["bytes"] > job.options.megabytes << 20:
            return unread(row, {"status": "too large", "reason": f"The file has more than {job.options.megabytes} MiB"})
        folder = folder_of(config, copies)
        with local_copy(task["path"], job, listing, folder) as (path, facts):
            row.update(facts)
            config_path = saved(folder, config.path) if config.files else config.path
            return row, None if is_done(row["hash"]) else child_of(job.options).inspect(path, config.hash, config_path)
    except OSError as problem:
        return unread(row, failure("not read", problem))
    except Exception as problem:
        return unread(row, failure("crashed", problem))


def unread(row, result):
    """Returns the row and result of a file whose content is not known, which is tried again by the next run."""
    return {**row, "hash": f"unread {hashlib.sha256(row['path'].encode()).hexdigest()}", "versions": []}, result


@contextlib.contextmanager
def local_copy(path, job, listing, folder):
    """Yields the local path of a file, and the columns of its row that depend on content. Files from buckets are saved in `folder` with those that they refer
    to, and removed afterwards."""
    digest, copied = hashlib.sha256(), []

    def fetch(path):
        content, tag = job.root._replace(path=path).read()
        digest.update(content)
        if not job.root.is_local and not os.path.exists(saved(folder, path)):
            copied.append(saved(folder, path))
            save(folder, {path: content})
        return content, version_of(path, listing, tag)

    try:
        content, version = fetch(path)
        versions = [version]
        for other in references(path, content, job.spellings):
            digest.update(posixpath.relpath(other, posixpath.dirname(path)).encode() + b"\0")
            versions.append(fetch(other)[1] if other in listing else version_of(other, listing))
        downloaded = 0 if job.root.is_local else sum(version["bytes"] or 0 for version in versions)
        facts = {"hash": digest.hexdigest(), "versions": versions, "downloaded": downloaded}
        yield path if job.root.is_local else saved(folder, path), facts
    finally:
        for copy in copied:
            Path(copy).unlink(missing_ok=True)


def table_of(results):
    """Returns the results as a table, with a column for each profile in which a file has a rank."""
    ranks = [result.pop("ranks", {}) for result in results]
    profiles = sorted({profile for of_file in ranks for profile in of_file})
    rows = [{**result, **{profile: of_file.get(profile) for profile in profiles}} for result, of_file in zip(results, ranks)]
    return pa.Table.from_pylist(rows, pa.schema([*RESULTS, *((profile, pa.string()) for profile in profiles)]))


# Main program.


def run(root, out, options, config=None, is_nearest=False, batch=BATCH, start=lambda: None):
    """Inspects all files that are not done, with one config or with the one nearest to each file. Writes OUT and returns the metrics. `start` connects to Ray,
    and is called if there is work."""
    root, out, begin = Location.parse(root), Location.parse(out), time.monotonic()
    listing = listed(root)
    paths = sorted(path for path in listing if ending(path) in RIGS)
    if not paths:
        raise ValueError(f"{root.path} has no {', '.join(RIGS)}")
    configs = Configs(root, listing, paths, config, is_nearest, options)
    rows, tasks, done = plan(paths, listing, configs, out)
    has_others = any(ending(path) in WITH_OTHERS for path in paths)
    others = {path: version for path, version in listing.items() if ending(path) not in RIGS and has_others}
    job = Job(root, out, options, configs.unique, done, others, {path.lower(): path for path in others})
    metrics = {"files": len(paths), "unchanged": len(rows), "tried": 0, "opened": 0, "downloaded_bytes": 0, "failures": 0}
    # Workers would fail in the same way, but later. A run that is not complete has no statuses in its metrics.
    out.below("metrics.json").write(json.dumps(metrics, indent=2).encode())
    if tasks:
        start()
        for answers in answered(batches(tasks, batch), job):
            rows += answers.select(FILES.names).to_pylist()
            report(answers, metrics, len(tasks))
        print(file=sys.stderr)
    keep(rows, out)
    return summarize(rows, out, {**metrics, "seconds": time.monotonic() - begin})


class Configs:
    """The config of each file."""

    def __init__(self, root, listing, paths, named, is_nearest, options):
        """Reads the named config, if any, or finds the config nearest to each file. Another version of Rigscope, other profiles, and a bend test count as
        another config."""
        import rigscope

        self.extras = "".join(f"+{extra}" for extra in [rigscope.__version__, *options.profiles, *(["flex"] if options.has_bend_test else [])])
        named = Location.parse(named) if named else None
        self.places = find_configs(root, listing, paths) if is_nearest else dict.fromkeys(map(posixpath.dirname, paths), named)
        unique = {place.path: place for place in self.places.values() if place}
        self.unique = [Config(), *(Config.read(place, not (root.is_local and place.is_local)) for place in unique.values())]
        self.numbers = {path: number for number, path in enumerate(unique, 1)}

    def of(self, path):
        """Returns the number of a file's config in `unique`, and the value of its column "config"."""
        place = self.places[posixpath.dirname(path)]
        number = self.numbers[place.path] if place else 0
        return number, self.unique[number].key(path, self.extras)


def plan(paths, listing, configs, out):
    """Returns the rows of files that haven't changed since they were done, tasks for the others, and hashes and configs that are done. Files that took too
    much time or memory, or could not be read, are tried again."""
    results = out.below("results").dataset(RESULTS).to_table(["hash", "config", "status"]).to_pylist()
    done = frozenset((row["hash"], row["config"]) for row in results if row["status"] in ("ok", "errors", "unreadable"))
    rows, tasks, known = [], [], {}
    is_same = lambda row: bool(row["versions"]) and all(is_unchanged(version, listing) for version in row["versions"])
    # A run that was interrupted leaves rows of several runs.
    for row in out.below("files").dataset(FILES).to_table().to_pylist():
        if row["versions"] and not is_same(known.get(row["path"], {"versions": []})):
            known[row["path"]] = row
    for path in paths:
        (number, key), (size, modified), row = configs.of(path), listing[path], known.get(path)
        if row and (row["hash"], key) in done and is_same(row):
            rows.append({**row, "config": key})
        else:
            tasks.append({"path": path, "bytes": size, "modified_ns": modified, "config": key, "config_number": number, "known": row})
    return rows, tasks, done


def batches(tasks, batch):
    """Returns tables of tasks with about the same number of files and at most `BATCH_BYTES`, except for larger files."""
    processors = int(ray.cluster_resources().get("CPU", 1))
    count = max(1, min(batch, -(-len(tasks) // (BATCHES_PER_PROCESSOR * processors))))
    groups, size = [], 0
    for task in tasks:
        if not groups or len(groups[-1]) == count or size + task["bytes"] > BATCH_BYTES:
            groups.append([])
            size = 0
        groups[-1].append(task)
        size += task["bytes"]
    return [pa.Table.from_pylist(group, TASKS) for group in groups]


def answered(tables, job):
    """Yields `ANSWERS` as workers finish batches."""
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False
    job = ray.put(job)
    found = ray.data.from_arrow(tables).map_batches(lambda tasks: inspect_batch(tasks, job), batch_size=None, batch_format="pyarrow")
    yield from found.iter_batches(batch_size=None, batch_format="pyarrow")


def report(answers, metrics, total):
    """Counts the files of a batch, and prints progress and failures."""
    for answer in answers.to_pylist():
        metrics["tried"] += 1
        metrics["opened"] += answer["status"] is not None
        metrics["downloaded_bytes"] += answer["downloaded"]
        if answer["status"] in (None, "ok", "errors"):
            continue
        metrics["failures"] += 1
        if metrics["failures"] <= MAX_SHOWN:
            print(f"\r{answer['path']}: {answer['status']}: {answer['reason']}", file=sys.stderr)
    print(f"\r{metrics['tried']} of {total} files", end="", file=sys.stderr, flush=True)


def keep(rows, out):
    """Replaces the lists of files of all batches and earlier runs."""
    kept = out.below("files", table_name(f"{row['path']} {row['config']}" for row in rows))
    before = out.below("files").tables()
    kept.write_table(pa.Table.from_pylist(rows, FILES))
    for path in before:
        if path != kept.path:
            out.system.delete_file(path)


STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 2rem; }
td, th { padding: 0.25rem 1rem 0.25rem 0; text-align: left; border-bottom: 1px solid #8884; }
.rigs { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: 1rem; }
.rigs img { width: 100%; border-radius: 6px; }
.rigs div { overflow-wrap: anywhere; font-size: 0.85rem; }
"""


def summarize(rows, out, metrics):
    """Writes OUT/rigs.parquet, OUT/metrics.json and OUT/index.html. Returns the metrics."""
    base = duckdb.connect()
    base.register("files", pa.Table.from_pylist(rows, FILES).drop_columns(["versions"]))
    stored = out.below("results").dataset(RESULTS)
    base.register("all_results", stored.to_table([*(name for name in stored.schema.names if name != "picture"), "__filename"]))
    base.sql("CREATE TABLE results AS SELECT DISTINCT ON (hash, config) * FROM all_results ORDER BY hash, config, finished DESC")
    base.sql("CREATE TABLE rigs AS SELECT * FROM files JOIN results USING (hash, config) ORDER BY path")
    out.below("rigs.parquet").write_table(base.sql('SELECT * EXCLUDE "__filename" FROM rigs').to_arrow_table())
    count = lambda column: dict(base.sql(f"SELECT {column}, count(*) FROM rigs WHERE {column} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1").fetchall())
    seconds = metrics.pop("seconds")
    [(peak,)] = base.sql("SELECT max(peak_megabytes) FROM rigs").fetchall()
    metrics |= {"seconds": round(seconds, 3), "files_per_second": round(metrics["files"] / seconds, 3), "max_peak_megabytes": peak}
    metrics |= {"statuses": count("status"), "exceptions": count("exception")}
    out.below("metrics.json").write(json.dumps(metrics, indent=2).encode())
    out.below("index.html").write(page(base, out).encode())
    return metrics


def page(base, out):
    """Returns the summary of the tables `rigs` and `results` as HTML."""
    statuses = base.sql("SELECT status, count(*) FROM rigs GROUP BY status ORDER BY 2 DESC").fetchall()
    profiles = [name for name in base.sql("SELECT * FROM results LIMIT 0").columns if name not in [*RESULTS.names, "__filename"]]
    names = ", ".join(f'"{name}"' for name in profiles)
    of_files = base.sql(f"SELECT path, {names} FROM rigs ORDER BY path LIMIT 1000").fetchall() if profiles else []
    codes = base.sql("SELECT unnest(codes) AS code, count(*) FROM rigs GROUP BY code ORDER BY 2 DESC, code").fetchall()
    slow = base.sql("SELECT path, round(seconds, 2), round(peak_megabytes) FROM rigs ORDER BY seconds DESC LIMIT 10").fetchall()
    failed = "SELECT path, status, reason FROM rigs WHERE status NOT IN ('ok', 'errors') ORDER BY status, path LIMIT 100"
    worst = 'SELECT any_value(path), worst_joint, volume_loss, hash, any_value("__filename") FROM rigs WHERE volume_loss IS NOT NULL'
    worst = base.sql(f"{worst} GROUP BY hash, worst_joint, volume_loss ORDER BY volume_loss DESC LIMIT 24").fetchall()
    pictures = pictures_of({content: table for *_, content, table in worst}, out)
    clips = "SELECT path, worst_clip, round(worst_clip_secs, 3), worst_clip_joint, round(worst_clip_loss, 4) FROM rigs"
    clips = base.sql(f"{clips} WHERE worst_clip_loss IS NOT NULL ORDER BY worst_clip_loss DESC, path LIMIT 24").fetchall()
    bends = "SELECT path, bend_pose, bend_measure, round(bend_severity, 2), bend_faults, array_to_string(inert, ', ') FROM rigs"
    bends = base.sql(f"{bends} WHERE bend_faults IS NOT NULL ORDER BY bend_severity DESC NULLS LAST, path LIMIT 24").fetchall()
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Rigs</title><style>{STYLE}</style><h1>Rigs</h1>",
        table("Files", ["status", "files"], statuses),
        table("Findings", ["code", "files"], codes),
        *([table("Ranks", ["file", *profiles], of_files)] if profiles else []),
        "<h2>Most volume lost by linear blend skinning</h2><div class=rigs>",
        *(card(path, joint, loss, pictures.get(content)) for path, joint, loss, content, _ in worst),
        "</div>",
        table("Clips in which linear blend skinning loses most", ["file", "clip", "at s", "joint", "loss"], clips),
        *([table("Poses that deform worst", ["file", "pose", "measure", "of its limit", "poses beyond", "inert joints"], bends)] if bends else []),
        table("Not opened", ["file", "status", "reason"], base.sql(failed).fetchall()),
        table("Slowest", ["file", "seconds", "MiB"], slow),
    ]
    return "".join(parts)


def pictures_of(tables, out):
    """Returns the pictures of files by their hash. `tables` has the Parquet file of each, so that no other pictures are read."""
    if not tables:
        return {}
    found = pa.dataset.dataset(sorted(set(tables.values())), filesystem=out.system, format="parquet", schema=RESULTS)
    found = found.to_table(["hash", "picture"], filter=pa.dataset.field("hash").isin(list(tables)))
    return dict(zip(found["hash"].to_pylist(), found["picture"].to_pylist()))


def table(title, head, rows):
    line = lambda kind, cells: f"<tr>{''.join(f'<{kind}>{html.escape(str(cell))}' for cell in cells)}"
    shown = ([cell if cell is not None else "" for cell in row] for row in rows)
    return f"<h2>{title}</h2><table>{line('th', head)}{''.join(line('td', row) for row in shown)}</table>"


def card(path, joint, loss, picture):
    image = f"<img alt='' src='data:image/png;base64,{base64.b64encode(picture).decode()}'>" if picture else ""
    return f"<div>{image}{html.escape(path)}<br>{html.escape(joint)}: {loss:.1%}</div>"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("-o", "--out", required=True)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--config", help="a rigscope.toml for every file, in place of the nearest to each")
    which.add_argument("--no-config", action="store_true", help="look for no rigscope.toml")
    parser.add_argument("--profile", action="append", default=[], help="a profile whose rank every file has a column of; may be repeated")
    parser.add_argument("--workers", type=int, help="processes on this machine, where no cluster is given by RAY_ADDRESS")
    parser.add_argument("--seconds", type=float, default=60, help="that a file may take [default: 60]")
    parser.add_argument("--megabytes", type=int, default=4096, help="that a file may take [default: 4096]")
    parser.add_argument("--no-pictures", action="store_true")
    parser.add_argument("--flex", action="store_true", help="add a bend test, which takes some seconds per file")
    asked = parser.parse_args()
    options = Options(asked.seconds, asked.megabytes, not asked.no_pictures, tuple(asked.profile), asked.flex)
    import rigscope

    is_nearest = not asked.config and not asked.no_config
    # Without an address, Ray would join any cluster running on this machine.
    local = {} if "RAY_ADDRESS" in os.environ else {"address": "local", "num_cpus": asked.workers, "include_dashboard": False}
    start = lambda: ray.init(**local, log_to_driver=False, logging_level="error", runtime_env={"py_modules": [__file__]})
    try:
        metrics = run(asked.root, asked.out, options, asked.config, is_nearest, start=start)
    except (OSError, ValueError, rigscope.RigscopeError, ray.exceptions.RayError) as problem:
        print(f"The run failed: {problem}", file=sys.stderr)
        return 2
    for status, files in metrics["statuses"].items():
        print(f"{files:8} {status}")
    counts = f"{metrics['files']} files in {metrics['seconds']:.1f} s, {metrics['files_per_second']:.1f} files/s, {metrics['unchanged']} unchanged"
    print(f"{counts}; {posixpath.join(asked.out.partition('?')[0], 'index.html')}")
    return 0 if set(metrics["statuses"]) == {"ok"} else 1


if __name__ == "__main__":
    # Ray sends this file to workers, which import it: functions of a script, and what they cache, can't be sent.
    import fleet

    sys.exit(fleet.main())
