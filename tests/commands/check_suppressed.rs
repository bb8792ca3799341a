//! `rigscope check` on files that suppress findings themselves.

use serde_json::{Value, json};

use crate::check_pipeline::Project;
use crate::common::character::Character;
use crate::common::json_schema;

/// Creates a project whose `a.glb` has weights that sum to 2, with the given `extras` on its asset and its first mesh.
fn project(of_asset: &Value, of_mesh: &Value) -> Project {
    let project = Project::new();
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    let mut builder = character.builder();
    builder.json["asset"]["extras"] = of_asset.clone();
    builder.json["meshes"][0]["extras"] = of_mesh.clone();
    project.write("a.glb", builder.build());
    project
}

fn allow(reasons: &Value) -> Value {
    json!({"rigscope": {"allow": reasons}})
}

#[test]
fn suppressed_findings_are_counted_listed_and_fail_nothing() {
    let reason = "Twice as heavy for the shader.";
    let reasons = allow(&json!({"RIG010": reason}));
    for project in [project(&reasons, &json!(null)), project(&json!(null), &reasons)] {
        let plain = project.check(&["a.glb"]);
        assert_eq!(plain.code, Some(0), "{plain:?}");
        assert_eq!(
            plain.stdout,
            "a.glb\n  nothing found, 1 suppressed\n1 file: 0 with errors, 0 unreadable; 0 errors, 0 warnings, 0 notes; 1 suppressed\n"
        );
        let verbose = project.check(&["a.glb", "-v"]).stdout;
        let lines: Vec<&str> = verbose.lines().collect();
        assert!(lines[2].starts_with("  allowed RIG010  Mesh 0") && lines[3].trim() == reason, "{verbose}");
        let line: Value = serde_json::from_str(&project.check(&["a.glb", "--json"]).stdout).unwrap();
        assert_eq!((&line["status"], &line["findings"], &line["hidden"]), (&json!("ok"), &json!([]), &json!(0)));
        let suppressed = &line["suppressed"][0];
        assert_eq!(
            (&suppressed["code"], &suppressed["severity"], &suppressed["reason"]),
            (&json!("RIG010"), &json!("error"), &json!(reason))
        );
        let sarif: Value = serde_json::from_str(&project.check(&["a.glb", "--sarif"]).stdout).unwrap();
        let schema: Value = serde_json::from_str(include_str!("../common/data/sarif-2.1.0.json")).unwrap();
        assert_eq!(json_schema::faults(&schema, &sarif), [""; 0]);
        let result = &sarif["runs"][0]["results"][0];
        assert_eq!(result["suppressions"], json!([{"kind": "inSource", "justification": reason}]));
        assert_eq!(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "mesh \"Tube\", primitive 0");
        let junit = project.check(&["a.glb", "--format", "junit"]).stdout;
        assert!(junit.contains(r#"tests="2" failures="0" errors="0" skipped="1""#), "{junit}");
        assert!(junit.contains(&format!(r#"<skipped message="{reason}"/>"#)), "{junit}");
        let hidden = project.check(&["a.glb", "--ignore", "RIG010"]).stdout;
        assert!(hidden.ends_with("; 1 hidden\n"), "{hidden}");
    }
}

#[test]
fn a_suppression_without_reason_or_effect_is_a_finding() {
    let project = project(&allow(&json!({"RIG010": " ", "RIG014": "Meant."})), &allow(&json!(["RIG010"])));
    let run = project.check(&["a.glb"]);
    assert_eq!(run.code, Some(1), "what has no reason has no effect");
    for said in [
        "The file suppresses RIG010 without a reason.",
        "Mesh 0 \"Tube\" has invalid suppressions: each needs a code and a reason.",
        "note    RIG181  The file suppresses RIG014, which is not found there.",
    ] {
        assert!(run.stdout.contains(said), "{said}: {}", run.stdout);
    }
    let question = project.check(&["a.glb", "--profile", "all"]);
    assert!(!question.stdout.contains("RIG18"), "nothing was looked for");
    let sarif: Value = serde_json::from_str(&project.check(&["a.glb", "--sarif"]).stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() == 4 && results.iter().all(|result| result["suppressions"] == json!([])), "{results:?}");
}

#[test]
fn suppressed_findings_need_no_baseline() {
    let project = project(&json!(null), &json!(null));
    project.check(&[".", "--write-baseline", "known.json"]);
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    let mut builder = character.builder();
    builder.json["asset"]["extras"] = allow(&json!({"RIG010": "Meant."}));
    project.write("a.glb", builder.build());
    let run = project.check(&[".", "--baseline", "known.json"]);
    assert!(
        run.stdout.contains("unused  RIG010") && run.stdout.ends_with("; 1 suppressed; 1 unused\n"),
        "{}",
        run.stdout
    );
    project.check(&[".", "--write-baseline", "known.json"]);
    assert!(!std::fs::read_to_string(project.path("known.json")).unwrap().contains("RIG010"));
}
