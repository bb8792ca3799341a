use super::origin::Origin;

/// What a report contains besides the character.
#[derive(Clone, Copy, Debug)]
pub struct ReportOptions<'a> {
    pub origin: &'a Origin,
    /// Heading of the page; `None` for the name of the file.
    pub title: Option<&'a str>,
    /// Text below the heading.
    pub note: Option<&'a str>,
    /// Whether the page has a bend test, which takes seconds.
    pub has_bend_test: bool,
}

impl<'a> ReportOptions<'a> {
    /// Creates options for a page without a bend test, with the name of the file as heading.
    pub fn new(origin: &'a Origin) -> Self {
        Self { origin, title: None, note: None, has_bend_test: false }
    }
}
