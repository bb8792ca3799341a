//! Panels and keys without a window, a renderer or files.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/program.rs"]
mod program;

mod analysis_panels;
mod changes_panel;
mod compare_controls;
mod contents;
mod framing;
mod input;
mod inspector;
mod interaction;
mod interface;
mod lint_panel;
mod menus;
mod morph_panel;
mod outliner;
mod panels;
mod parts;
mod path_field;
mod pose_library;
mod scripts;
mod spring_wires;
mod timeline;
mod tour;
mod tracks;
mod weights_panel;
