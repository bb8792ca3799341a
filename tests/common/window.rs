//! The real window on a virtual display, controlled with egui's inspection protocol.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Error, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use egui::accesskit::{Node, NodeId};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, pos2};
use egui_inspection::protocol::read_handshake;
use egui_inspection::{Request, Response, read_message, write_message};

/// A running program with its own display and settings folder.
pub struct Window {
    program: Child,
    display: Child,
    /// The name of its display for other programs, such as `:1`.
    pub display_name: String,
    stream: TcpStream,
    home: Rc<tempfile::TempDir>,
}

/// A named widget.
#[derive(Debug)]
pub struct Widget {
    pub name: String,
    pub value: String,
    pub rect: Rect,
}

/// Timeout. Even on a busy machine, nothing takes longer.
pub const PATIENCE: Duration = Duration::from_mins(1);

impl Window {
    /// Starts a display and the program on it.
    pub fn open(binary: &Path, arguments: &[&str], size: [u32; 2]) -> std::io::Result<Self> {
        Self::open_at(Rc::new(tempfile::tempdir()?), binary, arguments, size)
    }

    /// Starts a window with the settings folder of another one.
    pub fn open_at(
        home: Rc<tempfile::TempDir>,
        binary: &Path,
        arguments: &[&str],
        size: [u32; 2],
    ) -> std::io::Result<Self> {
        Self::open_with(home, binary, arguments, size, &[])
    }

    /// Starts a window with additional environment variables.
    pub fn open_with(
        home: Rc<tempfile::TempDir>,
        binary: &Path,
        arguments: &[&str],
        size: [u32; 2],
        environment: &[(&str, &OsStr)],
    ) -> std::io::Result<Self> {
        let (display, name) = virtual_display(size)?;
        let address = format!("127.0.0.1:{}", free_port()?);
        let program = Command::new(binary)
            .args(arguments)
            .env("DISPLAY", &name)
            .env_remove("WAYLAND_DISPLAY")
            .env("EGUI_INSPECTION", &address)
            .env("XDG_DATA_HOME", home.path())
            .env("HOME", home.path())
            // Prevents file dialogs of the desktop.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
            .env("PATH", home.path())
            .envs(environment.iter().copied())
            .spawn()?;
        let mut window = Self { program, display, display_name: name, stream: connect(&address)?, home };
        window.resize(size)?;
        window.settle()?;
        Ok(window)
    }

    /// Returns the folder of the window's settings and data.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Ends the program with SIGKILL. Returns its settings folder.
    pub fn kill(mut self) -> std::io::Result<Rc<tempfile::TempDir>> {
        self.program.kill()?;
        self.program.wait()?;
        Ok(Rc::clone(&self.home))
    }

    /// Ends the program with SIGTERM, as a shutdown does. Returns its settings folder.
    pub fn terminate(self) -> std::io::Result<Rc<tempfile::TempDir>> {
        let told = std::process::Command::new("kill").args(["-TERM", &self.program.id().to_string()]).status()?;
        if !told.success() {
            return Err(Error::other("the program was not told to end"));
        }
        self.ended()
    }

