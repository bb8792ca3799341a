//! Extracts code blocks, links and headings from Markdown.

/// A fenced code block.
pub struct Block {
    pub language: String,
    /// False if the block is marked `no-test` after its language.
    pub is_tested: bool,
    /// Lines of the block, including line ends.
    pub text: String,
    /// True if only empty lines are between this block and the previous one.
    pub is_next_to_the_last: bool,
}

/// Returns the code blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut is_inside, mut is_next) = (false, false);
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if is_inside => (is_inside, is_next) = (false, true),
            Some(marks) => {
                is_inside = true;
                let (language, is_tested) =
                    marks.strip_suffix(" no-test").map_or((marks, true), |language| (language, false));
                let (language, text) = (language.to_owned(), String::new());
                blocks.push(Block { language, is_tested, text, is_next_to_the_last: is_next });
            }
            None if is_inside => {
                let text = &mut blocks.last_mut().expect("a block has begun").text;
                text.extend([line, "\n"]);
            }
            None => is_next &= line.is_empty(),
        }
    }
    assert!(!is_inside, "a block does not end");
    blocks
}

/// Returns a page without its code blocks.
pub fn without_blocks(page: &str) -> String {
    let mut is_inside = false;
    let is_outside = |line: &&str| {
        let is_fence = line.starts_with("```");
        is_inside ^= is_fence;
        !is_inside && !is_fence
    };
    page.lines().filter(is_outside).flat_map(|line| [line, "\n"]).collect()
}

/// Returns the link and image targets of a page. Ignores code blocks and inline code.
pub fn links(page: &str) -> Vec<String> {
    let text = without_blocks(page);
    let outside_code: String = text.split('`').step_by(2).collect();
    let behind = outside_code.split("](").skip(1);
    behind.map(|rest| rest.split_once(')').expect("a link ends").0.to_owned()).collect()
}

/// Returns the anchors of a page's headings, in the form that code hosts use.
pub fn anchors(page: &str) -> Vec<String> {
    let text = without_blocks(page);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}
