use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::{Resettable, StyledStr};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use super::console::escaped;
use super::files::source;
use super::man::EXAMPLES;
use super::many_files::MANY_FILES_HELP;
use super::text_table::wrapped;
use super::{
    BakeArgs, BenchArgs, CheckArgs, CompareArgs, CompletionsArgs, Console, ConsoleArgs, ConvertArgs, DiagnoseArgs,
    DiffArgs, ExplainArgs, FlexArgs, InfoArgs, InitArgs, KitArgs, ManArgs, MemoryArgs, MotionArgs, NodesArgs,
    ProfilesArgs, RefitArgs, RenderArgs, ReportArgs, SchemaArgs, SideBArgs, VersionArgs, WeightsArgs,
};
use crate::project::nearest;
use crate::stage::Source;

/// See and measure what a skinning method does to a rigged character.
#[derive(Debug, Parser)]
#[command(version, about, after_help = EXIT_CODES)]
#[command(override_usage = "rigscope [OPTIONS] [FILE]...\n       rigscope [OPTIONS] <COMMAND>")]
pub struct Args {
    /// Rigs to open: glTF, GLB, VRM, FBX, builtin:figure or builtin:tube [default: builtin:figure]
    #[arg(value_parser = source(), value_name = "FILE")]
    pub files: Vec<Source>,

    #[command(flatten)]
    pub side_b: SideBArgs,

    /// Open the files in the running window, if any
    #[cfg(feature = "window")]
    #[arg(long, requires = "files")]
    pub reuse: bool,

    #[command(flatten)]
    pub memory: MemoryArgs,

    #[cfg(feature = "gl")]
    #[command(flatten)]
    pub device: super::DeviceArgs,

    #[command(flatten)]
    pub console: ConsoleArgs,

    #[command(subcommand)]
    pub command: Option<CliTask>,
}

const EXIT_CODES: &str = "\
Exit codes, the same for all commands:
  0  success, or the reader of the output went away, as in | head
  1  check found errors (with --strict also warnings), diff found differences, or the points of
     diagnose aren't right
  2  failure: wrong options, an unreadable or unwritable file, no display, --timeout;
     commands over many files continue with the other files

Any file may be a pipe: a named one, or the shell's <(...). Pipes in folders are left out.
A path that is not UTF-8 is printed as bytes:PATH, with each invalid byte and each percent sign
as % and two hexadecimal digits (bytes:r%EFg.glb), and can be given in this form.

Examples:
  rigscope hero.glb
  rigscope hero.glb --comparison-file old.glb
  rigscope check models --strict
  rigscope render hero.glb --clip walk --time 0.3 -o walk.png";

#[derive(Debug, Subcommand)]
pub enum CliTask {
    /// Find errors in rigs and explain how to fix them
    Check(CheckArgs),
    /// Explain lint codes: meaning, consequences, fixes in Blender, Maya and Rigscope
    Explain(ExplainArgs),
    /// List the platform profiles, or print the rules of one
    Profiles(ProfilesArgs),
    /// Describe files: counts, clips, images, size, extensions
    Info(InfoArgs),
    /// Render an image or a video, without a window or display server
    #[cfg_attr(not(feature = "gl"), command(hide = true))]
    Render(Box<RenderArgs>),
    /// Write the skinned meshes of a pose as GLB, OBJ, PLY or JSON
    Bake(BakeArgs),
    /// Convert a whole rig to GLB
    Convert(ConvertArgs),
    /// Change the skeleton without changing the character, and prove it
    Refit(Box<RefitArgs>),
    /// Measure two skinning methods: volume, area and distance
    Compare(CompareArgs),
    /// Name the mistake that explains the skinned points of another program
    Diagnose(DiagnoseArgs),
    /// Write expected matrices and points of some poses, for the tests of any engine
    Kit(KitArgs),
    /// Measure every frame of clips: where the skin fails, how clips loop, how feet slide
    Motion(MotionArgs),
    /// Bend every joint through its natural range and measure how the skin deforms
    Flex(FlexArgs),
    /// Print the local and world transform of every node
    Nodes(NodesArgs),
    /// List what changed between two versions of a rig
    Diff(DiffArgs),
    /// Measure, compute, transfer or fix skin weights
    Weights(WeightsArgs),
    /// Write an HTML report of a rig, or of every rig in a folder
    #[cfg_attr(not(feature = "gl"), command(hide = true))]
    Report(ReportArgs),
    /// Time frames on this machine, by method and layout
    #[cfg_attr(not(feature = "gl"), command(hide = true))]
    Bench(BenchArgs),
    /// Write a commented rigscope.toml
    Init(InitArgs),
    /// Print the JSON Schema of a file format, or of what a command prints with --json
    Schema(SchemaArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the man page, or write one per command
    Man(ManArgs),
    /// Print the version and the features of this build
    Version(VersionArgs),
}

impl CliTask {
    pub fn run(self, console: &Console) -> ExitCode {
        console.with_timeout(|| self.done(console))
    }

