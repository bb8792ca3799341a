//! Options for the look of the skin and its lighting.

use clap::Args;

use super::angles;
use crate::cli::numbers::within;
use crate::cli::offering::offering;
use crate::view::{Environment, Lighting, Look};

/// What the skin is drawn in, and the light on it.
#[derive(Args, Debug)]
pub(super) struct LookArgs {
    /// Shading of the skin: textured, clay, normals, uv-checker, matcap or flat [default: the session's, else textured]
    #[arg(long, value_name = "LOOK", value_parser = offering(Look::ALL.map(look_name), parse_look), conflicts_with = "clay")]
    #[arg(hide_possible_values = true)]
    look: Option<Look>,

    /// Short for --look clay
    #[arg(long)]
    clay: bool,

    /// Environment light: studio, neutral or outdoor [default: the session's, else studio]
    #[arg(long, value_name = "NAME", value_parser = offering(Environment::ALL.map(environment_name), parse_environment))]
    #[arg(hide_possible_values = true)]
    environment: Option<Environment>,

    /// Rotation of the environment about the vertical, in degrees [default: the session's, else 0]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = angles::turn)]
    light_angle: Option<f32>,

    /// Exposure, in stops [default: the session's, else 0]
    #[arg(long, value_name = "STOPS", allow_negative_numbers = true, value_parser = parse_exposure)]
    exposure: Option<f32>,
}

impl LookArgs {
    /// Look of the skin; `shown` where the options name none.
    pub(super) fn look(&self, shown: Look) -> Look {
        self.look.unwrap_or(if self.clay { Look::Clay } else { shown })
    }

    /// The lighting that the options ask for; what they leave out is as in `shown`.
    pub(super) fn lighting(&self, shown: Lighting) -> Lighting {
        let environment = self.environment.unwrap_or(shown.environment);
        let turned = self.light_angle.map_or(shown, |angle| Lighting { turn: 0.0, ..shown }.turned(angle.to_radians()));
        Lighting { environment, exposure: self.exposure.unwrap_or(shown.exposure), ..turned }
    }
}

fn look_name(look: Look) -> String {
    look.name().to_lowercase().replace(' ', "-")
}

fn environment_name(environment: Environment) -> String {
    environment.name().to_lowercase()
}

fn parse_look(text: &str) -> Result<Look, String> {
    Look::ALL
        .into_iter()
        .find(|look| look_name(*look) == text)
        .ok_or_else(|| "expected textured, clay, normals, uv-checker, matcap or flat".to_owned())
}

fn parse_environment(text: &str) -> Result<Environment, String> {
    Environment::ALL
        .into_iter()
        .find(|environment| environment_name(*environment) == text)
        .ok_or_else(|| "expected studio, neutral or outdoor".to_owned())
}

fn parse_exposure(text: &str) -> Result<f32, String> {
    within(text, Lighting::EXPOSURES, "stops")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_and_environments_go_by_their_names() {
        assert_eq!(
            (parse_look("uv-checker"), parse_environment("outdoor")),
            (Ok(Look::UvChecker), Ok(Environment::Outdoor))
        );
        assert!(parse_look("Matcap").is_err() && parse_exposure("7").is_err());
    }

    #[test]
    fn what_is_not_asked_for_is_the_sessions() {
        let shown = Lighting { environment: Environment::Neutral, turn: 1.0, exposure: 2.0 };
        let asked =
            |light_angle| LookArgs { look: None, clay: false, environment: None, light_angle, exposure: Some(-1.0) };
        assert_eq!(asked(None).lighting(shown), Lighting { exposure: -1.0, ..shown });
        assert!((asked(Some(-90.0)).lighting(shown).turn + std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        assert_eq!(asked(None).look(Look::Matcap), Look::Matcap);
    }
}
