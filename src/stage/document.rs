//! The open character.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::lint::rules::{Inventory, Profile, Sheet};
use crate::analysis::lint::{Finding, Judged};
use crate::files;
use crate::import::{FileState, ImportError, ImportWarning, Imported, Job, import_bytes, import_file, import_stream};
use crate::jobs::Progress;
use crate::posing::{ClipCorrection, Limits, TransferErrors, TransferredClips, transfer_errors, transferred_clips};
use crate::project::{Config, check_rank, findings, profile};
use crate::rig::{Clip, DisabledBehaviours, NodeIndex, Pose, Rig};
use crate::stage::clip_corrections::ClipCorrections;

/// Origin of a character. In JSON a text as [`Source::full_name`] gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Source {
    /// A file, by its path.
    File(PathBuf),
    /// A character inside the program.
    BuiltIn(BuiltIn),
}

/// The characters inside the program.
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

    /// Name on the command line after `builtin:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Figure => "figure",
            Self::Tube => "tube",
        }
    }

    /// Bytes of the GLB file.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Figure => include_bytes!("../../assets/figure.glb"),
            Self::Tube => include_bytes!("../../assets/tube.glb"),
        }
    }
}

impl Source {
    /// Reads `builtin:NAME`, a path, which need not be UTF-8, or `bytes:` and a path as [`Self::full_name`] gives it.
    ///
    /// *Errors*: a built-in name that does not exist.
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

    /// Short name for titles.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => {
                path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
            }
            Self::BuiltIn(built_in) => built_in.name().to_owned(),
        }
    }

    /// Path of the file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::BuiltIn(_) => None,
        }
    }

    /// The same source wherever the program is started.
    #[must_use]
    pub fn absolute(&self) -> Self {
        match self {
            Self::File(path) => Self::File(std::path::absolute(path).unwrap_or_else(|_| path.clone())),
            Self::BuiltIn(_) => self.clone(),
        }
    }

    /// Full name, as the command line takes it. A path that is not UTF-8 is `bytes:` and the path, in which each byte that belongs to no character,
    /// and each percent sign, is a percent sign and two hexadecimal digits, as in `bytes:r%EFg.glb`.
    pub fn full_name(&self) -> String {
        match self {
            Self::File(path) => full_path(path),
            Self::BuiltIn(built_in) => format!("builtin:{}", built_in.name()),
        }
    }
}

/// Prefix of a path of which some bytes are escaped.
const ESCAPED: &str = "bytes:";

#[cfg(unix)]
fn full_path(path: &Path) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;
    match path.to_str() {
        Some(text) if !text.starts_with(ESCAPED) => text.to_owned(),
        _ => path.as_os_str().as_bytes().utf8_chunks().fold(ESCAPED.to_owned(), |mut text, chunk| {
            text += &chunk.valid().replace('%', "%25");
            // Writing to a string cannot fail.
            chunk.invalid().iter().for_each(|byte| _ = write!(text, "%{byte:02X}"));
            text
        }),
    }
}

#[cfg(not(unix))]
fn full_path(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(unix)]
fn unescaped(text: &str) -> PathBuf {
    let bytes: Vec<u8> = percent_encoding::percent_decode_str(text).collect();
    PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
}

#[cfg(not(unix))]
fn unescaped(text: &str) -> PathBuf {
    PathBuf::from(percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned())
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

/// Another file whose clips were put onto a character.
#[derive(Clone, Debug)]
pub struct ClipsFrom {
    /// Origin of the other file.
    pub source: Source,
    /// Clips found in the file, or why it cannot be read.
    pub found: Result<FoundClips, String>,
}

/// Clips that stand behind a character's own.
#[derive(Clone, Debug)]
pub struct FoundClips {
    /// Index of the first among the rig's clips.
    pub first: usize,
    /// Number of clips from the file.
    pub count: usize,
    /// Number of nodes moved by the clips that the character has.
    pub matched: usize,
    /// Names of the moved nodes that the character lacks.
    pub unmatched: Vec<String>,
    /// True where at least half of the moved nodes, or of the humanoid bones that the smaller skeleton has, were matched.
    pub is_half_matched: bool,
    /// How far the bones are from those of the source, before any correction by hand.
    pub errors: TransferErrors,
    /// The correction by hand that the rig's clips have.
    pub correction: ClipCorrection,
    /// The clips without a correction, where they have one.
    pub uncorrected: Option<Arc<[Clip]>>,
}

/// Why clips of another file are not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusedClips {
    /// The file cannot be read, or none of its clips moves a joint of the character.
    Unusable(String),
    /// Fewer than half of the joints match; the user may want the clips nevertheless.
    FewMatch(String),
}