    #[cfg_attr(not(feature = "gl"), expect(clippy::match_same_arms, reason = "commands that need OpenGL say so alike"))]
    fn done(self, console: &Console) -> ExitCode {
        let done = match self {
            Self::Check(args) => args.run(console),
            Self::Explain(args) => args.run(console),
            Self::Profiles(args) => args.run(console),
            Self::Info(args) => args.run(console),
            Self::Render(args) => args.run(console),
            Self::Bake(args) => args.run(console),
            Self::Convert(args) => args.run(console),
            Self::Refit(args) => args.run(console),
            Self::Compare(args) => args.run(console),
            Self::Diagnose(args) => args.run(console),
            Self::Kit(args) => args.run(console).map(|()| ExitCode::SUCCESS),
            Self::Motion(args) => args.run(console),
            Self::Flex(args) => args.run(console),
            Self::Nodes(args) => args.run(console),
            Self::Diff(args) => args.run(console),
            Self::Weights(args) => args.run(console),
            Self::Report(args) => args.run(console),
            Self::Bench(args) => args.run(console),
            Self::Init(args) => args.run(console),
            Self::Schema(args) => args.run(console).map(|()| ExitCode::SUCCESS),
            Self::Completions(args) => args.run(command_for_completions(), console).map(|()| ExitCode::SUCCESS),
            Self::Man(args) => args.run(command(), console).map(|()| ExitCode::SUCCESS),
            Self::Version(args) => args.run(console).map(|()| ExitCode::SUCCESS),
        };
        match done {
            // Ignores the command's exit code, because the reader closed the output before the command finished.
            Ok(_) if console.is_closed() => ExitCode::SUCCESS,
            Ok(code) => code,
            Err(problem) => {
                console.error(&problem);
                ExitCode::from(2)
            }
        }
    }
}

/// Parses the arguments of the process. *Errors*: the exit code after printing help, the version or a usage error.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Args, ExitCode> {
    let words: Vec<OsString> = words.into_iter().collect();
    let problem = match try_parse(&words) {
        Ok(args) => return Ok(args),
        // Escapes control characters in the arguments and parses again, so that the error message is safe to print.
        Err(problem) => try_parse(&safe(&words)).err().unwrap_or(problem),
    };
    // Ignores errors, because there is nowhere to report them.
    let _ = problem.print();
    Err(ExitCode::from(if problem.use_stderr() { 2 } else { 0 }))
}

fn safe(words: &[OsString]) -> Vec<String> {
    words.iter().map(|word| escaped(&word.to_string_lossy()).into_owned()).collect()
}

/// Returns the command line: arguments, subcommands and their help.
pub(super) fn command() -> clap::Command {
    let program = Args::command();
    let is_used_by_some = |arg: &&Arg| USED_BY_SOME.contains(&arg.get_id().as_str());
    let options: Vec<Arg> = program.get_arguments().filter(is_used_by_some).map(|arg| arg.clone().hide(true)).collect();
    program.mut_subcommands(|command| {
        let is_own = |arg: &&Arg| command.get_arguments().any(|own| own.get_id() == arg.get_id());
        let hidden: Vec<Arg> = options.iter().filter(|arg| !is_own(arg)).cloned().collect();
        with_many_files_help(command).args(hidden)
    })
}

/// Returns the command line for shell completions. They list hidden options too, so it has options only where they are
/// used.
fn command_for_completions() -> clap::Command {
    Args::command().mut_args(|arg| if USED_BY_SOME.contains(&arg.get_id().as_str()) { arg.global(false) } else { arg })
}

