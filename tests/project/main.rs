//! Rules for the project itself: its layers, its features, its guide, its built-in characters.

#[path = "../../assets/make/characters/mod.rs"]
mod characters;
#[path = "../common/mod.rs"]
mod common;

mod architecture;
mod assets;
mod circles;
mod features;
mod guide;
mod python_types;
mod where_is;
mod words;
