//! HTML reports: content, and display in a browser without network access.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use common::character::Character;
use common::command::rigscope;

const PARTS: [&str; 9] =
    ["pictures", "view", "findings", "twist", "weights", "weight-problems", "cost", "skeleton", "made"];

/// Returns the text of a page after its scripts have run, and the console output. Without a browser, reports that the
/// test is skipped and returns `None`.
fn in_browser(page: &Path) -> Option<(String, String)> {
    in_browser_with(page, &["--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
}

/// Like [`in_browser`], with additional options for the browser.
fn in_browser_with(page: &Path, options: &[&str]) -> Option<(String, String)> {
    let profile = tempfile::tempdir().unwrap();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let started = names.iter().find_map(|name| {
        Command::new(name)
            .args(["--headless=new", "--no-sandbox", "--no-first-run", "--disable-background-networking"])
            .args(options)
            .arg("--host-resolver-rules=MAP * ~NOTFOUND")
            .args(["--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("file://{}", page.display()))
            .output()
            .ok()
    });
    let Some(output) = started else {
        common::skipped("there is no Chromium");
        return None;
    };
    let log = String::from_utf8_lossy(&output.stderr);
    let console = log.lines().filter(|line| line.contains("CONSOLE")).collect::<Vec<_>>().join("\n");
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), console))
}

/// Asserts that the page has all sections, that its view is drawn, that it loads nothing and that the console is empty.
/// Returns the page's HTML.
fn assert_whole(page: &Path) -> String {
    let html = std::fs::read_to_string(page).unwrap();
    for part in PARTS {
        assert!(html.contains(&format!("<section id=\"{part}\">")), "{part}");
    }
    for address in html.split("src=\"").skip(1).chain(html.split("href=\"").skip(1)) {
        assert!(address.starts_with("data:") || address.starts_with('#'), "{}", &address[..60]);
    }
    assert!(!html.contains("url(") && !html.contains("@import") && !html.contains("fetch("));
    let view = html.split("id=\"model\">").nth(1).unwrap().split("</script>").next().unwrap();
    assert!(view.len() < 2_500_000, "{}", view.len());
    if let Some((dom, console)) = in_browser(page) {
        assert_eq!(console, "");
        assert!(dom.contains("data-state=\"drawn\""), "the view is not drawn");
        assert!(dom.contains("<div id=\"player\">") && dom.contains("id=\"no-view\" hidden"), "the view is hidden");
    }
    html
}

#[test]
fn the_page_of_the_figure_has_all_parts_and_works_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("figure.html");
    rigscope(&["report".as_ref(), "builtin:figure".as_ref(), "-o".as_ref(), page.as_os_str()]).ok();
    let html = assert_whole(&page);
    assert!(html.len() < 3_000_000, "{}", html.len());
    assert!(html.contains("m high, ") && html.contains("no vertex of the file is farther than "), "what it measures");
    assert!(html.contains("rigscope report builtin:figure -o "), "how it was made");
    assert!(html.contains("<h3>LeftUpperArm</h3>") && html.matches("<svg").count() == 6);
    assert_eq!(
        html.matches("data:image/jpeg;base64,").count(),
        14,
        "rest, posed, three joints, three kinds of weights, six weight problems"
    );
}

/// Writes a copy of the page with an additional script and without the content security policy, which would block the
/// script.
fn with_script(page: &Path, script: &str) -> std::path::PathBuf {
    let html = std::fs::read_to_string(page).unwrap();
    let (before, policy) = html.split_once("<meta http-equiv").unwrap();
    let (_, after) = policy.split_once('>').unwrap();
    let (body, end) = after.rsplit_once("</body>").unwrap();
    let changed = page.with_extension("changed.html");
    std::fs::write(&changed, format!("{before}{body}<script>{script}</script></body>{end}")).unwrap();
    changed
}

/// Writes the report of the tube, which has a clip, to a folder. It is created once for all tests.
fn page_of_the_tube(folder: &Path) -> std::path::PathBuf {
    static PAGE: OnceLock<Vec<u8>> = OnceLock::new();
    let page = folder.join("tube.html");
    let content = PAGE.get_or_init(|| {
        rigscope(&["report".as_ref(), "builtin:tube".as_ref(), "-o".as_ref(), page.as_os_str()]).ok();
        std::fs::read(&page).unwrap()
    });
    std::fs::write(&page, content).unwrap();
    page
}

