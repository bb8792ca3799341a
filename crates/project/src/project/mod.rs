//! Project configuration (`rigscope.toml`): the config that applies to a character, findings under its rules, and
//! repairs.

mod clip_file;
mod deform_file;
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
use std::sync::{Arc, Mutex};

use clip_file::contracts;
pub use deform_file::DeformConfig;
use deform_file::DeformTable;
pub use findings::findings;
use parse_fault::{TableLines, explain_toml_error, override_lines};
use profiles::own_profile;
pub use profiles::{check_rank, find_profile, outdated, profile, profile_names, profile_text, profiles};
pub use repairs::{apply_repairs, fixed, repair_for};
use rigscope_analysis::analysis::clip_checks::ClipRules;
use rigscope_analysis::analysis::lint::rules::{Inventory, Pattern, Profile, ProfileReport};
use rigscope_analysis::analysis::lint::{FileBaseline, FilteredFindings, Finding, ProjectRules, RequiredSkeleton};
use rigscope_core::files::{self, Exclusion, WalkEntry, is_standard};
use rigscope_core::jobs::{Progress, lock};
use rigscope_core::rig::Rig;
use rigscope_io::import::{Job, import_file};
use schema::ConfigFile;
pub use schema::{config_schema, parse_code};
pub use suggestion::{near, nearest};

/// Name of config files.
pub const CONFIG_NAME: &str = "rigscope.toml";

/// Parsed `rigscope.toml`; the default has no rules.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Rules for rigs, and a filter for the findings that count.
    pub project_rules: ProjectRules,
    /// True if warnings count as errors.
    pub is_strict: bool,
    /// Paths of the config file, its required skeleton and its profiles.
    pub files: Vec<PathBuf>,
    /// Profiles to check: first the profiles that the config names, then the project's own rules.
    pub profiles: Vec<Profile>,
    /// Rules for clips, by name.
    pub clips: Vec<ClipRules>,
    /// Bend test, if the config asks for it.
    pub deform: Option<DeformConfig>,
    /// Required rank; applies to profiles that define this rank.
    pub at_least: Option<String>,
    /// Patterns of paths to exclude when the input is a folder or list.
    pub exclude: Exclusion,
    /// Configs that replace this config for matching paths below its folder.
    overrides: Vec<(Vec<Pattern>, Arc<Self>)>,
}

impl Config {
    /// Reads a config file and its required skeleton. *Errors*: a message for the user that includes the line, the key
    /// and the allowed values.
    pub fn read(path: &Path, job: &Job) -> Result<Self, String> {
        let fault = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
        let bytes = if job.reads_as_stream(path) { files::read_waiting(path) } else { files::read(path) };
        let bytes = bytes.map_err(|problem| format!("{} cannot be read: {problem}", path.display()))?;
        let text = String::from_utf8(bytes).map_err(|_bytes| fault(&"it is not UTF-8"))?;
        let mut config: ConfigFile =
            toml::from_str(&text).map_err(|problem| fault(&explain_toml_error(&problem, &text)))?;
        let changes = std::mem::take(&mut config.overrides);
        let lines = TableLines::new(&text);
        let everywhere = Self::from_file(path, config, &lines, job)?;
        let overrides = changes.iter().zip(override_lines(&text)).map(|(change, (line, own))| {
            let settings = overridden(&text, change).map_err(|problem| fault(&format!("line {line}: {problem}")))?;
            let of =
                |key, own, others: &Vec<usize>| if change.settings.contains_key(key) { own } else { others.clone() };
            let lines =
                TableLines { rules: of("rule", own.rules, &lines.rules), clips: of("clips", own.clips, &lines.clips) };
            let patterns = change.files.list().iter().map(|text| Pattern::new(text)).collect();
            Ok((patterns, Arc::new(Self::from_file(path, settings, &lines, job)?)))
        });
        Ok(Self { overrides: overrides.collect::<Result<Vec<_>, String>>()?, ..everywhere })
    }

