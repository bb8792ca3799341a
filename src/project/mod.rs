//! Findings in a rig, and what its project makes of them: `rigscope.toml`, which of several such files holds for a character, and what mends a finding.

mod findings;
mod parse_fault;
mod profiles;
mod repairs;
mod rule_file;
mod schema;
mod suggestion;

use std::collections::BTreeMap;
use std::env::current_dir;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::analysis::lint::rules::{Inventory, Pattern, Profile, Sheet};
use crate::analysis::lint::{Contract, Finding, Forgiven, Policy};
use crate::files::{self, is_standard};
use crate::import::{Job, import_file};
use crate::rig::Rig;
pub use findings::{findings, import_finding};
use parse_fault::{explained, override_lines, rule_lines};
use profiles::own_profile;
pub use profiles::{check_rank, outdated, profile, profile_names, profile_of, profile_text, profiles};
pub use repairs::{fixed, repair_of, repaired};
use schema::ConfigFile;
pub use schema::parse_code;
pub use suggestion::{near, nearest};

/// File name of the settings.
const NAME: &str = "rigscope.toml";

/// Settings of a `rigscope.toml`; all is allowed where there is none.
#[derive(Debug, Default)]
pub struct Config {
    /// Demands on rigs, and which findings count.
    pub policy: Policy,
    /// True where warnings count as errors do.
    pub is_strict: bool,
    /// Paths of the settings file, of the file whose skeleton it asks for, and of those that its profiles are in.
    pub files: Vec<PathBuf>,
    /// Profiles that rigs are judged by: those that are named, then the project's own rules.
    pub profiles: Vec<Profile>,
    /// Rank that rigs must have in profiles that know it.
    pub at_least: Option<String>,
    /// Settings that hold in place of these for paths below the folder of the settings file.
    overrides: Vec<(Vec<Pattern>, Arc<Self>)>,
}

impl Config {
    /// Reads a file of settings (`rigscope.toml`), and the file whose skeleton it asks for, with the limits of a job.
    ///
    /// *Errors*: in words for the user, with the line, the key and what is allowed there.
    pub fn read(path: &Path, job: &Job) -> Result<Self, String> {
        let fault = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
        let bytes = if job.reads_as_stream(path) { files::read_waiting(path) } else { files::read(path) };
        let bytes = bytes.map_err(|problem| format!("{} cannot be read: {problem}", path.display()))?;
        let text = String::from_utf8(bytes).map_err(|_bytes| fault(&"it is not UTF-8"))?;
        let mut config: ConfigFile = toml::from_str(&text).map_err(|problem| fault(&explained(&problem, &text)))?;
        let changes = std::mem::take(&mut config.overrides);
        let everywhere = Self::of(path, config, &rule_lines(&text), job)?;
        let overrides = changes.iter().zip(override_lines(&text)).map(|(change, (line, rules))| {
            let settings = overridden(&text, change).map_err(|problem| fault(&format!("line {line}: {problem}")))?;
            let lines = if change.settings.contains_key("rule") { rules } else { rule_lines(&text) };
            let patterns = change.files.list().iter().map(|text| Pattern::new(text)).collect();
            Ok((patterns, Arc::new(Self::of(path, settings, &lines, job)?)))
        });
        Ok(Self { overrides: overrides.collect::<Result<Vec<_>, String>>()?, ..everywhere })
    }