#[test]
fn clips_play_on_the_page_and_stop_at_the_worst_frame() {
    let folder = tempfile::tempdir().unwrap();
    let page = page_of_the_tube(folder.path());
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("Sides differ most at"), "the clips in words");
    let acts = r#"
        const press = (key) => part("turn").dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
        const told = [part("playing").hidden];
        const choose = (number) => { part("motion").value = number; part("motion").dispatchEvent(new Event("change")); };
        choose(1);
        told.push(part("playing").hidden, part("play").textContent);
        press(" ");
        told.push(part("play").textContent);
        press("w");
        told.push(Math.abs(part("time").value - model.motions[1].worst / (model.motions[1].frames - 1) * model.motions[1].duration) < 1e-3);
        press(".");
        press(",");
        press(",");
        told.push(part("seconds").textContent);
        part("play").click();
        setTimeout(() => {
            told.push(part("play").textContent, part("turn").dataset.state, model.motions[1].worst);
            choose(0);
            told.push(part("playing").hidden);
            document.title = JSON.stringify(told);
        }, 500);
    "#;
    let Some((dom, console)) = in_browser(&with_script(&page, acts)) else { return };
    assert_eq!(console, "");
    let told = dom.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    let told: Vec<serde_json::Value> = serde_json::from_str(told).unwrap_or_else(|_| panic!("{told}"));
    let seconds = told[5].as_str().unwrap();
    let expected = serde_json::json!([true, false, "Pause", "Play", true]);
    assert_eq!(told[..5], expected.as_array().unwrap()[..]);
    assert!(seconds.contains(" of ") && told[6] == "Pause" && told[7] == "drawn" && told[9] == true, "{told:?}");
}

/// Script that captures positions as computed by the page's shader: of some vertices, on both sides, in three frames of
/// each motion.
const BY_SHADER: &str = r#"
    const gl = document.createElement("canvas").getContext("webgl2");
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, skinningShader], [gl.FRAGMENT_SHADER, surfaceShader]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
    }
    gl.transformFeedbackVaryings(program, ["at"], gl.SEPARATE_ATTRIBS);
    gl.linkProgram(program);
    gl.useProgram(program);
    const uniform = (name) => gl.getUniformLocation(program, name);
    const { skin, surface, motions } = model;
    const corners = upload(gl, program, model);
    const rows = Math.ceil(skin.bind.length / 3 / JOINTS_PER_ROW);
    const palette = new Float32Array(rows * JOINTS_PER_ROW * TEXELS_PER_JOINT * 4);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, JOINTS_PER_ROW * TEXELS_PER_JOINT, rows);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.uniform1i(uniform("picture"), 1);
    gl.uniform1i(uniform("slots"), skin.slots);
    gl.uniform3fv(uniform("center"), skin.center);
    gl.uniform1f(uniform("reach"), skin.reach);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, corners * 12, gl.STREAM_READ);
    gl.enable(gl.RASTERIZER_DISCARD);
    const wedges = new Uint16Array(bytes(surface.triangles).buffer);
    const vertexOf = new Uint16Array(bytes(surface.vertices).buffer);
    const told = motions.map((motion) => [0, motion.worst, motion.frames - 1].map((frame) => [0, 1].map((share) => {
        pose(motion, skin.bind, frame / Math.max(motion.frames - 1, 1) * motion.duration, palette);
        gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, JOINTS_PER_ROW * TEXELS_PER_JOINT, rows, gl.RGBA, gl.FLOAT, palette);
        gl.uniform1f(uniform("share"), share);
        gl.beginTransformFeedback(gl.TRIANGLES);
        gl.drawArrays(gl.TRIANGLES, 0, corners);
        gl.endTransformFeedback();
        const all = new Float32Array(corners * 3);
        gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, all);
        const points = [];
        wedges.forEach((wedge, corner) => { points[vertexOf[wedge]] = [...all.slice(corner * 3, corner * 3 + 3)]; });
        return points.filter((_, vertex) => vertex % 37 === 0);
    })));
    document.body.textContent = `told:${JSON.stringify(told)}:told`;
"#;

