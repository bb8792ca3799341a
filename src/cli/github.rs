//! Annotations of GitHub Actions: `::error file=PATH,title=TITLE::MESSAGE`. GitHub shows at most ten errors, ten warnings
//! and ten notices per step, so that what belongs together shares an annotation. *Source*: "Workflow commands for GitHub
//! Actions".

use super::console::Line;

/// Maximum number of messages in one annotation.
pub(super) const MAX_MESSAGES: usize = 10;

/// Returns an annotation. `command` is error, warning or notice.
pub(super) fn annotation(command: &str, file: &str, title: &str, message: &str) -> Line {
    Line::plain(&format!(
        "::{command} file={},title={}::{}",
        property(file.trim_start_matches("./")),
        property(title),
        data(message)
    ))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        let line = annotation("error", "a:b,c\n.glb", "50 %", "first: 1, 2\nsecond");
        assert_eq!(line.to_string(), "::error file=a%3Ab%2Cc%0A.glb,title=50 %25::first: 1, 2%0Asecond");
    }
}
