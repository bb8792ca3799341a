use std::process::ExitCode;

use clap::Args;

use super::Console;
use super::console::Line;
use super::suggestions::with_suggestions;
use crate::analysis::lint::rules::{Limits, Measure, Profile, Rule};
use crate::project::{outdated, profile, profile_names, profile_text, profiles};

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ProfilesArgs {
    /// Profile to print [default: list all]
    #[arg(value_name = "NAME", value_parser = with_suggestions(profile_names(), profile_name), hide_possible_values = true)]
    name: Option<String>,

    /// Print Markdown tables
    #[arg(long)]
    markdown: bool,

    /// List what rules can measure
    #[arg(long, conflicts_with_all = ["name", "markdown"])]
    measures: bool,
}

const HELP: &str = "\
A profile is printed as rigscope.toml settings. Save it, change it and name it in a config, as
profile = [\"mine.toml\"], or include it and change some rules, as extends = \"vrchat-mobile\".

Sources were checked on the date of the profile. Platforms change their rules; the platform's own
editor decides.

Examples:
  rigscope profiles vrchat-mobile > mine.toml
  rigscope check hero.glb --profile vrchat-mobile";

fn profile_name(name: &str) -> Result<String, String> {
    profile(name).map(|profile| profile.name.clone())
}

impl ProfilesArgs {
    pub fn run(&self, console: &Console) -> Result<ExitCode, String> {
        match &self.name {
            _ if self.measures => console.print(measures()),
            Some(name) if self.markdown => console.print(plain(&markdown(profile(name)?))),
            Some(name) => {
                if let Some(old) = outdated(profile(name)?) {
                    console.warn(&format!("{name}: {old}"));
                }
                console.print(plain(profile_text(name)?))
            }
            None if self.markdown => {
                console.print(plain(&profiles().iter().map(markdown).collect::<Vec<_>>().join("\n")))
            }
            None => console.print(profiles().iter().flat_map(listed).collect::<Vec<_>>()),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

fn plain(text: &str) -> Vec<Line> {
    text.lines().map(Line::plain).collect()
}

fn listed(profile: &Profile) -> Vec<Line> {
    let old = outdated(profile).map_or(String::new(), |old| format!(" ({old})"));
    let mut lines = vec![
        Line::plain(&format!("{:<22}{}", profile.name, profile.title)),
        Line::plain(&format!("  {}, checked {}{old}", profile.version, profile.date)),
    ];
    let below = profile.sources.iter().chain(&profile.notes);
    lines.extend(below.map(|text| Line::plain(&format!("  {text}"))));
    lines
}

fn measures() -> Vec<Line> {
    Measure::of_rules().map(|measure| Line::plain(&format!("{:<20}{}", measure.key(), measure.about()))).collect()
}

fn markdown(profile: &Profile) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | ").replace('\n', " "));
    let ranks: Vec<String> = if profile.ranks.is_empty() { vec!["limit".to_owned()] } else { profile.ranks.clone() };
    let heads = |of_ranks: Vec<String>, ends: [&str; 4]| {
        let [name, measure, severity, section] = ends.map(|text| text.replace('|', "\\|"));
        line([vec![name, measure], of_ranks, vec![severity, section]].concat())
    };
    let Profile { title, name, version, date, .. } = profile;
    let mut lines =
        vec![format!("## {title}"), String::new(), format!("`{name}`: {version}, checked {date}."), String::new()];
    lines.push(heads(ranks.clone(), ["rule", "measure", "severity", "source"]));
    lines.push(format!("|{}", " --- |".repeat(ranks.len() + 4)));
    lines.extend(profile.rules.iter().map(|rule| {
        let limits = (0..ranks.len()).map(|rank| limit(rule, rank)).collect();
        heads(limits, [&rule.name, rule.measure.key(), rule.severity.name(), &rule.section])
    }));
    lines.push(String::new());
    lines.extend(profile.sources.iter().map(|source| format!("- <{source}>")));
    lines.extend(profile.notes.iter().map(|note| format!("- {note}")));
    lines.join("\n") + "\n"
}

fn limit(rule: &Rule, rank: usize) -> String {
    if rule.measure.is_in_files() {
        Limits::describe(&rule.limits, rule.measure, rank)
    } else {
        "not in the file".to_owned()
    }
}
