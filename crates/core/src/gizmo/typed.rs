use std::fmt;

/// Maximum number of digits, so that the value stays finite.
const MAX_DIGITS: usize = 8;

/// A number typed during a drag, in the tool's unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedNumber {
    digits: String,
    is_negative: bool,
}

impl TypedNumber {
    /// Adds a digit or the first point; minus flips the sign. Returns whether the key was used.
    pub fn push(&mut self, key: char) -> bool {
        match key {
            '-' => self.is_negative = !self.is_negative,
            '.' if !self.digits.contains('.') => self.digits.push('.'),
            '0'..='9' if self.digits.len() < MAX_DIGITS => self.digits.push(key),
            _ => return false,
        }
        true
    }

    /// Removes the last digit or point, or the sign if there are none.
    pub fn backspace(&mut self) {
        if self.digits.pop().is_none() {
            self.is_negative = false;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.digits.is_empty() && !self.is_negative
    }

    pub fn value(&self) -> Option<f32> {
        let size: f32 = self.digits.parse().ok()?;
        Some(if self.is_negative { -size } else { size })
    }
}

impl fmt::Display for TypedNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negative { "-" } else { "" }, self.digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn typed(keys: &str) -> TypedNumber {
        let mut number = TypedNumber::default();
        for key in keys.chars() {
            if key == '<' {
                number.backspace();
            } else {
                number.push(key);
            }
        }
        number
    }

    #[test]
    fn keys_give_numbers() {
        let cases = [
            ("45", Some(45.0)),
            ("-12.5", Some(-12.5)),
            ("30-", Some(-30.0)),
            ("--7", Some(7.0)),
            (".5", Some(0.5)),
            ("1.2.3", Some(1.23)),
            ("9x0", Some(90.0)),
            ("12<<", None),
            ("-5<<", None),
            ("-", None),
            (".", None),
            ("", None),
        ];
        for (keys, wanted) in cases {
            assert_eq!(typed(keys).value(), wanted, "{keys}");
        }
        assert!(typed("-5<<").is_empty() && !typed("-").is_empty());
        assert_eq!(typed("12-.").to_string(), "-12.");
    }

    #[test]
    fn keys_that_mean_nothing_are_refused() {
        let mut number = typed("1.5");
        assert!(!number.push('.') && !number.push('e') && !number.push('٣'));
        assert_eq!(number, typed("1.5"));
    }

    proptest! {
        #[test]
        fn any_keys_give_a_finite_number_or_none(keys in "[-0-9.<]{0,40}") {
            prop_assert!(typed(&keys).value().is_none_or(f32::is_finite));
        }
    }

    #[test]
    fn no_more_digits_are_taken_than_anybody_means() {
        let mut number = typed("12345678");
        assert!(!number.push('9') && number.push('-'));
        assert_eq!(number.value(), Some(-12_345_678.0));
    }
}
