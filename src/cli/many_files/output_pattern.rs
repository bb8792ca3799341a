use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::super::output::refuse_to_replace;
use super::InputArgs;
use crate::files::is_standard;
use crate::stage::Source;

/// Placeholders of an output path, with their meanings.
const PLACEHOLDERS: [&str; 3] = ["{stem}", "{name}", "{folder}"];

/// Part of the help of all subcommands that write a file per input. Names every placeholder.
pub(in super::super) const HELP: &str = "\
Many files: each file is one run of this command. In OUT, {stem} is the file's name without its
extension, {name} the name with it, and {folder} the file's folder below the folder that you name.
Folders are created. Two files with one OUT are refused, and so is an OUT that is an input. A file
that fails doesn't stop the others; the exit code is the worst of all files.";

/// Returns whether a path has a placeholder.
pub(in super::super) fn has_placeholder(path: &Path) -> bool {
    let text = path.to_string_lossy();
    PLACEHOLDERS.iter().any(|placeholder| text.contains(placeholder))
}

/// Replaces the placeholders of an output path. *Errors*: standard input has no name.
pub(super) fn expanded(pattern: &Path, source: &Source, inputs: &InputArgs) -> Result<PathBuf, String> {
    let path = match source {
        Source::File(path) if is_standard(path) => Path::new("stdin"),
        Source::File(path) => path,
        Source::BuiltIn(built_in) => Path::new(built_in.name()),
    };
    let Some(text) = pattern.to_str() else { return Err(format!("{} is not text", pattern.display())) };
    let [stem, name] = [path.file_stem(), path.file_name()].map(|name| name.unwrap_or_default().to_string_lossy());
    let folder = inputs.folder_of(path);
    let folder = folder.to_string_lossy();
    // A file name may contain the text of a placeholder, so that each placeholder is replaced once.
    let (mut rest, mut written) = (text, String::new());
    while let Some(at) = rest.find('{') {
        let (plain, from) = rest.split_at(at);
        written.push_str(plain);
        let values = PLACEHOLDERS.into_iter().zip([&stem, &name, &folder]);
        let found = values.into_iter().find_map(|(placeholder, value)| Some((from.strip_prefix(placeholder)?, value)));
        rest = match found {
            Some((after, value)) if value.is_empty() => after.strip_prefix('/').unwrap_or(after),
            Some((after, value)) => {
                written.push_str(value);
                after
            }
            None => {
                written.push('{');
                &from[1..]
            }
        };
    }
    written.push_str(rest);
    Ok(written.into())
}

/// Output paths of a run. Refuses paths that another file has, and paths of inputs.
#[derive(Default)]
pub(super) struct Outputs {
    /// Name of the input of each output.
    taken: HashMap<PathBuf, String>,
}

impl Outputs {
    /// Records an output of an input. *Errors*: another input has the same output.
    pub(super) fn add(&mut self, output: &Path, source: &Source) -> Result<(), String> {
        let path = std::path::absolute(output).unwrap_or_else(|_| output.to_owned());
        // These systems ignore case in file names.
        let is_without_case = cfg!(any(windows, target_os = "macos"));
        let key = if is_without_case { path.to_string_lossy().to_lowercase().into() } else { path };
        match self.taken.insert(key, source.full_name()) {
            Some(other) => Err(format!(
                "{other} and {} would both be written to {}. Add a placeholder to the output: {{stem}}, {{name}} or \
                 {{folder}}.",
                source.full_name(),
                output.display()
            )),
            None => Ok(()),
        }
    }

    /// Fails if an output would overwrite an input.
    pub(super) fn check(&self, inputs: &[&Path]) -> Result<(), String> {
        let existing = self.taken.keys().filter(|output| output.exists());
        existing.into_iter().try_for_each(|output| refuse_to_replace(output, inputs.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(pattern: &str, file: &str, named: &[&str]) -> String {
        let files = named.iter().map(|name| Source::parse(name).unwrap()).collect();
        let inputs = InputArgs { files, ..InputArgs::default() };
        expanded(Path::new(pattern), &Source::parse(file).unwrap(), &inputs).unwrap().display().to_string()
    }

    #[test]
    fn placeholders_are_replaced_once() {
        assert_eq!(expand("out/{stem}.png", "models/a.b.glb", &["models"]), "out/a.b.png");
        assert_eq!(expand("out/{folder}/{name}.png", "models/deep/a.glb", &["models"]), "out/deep/a.glb.png");
        assert_eq!(expand("out/{folder}/{stem}.png", "models/a.glb", &["models"]), "out/a.png");
        assert_eq!(expand("out/{folder}/{stem}.png", "x/a.glb", &["x/a.glb", "y/a.glb"]), "out/x/a.png");
        assert_eq!(expand("{folder}/{stem}.png", "../x/a.glb", &["../x/a.glb", "y/a.glb"]), "a.png");
        assert_eq!(expand("{stem}{1}{.png", "{name}.glb", &["models"]), "{name}{1}{.png");
        assert_eq!(expand("{stem}.png", "builtin:tube", &["builtin:tube"]), "tube.png");
    }
}
