//! The program starts. Cargo builds it for this test. The tests of the package `rigscope-tests` run it too.

#[test]
fn version_option_prints_the_version() {
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope")).arg("--version").output();
    let told = String::from_utf8(told.expect("the program starts").stdout).expect("its output is text");
    assert_eq!(told.trim(), concat!("rigscope ", env!("CARGO_PKG_VERSION")));
}
