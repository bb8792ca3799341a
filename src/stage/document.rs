use std::collections::HashSet;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::lint::rules::{Inventory, Profile, ProfileReport};
use crate::analysis::lint::{Code, FilteredFindings, Finding};
use crate::files;
use crate::import::{FileState, ImportError, ImportWarning, Imported, Job, import_bytes, import_file, import_stream};
use crate::jobs::Progress;
use crate::posing::{ClipCorrection, Limits, TransferErrors, TransferredClips, transfer_errors, transferred_clips};
use crate::project::{Config, check_rank, findings, profile};
use crate::rig::{Clip, DisabledBehaviours, NodeIndex, Pin, Pose, Rig};

/// Origin of a character. JSON stores it as a string, see [`Source::full_name`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Source {
    /// Path of a file.
    File(PathBuf),
    /// A built-in character.
    BuiltIn(BuiltIn),
}

/// Built-in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltIn {
    /// A clothed human with three clips.
    Figure,
    /// A tube with four joints in a row.
    Tube,
}

impl BuiltIn {
    /// All built-in characters.
    pub const ALL: [Self; 2] = [Self::Figure, Self::Tube];

    /// Returns the name that follows `builtin:` on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Figure => "figure",
            Self::Tube => "tube",
        }
    }

    /// Returns the GLB file.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Figure => include_bytes!("../../assets/figure.glb"),
            Self::Tube => include_bytes!("../../assets/tube.glb"),
        }
    }
}

impl Source {
    /// Parses `builtin:NAME`, a path (not necessarily UTF-8), or an escaped path as in [`Self::full_name`].
    ///
    /// *Errors*: an unknown built-in name.
    pub fn parse(text: impl AsRef<OsStr>) -> Result<Self, String> {
        let text = text.as_ref();
        if let Some(escaped) = text.to_str().and_then(|t| t.strip_prefix(ESCAPED)) {
            return Ok(Self::File(unescaped(escaped)));
        }
        let Some(name) = text.to_str().and_then(|t| t.strip_prefix("builtin:")) else {
            return Ok(Self::File(PathBuf::from(text)));
        };
        BuiltIn::ALL
            .into_iter()
            .find(|b| b.name() == name)
            .map(Self::BuiltIn)
            .ok_or_else(|| format!("no built-in character is called \"{name}\"; there are figure and tube"))
    }

    /// Returns a short name for titles.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => {
                path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
            }
            Self::BuiltIn(built_in) => built_in.name().to_owned(),
        }
    }

    /// Returns the path if the source is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::BuiltIn(_) => None,
        }
    }

    /// Returns the source with an absolute path.
    #[must_use]
    pub fn absolute(&self) -> Self {
        match self {
            Self::File(path) => Self::File(std::path::absolute(path).unwrap_or_else(|_| path.clone())),
            Self::BuiltIn(_) => self.clone(),
        }
    }

    /// Returns the full name, as accepted on the command line. A path that is not UTF-8 gets the prefix `bytes:`;
    /// invalid bytes and percent signs become `%` and two hexadecimal digits, as in `bytes:r%EFg.glb`. On Windows, the
    /// separator is `/` too.
    pub fn full_name(&self) -> String {
        match self {
            Self::File(path) => full_path(path),
            Self::BuiltIn(built_in) => format!("builtin:{}", built_in.name()),
        }
    }
}

const ESCAPED: &str = "bytes:";

fn full_path(path: &Path) -> String {
    use std::fmt::Write as _;
    match path.to_str() {
        Some(text) if !text.starts_with(ESCAPED) => files::portable(text).into_owned(),
        _ => path.as_os_str().as_encoded_bytes().utf8_chunks().fold(ESCAPED.to_owned(), |mut text, chunk| {
            text += &chunk.valid().replace('%', "%25");
            // Writing to a string cannot fail.
            chunk.invalid().iter().for_each(|byte| _ = write!(text, "%{byte:02X}"));
            text
        }),
    }
}

fn unescaped(text: &str) -> PathBuf {
    files::os_string(percent_encoding::percent_decode_str(text).collect()).into()
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        source.full_name()
    }
}

