#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    name: &'static str,
    /// Escaped attributes, each preceded by a space.
    attributes: String,
    /// Escaped HTML.
    content: String,
}

/// Elements that have neither content nor an end tag.
const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];

impl Element {
    pub fn new(name: &'static str) -> Self {
        Self { name, attributes: String::new(), content: String::new() }
    }

    /// Creates an element whose content is not escaped. Use it only for the program's own text.
    pub(super) fn with_raw(name: &'static str, content: String) -> Self {
        Self { content, ..Self::new(name) }
    }

    /// Embeds JSON for scripts as the text of an element with this ID.
    pub fn json(id: &str, json: &str) -> Self {
        // In JSON, `<` occurs only in strings.
        let content = json.replace('<', "\\u003c");
        Self { content, ..Self::new("script").with("type", "application/json").with("id", id) }
    }

    #[must_use]
    pub fn with(mut self, attribute: &'static str, value: &str) -> Self {
        self.attributes.extend([" ", attribute, "=\"", &escaped(value), "\""]);
        self
    }

    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.content.push_str(&escaped(text));
        self
    }

    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.content.push_str(&child.html());
        self
    }

    #[must_use]
    pub fn children(self, children: impl IntoIterator<Item = Self>) -> Self {
        children.into_iter().fold(self, Self::child)
    }

    pub fn html(self) -> String {
        let Self { name, attributes, content } = self;
        if VOID.contains(&name) {
            return format!("<{name}{attributes}>");
        }
        format!("<{name}{attributes}>{content}</{name}>")
    }
}

/// Escapes text for HTML or XML. Replaces invalid characters and control characters, including bidirectional controls,
/// with U+FFFD.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(c),
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                escaped.push(char::REPLACEMENT_CHARACTER);
            }
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        let name = "</p><script>alert('1')</script> & \"\u{202e}\u{0}Körper";
        let element = Element::new("p").with("title", name).text(name).child(Element::new("br"));
        let safe = "&lt;/p&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;\u{fffd}\u{fffd}Körper";
        assert_eq!(element.html(), format!("<p title=\"{safe}\">{safe}<br></p>"));
        let data = Element::json("data", r#"{"a":"</script>"}"#);
        assert_eq!(data.html(), r#"<script type="application/json" id="data">{"a":"\u003c/script>"}</script>"#);
    }
}