    /// Waits until the program has ended by itself. Returns its settings folder.
    pub fn ended(mut self) -> std::io::Result<Rc<tempfile::TempDir>> {
        let start = Instant::now();
        while self.program.try_wait()?.is_none() {
            if start.elapsed() > PATIENCE {
                return Err(Error::new(ErrorKind::TimedOut, "the program does not end"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(Rc::clone(&self.home))
    }

    pub fn ask(&mut self, request: &Request) -> std::io::Result<Response> {
        write_message(&mut self.stream, request)?;
        match read_message(&mut self.stream)? {
            Response::Error { message } => Err(Error::other(message)),
            response => Ok(response),
        }
    }

    fn resize(&mut self, [width, height]: [u32; 2]) -> std::io::Result<()> {
        self.ask(&Request::Resize { width, height }).map(drop)
    }

    /// Waits until the program requests no more frames.
    pub fn settle(&mut self) -> std::io::Result<()> {
        self.ask(&Request::Settle { max_steps: 500 }).map(drop)
    }

    pub fn events(&mut self, events: Vec<Event>) -> std::io::Result<()> {
        self.ask(&Request::ApplyEvents { events }).map(drop)
    }

    /// Clicks the widget with this name, otherwise the first one whose name contains it.
    pub fn click(&mut self, name: &str) -> std::io::Result<()> {
        let at = self.find(name)?.rect.center();
        self.click_at(at)
    }

    pub fn click_at(&mut self, pos: Pos2) -> std::io::Result<()> {
        self.events(vec![Event::PointerMoved(pos)])?;
        // Sends both events in one frame, because a button held over several slow frames is not a click.
        self.events(vec![button(pos, true), button(pos, false)])?;
        self.settle()
    }

    /// Presses the button at the first point and moves through all points, without releasing it.
    pub fn drag_through(&mut self, points: &[Pos2]) -> std::io::Result<()> {
        let Some(&first) = points.first() else { return Ok(()) };
        self.events(vec![Event::PointerMoved(first)])?;
        self.events(vec![button(first, true)])?;
        for &point in points {
            self.events(vec![Event::PointerMoved(point)])?;
        }
        Ok(())
    }

    pub fn release_at(&mut self, pos: Pos2) -> std::io::Result<()> {
        self.events(vec![button(pos, false)])?;
        self.settle()
    }

    pub fn move_to(&mut self, pos: Pos2) -> std::io::Result<()> {
        self.events(vec![Event::PointerMoved(pos)])?;
        self.settle()
    }

    pub fn key(&mut self, modifiers: Modifiers, key: Key) -> std::io::Result<()> {
        for pressed in [true, false] {
            self.events(vec![Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }])?;
        }
        self.settle()
    }

    /// Types into the number field with this name.
    pub fn type_into(&mut self, name: &str, text: &str) -> std::io::Result<()> {
        self.click(name)?;
        self.key(Modifiers::COMMAND | Modifiers::CTRL, Key::A)?;
        self.events(vec![Event::Text(text.to_owned())])?;
        self.key(Modifiers::NONE, Key::Enter)
    }

    /// Returns all named widgets, in the order of the tree.
    pub fn widgets(&mut self) -> std::io::Result<Vec<Widget>> {
        let Response::Tree { accesskit: Some(tree), .. } = self.ask(&Request::GetTree)? else {
            return Err(Error::other("the program has no tree yet"));
        };
        let mut widgets = Vec::new();
        if let Some(root) = tree.tree.map(|t| t.root).or_else(|| tree.nodes.first().map(|n| n.0)) {
            collect(&tree.nodes, root, (0.0, 0.0), &mut widgets);
        }
        Ok(widgets)
    }

    /// Returns the widget with this name, otherwise the first one whose name or value contains it.
    pub fn find(&mut self, name: &str) -> std::io::Result<Widget> {
        let mut widgets = self.widgets()?;
        let at = widgets
            .iter()
            .position(|w| w.name == name)
            .or_else(|| widgets.iter().position(|w| w.name.contains(name) || w.value.contains(name)))
            .ok_or_else(|| Error::new(ErrorKind::NotFound, format!("no widget is named {name:?}")))?;
        Ok(widgets.swap_remove(at))
    }

    /// Takes a screenshot once nothing moves any more, pixels.
    pub fn screenshot(&mut self) -> std::io::Result<image::RgbaImage> {
        self.settle()?;
        // Edges are refined shortly after the last motion.
        std::thread::sleep(Duration::from_millis(250));
        self.settle()?;
        match self.ask(&Request::GetScreenshot { pixels_per_point: None })? {
            Response::Screenshot(png) => Ok(image::load_from_memory(&png.bytes).map_err(Error::other)?.to_rgba8()),
            other => Err(Error::other(format!("{other:?} is no picture"))),
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
        // The X server ends by itself when its only client disconnects, and removes its lock file. If it were killed, the file would remain, and new servers
        // would compete for its display number.
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(5) && matches!(self.display.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.display.kill();
        let _ = self.display.wait();
    }
}

/// Returns a port that no other window of this process uses, outside the range of ports that the system assigns.
fn free_port() -> std::io::Result<u16> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id().wrapping_mul(37);
    (0..1_000)
        .map(|_| 12_000 + (first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % 16_000) as u16)
        .find(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok())
        .ok_or_else(|| Error::new(ErrorKind::AddrInUse, "no port is free"))
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// Starts an X server without a screen. Returns it with the display name that it chose.
fn virtual_display([width, height]: [u32; 2]) -> std::io::Result<(Child, String)> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock();
    let screen = format!("{width}x{height}x24");
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp", "-terminate"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut number = String::new();
    let output = server.stdout.take().ok_or_else(|| Error::other("Xvfb says nothing"))?;
    BufReader::new(output).read_line(&mut number)?;
    Ok((server, format!(":{}", number.trim())))
}

fn connect(address: &str) -> std::io::Result<TcpStream> {
    let start = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => {
                stream.set_read_timeout(Some(PATIENCE))?;
                read_handshake(&stream)?;
                return Ok(stream);
            }
            Err(problem) if start.elapsed() > PATIENCE => return Err(problem),
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}

fn collect(nodes: &[(NodeId, Node)], id: NodeId, offset: (f64, f64), widgets: &mut Vec<Widget>) {
    let Some((_, node)) = nodes.iter().find(|(n, _)| *n == id) else { return };
    let offset = node.transform().map_or(offset, |t| {
        let c = t.as_coeffs();
        (offset.0 + c[4], offset.1 + c[5])
    });
    if let Some(b) = node.bounds() {
        let at = |x: f64, y: f64| pos2((x + offset.0) as f32, (y + offset.1) as f32);
        widgets.push(Widget {
            name: node.label().unwrap_or_default().to_owned(),
            value: node.value().unwrap_or_default().to_owned(),
            rect: Rect::from_min_max(at(b.x0, b.y0), at(b.x1, b.y1)),
        });
    }
    for &child in node.children() {
        collect(nodes, child, offset, widgets);
    }
}
