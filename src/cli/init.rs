use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::Console;
use super::suggestions::with_suggestions;
use crate::project::{CONFIG_NAME, profile, profile_names};

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct InitArgs {
    /// Folder of the config
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,

    /// Require a platform profile (repeatable)
    #[arg(long, value_name = "PROFILE", value_parser = with_suggestions(profile_names(), profile_name), hide_possible_values = true)]
    profile: Vec<String>,
}

const HELP: &str = "\
Writes a rigscope.toml in which all settings are commented out. It applies to all files in its
folder and below. An existing file is never overwritten.

Examples:
  rigscope init
  rigscope init models --profile vrchat-pc";

fn profile_name(name: &str) -> Result<String, String> {
    profile(name).map(|profile| profile.name.clone())
}

/// The config. Lines that begin with `# ` and are settings can be uncommented.
const TEMPLATE: &str = include_str!("init.toml");

impl InitArgs {
    pub fn run(&self, console: &Console) -> Result<ExitCode, String> {
        let path = self.folder.join(CONFIG_NAME);
        let text = self.text();
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()));
        match written {
            Ok(()) => {
                console.saved(&path, "all settings are commented out");
                Ok(ExitCode::SUCCESS)
            }
            Err(problem) if problem.kind() == ErrorKind::AlreadyExists => {
                Err(format!("{} exists already and is not overwritten", path.display()))
            }
            Err(problem) => Err(format!("The config was not saved: {problem} ({})", path.display())),
        }
    }

    fn text(&self) -> String {
        if self.profile.is_empty() {
            return TEMPLATE.to_owned();
        }
        let names: Vec<String> = self.profile.iter().map(|name| format!("{name:?}")).collect();
        TEMPLATE.replace(PROFILE_LINE, &format!("profile = [{}]", names.join(", ")))
    }
}

const PROFILE_LINE: &str = "# profile = [\"vrchat-pc\"]";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::project::Config;

    fn read(text: &str) -> Config {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CONFIG_NAME);
        std::fs::write(&path, text).unwrap();
        std::fs::write(folder.path().join("base.glb"), crate::stage::BuiltIn::Tube.bytes()).unwrap();
        Config::read(&path, &Job::default()).unwrap()
    }

    #[test]
    fn the_config_is_valid_with_and_without_its_comments() {
        read(TEMPLATE);
        let is_setting = |line: &str| line.starts_with("# [") || line.starts_with("# ") && line.contains(" = ");
        let uncommented: Vec<&str> =
            TEMPLATE.lines().map(|line| if is_setting(line) { &line[2..] } else { line }).collect();
        let settings = uncommented.iter().filter(|line| !line.starts_with('#') && !line.is_empty()).count();
        assert!(settings > 15, "{settings}");
        read(&uncommented.join("\n"));
        let args = InitArgs { folder: PathBuf::new(), profile: vec!["vrm-1".to_owned(), "vrchat-pc".to_owned()] };
        assert!(TEMPLATE.contains(PROFILE_LINE) && args.text().contains("\nprofile = [\"vrm-1\", \"vrchat-pc\"]\n"));
    }
}
