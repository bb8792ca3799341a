//! The files that are meant by paths, folders and names of built-in characters.

use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::import::format::{endings_in_words, has_known_ending};
use crate::state::Source;

/// A file or a built-in character, by a path that need not be UTF-8.
pub(super) fn source() -> impl TypedValueParser<Value = Source> {
    OsStringValueParser::new().try_map(Source::parse)
}

/// A file; or what was named, and why it stands for none.
pub(super) type Input = Result<Source, (String, String)>;

/// Files in the order of the arguments, those of a folder by name. Folders are read when their turn comes.
pub(super) struct Files {
    /// The next is last.
    pending: Vec<Pending>,
}

enum Pending {
    /// As the user named it.
    Named(Source),
    /// Found in a folder.
    Found(PathBuf),
}

impl Files {
    pub fn new(named: Vec<Source>) -> Self {
        Self { pending: named.into_iter().rev().map(Pending::Named).collect() }
    }

    /// Puts what a folder holds in its place; `None` where that worked.
    fn enter(&mut self, folder: &Path, is_named: bool) -> Option<Input> {
        match entries(folder) {
            Ok(found) if found.is_empty() && is_named => {
                let problem = format!("There is no {} file in this folder.", endings_in_words());
                Some(Err((folder.display().to_string(), problem)))
            }
            Ok(found) => {
                self.pending.extend(found.into_iter().rev().map(Pending::Found));
                None
            }
            Err(problem) => Some(Err((folder.display().to_string(), format!("The folder cannot be read: {problem}.")))),
        }
    }
}

impl Iterator for Files {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        loop {
            let item = match self.pending.pop()? {
                Pending::Named(Source::File(path)) if path.is_dir() => self.enter(&path, true),
                Pending::Named(source) => Some(Ok(source)),
                Pending::Found(path) if path.is_dir() => self.enter(&path, false),
                Pending::Found(path) => Some(Ok(Source::File(path))),
            };
            if item.is_some() {
                return item;
            }
        }
    }
}

/// Folders and files that can be opened in a folder, by name. Links to folders are left out: they may lead in circles.
fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() || (has_known_ending(&path) && path.is_file()) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