impl ClipsFrom {
    /// Why the clips are not used, as a sentence without its full stop; `partial`: the user wants them even if few joints match.
    pub fn refusal(&self, partial: bool) -> Option<RefusedClips> {
        let name = self.source.full_name();
        match &self.found {
            Err(problem) => Some(RefusedClips::Unusable(format!("{problem} ({name})"))),
            Ok(FoundClips { count: 0, .. }) => Some(RefusedClips::Unusable(format!(
                "No clip of {name} moves a joint of this file; joints are found by name or humanoid bone"
            ))),
            Ok(found) if !found.is_half_matched && !partial => {
                Some(RefusedClips::FewMatch(format!("Only {} match", found.share(&name))))
            }
            Ok(_) => None,
        }
    }
}

impl FoundClips {
    /// Indices of the clips among the rig's.
    pub fn clips(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// The number of joints that match, as "3 of 20 joints that the clips of walk.glb move".
    pub fn share(&self, name: &str) -> String {
        format!("{} of {} joints that the clips of {name} move", self.matched, self.matched + self.unmatched.len())
    }
}

/// A character and its pose.
#[derive(Clone, Debug)]
pub struct Document {
    /// Origin of the character.
    pub source: Source,
    /// The character as loaded.
    pub rig: Arc<Rig>,
    /// Warnings of the import.
    pub warnings: Arc<[ImportWarning]>,
    /// Files that the character was read from.
    pub files: Vec<FileState>,
    /// Files that the character's file names, read or not.
    pub named_files: Vec<PathBuf>,
    /// Why data is missing that the file refers to, if so: another program may be writing it just now.
    pub missing: Option<String>,
    /// Names of the file's scenes.
    pub scenes: Vec<String>,
    /// Index of the scene that is shown; `None` in a file without scenes.
    pub scene: Option<usize>,
    /// Demands of the character's project; in words for the user why they cannot be heeded. None, unless whoever opened the file asked.
    pub settings: Result<Arc<Config>, String>,
    /// Other files whose clips stand behind the character's own.
    pub clips_from: Vec<ClipsFrom>,
    /// Corrections by hand of the clips of other files. The rig's clips have them once they are applied.
    pub clip_corrections: ClipCorrections,
    /// Pose that the user made.
    pub pose: Pose,
    /// Kinds of behaviours that do not run.
    pub switched_off: DisabledBehaviours,
    /// Angles that joints may turn by; every edit of one joint keeps to them, whole poses from elsewhere do not.
    pub limits: Limits,
    /// Joints that hold the chains below them.
    pub pinned: Vec<NodeIndex>,
}

impl Document {
    /// Other files whose clips a character may have.
    pub const MAX_CLIP_FILES: usize = 1000;

    /// Reads a character on this thread; from standard input where its path is `-`, and from a pipe to its end, see [`Job::waiting_for_pipes`].
    ///
    /// *Errors*: whatever import says.
    pub fn open(source: &Source, job: &Job) -> Result<Self, ImportError> {
        let Imported { rig, warnings, files, named_files, scenes, scene } = match source {
            Source::File(path) if job.reads_as_stream(path) => {
                import_stream(files::open_stream(path).map_err(ImportError::Stream)?, job)?
            }
            Source::File(path) => import_file(path, job)?,
            Source::BuiltIn(built_in) => import_bytes(built_in.bytes(), job)?,
        };
        let missing = warnings.iter().find(|w| matches!(w, ImportWarning::Buffer { .. })).map(ToString::to_string);
        let document = Self::new(source.clone(), rig, warnings);
        Ok(Self { files, named_files, missing, scenes, scene, ..document })
    }

    /// Reads a character and puts the clips of other files onto it, joint by joint by name; of a file that is named more than once they are put on once. One
    /// that cannot be read is told in [`Self::clips_from`].
    ///
    /// *Errors*: as [`Self::open`], of the character; clips of more than [`Self::MAX_CLIP_FILES`].
    pub fn open_with_clips(source: &Source, clips_from: &[Source], job: &Job) -> Result<Self, ImportError> {
        Self::open(source, job)?.with_clips_of(clips_from, job)
    }

