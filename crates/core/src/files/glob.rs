use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::text::fits;

/// A case-sensitive pattern for paths below a folder.
///
/// `*` matches any number of characters of a name, `?` one character, `[a-z]` one in a range and `[!a-z]` one outside
/// it; none of these matches `/`. `{a,b}` matches `a` or `b`. `**` as a whole component matches any number of folders.
/// A pattern without `/` matches names in any folder; one that ends with `/` matches only folders. `\` escapes the next
/// character.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub struct Glob {
    text: String,
    /// One pattern per alternative of `{a,b}`.
    choices: Vec<Choice>,
}

/// A pattern without `{a,b}`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    parts: Vec<PatternComponent>,
    is_of_folders: bool,
}

/// Maximum number of patterns that the `{a,b}` groups of a text may expand to.
const MAX_CHOICES: usize = 256;

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternComponent {
    /// `**`.
    Folders,
    Name(Vec<PatternChar>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternChar {
    One(char),
    Any,
    /// `*`.
    Many,
    /// A character class; `is_outside` negates it.
    Of {
        ranges: Vec<(char, char)>,
        is_outside: bool,
    },
}

impl Glob {
    /// Parses a pattern. *Errors*: a message for the user if the pattern is invalid or cannot match any path.
    pub fn new(text: &str) -> Result<Self, String> {
        let choices = expanded(text).and_then(|texts| texts.iter().map(|text| Choice::new(text)).collect());
        let choices = choices.map_err(|problem| format!("the pattern {text:?} {problem}"))?;
        Ok(Self { text: text.to_owned(), choices })
    }

    /// Returns whether the pattern matches the components of a path. *Cost*: at most pattern length times path length.
    pub fn fits(&self, path: &[String], is_folder: bool) -> bool {
        self.choices.iter().any(|choice| choice.fits(path, is_folder))
    }
}

impl Choice {
    fn new(text: &str) -> Result<Self, &'static str> {
        let trimmed = text.strip_prefix("./").unwrap_or(text);
        let is_of_folders = trimmed.ends_with('/');
        let inside = trimmed.trim_end_matches('/').trim_start_matches('/');
        if inside.is_empty() {
            return Err("is of no path");
        }
        if inside.starts_with('!') {
            return Err("begins with !, but negation is not supported; write \\! for a literal !");
        }
        let names: Vec<&str> = inside.split('/').collect();
        if names.iter().any(|name| ["", ".", ".."].contains(name)) {
            return Err("has an empty name, . or ..; patterns are of paths below a folder");
        }
        let is_of_names = names.len() == 1 && !trimmed.starts_with('/') && trimmed == text;
        let mut parts = if is_of_names { vec![PatternComponent::Folders] } else { Vec::new() };
        for name in names {
            parts.push(if name == "**" { PatternComponent::Folders } else { PatternComponent::Name(letters(name)?) });
        }
        Ok(Self { parts, is_of_folders })
    }

    fn fits(&self, path: &[String], is_folder: bool) -> bool {
        let is_here = |part: &PatternComponent, name: &String| match part {
            PatternComponent::Folders => true,
            PatternComponent::Name(letters) => fits_name(letters, name),
        };
        let is_any = |part: &PatternComponent| *part == PatternComponent::Folders;
        (is_folder || !self.is_of_folders) && fits(&self.parts, path, is_any, is_here)
    }
}

/// Expands `{a,b}` groups; returns one text per combination of alternatives.
fn expanded(text: &str) -> Result<Vec<String>, &'static str> {
    const OPEN: &str = "has { without }; write \\{ for a literal brace";
    let mut texts = vec![String::new()];
    let mut rest = text;
    while let Some(at) = find_unescaped(rest, &['{', '}']) {
        if rest[at..].starts_with('}') {
            return Err("has } without {; write \\} for a literal brace");
        }
        let (before, inside) = (&rest[..at], &rest[at + 1..]);
        let mut choices = Vec::new();
        let mut from = 0;
        loop {
            let end = from + find_unescaped(&inside[from..], &[',', '{', '}']).ok_or(OPEN)?;
            choices.push(&inside[from..end]);
            from = end + 1;
            match inside.as_bytes()[end] {
                b',' => {}
                b'}' => break,
                _ => return Err("has a { inside of { }"),
            }
        }
        if texts.len() * choices.len() > MAX_CHOICES {
            return Err("has too many alternatives in { }");
        }
        texts =
            texts.iter().flat_map(|text| choices.iter().map(move |choice| format!("{text}{before}{choice}"))).collect();
        rest = &inside[from..];
    }
    for text in &mut texts {
        text.push_str(rest);
    }
    Ok(texts)
}