impl TryFrom<String> for Source {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

/// Another file whose clips were transferred to a character.
#[derive(Clone, Debug)]
pub struct ClipSource {
    /// The other file.
    pub source: Source,
    /// Transferred clips, or an error message if the file cannot be read.
    pub found: Result<TransferredClipRange, String>,
}

/// Transferred clips, appended to a character's own.
#[derive(Clone, Debug)]
pub struct TransferredClipRange {
    /// Index of the first transferred clip in `Rig::clips`.
    pub first: usize,
    /// Number of clips.
    pub count: usize,
    /// Number of the file's animated nodes that the character also has.
    pub matched: usize,
    /// Names of the file's animated nodes that the character lacks.
    pub unmatched: Vec<String>,
    /// True if at least half of the animated nodes match, or at least half of the smaller skeleton's humanoid bones.
    pub is_half_matched: bool,
    /// Deviation of the character's bones from the source animation, before manual corrections.
    pub errors: TransferErrors,
    /// Manual correction applied to the clips.
    pub correction: ClipCorrection,
    /// The clips before correction; `None` if they are not corrected.
    pub uncorrected: Option<Arc<[Clip]>>,
}

/// Corrections of clips from other files. Contains only files that have a correction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipCorrections(Vec<(Source, ClipCorrection)>);

impl ClipCorrections {
    /// Returns the correction of a file's clips.
    pub fn get(&self, source: &Source) -> ClipCorrection {
        self.iter().find(|(known, _)| *known == source).map(|(_, correction)| correction.clone()).unwrap_or_default()
    }

    /// Sets the correction of a file's clips. An empty correction removes the entry.
    pub fn set(&mut self, source: &Source, correction: ClipCorrection) {
        self.0.retain(|(known, _)| known != source);
        if !correction.is_empty() {
            self.0.push((source.clone(), correction));
            self.0.sort_by_key(|(source, _)| source.full_name());
        }
    }

    /// True if there are no corrections.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns all corrections with their files.
    pub fn iter(&self) -> impl Iterator<Item = (&Source, &ClipCorrection)> {
        self.0.iter().map(|(source, correction)| (source, correction))
    }

    /// Returns the corrections for another rig. `node_of` maps this rig's nodes to the other rig's.
    #[must_use]
    pub fn carried(&self, node_of: impl Fn(NodeIndex) -> Option<NodeIndex>) -> Self {
        let mut carried = Self::default();
        self.iter().for_each(|(source, correction)| carried.set(source, correction.carried(&node_of)));
        carried
    }

    /// Returns the memory use of the corrections in bytes.
    pub fn bytes(&self) -> usize {
        self.iter().map(|(source, correction)| size_of_val(source) + correction.bytes()).sum()
    }
}

/// Why the clips of another file are not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClipRefusal {
    /// The file cannot be read, or its clips animate no joint of the character.
    Unusable(String),
    /// Fewer than half of the joints match. The user may still accept the clips.
    FewMatch(String),
}

impl ClipSource {
    /// Returns why the clips are not used, as a sentence without a full stop. `partial` is true if the user accepts
    /// clips with few matching joints.
    pub fn refusal(&self, partial: bool) -> Option<ClipRefusal> {
        let name = self.source.full_name();
        match &self.found {
            Err(problem) => Some(ClipRefusal::Unusable(format!("{problem} ({name})"))),
            Ok(TransferredClipRange { count: 0, .. }) => Some(ClipRefusal::Unusable(format!(
                "No clip of {name} moves a joint of this file; joints are found by name or humanoid bone"
            ))),
            Ok(found) if !found.is_half_matched && !partial => {
                Some(ClipRefusal::FewMatch(format!("Only {} match", found.share(&name))))
            }
            Ok(_) => None,
        }
    }
}

impl TransferredClipRange {
    /// Returns the range of the clips in `Rig::clips`.
    pub fn clips(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// Returns the number of matching joints as text, such as "3 of 20 joints that the clips of walk.glb move".
    pub fn share(&self, name: &str) -> String {
        format!("{} of {} joints that the clips of {name} move", self.matched, self.matched + self.unmatched.len())
    }
}

/// A character with its pose.
#[derive(Clone, Debug)]
pub struct Document {
    /// Origin of the character.
    pub source: Source,
    /// The character as loaded.
    pub rig: Arc<Rig>,
    /// Import warnings.
    pub warnings: Arc<[ImportWarning]>,
    /// Files from which the character was loaded.
    pub files: Vec<FileState>,
    /// Files that the character's file references, even if they were not read.
    pub named_files: Vec<PathBuf>,
    /// Error message if referenced data is missing, for example because another program is still writing the file.
    pub missing: Option<String>,
    /// Names of the file's scenes.
    pub scenes: Vec<String>,
    /// Index of the loaded scene; `None` for a file without scenes.
    pub scene: Option<usize>,
    /// Config of the character's project, or an error message for the user. [`Self::in_its_project`] loads the config.
    pub settings: Result<Arc<Config>, String>,
    /// Other files whose clips were transferred to the character.
    pub clips_from: Arc<Vec<ClipSource>>,
    /// Manual corrections of transferred clips. A background job applies them to the rig's clips.
    pub clip_corrections: ClipCorrections,
    /// The user's pose.
    pub pose: Pose,
    /// Disabled behaviours.
    pub switched_off: DisabledBehaviours,
    /// Joint rotation limits. Edits of single joints stay within them; loaded poses may exceed them.
    pub limits: Limits,
    /// Joints that are held in place, parents first.
    pub pins: Vec<Pin>,
}

impl Document {
    /// Maximum number of files whose clips are transferred.
    pub const MAX_CLIP_FILES: usize = 1000;