/// Options that clap passes to all subcommands, though only some open files or draw.
const USED_BY_SOME: [&str; 2] = ["memory_limit", "device"];

/// Returns the error for an option that was given but changes nothing in the subcommand.
fn unused_option(command: &clap::Command, matches: &ArgMatches) -> Option<clap::Error> {
    let (name, given) = matches.subcommand()?;
    let command = command.find_subcommand(name)?;
    let is_unused = |arg: &Arg| arg.is_hide_set() && USED_BY_SOME.contains(&arg.get_id().as_str());
    let is_given = |arg: &Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let option = command.get_arguments().find(|arg| is_unused(arg) && is_given(arg))?.get_long()?;
    let message = format!("--{option} changes nothing in {name}");
    Some(command.clone().error(ErrorKind::ArgumentConflict, message))
}

/// Width of option help, characters. With the indentation, lines fit into 100 columns.
const HELP_WIDTH: usize = 88;

/// Wraps the help of options, because clap wraps only the rest of the help.
fn with_wrapped_help(command: clap::Command) -> clap::Command {
    let wrap = |text: &StyledStr| {
        let text = text.to_string();
        let paragraphs: Vec<String> = text.split("\n\n").map(|text| wrapped(text, HELP_WIDTH).join("\n")).collect();
        StyledStr::from(paragraphs.join("\n\n"))
    };
    let about = Resettable::from(command.get_about().map(wrap));
    let command = command.about(about).mut_args(|arg| {
        let help = Resettable::from(arg.get_help().map(wrap));
        let long_help = Resettable::from(arg.get_long_help().map(wrap));
        arg.help(help).long_help(long_help)
    });
    command.mut_subcommands(with_wrapped_help)
}

/// Adds how many files are processed to the help of subcommands that write a file per input, in front of the examples.
fn with_many_files_help(command: clap::Command) -> clap::Command {
    let has = |names: &[&str]| command.get_arguments().any(|arg| names.contains(&arg.get_id().as_str()));
    let Some(help) = command.get_after_long_help().filter(|_| has(&["jobs"]) && has(&["output", "csv"])) else {
        return command;
    };
    let help = help.to_string().replace(EXAMPLES, &format!("\n{MANY_FILES_HELP}\n{EXAMPLES}"));
    command.after_long_help(help)
}

fn try_parse(words: &[impl Into<OsString> + Clone]) -> Result<Args, clap::Error> {
    let mut command = with_wrapped_help(command());
    let matches = command.try_get_matches_from_mut(words.iter().cloned())?;
    if let Some(problem) = unused_option(&command, &matches) {
        return Err(problem);
    }
    checked(Args::from_arg_matches(&matches)?)
}

/// Checks conditions that clap can't, such as a mistyped command that looks like a file.
fn checked(args: Args) -> Result<Args, clap::Error> {
    let mut command = Args::command();
    if args.command.is_some() && !args.files.is_empty() {
        return Err(command.error(ErrorKind::ArgumentConflict, "files are named after the command"));
    }
    if args.command.is_none() && args.console.timeout().is_some() {
        return Err(command.error(ErrorKind::ArgumentConflict, "--timeout is for commands; a window stays open"));
    }
    let missing = args.files.iter().filter_map(Source::path).filter(|path| !path.exists());
    let mut words = missing.filter_map(|path| path.to_str());
    let slip = words.find_map(|word| Some((word, mistyped_command(word, &command)?)));
    let Some((word, meant)) = slip else { return Ok(args) };
    let message =
        format!("there is no file \"{word}\"; did you mean the command \"{meant}\"? It goes before all files");
    Err(command.error(ErrorKind::InvalidSubcommand, message))
}