    /// The settings of a file that has been parsed, with the lines of its rules.
    fn of(path: &Path, mut config: ConfigFile, lines: &[usize], job: &Job) -> Result<Self, String> {
        let fault = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut profiles = config
            .profile
            .list()
            .iter()
            .map(|name| profile_of(name, folder))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|p| fault(&p))?;
        let rules = config.take_rules(lines);
        if rules.is_a_profile() {
            profiles.push(own_profile(rules, folder, 0).map_err(|problem| fault(&problem))?);
        }
        let at_least = config.at_least.take();
        // Without ranks in the project, those of the command line's profiles may be meant.
        if let Some(rank) = at_least.as_deref().filter(|_| profiles.iter().any(|profile| !profile.ranks.is_empty())) {
            check_rank(rank, profiles.iter()).map_err(|problem| fault(&format!("at-least: {problem}")))?;
        }
        let like = config.skeleton.as_ref().and_then(|skeleton| skeleton.like.as_ref());
        let like = like.map(|like| path.parent().unwrap_or(Path::new("")).join(like));
        let contract = like.as_ref().map(|like| contract_of(like, job)).transpose();
        let of_profiles = profiles.iter().flat_map(|profile| profile.files.iter().cloned());
        let (is_strict, files) =
            (config.strict, [path.to_owned()].into_iter().chain(like).chain(of_profiles).collect());
        let contract = contract.map_err(|problem| fault(&problem))?.unwrap_or_default();
        Ok(Self { policy: config.policy(contract), is_strict, files, profiles, at_least, overrides: Vec::new() })
    }

    /// The settings for one file, where these have others for its path.
    pub fn for_file(self: &Arc<Self>, file: Option<&Path>) -> Arc<Self> {
        let folder = self.files.first().map(|path| folder_of(path));
        let below = file.zip(folder).and_then(|(file, folder)| {
            let name = file.file_name()?;
            Some(folder_of(file).join(name).strip_prefix(folder).ok()?.to_string_lossy().replace('\\', "/"))
        });
        let is_meant =
            |patterns: &Vec<Pattern>| below.as_ref().is_some_and(|path| patterns.iter().any(|p| p.fits(path)));
        let found = self.overrides.iter().rev().find(|(patterns, _)| is_meant(patterns));
        found.map_or_else(|| Arc::clone(self), |(_, settings)| Arc::clone(settings))
    }

    /// A rig under each of the profiles.
    pub fn sheets(&self, rig: &Rig, file_bytes: Option<u64>) -> Vec<Sheet> {
        if self.profiles.is_empty() {
            return Vec::new();
        }
        let inventory = Inventory::of(rig, file_bytes);
        let demanded = |profile: &Profile| self.at_least.as_deref().and_then(|rank| profile.rank_named(rank));
        self.profiles.iter().map(|profile| profile.judge(&inventory, demanded(profile))).collect()
    }

    /// The settings that hold for a character: of the nearest file, see [`nearest_settings`], or those that demand nothing.
    ///
    /// *Errors*: as [`Self::read`].
    pub fn nearest(file: Option<&Path>, job: &Job) -> Result<Arc<Self>, String> {
        let Some(path) = nearest_settings(file) else { return Ok(Arc::default()) };
        Ok(Arc::new(Self::read(&path, job)?).for_file(file))
    }

    /// Findings of a rig as they count under the settings, with those of the profiles.
    pub fn judged(&self, rig: &Rig, mut found: Vec<Finding>, file_bytes: Option<u64>) -> Vec<Finding> {
        found.extend(self.sheets(rig, file_bytes).into_iter().flat_map(|sheet| sheet.findings));
        self.policy.judge(rig, found, Forgiven::default()).shown
    }
}

/// The `rigscope.toml` that holds for a character, by its file where it has one: in the file's folder or the nearest above that, else in the working folder or the
/// nearest above.
pub fn nearest_settings(file: Option<&Path>) -> Option<PathBuf> {
    nearest_to(file.filter(|path| !is_standard(path)).map(folder_of).as_deref())
}

/// Folder of a file, where links to folders are followed and `..` is gone, so that its ancestors are the folders above it.
fn folder_of(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn nearest_to(folder: Option<&Path>) -> Option<PathBuf> {
    let above = |folder: &Path| folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file());
    folder.and_then(above).or_else(|| above(&current_dir().ok()?))
}

/// The settings of many files, each read once: the same for all, or the nearest to each.
pub struct Projects {
    job: Job,
    /// Settings that hold for every file.
    named: Option<Shared>,
    read: Mutex<Read>,
}

/// The settings, or in words for the user why they cannot be heeded.
type Shared = Result<Arc<Config>, String>;

#[derive(Default)]
struct Read {
    /// Settings by the folder of files.
    by_folder: BTreeMap<Option<PathBuf>, Shared>,
    /// Settings by the path of the settings file.
    by_path: BTreeMap<PathBuf, Shared>,
}

impl Projects {
    /// The nearest settings for each file.
    pub fn nearest(job: Job) -> Self {
        Self { job, named: None, read: Mutex::default() }
    }

    /// The same settings for every file.
    pub fn all_by(config: Config) -> Self {
        Self { job: Job::default(), named: Some(Ok(Arc::new(config))), read: Mutex::default() }
    }

    /// True where the same hold for every file.
    pub fn is_named(&self) -> bool {
        self.named.is_some()
    }

    /// The settings that hold for a file, or for what is in a folder.
    ///
    /// *Errors*: as [`Config::read`].
    pub fn of(&self, file: Option<&Path>) -> Result<Arc<Config>, String> {
        self.of_all(file).map(|config| config.for_file(file))
    }

