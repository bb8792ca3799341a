//! The command line interface. Commands parse arguments, print through [`Console`] and return an exit code.

mod args;
mod bake;
#[cfg(feature = "gl")]
mod bench;
mod check;
mod compare;
mod console;
mod convert;
mod diagnose;
mod diff;
mod explain;
mod files;
mod flex;
mod github;
mod info;
mod init;
mod junit;
mod kit;
mod man;
mod many_files;
mod merged_csv;
#[cfg(not(feature = "window"))]
mod missing_features;
mod missing_textures;
mod motion;
mod named;
mod nodes;
mod numbers;
mod opening;
mod output;
mod posed;
mod profiles;
mod project_args;
mod refit;
#[cfg(feature = "gl")]
mod render;
#[cfg(feature = "gl")]
mod report;
mod results;
mod sarif;
mod schema;
mod second_side;
mod shared_options;
mod side_b;
mod suggestions;
mod text_table;
mod version;
mod weights;
#[cfg(feature = "window")]
mod without_window;

pub use args::{Args, CliTask, parse};
pub use bake::{Backend, BakeArgs, skinned};
#[cfg(feature = "gl")]
pub use bench::BenchArgs;
pub use check::CheckArgs;
pub use compare::CompareArgs;
pub use console::{Console, ConsoleArgs};
pub use convert::ConvertArgs;
pub use diagnose::DiagnoseArgs;
pub use diff::DiffArgs;
pub use explain::{ExplainArgs, documents};
pub use flex::FlexArgs;
pub use info::InfoArgs;
pub use init::InitArgs;
pub use kit::KitArgs;
pub use man::{CompletionsArgs, ManArgs};
#[cfg(not(feature = "window"))]
pub use missing_features::window_left_out;
#[cfg(not(feature = "gl"))]
pub use missing_features::{RenderArgs, RenderArgs as BenchArgs, RenderArgs as ReportArgs};
pub use motion::MotionArgs;
pub use nodes::NodesArgs;
pub use posed::{PosedArgs, RiggedArgs};
pub use profiles::ProfilesArgs;
pub use refit::RefitArgs;
#[cfg(feature = "gl")]
pub use render::{RenderArgs, render_without_display};
#[cfg(feature = "gl")]
pub use report::ReportArgs;
pub use schema::{SchemaArgs, SchemaName};
#[cfg(feature = "gl")]
pub use shared_options::DeviceArgs;
pub use shared_options::MemoryArgs;
pub use side_b::SideBArgs;
pub use version::VersionArgs;
pub use weights::WeightsArgs;
#[cfg(feature = "window")]
pub use without_window::{has_display, run_without_display, window_failed};
