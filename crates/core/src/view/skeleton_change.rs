//! Operations on the skeleton as text, as far as they name files.

/// Ending of the value of `attach=PATH` if no joints are added.
pub const NO_JOINTS: &str = ":no-joints";

/// Splits an operation such as `attach=PATH` into the text before the path, the path and the text after it. `None` if
/// it names no file.
pub(super) fn split_at_file(operation: &str) -> Option<[&str; 3]> {
    let (name, value) = operation.split_once('=')?;
    let (path, ending) = match name {
        "attach" => (value.strip_suffix(NO_JOINTS).unwrap_or(value), ""),
        "rename" => (value, ".csv"),
        "pose-as-rest" => (value, ".json"),
        _ => return None,
    };
    let end = path.len().checked_sub(ending.len()).and_then(|at| path.get(at..))?;
    // A name, a clip or the content of a file is no path.
    let is_path = end.eq_ignore_ascii_case(ending) && !path.trim_start().starts_with('{');
    let start = name.len() + 1;
    is_path.then(|| [&operation[..start], path, &operation[start + path.len()..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_are_paths() {
        for (text, expected) in [
            ("attach=a b.glb", ["attach=", "a b.glb", ""]),
            ("attach=C:\\a=b.glb:no-joints", ["attach=", "C:\\a=b.glb", ":no-joints"]),
            ("rename=table.CSV", ["rename=", "table.CSV", ""]),
            ("pose-as-rest=t.json", ["pose-as-rest=", "t.json", ""]),
        ] {
            assert_eq!(split_at_file(text), Some(expected), "{text}");
        }
        for text in ["reset-binds", "rename=mixamo", "rename={\"a\":\"b.csv", "pose-as-rest=é", "add-root=x.csv"] {
            assert_eq!(split_at_file(text), None, "{text}");
        }
    }
}