/// Returns the byte position of the first character from `letters` that is neither escaped nor inside `[ ]`.
fn find_unescaped(text: &str, letters: &[char]) -> Option<usize> {
    let (mut is_escaped, mut class_start) = (false, None);
    for (at, letter) in text.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (letter, class_start) {
            ('\\', _) => is_escaped = true,
            // A leading `]` belongs to the class.
            (']', Some(start)) if !matches!(&text[start..at], "[" | "[!" | "[^") => class_start = None,
            ('[', None) if text[at..].contains(']') => class_start = Some(at),
            (letter, None) if letters.contains(&letter) => return Some(at),
            _ => {}
        }
    }
    None
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl TryFrom<String> for Glob {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::new(&text)
    }
}

/// Parses a component of a pattern. *Errors*: the end of a message that starts with the pattern.
fn letters(name: &str) -> Result<Vec<PatternChar>, &'static str> {
    let mut found = Vec::new();
    let mut rest = name.chars();
    while let Some(letter) = rest.next() {
        found.push(match letter {
            '*' => PatternChar::Many,
            '?' => PatternChar::Any,
            '[' => ranges(&mut rest)?,
            '\\' => PatternChar::One(rest.next().ok_or("ends with \\")?),
            letter => PatternChar::One(letter),
        });
    }
    Ok(found)
}

