#[cfg(feature = "gl")]
use std::path::Path;
use std::path::PathBuf;

use clap::Args;

use crate::rig::{PointLayout, PointSpace, PointUnit, UpAxis};
use crate::view::{PointsFile, ShownFile};

/// How to read points of another program.
#[derive(Args, Clone, Debug)]
pub(super) struct PointsArgs {
    /// Read raw float32: x, y, z, and any other letter for a number to skip, such as xyzw
    #[arg(long = "points-layout", value_name = "LAYOUT")]
    layout: Option<PointLayout>,

    /// Unit of the points: m, cm, mm, in or a number of metres [default: as fits; m in diagnose]
    #[arg(long = "points-unit", value_name = "UNIT")]
    unit: Option<PointUnit>,

    /// Up axis of the points: y or z [default: as fits; y in diagnose]
    #[arg(long = "points-up", value_name = "AXIS")]
    up: Option<UpAxis>,
}

impl PointsArgs {
    pub(super) fn layout(&self) -> Option<&PointLayout> {
        self.layout.as_ref()
    }

    /// Returns the stated space; what isn't stated is as in glTF.
    pub(super) fn stated_space(&self) -> PointSpace {
        PointSpace::stated(self.unit, self.up)
    }
}

/// Another file or points as side B.
#[derive(Args, Clone, Debug)]
pub struct SideBArgs {
    /// Use another file as side B, in the same pose and with the same method
    #[arg(long = "comparison-file", alias = "with-file", value_name = "OTHER")]
    with_file: Option<PathBuf>,

    /// Use points of another program as side B: bake JSON, .npy, .npz, CSV, OBJ, PLY, PC2, glTF, raw
    #[arg(long, value_name = "POINTS", conflicts_with = "with_file")]
    with_points: Option<PathBuf>,

    #[command(flatten)]
    points: PointsArgs,
}

impl SideBArgs {
    /// Returns the path of the file.
    #[cfg(feature = "gl")]
    pub(super) fn path(&self) -> Option<&Path> {
        self.with_file.as_deref().or(self.with_points.as_deref())
    }

    /// Returns what side B shows; `None` without an option. *Errors*: a points option without points.
    pub fn shown_file(&self) -> Result<Option<ShownFile>, String> {
        let PointsArgs { layout, unit, up } = self.points.clone();
        let Some(path) = &self.with_points else {
            return if layout.is_some() || unit.is_some() || up.is_some() {
                Err("--points-layout, --points-unit and --points-up say how to read --with-points FILE".to_owned())
            } else {
                Ok(self.with_file.as_deref().map(ShownFile::file_at))
            };
        };
        let file = PointsFile::new(path);
        let layout = layout.or(file.layout);
        Ok(Some(ShownFile::Points(PointsFile { layout, unit, up, ..file })))
    }
}