fn mistyped_command(word: &str, command: &clap::Command) -> Option<String> {
    nearest(word, command.get_subcommands().map(clap::Command::get_name)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn parsed(words: &[&str]) -> Result<Args, clap::Error> {
        Args::try_parse_from(["rigscope"].iter().chain(words)).and_then(checked)
    }

    #[test]
    fn arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn help_fits_100_columns() {
        let mut program = with_wrapped_help(command());
        program.build();
        let mut pages = vec![(String::new(), program.render_long_help())];
        pages.extend(program.get_subcommands_mut().map(|c| (c.get_name().to_owned(), c.render_long_help())));
        for (name, page) in pages {
            for line in page.to_string().lines().filter(|line| !line.starts_with("Usage")) {
                assert!(line.chars().count() <= 100, "{name}: {line}");
            }
        }
    }

    /// Options that take another value in some commands, and why they share a name.
    const SEVERAL_VALUES: [(&str, &str); 5] = [
        ("joint", "bend tests take a pattern, because they may bend many joints"),
        ("only", "which rows are printed: findings by code, changes by kind, times by name"),
        ("output", "kits and man pages are folders"),
        ("sheet", "render writes the sheet itself, others beside their result"),
        ("with", "pictures also compare with the rest pose"),
    ];

    #[test]
    fn an_option_takes_the_same_value_in_all_commands() {
        let mut program = with_wrapped_help(command());
        program.build();
        let mut values = BTreeMap::<String, BTreeSet<String>>::new();
        let mut names = BTreeMap::<char, BTreeSet<String>>::new();
        for arg in program.get_subcommands().flat_map(clap::Command::get_arguments) {
            let Some(long) = arg.get_long() else { continue };
            let takes = arg.get_value_names().filter(|_| arg.get_action().takes_values()).unwrap_or_default().join(" ");
            // Names of output files differ in their endings.
            let takes = if takes.starts_with("OUT") { "OUT".to_owned() } else { takes };
            values.entry(long.to_owned()).or_default().insert(takes);
            names.entry(arg.get_short().unwrap_or(' ')).or_default().insert(long.to_owned());
        }
        names.remove(&' ');
        let several: Vec<_> = values.iter().filter(|(_, values)| values.len() > 1).collect();
        assert_eq!(
            several.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            SEVERAL_VALUES.map(|(name, _)| name),
            "{several:#?}"
        );
        assert!(names.values().all(|names| names.len() == 1), "{names:?}");
    }

    #[test]
    fn options_that_change_nothing_are_refused() {
        let refused = |words: &[&str]| {
            let words: Vec<_> = ["rigscope"].iter().chain(words).collect();
            try_parse(&words).err().map(|problem| problem.to_string())
        };
        for words in [["explain", "--memory-limit", "5"], ["--memory-limit", "5", "profiles"]] {
            assert!(refused(&words).unwrap().contains("--memory-limit changes nothing in"), "{words:?}");
        }
        assert_eq!(refused(&["check", "a.glb", "--memory-limit", "5"]), None);
        let help = |name: &str| command().find_subcommand_mut(name).unwrap().render_long_help().to_string();
        assert!(help("check").contains("--memory-limit") && !help("schema").contains("--memory-limit"));
    }

    #[test]
    fn options_for_all_go_before_and_after_the_command() {
        for words in [["-q", "--memory-limit", "7", "check", "a.glb"], ["check", "-q", "a.glb", "--memory-limit", "7"]]
        {
            let args = parsed(&words).unwrap();
            let Some(CliTask::Check(check)) = &args.command else { panic!("{words:?}") };
            assert_eq!(check.memory_bytes(), 7 << 20, "{words:?}");
            assert!(Console::new(args.console).is_quiet(), "{words:?}");
        }
        assert!(parsed(&["-q", "-v"]).is_err());
    }

    #[test]
    fn a_file_that_is_nearly_a_command_is_reported() {
        for (words, meant) in
            [(["chek", "a.glb"], "check"), (["a.glb", "render"], "render"), (["infos", "a.glb"], "info")]
        {
            let message = parsed(&words).unwrap_err().to_string();
            assert!(message.contains(&format!("did you mean the command \"{meant}\"")), "{words:?}: {message}");
        }
        assert_eq!(parsed(&["character", "builtin:tube"]).unwrap().files.len(), 2);
        assert!(parsed(&["a.glb", "-q", "check", "b.glb"]).unwrap_err().to_string().contains("after the command"));
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_text_are_files() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        let name = OsStr::from_bytes(b"r\xEFg.glb");
        for words in [vec![name], vec!["check".as_ref(), name], vec!["render".as_ref(), name, "-o".as_ref(), name]] {
            assert!(Args::try_parse_from([OsStr::new("rigscope")].into_iter().chain(words)).is_ok());
        }
    }
}