#[test]
fn clips_of_a_page_are_in_the_order_of_the_file_whichever_is_posed() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("tube.html");
    let names = |options: &[&str]| -> Vec<String> {
        let page_and = ["report", "builtin:tube", "-o", page.to_str().unwrap()];
        rigscope(&[&page_and[..], options].concat()).ok();
        let html = std::fs::read_to_string(&page).unwrap();
        let model = html.split("id=\"model\">").nth(1).unwrap().split("</script>").next().unwrap();
        let model: serde_json::Value = serde_json::from_str(model).unwrap();
        model["motions"].as_array().unwrap().iter().skip(1).map(|motion| motion["name"].to_string()).collect()
    };
    let all = names(&[]);
    assert!(all.len() > 1, "{all:?}");
    assert_eq!(names(&["--clip", &(all.len() - 1).to_string()]), all);
}

#[test]
fn the_shader_of_a_page_has_vertices_where_the_kernels_have_them() {
    use rigscope::import::{Job, import_bytes};
    use rigscope::rig::{ClipMoment, Pose, evaluate};
    use rigscope::skinning::{Method, SkinPose, Skinner, Skinning, palettes};

    let folder = tempfile::tempdir().unwrap();
    let page = page_of_the_tube(folder.path());
    let Some((dom, _)) = in_browser(&with_script(&page, BY_SHADER)) else { return };
    let told = dom.split("told:").nth(1).unwrap_or_else(|| panic!("{}", &dom[..dom.len().min(2000)]));
    let told: Vec<[[Vec<[f32; 3]>; 2]; 3]> = serde_json::from_str(told.split(":told").next().unwrap()).unwrap();
    let html = std::fs::read_to_string(&page).unwrap();
    let model = html.split("id=\"model\">").nth(1).unwrap().split("</script>").next().unwrap();
    let model: serde_json::Value = serde_json::from_str(model).unwrap();

    let rig = std::sync::Arc::new(import_bytes(rigscope::stage::BuiltIn::Tube.bytes(), &Job::default()).unwrap().rig);
    let rest = Pose::rest(&rig.hierarchy);
    assert_eq!(told.len(), rig.clips.len() + 1);
    for (clip, of_clip) in told.iter().skip(1).enumerate() {
        let motion = &model["motions"][clip + 1];
        let [frames, worst] = ["frames", "worst"].map(|key| motion[key].as_f64().unwrap());
        for (frame, sides) in [0.0, worst, frames - 1.0].into_iter().zip(of_clip) {
            let time_secs = (frame / (frames - 1.0) * motion["duration"].as_f64().unwrap()) as f32;
            let posed = evaluate(&rig, Some(ClipMoment::new(clip, time_secs)), &rest);
            for (method, points) in [Method::Lbs, Method::Dqs].into_iter().zip(sides) {
                let skinner = Skinner::new(&rig, &Skinning::new(method)).unwrap();
                let pose = SkinPose { posed: &posed, palettes: &palettes(&rig, &posed) };
                let surfaces = skinner.deform_positions(pose);
                let all: Vec<glam::Vec3> = surfaces.iter().flatten().flat_map(|part| part.positions.clone()).collect();
                assert!(points.len() > 50, "{}", points.len());
                let off = |point: &[f32; 3]| {
                    let distances = all.iter().map(|p| p.distance((*point).into()));
                    distances.fold(f32::INFINITY, f32::min)
                };
                let max_distance = points.iter().map(off).fold(0.0, f32::max);
                assert!(max_distance < 2e-4 * rig.size(), "clip {clip}, frame {frame}, {method}: {max_distance}");
            }
        }
    }
}

#[test]
fn without_webgl_or_scripts_nothing_is_there_that_cannot_work() {
    let folder = tempfile::tempdir().unwrap();
    let page = page_of_the_tube(folder.path());
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("<div id=\"player\" hidden=\"\">")
            && html.contains("<noscript><p>The view to turn needs JavaScript")
    );
    let Some((dom, console)) = in_browser_with(&page, &["--disable-gpu", "--disable-3d-apis"]) else { return };
    assert!(console.is_empty(), "{console}");
    assert!(dom.contains("<div id=\"player\" hidden=\"\">"));
    assert!(dom.contains("id=\"no-view\">This browser draws no WebGL 2, so nothing turns here"));
    assert!(!dom.contains("data-state"));
}

