use glam::DVec3;

/// Returns consecutive numbers as points. *Errors*: the count isn't a multiple of three.
pub(super) fn triples(numbers: &[f64]) -> Result<Vec<DVec3>, String> {
    let (triples, rest) = numbers.as_chunks::<3>();
    if rest.is_empty() {
        Ok(triples.iter().map(|triple| DVec3::from_array(*triple)).collect())
    } else {
        Err(format!("it has {} numbers, which is not a multiple of 3", numbers.len()))
    }
}
