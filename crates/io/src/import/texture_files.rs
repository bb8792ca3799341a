//! Searches for texture files, since paths in model files are often valid only on the exporting machine.

use std::fs::read_dir;
use std::path::{Path, PathBuf};

use super::report::ImportReport;
use super::uri::{UriData, open_named};

pub(super) fn open_in_folders(names: &[&str], folders: &[PathBuf], report: &ImportReport) -> Option<UriData> {
    folders.iter().find_map(|folder| {
        let place = existing(&places(names, folder), folder)?;
        report.record_file(&folder.join(&place));
        open_named(&place, folder).ok()
    })
}

/// Common names of texture folders beside the model. The FBX SDK extracts embedded media to `NAME.fbm`.
const USUAL: [&str; 3] = ["textures", "texture", "maps"];

const MAX_ENTRIES: usize = 10_000;

/// Returns candidate paths relative to `folder`, most likely first: `names` as relative paths, then their last
/// components in the usual texture folders.
pub(super) fn places(names: &[&str], folder: &Path) -> Vec<String> {
    let names = || names.iter().map(|name| name.replace('\\', "/")).filter(|name| !name.is_empty());
    let relative = names().filter(|name| !name.starts_with('/') && !name.contains(':'));
    let mut places: Vec<String> = relative.filter(|name| name.split('/').all(|part| part != "..")).collect();
    let folders: Vec<String> = USUAL.map(str::to_owned).into_iter().chain(media_folders(folder)).collect();
    for last in
        names().filter_map(|name| name.rsplit(['/', ':']).next().map(str::to_owned)).filter(|last| !last.is_empty())
    {
        places.push(last.clone());
        places.extend(folders.iter().map(|folder| format!("{folder}/{last}")));
    }
    let mut seen = std::collections::BTreeSet::new();
    places.retain(|place| seen.insert(place.clone()));
    places
}

/// Returns the first path that exists. If none exists as written, ignores ASCII case and returns the spelling on disk.
pub(super) fn existing(places: &[String], folder: &Path) -> Option<String> {
    let exact = places.iter().find(|place| folder.join(place).is_file());
    exact.cloned().or_else(|| places.iter().find_map(|place| in_other_case(place, folder)))
}

fn in_other_case(place: &str, folder: &Path) -> Option<String> {
    let mut spelled: Vec<String> = Vec::new();
    for part in place.split('/').filter(|part| !part.is_empty() && *part != ".") {
        let within: PathBuf = spelled.iter().fold(folder.to_owned(), |path, part| path.join(part));
        spelled.push(entries(&within).find(|name| name.eq_ignore_ascii_case(part))?);
    }
    let spelled = spelled.join("/");
    folder.join(&spelled).is_file().then_some(spelled)
}

fn media_folders(folder: &Path) -> Vec<String> {
    let is_media = |name: &String| name.to_ascii_lowercase().ends_with(".fbm");
    let mut folders: Vec<String> = entries(folder).filter(is_media).collect();
    folders.sort();
    folders
}

fn entries(folder: &Path) -> impl Iterator<Item = String> {
    let entries = read_dir(folder).into_iter().flatten().take(MAX_ENTRIES).flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_beside_the_model_wherever_it_lay_on_the_disk_of_its_author() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, b"x").unwrap();
        };
        ["Body.PNG", "textures/hair.png", "Hero.fbm/eye.png", "sub/cloth.png"].into_iter().for_each(put);
        let found = |names: &[&str]| existing(&places(names, folder.path()), folder.path());
        // On Windows, a name that differs in case is a name of the file.
        let [body, eye] =
            if cfg!(windows) { ["body.png", "Hero.fbm/Eye.png"] } else { ["Body.PNG", "Hero.fbm/eye.png"] };
        assert_eq!(found(&["C:\\Users\\ann\\body.png"]).as_deref(), Some(body));
        assert_eq!(found(&["/home/ann/hair.png"]).as_deref(), Some("textures/hair.png"));
        assert_eq!(found(&["..\\..\\Eye.png"]).as_deref(), Some(eye));
        assert_eq!(found(&["", "sub\\cloth.png"]).as_deref(), Some("sub/cloth.png"));
        assert_eq!(found(&["D:/nowhere.png"]), None);
    }

    #[test]
    fn no_place_is_outside_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        for place in places(&["/etc/passwd", "../x/../../secret", "C:secret", "a/../../b"], folder.path()) {
            assert!(
                !place.starts_with('/') && !place.contains("..") && !place.contains(':') || place == "C:secret",
                "{place}"
            );
        }
    }
}
