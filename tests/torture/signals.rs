//! Signals that ask for the end, at any moment of every command, and while it waits.

use std::{
    fs,
    io::{Read, Write},
    os::unix::process::ExitStatusExt,
    process::{Child, Command, Stdio},
    sync::OnceLock,
    thread::sleep,
    time::Duration,
};

use fastrand::Rng;

use super::support::{
    Archive, PATIENCE, Sources, games, names_beside, plydex, scratch, text, wait,
};

fn sources() -> Sources {
    static ARCHIVE: OnceLock<Archive> = OnceLock::new();
    // More than a pipe and a buffer hold, then imports that take their time.
    Sources::new(ARCHIVE.get_or_init(|| Archive::of(&[600, 200, 100])))
}

pub(crate) fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    assert!(sent.is_ok(), "kill runs");
}

/// Where a command is when the signal comes.
#[derive(Debug, Clone, Copy)]
enum Scene {
    /// It reads files.
    Import,
    /// It waits for standard input, of which it has had this much.
    StandardInput,
    /// It waits for somebody to open the other end of a FIFO.
    Fifo,
    /// It waits for another import.
    Queue,
    /// It waits for somebody to read.
    Pipe,
    /// It writes a file that there was before.
    Output,
    /// It copies the database.
    Backup,
    /// It computes.
    Other(&'static [&'static str]),
}

const SCENES: &[Scene] = &[
    Scene::Import,
    Scene::StandardInput,
    Scene::Fifo,
    Scene::Queue,
    Scene::Pipe,
    Scene::Output,
    Scene::Backup,
    Scene::Other(&["check"]),
    Scene::Other(&["info"]),
    Scene::Other(&["tree"]),
    Scene::Other(&["search", "e4", "--limit", "0"]),
    Scene::Other(&["search", "--men", "3v2"]),
    Scene::Other(&["show", "7", "--ply", "3"]),
    Scene::Other(&["perft", "--depth", "7"]),
];

/// A command gets a signal.
pub(crate) fn signal(rng: &mut Rng) {
    let sources = sources();
    let base = sources.base(1);
    let db = &base.path;
    let least = sources.total(1);
    let folder = scratch();
    let signal = ["-INT", "-TERM", "-HUP"][rng.usize(0..3)];
    let scene = SCENES[rng.usize(0..SCENES.len())];
    let what = format!("{scene:?} {signal}");
    let import = [&["import"][..], &sources.args()].concat();
    let output = folder.path().join("games.pgn");
    let mut first = None;
    let mut command = match scene {
        Scene::Import => plydex(db, &import),
        Scene::StandardInput => plydex(db, &["import", "-"]),
        Scene::Fifo => {
            let fifo = folder.path().join("fifo.pgn");
            let made = Command::new("mkfifo").arg(&fifo).status();
            assert!(made.is_ok_and(|status| status.success()), "mkfifo runs");
            plydex(db, &["import", text(&fifo)])
        }
        Scene::Queue => {
            let mut ahead = plydex(db, &["import", "-"]);
            let ahead = first.insert(ahead.stdin(Stdio::piped()).spawn().expect("it runs"));
            // It queues once it knows what comes.
            let input = ahead.stdin.as_mut().expect("a pipe");
            input.write_all(&vec![b'\n'; 80_000]).expect("it reads");
            sleep(Duration::from_millis(50));
            plydex(db, &import)
        }
        Scene::Output => {
            fs::write(&output, "old\n").expect("a file");
            plydex(db, &["export", "--force", "--output", text(&output)])
        }
        Scene::Backup => plydex(db, &["backup", text(&output)]),
        Scene::Pipe => plydex(db, &["export"]),
        Scene::Other(args) => plydex(db, args),
    };
    match scene {
        Scene::StandardInput => command.stdin(Stdio::piped()),
        Scene::Pipe => command.stdout(Stdio::piped()),
        _ => &mut command,
    };
    command.stderr(fs::File::create(folder.path().join("told")).expect("a file"));
    let mut child = command.spawn().expect("it runs");
    if let Some(input) = &mut child.stdin {
        // It may have ended already.
        let _ = input.write_all(&games(least, 20).as_bytes()[..rng.usize(0..8_000)]);
    }
    if let Some(pipe) = &mut child.stdout {
        let _ = pipe.read(&mut [0; 100]);
    }
    sleep(Duration::from_micros(rng.u64(0..150_000)));
    send(signal, &child);
    let status = wait(&mut child, PATIENCE, &what);
    let told = fs::read_to_string(folder.path().join("told")).expect("a file");
    // Done before it came; stopped; or ended by it before anything was begun.
    let is_right = matches!(status.code(), Some(0..=2 | 130)) || status.signal().is_some();
    assert!(
        is_right && !told.contains("panicked"),
        "{what}: {status}: {told}"
    );
    if let Some(mut ahead) = first {
        drop(ahead.stdin.take());
        let status = wait(&mut ahead, PATIENCE, "the import ahead");
        assert!(status.success(), "{what}: the import ahead: {status}");
    }
    if output.exists() {
        if matches!(scene, Scene::Backup) {
            let copied = sources.assert_beginning(&output, least);
            assert_eq!(copied, least, "{what}");
        } else {
            let written = fs::read_to_string(&output).expect("a file");
            let whole = sources.games[..least].concat();
            assert!(
                written == "old\n" || written == whole,
                "{what}: old or whole"
            );
        }
        fs::remove_file(&output).expect("a file");
    }
    let left: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name != "told" && name != "fifo.pgn")
        .collect();
    assert!(left.is_empty(), "{what}: left over: {left:?}");
    assert_eq!(names_beside(db), Vec::<String>::new(), "{what}: left over");
    // Of standard input there may be the beginning of other games: only soundness counts.
    if matches!(scene, Scene::StandardInput) {
        let games = super::support::sound(db).expect("a sound database");
        assert!(games[..least] == sources.games[..least], "{what}");
    } else {
        sources.assert_goes_on(db, least);
    }
}