    /// Reads a character on this thread. `-` reads standard input; for pipes see [`Job::waiting_for_pipes`].
    pub fn open(source: &Source, job: &Job) -> Result<Self, ImportError> {
        let Imported { rig, warnings, files, named_files, scenes, scene } = match source {
            Source::File(path) if job.reads_as_stream(path) => {
                import_stream(files::open_stream(path).map_err(ImportError::Stream)?, job)?
            }
            Source::File(path) => import_file(path, job)?,
            Source::BuiltIn(built_in) => import_bytes(built_in.bytes(), job)?,
        };
        let missing = warnings.iter().find(|w| w.finding.code == Code::DataMissing).map(ToString::to_string);
        let document = Self::new(source.clone(), rig, warnings);
        Ok(Self { files, named_files, missing, scenes, scene, ..document })
    }

    /// Opens a built-in character, for tests.
    #[cfg(test)]
    pub(crate) fn built_in(built_in: BuiltIn) -> Self {
        Self::open(&Source::BuiltIn(built_in), &Job::default()).expect("a readable character")
    }

    /// Reads a character and transfers clips of other files to it, matching joints by name. Uses each file once, even if
    /// it is listed several times. Reports unreadable files in [`Self::clips_from`].
    ///
    /// *Errors*: see [`Self::open`]; more than [`Self::MAX_CLIP_FILES`] files.
    pub fn open_with_clips(source: &Source, clips_from: &[Source], job: &Job) -> Result<Self, ImportError> {
        Self::open(source, job)?.with_clips_from(clips_from, job)
    }

    /// Transfers the clips of other files, matching joints by name. Uses each file once, even if it is listed several
    /// times. Reports unreadable files in [`Self::clips_from`]. *Errors*: more than [`Self::MAX_CLIP_FILES`] files;
    /// cancelled.
    pub fn with_clips_from(mut self, clips_from: &[Source], job: &Job) -> Result<Self, ImportError> {
        let mut known = HashSet::new();
        let once: Vec<&Source> = clips_from.iter().filter(|other| known.insert(*other)).collect();
        if once.len() > Self::MAX_CLIP_FILES {
            return Err(ImportError::TooManyClipFiles { count: once.len(), limit: Self::MAX_CLIP_FILES });
        }
        for other in once {
            self.take_clips(other, job)?;
        }
        Ok(self)
    }

    fn take_clips(&mut self, source: &Source, job: &Job) -> Result<(), ImportError> {
        let found = match Self::open(source, job) {
            Err(ImportError::Cancelled) => return Err(ImportError::Cancelled),
            Err(problem) => Err(problem.to_string()),
            Ok(other) => {
                self.files.extend(other.files);
                let found = transferred_clips(&other.rig, &self.rig);
                let errors = transfer_errors(&other.rig, &self.rig, &found);
                let TransferredClips { mut clips, matched, unmatched, is_half_matched, .. } = found;
                let is_taken = |name: &str| self.rig.clips.iter().any(|clip| clip.name == name);
                for clip in clips.iter_mut().filter(|clip| is_taken(&clip.name)) {
                    clip.name = format!("{} ({})", clip.name, source.name());
                }
                let (first, count) = (self.rig.clips.len(), clips.len());
                self.rig = Arc::new(Arc::unwrap_or_clone(std::mem::take(&mut self.rig)).with_clips(clips));
                let (correction, uncorrected) = Default::default();
                Ok(TransferredClipRange {
                    first,
                    count,
                    matched,
                    unmatched,
                    is_half_matched,
                    errors,
                    correction,
                    uncorrected,
                })
            }
        };
        Arc::make_mut(&mut self.clips_from).push(ClipSource { source: source.clone(), found });
        Ok(())
    }

