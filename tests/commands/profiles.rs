//! `rigscope profiles`, and `check` with platform and studio profiles.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::{Path, PathBuf};

use common::command::{Run, rigscope};
use rigscope::project::profile_names;
use rigscope::stage::BuiltIn;
use serde_json::Value;

fn run(words: &[&str]) -> Run {
    rigscope(&words.iter().map(PathBuf::from).collect::<Vec<_>>())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|problem| panic!("{problem}: {text}"))
}

/// Creates a folder with the built-in figure as `hero.glb` and a config.
fn project(settings: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rigscope.toml"), settings).unwrap();
    let hero = folder.path().join("hero.glb");
    std::fs::write(&hero, BuiltIn::Figure.bytes()).unwrap();
    (folder, hero)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_rank_that_rules_of_the_editor_may_lower_is_one_at_best() {
    let said = run(&["check", "builtin:tube", "--no-config", "--profile", "vrchat-pc,godot-humanoid"]).stdout;
    let line = |name: &str| said.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
    assert!(line("vrchat-pc").contains(" excellent at best; "), "{said}");
    assert!(!line("godot-humanoid").contains("at best"), "{said}");
}

#[test]
fn profiles_are_listed_and_printed_as_settings_and_as_tables() {
    let list = run(&["profiles"]);
    assert_eq!(list.code, Some(0));
    for name in profile_names() {
        assert!(list.stdout.contains(name), "{name}");
        let table = run(&["profiles", name, "--markdown"]).stdout;
        assert!(table.starts_with("## ") && table.contains("| rule | measure |"), "{table}");
    }
    assert!(list.stdout.contains("checked 20") && list.stdout.contains("https://"));
    let printed = run(&["profiles", "vrchat-mobile"]).stdout;
    let (_folder, hero) = project(&printed);
    let checked = json(&run(&["check", "--json", text(&hero)]).stdout);
    let named = json(&run(&["check", "--json", "--no-config", "--profile", "vrchat-mobile", text(&hero)]).stdout);
    assert_eq!(checked["profiles"], named["profiles"], "what is printed is what a project may write");
    let slip = run(&["profiles", "vrchat-mobil"]);
    assert!(slip.code == Some(2) && slip.stderr.contains("vrchat-mobile"), "{}", slip.stderr);
    assert!(run(&["profiles", "--measures"]).stdout.contains("texture-memory-astc"));
}

#[test]
fn a_file_has_a_rank_by_each_profile_and_the_demanded_one_decides() {
    let settings = "ranks = ['good', 'poor']\nbeyond = 'too much'\n[about]\nname = 'own'\n[[rule]]\nmeasure = 'joints'\nmax = [54, 60]\n";
    let (folder, hero) = project("");
    let own = folder.path().join("own.toml");
    std::fs::write(&own, settings).unwrap();
    let check = |more: &[&str]| run(&[&["check", text(&hero), "--no-config", "--profile", text(&own)], more].concat());
    let any = check(&[]);
    assert_eq!(any.code, Some(0), "{}", any.stdout);
    assert!(any.stdout.contains("own                   poor: 55 joints (good: 54)"), "{}", any.stdout);
    let good = check(&["--at-least", "good"]);
    assert_eq!(good.code, Some(1));
    assert!(good.stdout.contains("own/joints  The file has 55 joints: Poor; good takes 54."), "{}", good.stdout);
    assert_eq!(check(&["--at-least", "good", "--ignore", "own/joints"]).code, Some(0));
    assert_eq!(check(&["--at-least", "good", "--only", "RIG010"]).code, Some(0));
    assert_eq!(check(&["--at-least", "good", "--only", "own/joints"]).code, Some(1));
    let slip = check(&["--at-least", "god"]);
    assert!(slip.code == Some(2) && slip.stderr.contains("there are good, poor"), "{}", slip.stderr);

    let json = json(&check(&["--at-least", "good", "--json"]).stdout);
    let sheet = &json["profiles"][0];
    assert_eq!(
        (&sheet["rank"], &sheet["passed"], &sheet["rows"][0]["value"]),
        (&"poor".into(), &false.into(), &55.0.into())
    );
    assert_eq!(json["findings"].as_array().unwrap().iter().filter(|f| f["code"] == "own/joints").count(), 1);
}

#[test]
fn a_rank_that_is_demanded_and_not_reached_fails_whatever_the_severity_of_its_rules() {
    let settings = "ranks = ['good', 'medium', 'poor']\n[about]\nname = 'own'\n[[rule]]\nmeasure = 'joints'\nmax = [50, 60, 70]\nseverity = 'note'\n";
    let (folder, hero) = project("");
    let own = folder.path().join("own.toml");
    std::fs::write(&own, settings).unwrap();
    for (rank, passes) in [("good", false), ("medium", true), ("poor", true)] {
        let words = ["check", text(&hero), "--no-config", "--json", "--profile", text(&own), "--at-least", rank];
        let run = run(&words);
        let sheet = &json(&run.stdout)["profiles"][0];
        assert_eq!((sheet["rank"].as_str(), sheet["passed"].as_bool()), (Some("medium"), Some(passes)), "{rank}");
        assert_eq!(run.code, Some(i32::from(!passes)), "{rank}: {}", run.stdout);
    }
}

#[test]
fn every_format_and_baselines_know_rules_by_profile_and_name() {
    let (folder, hero) = project("");
    let profile = ["--no-config", "--profile", "vrchat-mobile,godot-humanoid", "--at-least", "excellent"];
    let check = |more: &[&str]| run(&[&["check", text(&hero)], profile.as_slice(), more].concat());
    let sarif = json(&check(&["--sarif"]).stdout);
    let driver = &sarif["runs"][0]["tool"]["driver"]["rules"];
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let of_rule: Vec<&Value> = results.iter().filter(|r| r["ruleId"].as_str().unwrap().contains('/')).collect();
    assert!(!of_rule.is_empty(), "{sarif}");
    for result in of_rule {
        assert_eq!(driver[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()]["id"], result["ruleId"]);
    }
    assert!(check(&["--format", "github", "--strict"]).stdout.contains("title=vrchat-mobile/"));
    assert!(check(&["--format", "junit", "--strict"]).stdout.contains("<failure type=\"vrchat-mobile/"));
    let known = folder.path().join("known.json");
    assert_eq!(check(&["--write-baseline", text(&known)]).code, Some(0));
    let accepted = check(&["--baseline", text(&known), "--strict"]);
    assert_eq!(accepted.code, Some(0), "{}", accepted.stdout);
}

#[test]
fn all_profiles_answer_the_question_what_a_file_could_be_for() {
    let (_folder, hero) = project("[limits]\njoints = 1\n");
    let all = run(&["check", "--profile", "all", text(&hero)]);
    assert_eq!(all.code, Some(0), "a question fails nothing: {}", all.stdout);
    let lines: Vec<&str> = all.stdout.lines().skip(1).collect();
    assert_eq!(lines.len(), profile_names().count() + 1);
    let failed = |line: &&str| line.contains(" failed") || line.contains(" very poor");
    let first = lines.iter().position(failed).unwrap_or(lines.len() - 1);
    assert!(lines[first..lines.len() - 1].iter().all(failed), "the best first: {}", all.stdout);
    assert!(first > 0, "{}", all.stdout);
}

#[test]
fn the_studio_profile_of_the_page_is_taken_as_it_stands() {
    let page = std::fs::read_to_string(Path::new(rigscope_tests::ROOT).join("docs/profiles.md")).unwrap();
    let block = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let (folder, hero) = project(block);
    let checked = json(&run(&["check", "--json", text(&hero)]).stdout);
    let sheet = &checked["profiles"][0];
    assert_eq!((&sheet["profile"], &sheet["ranks"][0]), (&"studio".into(), &"hero".into()));
    let row = |name: &str| sheet["rows"].as_array().unwrap().iter().find(|row| row["rule"] == name).unwrap().clone();
    assert_eq!(row("heads")["unknown"], "no mesh is called head*");
    assert_eq!(row("missing-names")["rank"], "hero", "the figure has clips called idle and walk");
    std::fs::create_dir(folder.path().join("props")).unwrap();
    let prop = folder.path().join("props/cup.glb");
    std::fs::write(&prop, BuiltIn::Tube.bytes()).unwrap();
    let checked = json(&run(&["check", "--json", text(&prop)]).stdout);
    assert!(checked.get("profiles").is_none(), "{checked}");
}
