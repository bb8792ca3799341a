//! The frame of a page with scripts, and its tables and sections.

use crate::page::escaped;

/// A whole page around its body. What is in it may not load anything: browsers hold it to that.
pub(super) fn framed(title: &str, body: &str, script: &str) -> String {
    let (title, style) = (escaped(title), include_str!("page.css"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n<script>\n{script}</script>\n</body>\n</html>\n"
    )
}

/// A table; cells are HTML already. Numbers stand right.
pub(super) fn table(heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let cells =
        |tag: &str, cells: &[String]| cells.iter().map(|c| format!("<{tag}>{c}</{tag}>")).collect::<Vec<_>>().concat();
    let heads: Vec<String> = heads.iter().map(|head| escaped(head)).collect();
    let rows: Vec<String> = rows.into_iter().map(|row| format!("<tr>{}</tr>\n", cells("td", &row))).collect();
    let (head, rows) = (cells("th", &heads), rows.concat());
    format!("<div class=\"wide\"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>\n")
}

/// A part of the page with a heading.
pub(super) fn section(id: &str, title: &str, inside: &str) -> String {
    format!("<section id=\"{id}\">\n<h2>{}</h2>\n{inside}</section>\n", escaped(title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_text() {
        assert!(framed("</title><script>", "", "").contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
    }
}