    /// Loads the config of the character's project; see [`Config::nearest`].
    #[must_use]
    pub fn in_its_project(self, job: &Job) -> Self {
        Self { settings: Config::nearest(self.source.path(), job), ..self }
    }

    /// Returns the findings according to the project's config; `None` if cancelled. The weights of `rig` may differ
    /// from the file's.
    pub fn findings(&self, rig: &Arc<Rig>, progress: &Progress) -> Option<Vec<Finding>> {
        self.judged(rig, progress).map(|(judged, _)| judged.shown)
    }

    /// Returns shown and suppressed findings, and the results of the project's profiles and clip rules; `None` if
    /// cancelled.
    pub fn judged(&self, rig: &Arc<Rig>, progress: &Progress) -> Option<(FilteredFindings, Vec<ProfileReport>)> {
        judged((rig, self.file_bytes()), &self.warnings, &self.settings, progress)
    }

    /// Returns the other file from which a clip was transferred, if any.
    pub fn origin_of_clip(&self, clip: usize) -> Option<&Source> {
        let has_it = |from: &&ClipSource| from.found.as_ref().is_ok_and(|found| found.clips().contains(&clip));
        self.clips_from.iter().find(has_it).map(|from| &from.source)
    }

    /// Returns the size of the character's main file in bytes.
    pub fn file_bytes(&self) -> Option<u64> {
        match self.source {
            Source::BuiltIn(built_in) => Some(built_in.bytes().len() as u64),
            Source::File(_) => self.files.first().and_then(FileState::bytes),
        }
    }

    /// Returns the rig's results for the named profiles. *Errors*: an unknown profile or rank.
    pub fn sheets(&self, names: &[String], at_least: Option<&str>) -> Result<Vec<ProfileReport>, String> {
        let profiles = names.iter().map(|name| profile(name)).collect::<Result<Vec<_>, _>>()?;
        at_least.map_or(Ok(()), |rank| check_rank(rank, profiles.iter().copied()))?;
        let inventory = Inventory::new(&self.rig, self.file_bytes());
        let demanded = |profile: &Profile| at_least.and_then(|rank| profile.rank_named(rank));
        Ok(profiles.into_iter().map(|profile| profile.check_rig(&inventory, demanded(profile))).collect())
    }

    /// Returns all input files, which must not be overwritten: the character's file, files it references, and clip
    /// files.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        let clips_from = self.clips_from.iter().filter_map(|clips| clips.source.path());
        self.source.path().into_iter().chain(self.named_files.iter().map(PathBuf::as_path)).chain(clips_from)
    }

    /// True if the character has springs and they are enabled.
    pub fn has_springs(&self) -> bool {
        !self.rig.behaviours().springs().is_empty() && !self.switched_off.springs
    }

    /// Returns the error messages of clip files that cannot be read.
    pub fn lost_clips(&self) -> impl Iterator<Item = &str> {
        self.clips_from.iter().filter_map(|clips| clips.found.as_ref().err().map(String::as_str))
    }

    /// Creates a document at rest from an imported rig.
    pub fn new(source: Source, rig: Rig, warnings: Vec<ImportWarning>) -> Self {
        let pose = Pose::rest(&rig.hierarchy);
        Self {
            source,
            rig: Arc::new(rig),
            warnings: warnings.into(),
            files: Vec::new(),
            named_files: Vec::new(),
            missing: None,
            scenes: Vec::new(),
            scene: None,
            settings: Ok(Arc::default()),
            clips_from: Arc::default(),
            clip_corrections: ClipCorrections::default(),
            pose,
            switched_off: DisabledBehaviours::default(),
            limits: Limits::default(),
            pins: Vec::new(),
        }
    }
}

pub(super) fn judged(
    (rig, file_bytes): (&Arc<Rig>, Option<u64>),
    warnings: &[ImportWarning],
    settings: &Result<Arc<Config>, String>,
    progress: &Progress,
) -> Option<(FilteredFindings, Vec<ProfileReport>)> {
    let found = findings(rig, warnings, progress)?;
    let Ok(config) = settings else { return Some((Config::default().judge(rig, found, &[]), Vec::new())) };
    let sheets = config.sheets(rig, file_bytes, progress)?;
    Some((config.judge(rig, found, &sheets), sheets))
}
