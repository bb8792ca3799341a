//! Operations as text: `NAME`, or `NAME=VALUE`. The command line, Python and sessions use the same names and values.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::twist::MAX_HELPERS;
use super::{Operation, Outfit, Renaming, RestPose, SignedAxis, UnitChange, UpChange};
use crate::analysis::lint::rules::Pattern;
use rigscope_core::files;
use rigscope_io::export::PoseFile;

/// An operation by name.
#[derive(Clone, Copy, Debug)]
pub struct OperationSpec {
    /// Name, as an option of the command line without dashes.
    pub name: &'static str,
    /// Name of the value in help; empty if the operation has none.
    pub value: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Parses the value.
    pub parse: fn(&str) -> Result<Operation, String>,
}

/// All operations.
pub const OPERATIONS: [OperationSpec; 13] = [
    OperationSpec {
        name: "pose-as-rest",
        value: "POSE",
        help: "Make a pose the rest pose: t, a, bind, CLIP@SECONDS or a pose file",
        parse: |text| Ok(Operation::PoseAsRest(rest_pose(text)?)),
    },
    OperationSpec {
        name: "reset-binds",
        value: "",
        help: "Bind the skins at the rest pose; vertices move to where they are shown at rest",
        parse: |_| Ok(Operation::ResetBinds),
    },
    OperationSpec {
        name: "freeze-scale",
        value: "",
        help: "Make the scale of all joints and of the nodes above them 1",
        parse: |_| Ok(Operation::FreezeScale),
    },
    OperationSpec {
        name: "freeze-root",
        value: "",
        help: "Make the transforms of the nodes above the joints the identity",
        parse: |_| Ok(Operation::FreezeRoot),
    },
    OperationSpec {
        name: "to-unit",
        value: "UNIT[:NOW]",
        help: "Convert lengths to m, cm, mm or in; NOW is the present unit, else inferred",
        parse: unit,
    },
    OperationSpec {
        name: "up",
        value: "AXIS[:NOW]",
        help: "Turn the character so that y or z is up; NOW is the present axis, else inferred",
        parse: up,
    },
    OperationSpec {
        name: "rename",
        value: "SCHEME|TABLE.csv",
        help: "Rename to vrm-1, mixamo, unreal, unity-humanoid, godot, rigify, arkit, or by a table",
        parse: rename,
    },
    OperationSpec {
        name: "drop-unused",
        value: "",
        help: "Remove joints that move no vertex and carry no clip, behaviour or VRM bone",
        parse: |text| {
            let keep = text.split(',').filter(|pattern| !pattern.is_empty()).map(Pattern::new).collect();
            Ok(Operation::DropUnused { keep })
        },
    },
    OperationSpec {
        name: "merge-skins",
        value: "",
        help: "Join all skins into one",
        parse: |_| Ok(Operation::MergeSkins),
    },
    OperationSpec {
        name: "add-root",
        value: "NAME",
        help: "Add a node above the skeleton",
        parse: |name| Ok(Operation::AddRoot(name.to_owned())),
    },
    OperationSpec {
        name: "limit-influences",
        value: "N",
        help: "Keep the N heaviest influences of each vertex, which changes the skin",
        parse: |text| {
            let count = text.parse().ok().filter(|count: &u8| *count > 0);
            count.map(Operation::LimitInfluences).ok_or_else(|| "give a number from 1 to 255".to_owned())
        },
    },
    OperationSpec {
        name: "add-twist",
        value: "JOINT=N",
        help: "Add N helpers along a bone that share the twist of its end, which changes the skin",
        parse: |text| {
            let parsed = text.rsplit_once('=').and_then(|(joint, count)| Some((joint, count.parse().ok()?)));
            let parsed = parsed.filter(|(_, count)| (1..=MAX_HELPERS).contains(count));
            let operation = |(joint, count): (&str, u8)| Operation::AddTwist { joint: joint.to_owned(), count };
            parsed.map(operation).ok_or_else(|| format!("give JOINT=N, with N from 1 to {MAX_HELPERS}"))
        },
    },
    OperationSpec {
        name: "attach",
        value: "OUTFIT.glb[:no-joints]",
        help: "Add skinned meshes of another file and joints they need, or with :no-joints their weights",
        parse: |text| Ok(Operation::Attach(Outfit::parse(text)?)),
    },
];

impl FromStr for Operation {
    type Err = String;