/// Parses a character class after `[`. A leading `]` is literal.
fn ranges(rest: &mut std::str::Chars<'_>) -> Result<PatternChar, &'static str> {
    const OPEN: &str = "has a [ without ]; \\[ is the letter";
    let is_outside = rest.as_str().starts_with(['!', '^']);
    if is_outside {
        rest.next();
    }
    let mut ranges: Vec<(char, char)> = Vec::new();
    loop {
        let first = match rest.next().ok_or(OPEN)? {
            ']' if !ranges.is_empty() => return Ok(PatternChar::Of { ranges, is_outside }),
            '\\' => rest.next().ok_or(OPEN)?,
            letter => letter,
        };
        let mut behind = rest.clone();
        let last = match (behind.next(), behind.next()) {
            (Some('-'), Some(last)) if last != ']' => {
                *rest = behind;
                if last == '\\' { rest.next().ok_or(OPEN)? } else { last }
            }
            _ => first,
        };
        if last < first {
            return Err("has a range in [ ] that ends before it begins");
        }
        ranges.push((first, last));
    }
}

fn fits_name(letters: &[PatternChar], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let is_here = |letter: &PatternChar, of_name: &char| match letter {
        PatternChar::Many | PatternChar::Any => true,
        PatternChar::One(one) => one == of_name,
        PatternChar::Of { ranges, is_outside } => {
            ranges.iter().any(|(first, last)| (first..=last).contains(&of_name)) != *is_outside
        }
    };
    fits(letters, &name, |letter| *letter == PatternChar::Many, is_here)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fits_path(pattern: &str, path: &str) -> bool {
        let is_folder = path.ends_with('/');
        let names: Vec<String> = path.trim_end_matches('/').split('/').map(str::to_owned).collect();
        Glob::new(pattern).unwrap().fits(&names, is_folder)
    }

    #[test]
    fn glob_patterns_match_the_same_paths_as_in_a_shell() {
        for (pattern, of, not_of) in [
            ("old", vec!["old", "a/old", "a/b/old/"], vec!["older", "old/a", "Old"]),
            ("*.wip.glb", vec!["a.wip.glb", "x/.wip.glb"], vec!["a.glb", "a.wip.glb/b"]),
            ("old/", vec!["old/", "a/old/"], vec!["old", "a/old"]),
            ("/old", vec!["old", "old/"], vec!["a/old"]),
            ("./old", vec!["old"], vec!["a/old"]),
            ("a/*.glb", vec!["a/x.glb", "a/.glb"], vec!["a/b/x.glb", "b/a/x.glb", "x.glb"]),
            ("a/**", vec!["a/x", "a/b/c"], vec!["b/a"]),
            ("**/b/*.glb", vec!["b/x.glb", "a/b/x.glb", "a/a/b/x.glb"], vec!["b/c/x.glb"]),
            ("a/**/z.glb", vec!["a/z.glb", "a/b/z.glb", "a/b/c/z.glb"], vec!["z.glb", "b/a/z.glb"]),
            ("**", vec!["a", "a/b"], vec![]),
            ("a**b", vec!["ab", "axxb"], vec!["a/b"]),
            ("?.glb", vec!["a.glb", "é.glb"], vec![".glb", "ab.glb"]),
            ("[a-c1]x", vec!["ax", "cx", "1x"], vec!["dx", "x", "-x"]),
            ("[!a-c]x", vec!["dx", "-x"], vec!["ax"]),
            ("[]a]x", vec!["]x", "ax"], vec!["bx"]),
            ("[a-]x", vec!["ax", "-x"], vec!["bx"]),
            ("[\\]]", vec!["]"], vec!["\\"]),
            ("\\*\\[", vec!["*["], vec!["a["]),
            ("\\!a", vec!["!a"], vec!["a"]),
            ("a b é", vec!["a b é", "x/a b é"], vec!["a b"]),
            ("*.{glb,vrm}", vec!["a.glb", "x/b.vrm"], vec!["a.fbx", "a.{glb,vrm}"]),
            ("{old,wip}/{a,b}?.glb", vec!["old/a1.glb", "wip/b2.glb"], vec!["new/a1.glb", "old/c1.glb"]),
            ("a{,_old}", vec!["a", "a_old"], vec!["a_"]),
            ("{é\\,b,c}", vec!["é,b", "c"], vec!["é", "b"]),
            ("[{]x", vec!["{x"], vec!["x"]),
            ("\\{a,b\\}", vec!["{a,b}"], vec!["a", "b"]),
        ] {
            for path in of {
                assert!(fits_path(pattern, path), "{pattern} is of {path}");
            }
            for path in not_of {
                assert!(!fits_path(pattern, path), "{pattern} is not of {path}");
            }
        }
    }

    #[test]
    fn invalid_pattern_is_rejected() {
        for (text, said) in [
            ("", "is of no path"),
            ("/", "is of no path"),
            ("./", "is of no path"),
            ("!a", "begins with !"),
            ("../a", "has an empty name, . or .."),
            ("a//b", "has an empty name, . or .."),
            (".", "has an empty name, . or .."),
            ("a[b", "has a [ without ]"),
            ("a[", "has a [ without ]"),
            ("[]", "has a [ without ]"),
            ("[z-a]", "ends before it begins"),
            ("a\\", "ends with \\"),
            ("*.{glb,vrm", "has { without }"),
            ("*.glb}", "has } without {"),
            ("{a,{b,c}}", "has a { inside of { }"),
            ("{a,}", "is of no path"),
            (&"{a,b}".repeat(9), "has too many alternatives"),
        ] {
            let problem = Glob::new(text).unwrap_err();
            assert!(problem.starts_with(&format!("the pattern {text:?} ")) && problem.contains(said), "{problem}");
        }
    }

    /// Reference implementation of [`Glob::fits`]: tries every split of the path.
    fn fits_by_trying(parts: &[PatternComponent], path: &[String]) -> bool {
        match parts.split_first() {
            None => path.is_empty(),
            Some((PatternComponent::Folders, rest)) => {
                (0..=path.len()).any(|taken| fits_by_trying(rest, &path[taken..]))
            }
            Some((PatternComponent::Name(letters), rest)) => path
                .split_first()
                .is_some_and(|(name, below)| name_by_trying(letters, name) && fits_by_trying(rest, below)),
        }
    }

    fn name_by_trying(letters: &[PatternChar], name: &str) -> bool {
        match letters.split_first() {
            None => name.is_empty(),
            Some((PatternChar::Many, rest)) => {
                name.char_indices().map(|(at, _)| at).chain([name.len()]).any(|at| name_by_trying(rest, &name[at..]))
            }
            Some((letter, rest)) => name.chars().next().is_some_and(|first| {
                fits_name(std::slice::from_ref(letter), &first.to_string())
                    && name_by_trying(rest, &name[first.len_utf8()..])
            }),
        }
    }

    proptest! {
        #[test]
        fn patterns_fit_what_trying_finds(pattern in "(\\*\\*/|[ab*?]{1,3}/){0,3}([ab*?]{1,3}|\\*\\*)", path in "([ab]{1,3}/){0,3}[ab]{1,3}") {
            let glob = Glob::new(&pattern).unwrap();
            let names: Vec<String> = path.split('/').map(str::to_owned).collect();
            prop_assert_eq!(glob.fits(&names, false), fits_by_trying(&glob.choices[0].parts, &names));
        }

        #[test]
        fn no_text_is_too_odd(text in "\\PC{0,12}", path in "\\PC{1,12}") {
            if let Ok(glob) = Glob::new(&text) {
                glob.fits(&[path], false);
            }
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        let glob = Glob::new(&format!("{}b", "a*".repeat(200))).unwrap();
        assert!(!glob.fits(&["a".repeat(20_000)], false) && !Glob::new("a").unwrap().fits(&[], false));
    }
}
