//! Platform profiles, both built-in and from config files.

use std::path::Path;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use super::parse_fault::{TableLines, explain_toml_error};
use super::rule_file::RuleFile;
use super::schema::ConfigFile;
use super::suggestion::nearest;
use rigscope_analysis::analysis::lint::rules::Profile;
use rigscope_core::text::day;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        const EMBEDDED: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../profiles/", $name, ".toml")))),*];
    };
}

embedded!(
    "vrchat-pc",
    "vrchat-mobile",
    "vrchat-skeleton",
    "roblox-body",
    "roblox-layered",
    "roblox-mesh",
    "decentraland-wearable",
    "decentraland-skin",
    "decentraland-emote",
    "vrm-1",
    "vrm-0",
    "godot-humanoid",
    "unity-humanoid",
    "unreal-mannequin-4",
    "unreal-mannequin-5",
    "mixamo-names",
    "arkit-52",
    "humanoid-names",
);

const YEAR_SECS: u64 = 365 * 86_400;

static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    // A test checks that all of them parse.
    EMBEDDED.iter().filter_map(|(_, text)| parsed(text).ok()).collect()
});

/// Parses a profile whose base profiles are all built-in.
fn parsed(text: &str) -> Result<Profile, String> {
    let mut file: ConfigFile = toml::from_str(text).map_err(|problem| explain_toml_error(&problem, text))?;
    let rules = file.take_rules(&TableLines::new(text).rules);
    let base = |name: &String| {
        let text = EMBEDDED.iter().find(|(known, _)| known == name);
        text.map_or_else(|| Err(unknown(name)), |(_, text)| parsed(text))
    };
    let bases = rules.extends.list().iter().map(base).collect::<Result<Vec<_>, _>>()?;
    rules.profile(bases)
}

fn unknown(name: &str) -> String {
    let meant = nearest(name, profile_names()).map_or(String::new(), |meant| format!("; did you mean {meant}?"));
    format!("no profile is called \"{name}\"{meant} (rigscope profiles lists them)")
}

/// Returns all built-in profiles.
pub fn profiles() -> &'static [Profile] {
    &PROFILES
}

/// Returns the names of the built-in profiles.
pub fn profile_names() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|(name, _)| *name)
}

/// Returns a built-in profile by name. *Errors*: a message for the user with a suggestion.
pub fn profile(name: &str) -> Result<&'static Profile, String> {
    profiles().iter().find(|profile| profile.name == name).ok_or_else(|| unknown(name))
}

/// Returns the TOML of a built-in profile. *Errors*: as [`profile`].
pub fn profile_text(name: &str) -> Result<&'static str, String> {
    profile(name)?;
    Ok(EMBEDDED.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text))
}

/// Returns a profile by name, or by `.toml` path relative to `folder`. *Errors*: a message for the user.
pub fn find_profile(name: &str, folder: &Path) -> Result<Profile, String> {
    if !is_path(name) {
        return profile(name).cloned();
    }
    read_profile(&folder.join(name), 0)
}

fn is_path(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"))
}

/// Maximum number of nested `extends`.
const DEEPEST: usize = 8;