    /// Parses `NAME` or `NAME=VALUE`. Reads poses and tables that a value names. *Errors*: a message for the user.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let spec = OPERATIONS.iter().find(|spec| spec.name == name).ok_or_else(|| {
            let names: Vec<&str> = OPERATIONS.iter().map(|spec| spec.name).collect();
            format!("there is no operation \"{name}\"; operations are {}", names.join(", "))
        })?;
        (spec.parse)(value).map_err(|problem| format!("{name}: {problem}"))
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Self::PoseAsRest(pose) => write!(f, "{name}={pose}"),
            Self::ToUnit(UnitChange { to, from: None }) => write!(f, "{name}={to}"),
            Self::ToUnit(UnitChange { to, from: Some(from) }) => write!(f, "{name}={to}:{from}"),
            Self::Up(UpChange { to, from: None }) => write!(f, "{name}={to}"),
            Self::Up(UpChange { to, from: Some(from) }) => write!(f, "{name}={to}:{from}"),
            Self::Rename(Renaming::Scheme(scheme)) => write!(f, "{name}={}", scheme.name()),
            Self::Rename(Renaming::Arkit) => write!(f, "{name}=arkit"),
            Self::Rename(Renaming::Table(table)) => write!(f, "{name}={}", Renaming::table_json(table)),
            Self::DropUnused { keep } if !keep.is_empty() => {
                let patterns: Vec<&str> = keep.iter().map(Pattern::text).collect();
                write!(f, "{name}={}", patterns.join(","))
            }
            Self::AddRoot(root) => write!(f, "{name}={root}"),
            Self::LimitInfluences(count) => write!(f, "{name}={count}"),
            Self::Attach(outfit) => write!(f, "{name}={outfit}"),
            Self::AddTwist { joint, count } => write!(f, "{name}={joint}={count}"),
            Self::ResetBinds | Self::FreezeScale | Self::FreezeRoot | Self::DropUnused { .. } | Self::MergeSkins => {
                f.write_str(name)
            }
        }
    }
}

impl fmt::Display for RestPose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::T => f.write_str("t"),
            Self::A => f.write_str("a"),
            Self::Bind => f.write_str("bind"),
            Self::Clip { clip, time_secs } => write!(f, "{clip}@{time_secs}"),
            Self::File(file) => f.write_str(&file.to_json()),
        }
    }
}

fn rest_pose(text: &str) -> Result<RestPose, String> {
    let pose = match text {
        "t" => RestPose::T,
        "a" => RestPose::A,
        "bind" => RestPose::Bind,
        _ if is_json(text) => RestPose::File(PoseFile::parse(text.as_bytes()).map_err(|error| error.to_string())?),
        _ => match text.rsplit_once('@').and_then(|(clip, time)| Some((clip, time.parse().ok()?))) {
            Some((clip, time_secs)) if f32::is_finite(time_secs) => RestPose::Clip { clip: clip.to_owned(), time_secs },
            _ => RestPose::File(
                PoseFile::read(Path::new(text))
                    .map_err(|error| format!("{error} ({text}); give t, a, bind, CLIP@SECONDS or a pose file"))?,
            ),
        },
    };
    Ok(pose)
}

/// Returns whether a value is the content of a file instead of its path.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Splits `WANTED:NOW`.
fn wanted_and_now(text: &str) -> (&str, Option<&str>) {
    text.split_once(':').map_or((text, None), |(wanted, now)| (wanted, Some(now)))
}

fn unit(text: &str) -> Result<Operation, String> {
    let (to, from) = wanted_and_now(text);
    Ok(Operation::ToUnit(UnitChange { to: to.parse()?, from: from.map(str::parse).transpose()? }))
}

fn up(text: &str) -> Result<Operation, String> {
    let axis = |name: &str| SignedAxis::named(name).ok_or_else(|| "give x, y or z, or -x, -y or -z".to_owned());
    let (to, from) = wanted_and_now(text);
    Ok(Operation::Up(UpChange { to: axis(to)?, from: from.map(axis).transpose()? }))
}

fn rename(text: &str) -> Result<Operation, String> {
    if let Some(renaming) = Renaming::named(text) {
        return Ok(Operation::Rename(renaming));
    }
    if is_json(text) {
        return Ok(Operation::Rename(Renaming::from_json(text)?));
    }
    let path = Path::new(text);
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
        return Err(format!("give {} or a table that ends in .csv", Renaming::NAMES.join(", ")));
    }
    let bytes = files::read(path).map_err(|error| format!("{error} ({text})"))?;
    let table = String::from_utf8(bytes).map_err(|error| format!("the table is not UTF-8: {error} ({text})"))?;
    Ok(Operation::Rename(Renaming::from_csv(&table)?))
}
