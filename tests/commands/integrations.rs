//! Files for other programs: the config that `init` writes, output for pull requests.

use crate::common;

use common::character::Character;
use common::command::rigscope;

#[test]
fn init_writes_a_config_that_check_reads_and_overwrites_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    rigscope(&["init", path, "--profile", "vrchat-pc"]).ok();
    let config = folder.path().join("rigscope.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    assert!(text.contains("\nprofile = [\"vrchat-pc\"]\n") && text.contains("\n# [limits]\n"), "{text}");
    let model = folder.path().join("a.glb");
    std::fs::write(&model, Character::default().builder().build()).unwrap();
    assert!(rigscope(&["check", model.to_str().unwrap()]).stdout.contains("vrchat-pc"));
    let again = rigscope(&["init", path]);
    assert!(again.code == Some(2) && again.stderr.contains("is not overwritten"), "{}", again.stderr);
    assert_eq!(std::fs::read_to_string(&config).unwrap(), text);
    assert_eq!(rigscope(&["init", "--profile", "no-such"]).code, Some(2));
}

/// Returns a rig whose weights don't sum to 1.
pub(crate) fn wrong() -> Vec<u8> {
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    character.builder().build()
}

pub(crate) fn right() -> Vec<u8> {
    Character::default().builder().build()
}

#[test]
fn statistics_count_findings_by_code() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("a.glb", wrong()), ("b.glb", wrong()), ("c.glb", right())] {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    let text = rigscope(&["check", path, "--statistics"]);
    let row = text.stdout.lines().find(|line| line.contains("RIG010")).unwrap();
    assert_eq!(text.code, Some(1));
    assert!(row.split_whitespace().take(4).eq(["2", "2", "error", "RIG010"]), "{row}");
    assert!(text.stdout.ends_with("notes\n") && !text.stdout.contains("a.glb"), "{}", text.stdout);
    let json: serde_json::Value =
        serde_json::from_str(&rigscope(&["check", path, "--statistics", "--json"]).stdout).unwrap();
    assert_eq!((json["files"].as_u64(), json["codes"][0]["files"].as_u64()), (Some(3), Some(2)));
    assert_eq!(rigscope(&["check", path, "--statistics", "--sarif"]).code, Some(2));
}

#[test]
fn names_of_tests_have_no_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let names = |weight: f32| {
        let mut character = Character::default();
        character.weigh(0, [0; 4], [weight, 0.0, 0.0, 0.0]);
        std::fs::write(&path, character.builder().build()).unwrap();
        let xml = rigscope(&["check", path.to_str().unwrap(), "--format", "junit"]).stdout;
        let name = |line: &str| line.split(" name=\"").nth(1)?.split('"').next().map(str::to_owned);
        xml.lines().filter(|line| line.contains("<testcase")).filter_map(name).collect::<Vec<_>>()
    };
    let before = names(2.0);
    assert!(before.len() == 1 && before[0].starts_with("RIG010 "), "{before:?}");
    assert_eq!(before, names(3.0), "as the values change");
}

#[test]
fn differences_are_a_table_for_pull_requests_or_annotations() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old.glb", "new.glb"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    std::fs::write(&old, right()).unwrap();
    let mut character = Character::default();
    character.nodes[3]["name"] = "a|b`<i>".into();
    std::fs::write(&new, character.builder().build()).unwrap();
    let markdown = rigscope(&["diff", &old, &new, "--format", "markdown"]);
    assert_eq!(markdown.code, Some(1));
    assert!(markdown.stdout.starts_with("### Rig changes: ") && markdown.stdout.contains("\n| --- | --- | --- |"));
    assert!(markdown.stdout.contains("a\\|b\\`&lt;i>"), "{}", markdown.stdout);
    let limit = rigscope(&["diff", &old, &new, "--format", "markdown", "--fail-over", "1"]).stdout;
    assert!(limit.contains("\n| --- | --- | --- | --- |"), "{limit}");
    let same = rigscope(&["diff", &old, &old, "--format", "markdown"]).ok().stdout;
    assert!(same.contains("The same as"), "{same}");
    let github = rigscope(&["diff", &old, &new, "--format", "github"]);
    assert!(github.code == Some(1) && github.stdout.starts_with("::error file="), "{}", github.stdout);
    let junit = rigscope(&["diff", &old, &new, "--format", "junit"]).stdout;
    assert!(junit.contains("<testcase"), "{junit}");
}

#[cfg(feature = "gl")]
#[test]
fn the_page_about_differences_has_a_picture_of_both_versions() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new, page] =
        ["old.glb", "new.glb", "page.html"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    rigscope(&["convert", "builtin:tube", "-q", "-o", &old]).ok();
    rigscope(&["weights", &old, "--max-influences", "1", "-q", "-o", &new]).ok();
    let run = rigscope(&["diff", &old, &new, "--html", &page]);
    let html = std::fs::read_to_string(&page).unwrap();
    assert_eq!(html.matches("data:image/jpeg").count(), 1, "{}", run.stderr);
    assert!(html.contains("From old.glb to new.glb.") && !html.contains(folder.path().to_str().unwrap()));
    let same = rigscope(&["diff", &old, &old, "--html", &page]);
    assert!(same.code == Some(0) && !std::fs::read_to_string(&page).unwrap().contains("data:image"));
}
