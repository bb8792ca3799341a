//! Written files, and what stays the same when they are read back.

#[path = "../common/mod.rs"]
mod common;

mod as_authored;
mod bake;
mod convert;
mod convert_odd;
mod diff;
mod edited_weights;
mod reload;
mod schemas;
#[cfg(feature = "gl")]
mod session;
mod validator;
mod vrm;
mod weights;

fn node(state: &rigscope::state::AppState, name: &str) -> rigscope::rig::NodeIndex {
    state.open.stage.rig().hierarchy.node_named(name).expect("a node of this name")
}