/// Returns the text of a page without its tags, with white space collapsed.
fn said(html: &str) -> String {
    let texts = html.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    texts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_bend_test_is_on_the_page_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let page = |args: &[&str]| {
        let path = folder.path().join("page.html");
        rigscope(&[&["report", "builtin:tube", "-o", path.to_str().unwrap()], args].concat()).ok();
        std::fs::read_to_string(path).unwrap()
    };
    assert!(!page(&[]).contains("<section id=\"bend\">"));
    let with = page(&["--flex"]);
    let section = with.split("<section id=\"bend\">").nth(1).unwrap().split("</section>").next().unwrap();
    assert_eq!(section.matches("data:image/jpeg").count(), 6);
    assert!(section.contains("poses of") && section.contains("beyond the limits of the preset stylised"));
    let flex = rigscope(&["flex", "builtin:tube", "--worst", "1", "--json"]).ok().stdout;
    let flex: serde_json::Value = serde_json::from_str(&flex).unwrap();
    assert!(section.contains(flex["flex"]["poses"][0]["name"].as_str().unwrap()));
}

#[test]
fn the_joints_of_a_page_are_ranked_as_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let page = said(&std::fs::read_to_string(page_of_the_tube(folder.path())).unwrap());
    let printed = rigscope(&["compare", "builtin:tube", "--rank", "--json"]).ok().stdout;
    let ranked: serde_json::Value = serde_json::from_str(&printed).unwrap();
    for row in &ranked["rank"].as_array().unwrap()[..3] {
        let [loss, doubt, angle] =
            ["volume_loss", "volume_loss_uncertainty", "angle_deg"].map(|key| row[key].as_f64().unwrap());
        let [joint, motion] = ["joint", "motion"].map(|key| row[key].as_str().unwrap());
        let told = format!("{joint} {:.1} % ± {:.1} % {motion} {angle:.0}°", loss * 100.0, doubt * 100.0);
        assert!(page.contains(&told), "{told}");
    }
}

#[test]
fn findings_have_a_picture_of_their_place_and_names_are_text() {
    let folder = tempfile::tempdir().unwrap();
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    character.nodes[3]["name"] = "</script><img src=x onerror=alert(1)>".into();
    let [rig, page] = ["a.glb", "a.html"].map(|name| folder.path().join(name));
    std::fs::write(&rig, character.builder().build()).unwrap();
    rigscope(&["report".as_ref(), rig.as_os_str(), "-o".as_ref(), page.as_os_str()]).ok();
    let html = assert_whole(&page);
    assert!(html.contains("alt=\"Where finding 1 is\"") && html.contains("error RIG010"));
    assert!(html.contains(&rigscope::files::digest(&rig).unwrap()), "the hash of the file");
    assert!(!html.contains("<figure><figcaption>"), "no tile without a picture");
    assert!(html.contains("&lt;/script&gt;&lt;img src=x") && !html.contains("<img src=x"));
    let refused = rigscope(&["report".as_ref(), rig.as_os_str(), "-o".as_ref(), rig.as_os_str()]);
    assert_eq!(refused.code, Some(2), "no page over the model");
    std::fs::write(folder.path().join("rigscope.toml"), "[severity]\nRIG010 = 'note'").unwrap();
    rigscope(&["report".as_ref(), rig.as_os_str(), "-o".as_ref(), page.as_os_str()]).ok();
    let html = assert_whole(&page);
    assert!(html.contains("note RIG010") && !html.contains("error RIG010"), "as check says beside the same settings");
}

