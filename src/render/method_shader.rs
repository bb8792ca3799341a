//! The skinning methods in the vertex shader: each is a function of `skinning.glsl`, and one more calls that of the method shown.

use std::fmt::Write as _;

use super::convert::int;
use crate::skinning::Method;

/// What the uniform `method` is for a method: methods with the same function have the same number.
pub fn method_number(method: Method) -> i32 {
    let is_same = |other: &Method| other.spec().glsl == method.spec().glsl;
    int(Method::CHOICES.iter().position(is_same).unwrap_or_default())
}

/// `skinnedByMethod`, which `skinning.glsl` declares.
pub fn skinned_by_method() -> String {
    let mut cases = String::new();
    for (number, method) in Method::CHOICES.into_iter().enumerate() {
        if method_number(method) == int(number) {
            _ = writeln!(cases, "    if (method == {number}) return {}(p, n);", method.spec().glsl);
        }
    }
    format!("Skinned skinnedByMethod(vec3 p, vec3 n) {{\n{cases}    return linearlySkinned(p, n);\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_its_function_in_the_shader() {
        let shader = include_str!("skinning.glsl");
        for method in Method::CHOICES {
            let function = format!("Skinned {}(vec3 p, vec3 n) {{", method.spec().glsl);
            assert!(shader.contains(&function), "{method}: {function}");
            let case = format!("if (method == {}) return {}(p, n);", method_number(method), method.spec().glsl);
            assert_eq!(skinned_by_method().matches(&case).count(), 1, "{method}");
        }
        assert_eq!(method_number(Method::Blend(0.3)), method_number(Method::Dqs), "a mix has the same rigid end");
    }
}
