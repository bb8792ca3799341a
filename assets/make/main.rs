//! Writes the built-in characters and the icons into a folder (argument 1, default `assets`).

#![expect(clippy::print_stdout, reason = "a program that reports what it wrote")]

mod characters;

use std::path::PathBuf;

use characters::ICON_SIZES;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "assets".to_owned()));
    std::fs::create_dir_all(folder.join("icons"))?;
    let characters = [("figure.glb".to_owned(), characters::figure()), ("tube.glb".to_owned(), characters::tube())];
    let icons = ICON_SIZES.map(|size| (format!("icons/{size}.png"), characters::icon(size)));
    for (name, bytes) in characters.into_iter().chain(icons) {
        std::fs::write(folder.join(&name), &bytes)?;
        println!("{name}: {} bytes", bytes.len());
    }
    Ok(())
}