#[test]
fn a_folder_has_an_index_with_a_page_for_each_file() {
    let folder = tempfile::tempdir().unwrap();
    let (rigs, pages) = (folder.path().join("rigs"), folder.path().join("pages"));
    std::fs::create_dir_all(rigs.join("deep")).unwrap();
    for name in ["a.glb", "deep/b c.glb"] {
        std::fs::write(rigs.join(name), Character::default().builder().build()).unwrap();
    }
    std::fs::write(rigs.join("broken.glb"), b"junk").unwrap();
    let run = rigscope(&["report".as_ref(), rigs.as_os_str(), "-o".as_ref(), pages.as_os_str()]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(pages.join("a.glb.html").is_file() && pages.join("deep-b-c.glb.html").is_file());
    let index = std::fs::read_to_string(pages.join("index.html")).unwrap();
    assert!(index.contains("<td data-label=\"Errors\">0</td>") && index.contains("id=\"made\""));
    assert!(index.contains("<a href=\"deep-b-c.glb.html\"><span>deep/b c.glb</span></a>"), "{index}");
    assert!(index.matches("data:image/jpeg").count() == 2 && index.contains("broken.glb"));
    if let Some((dom, console)) = in_browser(&pages.join("index.html")) {
        assert!(console.is_empty() && dom.contains("class=\"sorted\""), "{console}");
    }
}

#[test]
fn pages_of_a_folder_are_those_of_the_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (rigs, pages) = (folder.path().join("rigs"), folder.path().join("pages"));
    std::fs::create_dir(&rigs).unwrap();
    // Findings are shown with bones. The second character has fewer joints, and different ones.
    let faulty = |extra: usize| {
        let mut character = Character::default();
        character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
        (0..extra).for_each(|i| _ = character.add_joint(&format!("Further {i}"), Some(1)));
        character.builder().build()
    };
    std::fs::write(rigs.join("a.glb"), faulty(9)).unwrap();
    let long = "b".repeat(240);
    std::fs::write(rigs.join(format!("{long}.glb")), faulty(0)).unwrap();
    let options = |inside: &[&std::ffi::OsStr]| -> Vec<std::ffi::OsString> {
        ["report".as_ref()]
            .iter()
            .chain(inside)
            .chain(&["--clip".as_ref(), "0".as_ref()])
            .map(|s| (*s).to_owned())
            .collect()
    };
    let run = |arguments: Vec<std::ffi::OsString>| {
        let arguments: Vec<&std::ffi::OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        rigscope(&arguments).ok();
    };
    run(options(&[rigs.as_os_str(), "-o".as_ref(), pages.as_os_str()]));
    let page_of = |name: &str| {
        let mut pages = std::fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().path());
        let page = pages.find(|page| page.file_name().unwrap().to_str().unwrap().starts_with(name)).unwrap();
        std::fs::read_to_string(page).unwrap()
    };
    for name in ["a", &long] {
        let alone = folder.path().join("alone.html");
        let rig = rigs.join(format!("{name}.glb"));
        run(options(&[rig.as_os_str(), "-o".as_ref(), alone.as_os_str()]));
        // Returns everything before the section about how and when the report was made.
        let made = |page: String| page.split("<section id=\"made\">").next().unwrap().to_owned();
        assert!(made(page_of(&name[..1])) == made(std::fs::read_to_string(&alone).unwrap()), "{name}");
    }
    assert!(page_of("a").contains("Posed"), "the clip is asked for");
}

#[test]
fn the_pages_of_real_rigs_work_in_a_browser() {
    let Some(samples) = common::samples() else { return };
    let folder = tempfile::tempdir().unwrap();
    for name in ["kaykit/Knight.glb", "threejs/RobotExpressive.glb"] {
        let page = folder.path().join("page.html");
        rigscope(&["report".as_ref(), samples.join(name).as_os_str(), "-o".as_ref(), page.as_os_str()]).ok();
        assert_whole(&page);
    }
}

#[test]
fn a_page_for_others_has_a_verdict_and_no_folders() {
    let folder = tempfile::tempdir().unwrap();
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    let [rig, page] = ["a.glb", "a.html"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    std::fs::write(&rig, character.builder().build()).unwrap();
    let html = |args: &[&str]| {
        rigscope(&[&["report", &rig, "-o", &page], args].concat()).ok();
        std::fs::read_to_string(&page).unwrap()
    };
    let plain = html(&["--title", "Hero <2>", "--note", "Ask Kim.\nVersion 7"]);
    assert!(
        plain.contains("<h1>Hero &lt;2&gt;</h1><p>Ask Kim.</p><p>Version 7</p><div id=\"verdict\">"),
        "the heading"
    );
    assert!(!plain.contains(folder.path().to_str().unwrap()), "no folder of this machine");
    assert!(!plain.contains("id=\"profiles\""), "no platform was asked for");
    let at = |what: &str| plain.find(what).unwrap_or_else(|| panic!("{what}"));
    assert!(
        at("id=\"verdict\"") < at("id=\"findings\"") && at("<section id=\"findings\">") < at("<section id=\"view\">")
    );
    assert!(said(&plain).contains("1 error to fix."));
    let with = html(&["--profile", "vrchat-pc"]);
    assert!(with.contains("<section id=\"profiles\">") && said(&with).contains("VRChat"));
    std::fs::write(folder.path().join("quiet.toml"), "[severity]\nRIG010 = 'off'\n").unwrap();
    let config = folder.path().join("quiet.toml");
    let quiet = html(&["--config", config.to_str().unwrap()]);
    assert!(
        !quiet.contains("RIG010") && !said(&quiet).contains("to fix"),
        "{}",
        said(&quiet).split("Pictures").next().unwrap()
    );
}
