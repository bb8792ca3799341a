//! Wildcard matching.

/// True if a pattern matches a list. `is_any`: the element matches any number of items; `is_here`: it matches this
/// item. *Cost*: at most pattern length times list length.
pub(crate) fn fits<P, T>(
    pattern: &[P],
    items: &[T],
    is_any: impl Fn(&P) -> bool,
    is_here: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut p, mut i) = (0, 0);
    // Last wildcard, and the item up to which it matches.
    let mut any: Option<(usize, usize)> = None;
    while i < items.len() {
        match pattern.get(p) {
            Some(piece) if is_any(piece) => {
                any = Some((p, i));
                p += 1;
            }
            Some(piece) if is_here(piece, &items[i]) => (p, i) = (p + 1, i + 1),
            _ => {
                let Some((at, until)) = any else { return false };
                any = Some((at, until + 1));
                (p, i) = (at + 1, until + 1);
            }
        }
    }
    pattern[p..].iter().all(is_any)
}
