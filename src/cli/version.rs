use clap::Args;

use super::Console;

#[derive(Args, Debug)]
pub struct VersionArgs {}

impl VersionArgs {
    pub fn run(&self, console: &Console) -> Result<(), String> {
        let features =
            [("window", cfg!(feature = "window")), ("gl", cfg!(feature = "gl")), ("fbx", cfg!(feature = "fbx"))];
        let [with, without] = [true, false].map(|is_built| {
            let names: Vec<&str> = features.iter().filter(|(_, has)| *has == is_built).map(|(name, _)| *name).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        });
        console.print_own(
            format!(
                "rigscope {}\nfeatures: {with}\nleft out: {without}\nsystem: {} {}\n",
                env!("CARGO_PKG_VERSION"),
                std::env::consts::OS,
                std::env::consts::ARCH
            )
            .as_bytes(),
        )
    }
}