    /// Puts the clips of other files onto the character, as [`Self::open_with_clips`].
    ///
    /// *Errors*: clips of more than [`Self::MAX_CLIP_FILES`]; cancelled.
    pub fn with_clips_of(mut self, clips_from: &[Source], job: &Job) -> Result<Self, ImportError> {
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
                Ok(FoundClips { first, count, matched, unmatched, is_half_matched, errors, correction, uncorrected })
            }
        };
        self.clips_from.push(ClipsFrom { source: source.clone(), found });
        Ok(())
    }

    /// The document with the demands of its project, see [`Config::nearest`].
    #[must_use]
    pub fn in_its_project(self, job: &Job) -> Self {
        Self { settings: Config::nearest(self.source.path(), job), ..self }
    }

    /// The findings in its rig, or in that with other weights, as far as its project wants to know of them; `None` where it was cancelled.
    ///
    /// *Cost*: that of [`findings()`] and of [`Config::sheets`].
    pub fn findings(&self, rig: &Arc<Rig>, progress: &Progress) -> Option<Vec<Finding>> {
        self.judged(rig, progress).map(|(judged, _)| judged.shown)
    }

    /// [`Self::findings`] with those that the file suppresses, and the rig under the profiles and the demands on clips of its project.
    pub fn judged(&self, rig: &Arc<Rig>, progress: &Progress) -> Option<(Judged, Vec<Sheet>)> {
        judged((rig, self.file_bytes()), &self.warnings, &self.settings, progress)
    }

    /// The other file that a clip comes from, if any.
    pub fn origin_of_clip(&self, clip: usize) -> Option<&Source> {
        let has_it = |from: &&ClipsFrom| from.found.as_ref().is_ok_and(|found| found.clips().contains(&clip));
        self.clips_from.iter().find(has_it).map(|from| &from.source)
    }

    /// Size of the character's own file, without those beside it.
    pub fn file_bytes(&self) -> Option<u64> {
        match self.source {
            Source::BuiltIn(built_in) => Some(built_in.bytes().len() as u64),
            Source::File(_) => self.files.first().and_then(FileState::bytes),
        }
    }

    /// The rig under the profiles of its project, or under those that are named.
    ///
    /// *Errors*: a name that no profile has, or a rank that none of these has.
    pub fn sheets(&self, names: &[String], at_least: Option<&str>) -> Result<Vec<Sheet>, String> {
        let profiles = names.iter().map(|name| profile(name)).collect::<Result<Vec<_>, _>>()?;
        at_least.map_or(Ok(()), |rank| check_rank(rank, profiles.iter().copied()))?;
        let inventory = Inventory::new(&self.rig, self.file_bytes());
        let demanded = |profile: &Profile| at_least.and_then(|rank| profile.rank_named(rank));
        Ok(profiles.into_iter().map(|profile| profile.judge(&inventory, demanded(profile))).collect())
    }

    /// The character's own file, all that this names and those whose clips it has: nothing may be written over them.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        let clips_from = self.clips_from.iter().filter_map(|clips| clips.source.path());
        self.source.path().into_iter().chain(self.named_files.iter().map(PathBuf::as_path)).chain(clips_from)
    }

    /// Why files whose clips are wanted cannot be read, a sentence each.
    pub fn lost_clips(&self) -> impl Iterator<Item = &str> {
        self.clips_from.iter().filter_map(|clips| clips.found.as_ref().err().map(String::as_str))
    }

    /// A freshly opened character that came from no file.
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
            clips_from: Vec::new(),
            clip_corrections: ClipCorrections::default(),
            pose,
            switched_off: DisabledBehaviours::default(),
            limits: Limits::default(),
            pinned: Vec::new(),
        }
    }
}

/// The findings in a rig with the warnings of its import, as far as its project wants to know of them, and the rig under the project's profiles and demands on
/// clips; `None` where it was cancelled.
pub(super) fn judged(
    (rig, file_bytes): (&Arc<Rig>, Option<u64>),
    warnings: &[ImportWarning],
    settings: &Result<Arc<Config>, String>,
    progress: &Progress,
) -> Option<(Judged, Vec<Sheet>)> {
    let found = findings(rig, warnings, progress)?;
    let Ok(config) = settings else { return Some((Config::default().judged(rig, found, &[]), Vec::new())) };
    let sheets = config.sheets(rig, file_bytes, progress)?;
    Some((config.judged(rig, found, &sheets), sheets))
}
