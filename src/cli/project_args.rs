//! Options for the rules that files must meet, shared by `check` and `report`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Console;
use super::suggestions::with_suggestions;
use crate::analysis::lint::rules::Profile;
use crate::import::Job;
use crate::project::{Config, ProjectConfigs, find_profile, outdated, profile, profile_names, profiles};

#[derive(Args, Clone, Debug)]
pub(super) struct ConfigArgs {
    /// Config file [default: the nearest rigscope.toml above the file, else above the working folder]
    #[arg(long, value_name = "TOML")]
    config: Option<PathBuf>,

    /// Use no rigscope.toml
    #[arg(long, conflicts_with = "config")]
    no_config: bool,
}

impl ConfigArgs {
    /// Returns the configs. Reads a named one. *Errors*: it can't be read.
    pub(super) fn projects(&self, job: Job) -> Result<ProjectConfigs, String> {
        match &self.config {
            Some(path) => Config::read(path, &job).map(ProjectConfigs::with_config),
            None if self.no_config => Ok(ProjectConfigs::with_config(Config::default())),
            None => Ok(ProjectConfigs::nearest(job)),
        }
    }
}

#[derive(Args, Clone, Debug)]
pub(super) struct ProfileArgs {
    /// Also check a platform profile or a .toml file with rules (comma-separated or repeatable)
    ///
    /// With all, list which platforms each file fits.
    #[arg(long, value_name = "PROFILE", value_delimiter = ',', value_parser = with_suggestions(profile_names().chain(["all"]), profile_name), hide_possible_values = true)]
    profile: Vec<String>,
}

impl ProfileArgs {
    /// True if `--profile all` was given.
    pub(super) fn wants_all(&self) -> bool {
        self.profile.iter().any(|name| name == "all")
    }

    /// True if the command line names this profile.
    pub(super) fn names(&self, name: &str) -> bool {
        self.wants_all() || self.profile.iter().any(|named| named == name)
    }

    /// Returns the profiles named on the command line. Warns about outdated ones. *Errors*: a file can't be read.
    pub(super) fn profiles(&self, console: &Console) -> Result<Vec<Profile>, String> {
        if self.wants_all() {
            return Ok(profiles().to_vec());
        }
        let named = self.profile.iter().map(|name| find_profile(name, Path::new(""))).collect::<Result<Vec<_>, _>>()?;
        for profile in &named {
            if let Some(old) = outdated(profile) {
                console.warn(&format!("profile {}: {old}", profile.name));
            }
        }
        Ok(named)
    }
}

/// Checks the name of a profile. Accepts any path of a `.toml` file.
fn profile_name(name: &str) -> Result<String, String> {
    let is_path = Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
    if !is_path && name != "all" {
        profile(name)?;
    }
    Ok(name.to_owned())
}