    fn of_all(&self, file: Option<&Path>) -> Shared {
        if let Some(named) = &self.named {
            return named.clone();
        }
        let file = file.filter(|path| !is_standard(path));
        let folder = file.map(|path| if path.is_dir() { folder_of(&path.join("any")) } else { folder_of(path) });
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.by_folder.get(&folder) {
            return known.clone();
        }
        let found = match nearest_to(folder.as_deref()) {
            None => Ok(Arc::default()),
            Some(path) => {
                let parsed = |path: &PathBuf| Config::read(path, &self.job).map(Arc::new);
                read.by_path.entry(path).or_insert_with_key(parsed).clone()
            }
        };
        read.by_folder.insert(folder, found.clone());
        found
    }
}

/// A settings file with other values for some of its keys.
fn overridden(text: &str, change: &schema::Override) -> Result<ConfigFile, String> {
    let mut table: toml::Table = toml::from_str(text).map_err(|problem| explained(&problem, text))?;
    table.remove("override");
    table.extend(change.settings.clone());
    table.try_into().map_err(|problem: toml::de::Error| format!("override: {}", problem.message().trim_end()))
}

fn contract_of(path: &Path, job: &Job) -> Result<Contract, String> {
    let imported = import_file(path, job);
    let imported = imported.map_err(|problem| format!("the skeleton's file cannot be opened: {problem}"))?;
    let contract = Contract::of(&imported.rig);
    if contract.joints.is_empty() { Err(format!("{} has no joints", path.display())) } else { Ok(contract) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::lint::rules::{Limits, Measure};
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
        let limits: Vec<_> =
            policy.limits.iter().map(|l| (l.name.as_str(), l.rules[0].measure, &l.rules[0].limits)).collect();
        let most = [9.0, 4.0].map(Limits::most);
        assert_eq!(limits, [("", Measure::SkinJoints, &most[0]), ("mobile", Measure::Influences, &most[1])]);
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
            ("[limits]\njoints = -1\n", 2, "limits.joints: a whole number, not -1"),
            ("strict = 1\n[limits]\n\njoints = 3\n", 1, "strict: true or false, not 1"),
            ("[limits]\n\njoints = 'many'\n", 3, "limits.joints: a whole number, not text"),
            ("[target.mobile]\nvertices = 1.5\n", 2, "target.mobile.vertices: a whole number, not 1.5"),
            ("limits = 5\n", 1, "limits: a table, not 5"),
            ("ignore = 'RIG010'\n", 1, "ignore: a list, not text"),
            ("[skeleton]\ntolerance = { scale = [1] }\n", 2, "skeleton.tolerance.scale: a number, not a list"),
            ("[skeleton.joints.'a b']\nscale = [1, 2]\n", 2, "skeleton.joints.a b.scale: a list of 3 numbers"),
            ("[skeleton.joints.A]\nrotation = [0, 0, 0, 0]\n", 2, "no rotation"),
            ("[skeleton.joints.A]\ntranslation = [nan, 0, 0]\n", 2, "finite"),
            ("[skeleton.joints.A]\nparent = 'A'\n", 1, "the parent of skeleton.joints.A is the joint itself"),
            ("[skeleton.tolerance]\nscale = -1.0\n", 2, "0 or more"),
            ("strict = \n", 1, ""),
        ] {
            let problem = parsed(text).unwrap_err();
            assert!(problem.starts_with(&format!("line {line}: ")) && problem.contains(said), "{text}: {problem}");
        }
    }

    #[test]
    fn the_nearest_settings_to_a_file_hold_and_are_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::create_dir_all(root.join("c")).unwrap();
        std::fs::write(root.join("a/rigscope.toml"), "strict = true").unwrap();
        let of = |path: &str| nearest_settings(Some(&root.join(path)));
        assert_eq!(of("a/b/x.glb"), Some(root.join("a").join(NAME)));
        assert_eq!(of("a/b/../x.glb"), Some(root.join("a").join(NAME)));
        assert_eq!(of("a/../c/x.glb"), of("none.glb"), "a folder that the path only passes through is not above");
        let projects = Projects::nearest(Job::default());
        let strict = |path: &str| projects.of(Some(&root.join(path))).unwrap().is_strict;
        assert!(strict("a/x.glb") && strict("a/b/x.glb") && strict("a") && !strict("c/x.glb"));
        std::fs::write(root.join("a/rigscope.toml"), "").unwrap();
        assert!(strict("a/b/y.glb"), "the same for all of a run");
    }
}
