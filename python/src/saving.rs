//! Writes files atomically. Replaces a file that the rig was read from only if requested.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;

#[cfg(feature = "gl")]
use crate::config::Config;
use crate::detached::detached;
use crate::errors::refused;
#[cfg(feature = "gl")]
use crate::pictures::with_studio;
use crate::pose::StagedPose;
use crate::rig::SharedRig;
use rigscope::export::{
    ExportError, ExportFile, MeshFormat, MissingTextures, check_rig_name, check_vrm_name, make_finite, not_finite,
    rig_glb,
};
use rigscope::files::find_same_file;
#[cfg(feature = "gl")]
use rigscope::files::write_atomically;
use rigscope::jobs::Progress;
#[cfg(feature = "gl")]
use rigscope::report::{Origin, ReportOptions};
use rigscope::skinning::{SkinPose, Skinner};
use rigscope::view::Side;

/// Path of a file to write.
pub(crate) struct OutputPath {
    pub path: PathBuf,
    /// True if a file that the rig was read from may be replaced.
    pub over_input: bool,
}

impl OutputPath {
    /// Fails if writing to `path` would replace an input. `path` is [`Self::path`] or the path of a companion file.
    pub(crate) fn check<'a>(&self, path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Result<(), String> {
        match find_same_file(path, inputs).filter(|_| !self.over_input) {
            None => Ok(()),
            Some(input) => Err(format!(
                "{} is a file that the rig was read from and would be lost; choose another path, or pass over_input=True",
                input.display()
            )),
        }
    }

    /// Writes all files of an export, or none.
    fn write<'a>(
        &self,
        file: &ExportFile,
        inputs: impl Iterator<Item = &'a Path> + Clone,
        progress: &Progress,
    ) -> Result<(), Refusal> {
        let beside = file.paths_beside(&self.path);
        beside.iter().try_for_each(|path| self.check(path, inputs.clone())).map_err(Refusal::Input)?;
        progress.check_cancelled().ok_or(ExportError::Cancelled)?;
        Ok(file.write(&self.path)?)
    }
}

/// Why nothing was written.
enum Refusal {
    Input(String),
    Export(ExportError),
}

impl From<ExportError> for Refusal {
    fn from(problem: ExportError) -> Self {
        Self::Export(problem)
    }
}

impl Refusal {
    /// Returns the same message as the command line. `begin` is the beginning of the message, such as "The rig was not
    /// saved".
    fn words(self, begin: &str) -> String {
        match self {
            Self::Input(text) => text,
            Self::Export(problem) => format!("{begin}: {problem}"),
        }
    }
}

/// Writes the whole rig, like `rigscope convert`. Returns one sentence for each thing that the file lacks.
pub(crate) fn save(py: Python<'_>, shared: &SharedRig, output: &OutputPath) -> PyResult<Vec<String>> {
    let document = &shared.document;
    let inputs: Vec<&Path> = document.inputs().collect();
    let work = |progress: &Progress| -> Result<Vec<String>, Refusal> {
        check_rig_name(&output.path)?;
        output.check(&output.path, inputs.iter().copied()).map_err(Refusal::Input)?;
        check_vrm_name(&output.path, &document.rig)?;
        let file = rig_glb(&document.rig, progress)?;
        output.write(&file, inputs.iter().copied(), progress)?;
        Ok(file.losses())
    };
    detached(py, |progress| work(progress).map_err(|e| e.words("The rig was not saved")))?.map_err(refused)
}

/// Writes the skinned meshes of a pose, like `rigscope bake`. Returns one sentence for each thing that the file lacks.
pub(crate) fn bake(py: Python<'_>, shown: StagedPose, output: &OutputPath) -> PyResult<Vec<String>> {
    let inputs: Vec<PathBuf> = shown.inputs().map(Path::to_owned).collect();
    let inputs = || inputs.iter().map(PathBuf::as_path);
    let work = |progress: &Progress| -> Result<Vec<String>, String> {
        let format = MeshFormat::from_path(&output.path).map_err(|e| e.to_string())?;
        output.check(&output.path, inputs())?;
        let stage = shown.stage();
        let skinning = &stage.view.sides.a.skinning;
        let skinner = Skinner::new(stage.open_on(Side::A), skinning).map_err(|e| e.to_string())?;
        let pose = SkinPose { posed: stage.posed(), palettes: &stage.characters.pose().palettes };
        let mut deformed = skinner.deform_all(pose, progress).ok_or_else(|| ExportError::Cancelled.to_string())?;
        let odd = make_finite(&mut deformed);
        let stem = output.path.file_stem().unwrap_or_default().to_string_lossy();
        let file = stage
            .export_posed_meshes(&deformed, (format, &stem), MissingTextures::Omitted, progress)
            .map_err(Refusal::Export)
            .and_then(|file| {
                output.write(&file, inputs(), progress)?;
                Ok(file)
            });
        let file = file.map_err(|e| e.words("The meshes were not saved"))?;
        let told = (odd > 0).then(|| not_finite(odd));
        Ok(told.into_iter().chain(file.losses()).collect())
    };
    detached(py, |progress| work(progress))?.map_err(refused)
}

/// Content of a report besides the character.
#[cfg(feature = "gl")]
pub(crate) struct ReportContent<'a> {
    /// Its findings are on the page.
    pub config: Option<&'a Config>,
    pub title: Option<String>,
    pub note: Option<String>,
    pub has_bend_test: bool,
}

/// Writes a report, like `rigscope report`.
#[cfg(feature = "gl")]
pub(crate) fn report(
    py: Python<'_>,
    shown: StagedPose,
    content: ReportContent<'_>,
    output: OutputPath,
) -> PyResult<()> {
    let ReportContent { config, title, note, has_bend_test } = content;
    let inputs: Vec<PathBuf> = shown.inputs().map(Path::to_owned).collect();
    output.check(&output.path, inputs.iter().map(PathBuf::as_path)).map_err(refused)?;
    let settings = config.map(|config| config.settings(&shown.document));
    with_studio(py, move |studio, progress| {
        let mut stage = shown.stage();
        stage.document.settings = Ok(settings.unwrap_or_default());
        let origin = Origin::now("report in Python");
        let options = ReportOptions { origin: &origin, title: title.as_deref(), note: note.as_deref(), has_bend_test };
        let made = rigscope::report::report(studio, &stage, options, progress).map_err(|e| e.to_string())?;
        let written = write_atomically(&output.path, made.html.as_bytes());
        written.map_err(|e| format!("The report was not saved: {e} ({})", output.path.display()))
    })
}
