//! Elements of HTML and SVG, which cannot hold markup that is not theirs.

/// An element with its attributes and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    name: &'static str,
    /// Attributes, escaped, each behind a space.
    attributes: String,
    /// HTML within the element, escaped.
    content: String,
}

/// Elements that hold nothing and have no end.
const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];

impl Element {
    /// An empty element by the name of its tag.
    pub fn new(name: &'static str) -> Self {
        Self { name, attributes: String::new(), content: String::new() }
    }

    /// Styles of the program itself, in which nothing is escaped.
    pub(super) fn style(sheet: &'static str) -> Self {
        Self { content: sheet.to_owned(), ..Self::new("style") }
    }

    /// A script of the program itself, in which nothing is escaped.
    pub(super) fn script(script: String) -> Self {
        Self { content: script, ..Self::new("script") }
    }

    /// JSON that scripts of the page read as the text of the element of this id.
    pub fn json(id: &str, json: &str) -> Self {
        // Within JSON, a < is in a string.
        let content = json.replace('<', "\\u003c");
        Self { content, ..Self::new("script").with("type", "application/json").with("id", id) }
    }

    /// The element with one more attribute.
    #[must_use]
    pub fn with(mut self, attribute: &'static str, value: &str) -> Self {
        self.attributes.extend([" ", attribute, "=\"", &escaped(value), "\""]);
        self
    }

    /// The element with text at its end.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.content.push_str(&escaped(text));
        self
    }

    /// The element with a child at its end.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.content.push_str(&child.html());
        self
    }

    /// The element with children at its end.
    #[must_use]
    pub fn children(self, children: impl IntoIterator<Item = Self>) -> Self {
        children.into_iter().fold(self, Self::child)
    }

    /// HTML of the element and all within it.
    pub fn html(self) -> String {
        let Self { name, attributes, content } = self;
        if VOID.contains(&name) {
            return format!("<{name}{attributes}>");
        }
        format!("<{name}{attributes}>{content}</{name}>")
    }
}

/// Text as it stands in HTML or XML, in an element or an attribute: no markup, and characters that change the order of reading, controls and
/// what XML cannot hold replaced by U+FFFD.
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