    fn from_file(path: &Path, mut config: ConfigFile, lines: &TableLines, job: &Job) -> Result<Self, String> {
        let fault = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut profiles = config
            .profile
            .list()
            .iter()
            .map(|name| find_profile(name, folder))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|p| fault(&p))?;
        let rules = config.take_rules(&lines.rules);
        if rules.is_a_profile() {
            profiles.push(own_profile(rules, folder, 0).map_err(|problem| fault(&problem))?);
        }
        let name = path.file_name().map_or_else(|| CONFIG_NAME.into(), |name| name.to_string_lossy());
        let clips = contracts(std::mem::take(&mut config.clips), &name, &lines.clips).map_err(|p| fault(&p))?;
        let deform = config.deform.take().map(DeformTable::config);
        let at_least = config.at_least.take();
        let below = if folder == Path::new("") { Path::new(".") } else { folder };
        let exclude = Exclusion::new(below, std::mem::take(&mut config.exclude));
        // If the project has no ranks, `at-least` may refer to ranks of profiles on the command line.
        if let Some(rank) = at_least.as_deref().filter(|_| profiles.iter().any(|profile| !profile.ranks.is_empty())) {
            check_rank(rank, profiles.iter()).map_err(|problem| fault(&format!("at-least: {problem}")))?;
        }
        let like = config.skeleton.as_ref().and_then(|skeleton| skeleton.like.as_ref());
        let like = like.map(|like| path.parent().unwrap_or(Path::new("")).join(like));
        let contract = like.as_ref().map(|like| read_required_skeleton(like, job)).transpose();
        let of_profiles = profiles.iter().flat_map(|profile| profile.files.iter().cloned());
        let (is_strict, files) =
            (config.strict, [path.to_owned()].into_iter().chain(like).chain(of_profiles).collect());
        let contract = contract.map_err(|problem| fault(&problem))?.unwrap_or_default();
        let project_rules = config.project_rules(contract);
        Ok(Self { project_rules, is_strict, files, profiles, clips, deform, at_least, exclude, overrides: Vec::new() })
    }

    /// Returns the last override that matches a file's path, or this config if none matches.
    pub fn for_file(self: &Arc<Self>, file: Option<&Path>) -> Arc<Self> {
        let folder = self.files.first().map(|path| parent_folder(path));
        let below = file.zip(folder).and_then(|(file, folder)| {
            let path = parent_folder(file).join(file.file_name()?);
            let below = path.strip_prefix(folder).ok()?;
            Some(files::portable(&below.to_string_lossy()).into_owned())
        });
        let is_meant =
            |patterns: &Vec<Pattern>| below.as_ref().is_some_and(|path| patterns.iter().any(|p| p.fits(path)));
        let found = self.overrides.iter().rev().find(|(patterns, _)| is_meant(patterns));
        found.map_or_else(|| Arc::clone(self), |(_, settings)| Arc::clone(settings))
    }

    /// Checks a rig against all rules. Returns `None` if cancelled. *Cost*: linear in the size of the rig for each
    /// rule, plus the cost of [`Self::clip_report`].
    pub fn sheets(&self, rig: &Arc<Rig>, file_bytes: Option<u64>, progress: &Progress) -> Option<Vec<ProfileReport>> {
        let mut sheets = Vec::new();
        if !self.profiles.is_empty() {
            let inventory = Inventory::new(rig, file_bytes);
            let demanded = |profile: &Profile| self.at_least.as_deref().and_then(|rank| profile.rank_named(rank));
            sheets.extend(self.profiles.iter().map(|profile| profile.check_rig(&inventory, demanded(profile))));
        }
        sheets.extend(self.clip_report(rig, progress)?);
        Some(sheets)
    }

    /// Checks a rig against the clip rules. Returns `None` if cancelled and `Some(None)` if there are no clip rules.
    /// *Cost*: as [`ClipRules::check_clips`].
    pub fn clip_report(&self, rig: &Arc<Rig>, progress: &Progress) -> Option<Option<ProfileReport>> {
        if self.clips.is_empty() { Some(None) } else { ClipRules::check_clips(&self.clips, rig, progress).map(Some) }
    }

    /// Reads the file's [`nearest_config`] and returns the config that applies to the file; an empty config if there is
    /// none. *Errors*: as [`Self::read`].
    pub fn nearest(file: Option<&Path>, job: &Job) -> Result<Arc<Self>, String> {
        let Some(path) = nearest_config(file) else { return Ok(Arc::default()) };
        Ok(Arc::new(Self::read(&path, job)?).for_file(file))
    }

    /// Applies the config to findings and to the findings in `sheets`, which must come from [`Self::sheets`].
    pub fn judge(&self, rig: &Rig, mut found: Vec<Finding>, sheets: &[ProfileReport]) -> FilteredFindings {
        found.extend(sheets.iter().flat_map(|sheet| sheet.findings.iter().cloned()));
        self.project_rules.filter_findings(rig, found, FileBaseline::default())
    }
}

/// Returns the nearest `rigscope.toml` in a file's folder or above it; if there is none, the nearest in the working
/// folder or above it.
pub fn nearest_config(file: Option<&Path>) -> Option<PathBuf> {
    nearest_to(file.filter(|path| !is_standard(path)).map(parent_folder).as_deref())
}

