use std::fmt::Write;
use std::io::{BufRead, BufReader, Result};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::open;

const CHUNK: usize = 1 << 16;

/// Returns the SHA-256 of a regular file as 64 hexadecimal digits. *Errors*: same as [`open()`].
pub fn digest(path: &Path) -> Result<String> {
    let mut reader = BufReader::with_capacity(CHUNK, open(path)?);
    let mut hasher = Sha256::new();
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(digits(hasher));
        }
        hasher.update(chunk);
        let taken = chunk.len();
        reader.consume(taken);
    }
}

/// Returns the SHA-256 of bytes, formatted like [`digest`].
pub fn content_digest(bytes: &[u8]) -> String {
    digits(Sha256::new_with_prefix(bytes))
}

fn digits(hasher: Sha256) -> String {
    hasher.finalize().iter().fold(String::new(), |mut digits, byte| {
        _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_digest_of_the_standard() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(digest(file.path()).unwrap(), empty);
        // A million letters "a", an example in FIPS 180-2.
        std::fs::write(file.path(), vec![b'a'; 1_000_000]).unwrap();
        let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(digest(file.path()).unwrap(), million);
        assert_eq!(content_digest(&vec![b'a'; 1_000_000]), million);
        assert!(digest(Path::new("/")).is_err());
    }
}
