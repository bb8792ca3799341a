use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::Console;
use crate::cli::numbers::{self, within};
use crate::cli::suggestions::with_suggestions;
use crate::environment::EnvironmentMap;
use crate::stage::Stage;
use crate::view::{Environment, EnvironmentFile, Lighting, ShadingMode};

#[derive(Args, Clone, Debug)]
pub(super) struct ShadingArgs {
    /// Shading of the skin: textured, clay, normals, uv-checker, matcap or flat [default: the session's, else textured]
    #[arg(long = "shading", alias = "look", value_name = "NAME", value_parser = with_suggestions(ShadingMode::ALL.map(shading_name), parse_shading), conflicts_with = "clay")]
    #[arg(hide_possible_values = true)]
    shading: Option<ShadingMode>,

    /// Short for --shading clay
    #[arg(long)]
    clay: bool,

    /// Environment: studio, neutral, outdoor, or an environment map [default: the session's, else studio]
    #[arg(long, value_name = "NAME|FILE.hdr", value_parser = with_suggestions(Environment::ALL.map(environment_name), parse_environment))]
    #[arg(hide_possible_values = true)]
    environment: Option<EnvironmentChoice>,

    /// Show the environment as background, blurred, with textured shading
    #[arg(long = "show-environment", alias = "backdrop")]
    backdrop: bool,

    /// Rotation of the environment about the vertical, in degrees [default: the session's, else 0]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = within(numbers::TURNS, "degrees"))]
    light_angle: Option<f32>,

    /// Exposure, in stops [default: the session's, else 0]
    #[arg(long, value_name = "STOPS", allow_negative_numbers = true, value_parser = within(Lighting::EXPOSURES, "stops"))]
    exposure: Option<f32>,
}

#[derive(Clone, Debug, PartialEq)]
enum EnvironmentChoice {
    BuiltIn(Environment),
    File(PathBuf),
}

impl ShadingArgs {
    pub(super) fn environment_file(&self) -> Option<&Path> {
        if let Some(EnvironmentChoice::File(path)) = &self.environment { Some(path) } else { None }
    }

    /// Applies the environment. Reads the environment map if one is given. A built-in environment replaces the
    /// session's map.
    pub(super) fn light(&self, stage: &mut Stage, console: &Console) -> Result<(), String> {
        let shown = match &self.environment {
            None => return Ok(()),
            Some(EnvironmentChoice::BuiltIn(_)) => None,
            Some(EnvironmentChoice::File(path)) => {
                let read = console.stage("Reading the environment map", |progress| {
                    EnvironmentMap::read(path, progress).map_err(|e| e.to_string())
                });
                let problem = |e| format!("The environment was not read: {e} ({})", path.display());
                Some(Arc::new(read.map_err(problem)?))
            }
        };
        stage.view.environment_file = EnvironmentFile { wanted: self.environment_file().map(Path::to_owned), shown };
        Ok(())
    }

    /// Returns the requested shading; `shown` if none was requested.
    pub(super) fn shading(&self, shown: ShadingMode) -> ShadingMode {
        self.shading.unwrap_or(if self.clay { ShadingMode::Clay } else { shown })
    }

    /// Returns the requested lighting; `shown` if none was requested.
    pub(super) fn lighting(&self, shown: Lighting) -> Lighting {
        let environment = match self.environment {
            Some(EnvironmentChoice::BuiltIn(environment)) => environment,
            _ => shown.environment,
        };
        let backdrop = self.backdrop || shown.backdrop;
        let turned =
            self.light_angle.map_or(shown, |angle| Lighting { angle: 0.0, ..shown }.turned(angle.to_radians()));
        Lighting { environment, exposure: self.exposure.unwrap_or(shown.exposure), backdrop, ..turned }
    }
}

fn shading_name(shading: ShadingMode) -> String {
    shading.name().to_lowercase().replace(' ', "-")
}

fn environment_name(environment: Environment) -> String {
    environment.name().to_lowercase()
}

fn parse_shading(text: &str) -> Result<ShadingMode, String> {
    ShadingMode::ALL
        .into_iter()
        .find(|shading| shading_name(*shading) == text)
        .ok_or_else(|| "expected textured, clay, normals, uv-checker, matcap or flat".to_owned())
}

fn parse_environment(text: &str) -> Result<EnvironmentChoice, String> {
    let built_in = Environment::ALL.into_iter().find(|environment| environment_name(*environment) == text);
    let is_environment_map = Path::new(text).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("hdr"));
    let file = || is_environment_map.then(|| EnvironmentChoice::File(text.into()));
    let unknown = || "expected studio, neutral, outdoor or a .hdr file".to_owned();
    built_in.map(EnvironmentChoice::BuiltIn).or_else(file).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shadings_and_environments_are_parsed_by_name() {
        assert_eq!(
            (parse_shading("uv-checker"), parse_environment("outdoor")),
            (Ok(ShadingMode::UvChecker), Ok(EnvironmentChoice::BuiltIn(Environment::Outdoor)))
        );
        assert_eq!(parse_environment("a/sky.HDR"), Ok(EnvironmentChoice::File("a/sky.HDR".into())));
        assert!(parse_environment("sky.png").is_err());
        assert!(parse_shading("Matcap").is_err());
        assert!(within(Lighting::EXPOSURES, "stops")("7").is_err());
    }

    #[test]
    fn unset_options_use_the_session() {
        let shown = Lighting { environment: Environment::Neutral, angle: 1.0, exposure: 2.0, backdrop: true };
        let asked = |light_angle| ShadingArgs {
            shading: None,
            clay: false,
            environment: None,
            backdrop: false,
            light_angle,
            exposure: Some(-1.0),
        };
        assert_eq!(asked(None).lighting(shown), Lighting { exposure: -1.0, ..shown });
        assert!((asked(Some(-90.0)).lighting(shown).angle + std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        assert_eq!(asked(None).shading(ShadingMode::Matcap), ShadingMode::Matcap);
    }
}
