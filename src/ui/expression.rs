/// Evaluates arithmetic typed into number fields, such as `-(45+3)*2`. Supports numbers with decimal comma or point,
/// the operators `+ - * /`, brackets, and a trailing unit. Returns `None` for invalid input and for results that aren't
/// finite.
pub(super) fn evaluate(text: &str) -> Option<f64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.trim_end_matches(['°', 'm', 's', '%', '×']).replace(',', ".").replace('−', "-");
    let mut parser = Parser { rest: &text, depth: 0 };
    let value = parser.sum()?;
    (parser.rest.is_empty() && value.is_finite()).then_some(value)
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

/// Maximum nesting of brackets and signs. Limits the recursion depth.
const MAX_DEPTH: usize = 64;

impl Parser<'_> {
    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            if self.takes('+') {
                value += self.product()?;
            } else if self.takes('-') {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        loop {
            if self.takes('*') {
                value *= self.factor()?;
            } else if self.takes('/') {
                value /= self.factor()?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let value = if self.takes('-') {
            self.factor().map(|v| -v)
        } else if self.takes('+') {
            self.factor()
        } else if self.takes('(') {
            let value = self.sum();
            value.filter(|_| self.takes(')'))
        } else {
            self.number()
        };
        self.depth -= 1;
        value
    }

    fn number(&mut self) -> Option<f64> {
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let mut end = digits(self.rest);
        // Parses an optional exponent, as in 1e-3.
        if let Some(exponent) = self.rest[end..].strip_prefix(['e', 'E']) {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            let length = unsigned.find(|c: char| !c.is_ascii_digit()).unwrap_or(unsigned.len());
            if length > 0 {
                end += 1 + (exponent.len() - unsigned.len()) + length;
            }
        }
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        number.parse().ok()
    }

    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::evaluate;
    use proptest::prelude::*;

    #[test]
    fn arithmetic_is_done_as_on_paper() {
        for (text, value) in [
            ("42", 42.0),
            ("90/2", 45.0),
            ("-(45+3)*2", -96.0),
            (" 1 + 2 * 3 ", 7.0),
            ("(1+2)*3", 9.0),
            ("2--3", 5.0),
            ("8/4/2", 1.0),
            ("10-4-3", 3.0),
            ("1e-3*2", 0.002),
            (".5", 0.5),
            ("0,5", 0.5),
            ("−12.5°", -12.5),
            ("360/7 °", 360.0 / 7.0),
            ("1.2 m", 1.2),
        ] {
            assert_eq!(evaluate(text), Some(value), "{text}");
        }
    }

    #[test]
    fn invalid_expressions_have_no_value() {
        for text in ["", "what", "1/0", "1+", "(1", "1)", "1 2e", "..", "1.2.3", "NaN", "inf", "e5", "2(3)", "*2"] {
            assert_eq!(evaluate(text), None, "{text}");
        }
        for sign in ["(", "-", "1+("] {
            assert_eq!(evaluate(&sign.repeat(100_000)), None);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_gives_a_number(text in ".{0,40}", signs in "[-+*/().,0-9e ]{0,40}") {
            evaluate(&text);
            evaluate(&signs);
        }

        #[test]
        fn a_number_is_read_as_it_is_written(value in -1e9_f64..1e9) {
            prop_assert_eq!(evaluate(&value.to_string()), Some(value));
        }
    }
}