fn read_profile(path: &Path, depth: usize) -> Result<Profile, String> {
    let fault = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    if depth > DEEPEST {
        return Err(fault(&"files extend each other in a circle, or too deep"));
    }
    let bytes =
        rigscope_core::files::read(path).map_err(|problem| format!("{} cannot be read: {problem}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|_bytes| fault(&"it is not UTF-8"))?;
    let mut file: ConfigFile = toml::from_str(&text).map_err(|problem| fault(&explain_toml_error(&problem, &text)))?;
    let others = keys_beyond_rules(&text);
    if !others.is_empty() {
        let others = others.join(", ");
        return Err(fault(&format!(
            "a profile has rules alone, and this file has {others} too; move that to rigscope.toml"
        )));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut profile = own_profile(file.take_rules(&TableLines::new(&text).rules), folder, depth)
        .map_err(|problem| fault(&problem))?;
    profile.files.push(path.to_owned());
    Ok(profile)
}

/// Returns the keys of a config file that do not define rules. A profile would ignore these keys.
fn keys_beyond_rules(text: &str) -> Vec<String> {
    let table = text.parse::<toml::Table>().unwrap_or_default();
    table.into_iter().map(|(key, _)| key).filter(|key| !RuleFile::KEYS.contains(&key.as_str())).collect()
}

pub(super) fn own_profile(file: RuleFile, folder: &Path, depth: usize) -> Result<Profile, String> {
    let base = |name: &String| {
        if is_path(name) { read_profile(&folder.join(name), depth + 1) } else { profile(name).cloned() }
    };
    let bases = file.extends.list().iter().map(base).collect::<Result<Vec<_>, _>>()?;
    file.profile(bases)
}

/// Checks that at least one profile has a rank with this name. *Errors*: a message for the user that lists the known
/// ranks.
pub fn check_rank<'a>(rank: &str, profiles: impl Iterator<Item = &'a Profile> + Clone) -> Result<(), String> {
    if profiles.clone().any(|profile| profile.rank_named(rank).is_some()) {
        return Ok(());
    }
    let mut ranks: Vec<&str> = Vec::new();
    for name in profiles.flat_map(|profile| &profile.ranks) {
        if !ranks.contains(&name.as_str()) {
            ranks.push(name);
        }
    }
    let known =
        if ranks.is_empty() { "they have no ranks".to_owned() } else { format!("there are {}", ranks.join(", ")) };
    Err(format!("no profile has the rank \"{rank}\"; {known}"))
}

/// Returns a warning if a profile's source was last checked more than a year ago.
pub fn outdated(profile: &Profile) -> Option<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    // Dates in this format can be compared as text.
    let is_old = !profile.date.is_empty() && profile.date < day(now.checked_sub(YEAR_SECS)?);
    is_old.then(|| format!("its source was last checked on {}, more than a year ago", profile.date))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_is_read_and_names_source_version_and_day() {
        assert_eq!(profiles().len(), EMBEDDED.len());
        for (name, text) in EMBEDDED {
            let profile = parsed(text).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(profile.name, *name);
            let parts: Vec<Option<u32>> = profile.date.split('-').map(|part| part.parse().ok()).collect();
            assert!(matches!(parts[..], [Some(2020..), Some(1..=12), Some(1..=31)]), "{name}: {}", profile.date);
            assert_eq!(profile.date.len(), 10, "{name}: {}", profile.date);
            assert!(!profile.version.is_empty() && !profile.title.is_empty(), "{name}");
            assert!(!profile.sources.is_empty() && profile.sources.iter().all(|s| s.starts_with("https://")), "{name}");
            assert!(!profile.rules.is_empty(), "{name}");
            let names: std::collections::BTreeSet<&str> = profile.rules.iter().map(|rule| rule.name.as_str()).collect();
            assert_eq!(names.len(), profile.rules.len(), "{name}: a rule's name repeats");
        }
    }

    #[test]
    fn a_profile_is_old_a_year_after_its_source_was_looked_at() {
        let of = |date: &str| outdated(&Profile { date: date.to_owned(), ..Profile::default() });
        assert!(of("2020-01-01").unwrap().contains("more than a year"));
        assert_eq!([of("2999-01-01"), of("")], [None, None]);
    }

    #[test]
    fn typos_get_suggestions() {
        let fault = |text: &str| parsed(text).unwrap_err();
        for (text, said) in [
            ("[[rule]]\nmeasure = 'triangels'\nmax = 3\n", "did you mean triangles?"),
            ("[[rule]]\nmeasure = 'triangles'\n", "line 1: rule \"triangles\": it has neither"),
            ("[[rule]]\nmeasure = 'soles'\nmax = 1\n\n[[rule]]\nmeasure = 'roots'\n", "line 5: rule \"roots\": it has"),
            ("rule = [{ measure = 'soles', max = 1 },\n{ measure = 'roots' }]\n", "line 2: rule \"roots\": it has"),
            ("[[rule]]\nmeasure = 'clips'\nmax = 1\nmesh = 'a'\n", "mesh = ... doesn't apply to clips"),
            ("[[rule]]\nmeasure = 'clips'\nmax = 1\nunder = 'a'\n", "under = ... doesn't apply to clips"),
            ("ranks = ['a', 'b']\n[[rule]]\nmeasure = 'triangles'\nmax = [1, 2, 3]\n", "3 limits for 2 ranks"),
            ("[[rule]]\nmeasure = 'triangles'\nmax = 'x'\n", "a number, or a list"),
            ("[[rule]]\nmeasure = 'triangles'\nmxa = 3\n", "did you mean max?"),
            ("[[rule]]\nmeasure = 'names'\n", "it names nothing"),
            ("[[rule]]\nmeasure = 'pose'\nmax = 3\npose = 'x'\n", "there are t, a, i"),
            ("extends = 'vrchat-mobil'\n", "did you mean vrchat-mobile?"),
        ] {
            let problem = fault(text);
            assert!(problem.contains(said), "{text}: {problem}");
        }
    }
}
