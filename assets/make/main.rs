//! Writes the built-in characters and the icon into a folder (argument 1, default `assets`).

#![expect(clippy::print_stdout, reason = "a program that reports what it wrote")]

mod characters;

use std::path::PathBuf;

/// Makes the bytes of a file.
type Maker = fn() -> Vec<u8>;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "assets".to_owned()));
    std::fs::create_dir_all(&folder)?;
    let files =
        [("figure.glb", characters::figure as Maker), ("tube.glb", characters::tube), ("icon.png", characters::icon)];
    for (name, make) in files {
        let bytes = make();
        std::fs::write(folder.join(name), &bytes)?;
        println!("{name}: {} bytes", bytes.len());
    }
    Ok(())
}
