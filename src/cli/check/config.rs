//! `rigscope.toml`: what a project demands of its rigs.

mod schema;

use std::path::{Path, PathBuf};

use super::super::suggestion::nearest;
use crate::analysis::lint::{Contract, Policy};
use crate::files;
use crate::import::Job;
use crate::state::{Document, Source};
use schema::ConfigFile;

/// The name by which it is found.
const NAME: &str = "rigscope.toml";

/// The nearest `rigscope.toml`, in a folder or above it.
pub(super) fn find(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

/// What a file of settings says.
#[derive(Debug, Default)]
pub struct Config {
    /// What is demanded, and which findings count.
    pub policy: Policy,
    /// Warnings count as errors do.
    pub is_strict: bool,
    /// The file itself, and the one whose skeleton it asks for.
    pub files: Vec<PathBuf>,
}

/// Reads a file of settings (`rigscope.toml`), and the file whose skeleton it asks for, with the limits of a job.
///
/// *Errors*: in words for the user, with the line.
pub fn read(path: &Path, job: &Job) -> Result<Config, String> {
    let fault = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let bytes = files::read(path).map_err(|problem| format!("{} cannot be read: {problem}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|_bytes| fault(&"it is not UTF-8"))?;
    let config: ConfigFile = toml::from_str(&text).map_err(|problem| fault(&explained(&problem, &text)))?;
    let like = config.skeleton.as_ref().and_then(|skeleton| skeleton.like.as_ref());
    let like = like.map(|like| path.parent().unwrap_or(Path::new("")).join(like));
    let contract = like.as_ref().map(|like| contract_of(like, job)).transpose();
    let (is_strict, files) = (config.strict, [path.to_owned()].into_iter().chain(like).collect());
    let contract = contract.map_err(|problem| fault(&problem))?.unwrap_or_default();
    Ok(Config { policy: config.policy(contract), is_strict, files })
}

fn contract_of(path: &Path, job: &Job) -> Result<Contract, String> {
    let document = Document::open(&Source::File(path.to_owned()), job);
    let document = document.map_err(|problem| format!("the skeleton's file cannot be opened: {problem}"))?;
    let contract = Contract::of(&document.rig);
    if contract.joints.is_empty() { Err(format!("{} has no joints", path.display())) } else { Ok(contract) }
}

/// What is wrong in which line, and what was probably meant.
fn explained(problem: &toml::de::Error, text: &str) -> String {
    let line =
        problem.span().map_or(1, |span| 1 + text.as_bytes().iter().take(span.start).filter(|b| **b == b'\n').count());
    let message = problem.message();
    // As serde writes it: unknown field `limts`, expected one of `limits`, `strict`.
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = quoted.next().filter(|_| message.starts_with("unknown "));
    let meant = unknown.and_then(|unknown| nearest(unknown, quoted));
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
    format!("line {line}: {}{meant}", message.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::lint::{Code, Severity};

    fn parsed(text: &str) -> Result<Policy, String> {
        let config: Result<ConfigFile, _> = toml::from_str(text);
        config.map(|config| config.policy(Contract::default())).map_err(|problem| explained(&problem, text))
    }

    #[test]
    fn settings_become_a_policy() {
        let policy = parsed(
            "ignore = ['RIG022']\n[severity]\nrig014 = 'error'\nRIG050 = 'off'\n[limits]\njoints = 9\n[target.mobile]\ninfluences = 4\n",
        )
        .unwrap();
        assert!(![Code::JointUnused, Code::ZeroArea].iter().any(|code| policy.codes.contains(code)));
        assert_eq!(policy.codes.len(), Code::ALL.len() - 2);
        assert_eq!(policy.severities, [(Code::ManyInfluences, Severity::Error)].into());
        let limits: Vec<_> = policy.limits.iter().map(|l| (l.target.as_str(), l.joints, l.influences)).collect();
        assert_eq!(limits, [("", Some(9), None), ("mobile", None, Some(4))]);
        assert!(parsed("").unwrap().contract.is_none());
    }

    #[test]
    fn slips_are_told_with_their_line_and_what_was_meant() {
        for (text, line, said) in [
            ("strict = true\nlimts = 3\n", 2, "did you mean limits?"),
            ("[limits]\n\njoint = 3\n", 3, "did you mean joints?"),
            ("[skeleton.joints.Hips]\nparnet = 'Root'\n", 2, "did you mean parent?"),
            ("ignore = ['RIG01']\n", 1, "did you mean RIG001?"),
            ("[severity]\nRIG010 = 'eror'\n", 2, "did you mean error?"),
            ("[severity]\nRIG999 = 'off'\n", 2, "no finding has this code"),
            ("[limits]\njoints = -1\n", 2, "invalid value"),
            ("[skeleton.joints.A]\nrotation = [0, 0, 0, 0]\n", 2, "no rotation"),
            ("[skeleton.joints.A]\ntranslation = [nan, 0, 0]\n", 2, "finite"),
            ("[skeleton.tolerance]\nscale = -1.0\n", 2, "0 or more"),
            ("strict = \n", 1, ""),
        ] {
            let problem = parsed(text).unwrap_err();
            assert!(problem.starts_with(&format!("line {line}: ")) && problem.contains(said), "{text}: {problem}");
        }
    }

    #[test]
    fn the_nearest_file_above_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(folder.path().join(NAME), "").unwrap();
        assert_eq!(find(&deep), Some(folder.path().join(NAME)));
        std::fs::write(deep.join(NAME), "").unwrap();
        assert_eq!(find(&deep), Some(deep.join(NAME)));
    }
}