/// Returns a file's folder with symbolic links and `..` resolved, so that the path's ancestors are the real parent
/// folders.
fn parent_folder(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn nearest_to(folder: Option<&Path>) -> Option<PathBuf> {
    let above = |folder: &Path| folder.ancestors().map(|folder| folder.join(CONFIG_NAME)).find(|path| path.is_file());
    folder.and_then(above).or_else(|| above(&current_dir().ok()?))
}

/// Cache of configs for many files: either one config for all files, or the nearest config for each file.
pub struct ProjectConfigs {
    job: Job,
    named: Option<ConfigResult>,
    read: Mutex<ConfigCache>,
}

type ConfigResult = Result<Arc<Config>, String>;

#[derive(Default)]
struct ConfigCache {
    /// Configs by the folder of the files to check.
    by_folder: BTreeMap<Option<PathBuf>, ConfigResult>,
    /// Configs by the path of the config file.
    by_path: BTreeMap<PathBuf, ConfigResult>,
}

impl ProjectConfigs {
    /// Uses the nearest config for each file.
    pub fn nearest(job: Job) -> Self {
        Self { job, named: None, read: Mutex::default() }
    }

    /// Uses one config for all files.
    pub fn with_config(config: Config) -> Self {
        Self { job: Job::default(), named: Some(Ok(Arc::new(config))), read: Mutex::default() }
    }

    /// Returns true if one config is used for all files.
    pub fn is_named(&self) -> bool {
        self.named.is_some()
    }

    /// Returns the config that applies to a file or folder. *Errors*: as [`Config::read`].
    pub fn config(&self, file: Option<&Path>) -> Result<Arc<Config>, String> {
        self.of_all(file).map(|config| config.for_file(file))
    }

    /// Returns true if the config excludes a path. Invalid configs exclude nothing, so that each file reports the
    /// error.
    pub fn excludes(&self, step: WalkEntry<'_>) -> bool {
        let path = step.root.join(step.below);
        self.in_folder(path.parent().map(Path::to_owned)).is_ok_and(|config| config.exclude.excludes(step))
    }

    fn of_all(&self, file: Option<&Path>) -> ConfigResult {
        let file = file.filter(|path| !is_standard(path));
        self.in_folder(
            file.map(|path| if path.is_dir() { parent_folder(&path.join("any")) } else { parent_folder(path) }),
        )
    }

    fn in_folder(&self, folder: Option<PathBuf>) -> ConfigResult {
        if let Some(named) = &self.named {
            return named.clone();
        }
        let mut read = lock(&self.read);
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

/// Returns a config file in which the keys of an override replace the file's keys. *Errors*: a message for the user.
fn overridden(text: &str, change: &schema::Override) -> Result<ConfigFile, String> {
    if change.settings.contains_key("exclude") {
        return Err("exclude is for the whole project: write it above [[override]]".to_owned());
    }
    let mut table: toml::Table = toml::from_str(text).map_err(|problem| explain_toml_error(&problem, text))?;
    table.remove("override");
    table.extend(change.settings.clone());
    table.try_into().map_err(|problem: toml::de::Error| format!("override: {}", problem.message().trim_end()))
}

fn read_required_skeleton(path: &Path, job: &Job) -> Result<RequiredSkeleton, String> {
    let imported = import_file(path, job);
    let imported = imported.map_err(|problem| format!("the skeleton's file cannot be opened: {problem}"))?;
    let contract = RequiredSkeleton::from_rig(&imported.rig);
    if contract.joints.is_empty() { Err(format!("{} has no joints", path.display())) } else { Ok(contract) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_analysis::analysis::clip_checks::{ClipRule, LOOP_SEAM_DEG};
    use rigscope_analysis::analysis::lint::rules::{Limits, Measure};
    use rigscope_analysis::analysis::lint::{Code, Severity};

    fn parsed(text: &str) -> Result<ProjectRules, String> {
        let config: Result<ConfigFile, _> = toml::from_str(text);
        config
            .map(|config| config.project_rules(RequiredSkeleton::default()))
            .map_err(|problem| explain_toml_error(&problem, text))
    }

    #[test]
    fn settings_become_project_rules() {
        let project_rules = parsed(
            "ignore = ['RIG022']\n[severity]\nrig014 = 'error'\nRIG050 = 'off'\n[limits]\njoints = 9\n[target.mobile]\ninfluences = 4\n",
        )
        .unwrap();
        assert!(![Code::JointUnused, Code::ZeroArea].iter().any(|code| project_rules.codes.contains(code)));
        assert_eq!(project_rules.codes.len(), Code::ALL.len() - 2);
        assert_eq!(project_rules.severities, [(Code::ManyInfluences, Severity::Error)].into());
        let limits: Vec<_> =
            project_rules.limits.iter().map(|l| (l.name.as_str(), l.rules[0].measure, &l.rules[0].limits)).collect();
        let max = [9.0, 4.0].map(Limits::at_most);
        assert_eq!(limits, [("", Measure::SkinJoints, &max[0]), ("mobile", Measure::Influences, &max[1])]);
        assert!(parsed("").unwrap().required_skeleton.is_none());
    }

    #[test]
    fn typos_are_reported_with_their_line_and_a_suggestion() {
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
            ("[[clips]]\nmatch = 'a'\nlop = true\n", 3, "did you mean loop?"),
            ("[[clips]]\nloop = true\n", 1, "missing field `match`"),
            ("[[clips]]\nmatch = 'a'\nroot = 'in_place'\n", 3, "did you mean in-place?"),
            ("[[clips]]\nmatch = 'a'\nmax-seam-deg = nan\n", 3, "this is a finite number, 0 or more"),
            ("[[clips]]\nmatch = 'a'\nmax-gap-mm = -1\n", 3, "this is a finite number, 0 or more"),
            ("[[clips]]\nmatch = 'a'\nmax-seconds = inf\n", 3, "this is a finite number, 0 or more"),
            ("[[clips]]\nmatch = 'a'\nfps = 0\n", 3, "from 1 to 1000"),
            ("[[clips]]\nmatch = 'a'\nmax-gap-mm = 'far'\n", 3, "a number, not text"),
            ("strict = \n", 1, ""),
        ] {
            let problem = parsed(text).unwrap_err();
            assert!(problem.starts_with(&format!("line {line}: ")) && problem.contains(said), "{text}: {problem}");
        }
    }

    #[test]
    fn empty_or_contradictory_clip_rules_are_reported_with_their_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CONFIG_NAME);
        for (text, line, said) in [
            ("strict = true\n[[clips]]\nmatch = 'a'\n", 2, "clips \"a\": it has no rules"),
            ("[[clips]]\nmatch = 'a'\nloop = false\n", 1, "it has no rules"),
            ("[[clips]]\nmatch = ''\nfps = 30\n", 1, "it names no clips"),
            ("[[clips]]\nmatch = []\nfps = 30\n", 1, "it names no clips"),
            (
                "[[clips]]\nmatch = 'a'\nfps = 30\n\n[[clips]]\nmatch = 'b'\nloop = false\nmax-gap-mm = 3\n",
                5,
                "contradicts",
            ),
            (
                "[[clips]]\nmatch = ['a', 'b']\nmin-seconds = 3\nmax-seconds = 2\n",
                1,
                "\"a, b\": min-seconds is more than max",
            ),
            ("[[override]]\nfiles = 'x'\n\n[[override.clips]]\nmatch = 'b'\n", 4, "it has no rules"),
        ] {
            std::fs::write(&path, text).unwrap();
            let problem = Config::read(&path, &Job::default()).unwrap_err();
            assert!(problem.contains(&format!(": line {line}: ")) && problem.contains(said), "{text}: {problem}");
        }
        std::fs::write(
            &path,
            "[[clips]]\nmatch = 'a'\nloop = true\n[[clips]]\nmatch = 'b'\nfps = 1\nseverity = 'off'\n",
        )
        .unwrap();
        let config = Config::read(&path, &Job::default()).unwrap();
        assert_eq!(config.clips.len(), 1, "what is off demands nothing");
        assert_eq!(config.clips[0].place, "rigscope.toml, line 1");
        assert_eq!(config.clips[0].rules, [ClipRule::Seam(LOOP_SEAM_DEG), ClipRule::Gap(None)]);
    }

    #[test]
    fn the_nearest_settings_to_a_file_hold_and_are_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::create_dir_all(root.join("c")).unwrap();
        std::fs::write(root.join("a/rigscope.toml"), "strict = true").unwrap();
        let of = |path: &str| nearest_config(Some(&root.join(path)));
        assert_eq!(of("a/b/x.glb"), Some(root.join("a").join(CONFIG_NAME)));
        assert_eq!(of("a/b/../x.glb"), Some(root.join("a").join(CONFIG_NAME)));
        assert_eq!(of("a/../c/x.glb"), of("none.glb"), "a folder that the path only passes through is not above");
        let projects = ProjectConfigs::nearest(Job::default());
        let strict = |path: &str| projects.config(Some(&root.join(path))).unwrap().is_strict;
        assert!(strict("a/x.glb") && strict("a/b/x.glb") && strict("a") && !strict("c/x.glb"));
        std::fs::write(root.join("a/rigscope.toml"), "").unwrap();
        assert!(strict("a/b/y.glb"), "the same for all of a run");
    }
}
