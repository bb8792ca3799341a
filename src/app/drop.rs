use std::path::PathBuf;

use crate::import;
use crate::stage::Source;
use crate::state::{AfterLoad, Command, PathUse};

/// Returns commands for dropped files. Dropped poses are applied to the character dropped with them or, if there is
/// none, to the open character. For a single dropped character, the user can choose to use only its clips. Ignores
/// other files dropped with a character, such as textures, and all but the first environment map.
pub fn opened_by_drop(dropped: Vec<PathBuf>) -> Vec<Command> {
    let (mut poses, mut settings, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for path in dropped {
        match PathUse::for_dropped(&path) {
            Some(PathUse::OpenPose) => poses.push(path),
            Some(purpose) if settings.iter().all(|(known, _)| *known != purpose) => settings.push((purpose, path)),
            Some(_) => {}
            None => others.push(path),
        }
    }
    let (rigs, strange): (Vec<_>, Vec<_>) = others.into_iter().partition(|p| import::format::has_known_ending(p));
    // If no file has a known extension, opens the files anyway, because an extension may be wrong.
    let opened = if rigs.is_empty() { strange } else { rigs };
    let sources: Vec<Source> = opened.into_iter().map(Source::File).collect();
    let opening = match (sources.len(), poses.len()) {
        (0, _) => poses.into_iter().map(|path| Command::UsePath(PathUse::OpenPose, path)).collect(),
        (1, 0) => sources.into_iter().map(Command::Drop).collect(),
        (_, 0) => vec![Command::OpenAll(sources, AfterLoad::Show)],
        _ => vec![Command::OpenAll(sources, AfterLoad::Pose(poses))],
    };
    settings.into_iter().map(|(purpose, path)| Command::UsePath(purpose, path)).chain(opening).collect()
}

pub(super) fn drop_hint(ctx: &egui::Context) {
    if ctx.input(|i| i.raw.hovered_files.is_empty()) {
        return;
    }
    let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop hint"));
    let painter = ctx.layer_painter(layer);
    let screen = ctx.content_rect();
    painter.rect_filled(screen, 0.0, egui::Color32::from_black_alpha(150));
    let font = egui::FontId::proportional(20.0);
    painter.text(screen.center(), egui::Align2::CENTER_CENTER, "Drop to open", font, egui::Color32::WHITE);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropped(names: &[&str]) -> String {
        let told = |c: &Command| match c {
            Command::Drop(source) => format!("open {}", source.full_name()),
            Command::OpenAll(sources, AfterLoad::Show) => {
                format!("open all {}", sources.iter().map(Source::full_name).collect::<Vec<_>>().join(" "))
            }
            Command::UsePath(PathUse::OpenPose, path) => format!("pose {}", path.display()),
            Command::UsePath(PathUse::OpenEnvironment, path) => format!("light {}", path.display()),
            Command::OpenAll(sources, AfterLoad::Pose(poses)) => format!(
                "open {} posed {}",
                sources.iter().map(Source::full_name).collect::<Vec<_>>().join(" "),
                poses.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(" ")
            ),
            other => format!("{other:?}"),
        };
        opened_by_drop(names.iter().map(PathBuf::from).collect()).iter().map(told).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn files_dropped_together_are_opened_together() {
        assert_eq!(dropped(&["a.glb"]), "open a.glb");
        assert_eq!(dropped(&["a.glb", "b.GLTF", "c.vrm"]), "open all a.glb b.GLTF c.vrm");
        assert_eq!(dropped(&["skin.png", "a.gltf", "a.bin"]), "open a.gltf");
        assert_eq!(dropped(&["pose.json"]), "pose pose.json");
        assert_eq!(dropped(&["pose.json", "a.glb", "b.glb"]), "open a.glb b.glb posed pose.json");
        assert_eq!(dropped(&["sky.HDR"]), "light sky.HDR");
        assert_eq!(dropped(&["skin.png", "sky.hdr", "a.gltf"]), "light sky.hdr, open a.gltf");
        assert_eq!(dropped(&["model"]), "open model");
        assert_eq!(dropped(&[]), "");
    }
}
