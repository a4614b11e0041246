//! Files of other things: settings, books, deals of bridge, patches, paths. They give no record,
//! whatever in them looks like a tag pair, a board or a move, and what is of a game beside them
//! does.

use {
    crate::{
        lookalikes::{GAME, read_as},
        support::Base,
    },
    plydex::import::ImportOptions,
};

/// Files without a game or a position.
const STRANGERS: [(&str, &str); 16] = [
    (
        "gitconfig",
        "[credential \"https://source.example.org\"]\n\thelper = store.sh\n",
    ),
    (
        "a.cfg",
        "[remote \"origin\"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\
         [branch \"v4\"]\n\tremote = origin\n\tmerge = refs/heads/v4\n",
    ),
    (
        "a.ini",
        "; settings\n[section \"one\"]\npath = /usr/lib/a1\nsize = 12\n[other]\nkey = value\n",
    ),
    (
        "novel.txt",
        "Some Novel, by A. Author\n\n[Illustration: The captain at the helm.]\n\nCHAPTER 1. LOOMINGS\n\n\
         Some years ago--never mind how long precisely--I thought I would sail about.[1]\n\n[1] See the preface.\n\n\
         [Footnote 2: It was in 1851.]\n\n1. First, we went to sea.\n\n2. Then we came back at 12.30 o'clock.\n\n\
         \"White to play,\" said he. He moved e4 and the other answered e5.\n\n[Illustration]\n",
    ),
    (
        "bridge.pbn",
        "% PBN 2.1\n[Event \"Bridge club\"]\n[Site \"Leiden\"]\n[Date \"1993.06.05\"]\n[Board \"1\"]\n[West \"A\"]\n\
         [North \"B\"]\n[Dealer \"N\"]\n[Vulnerable \"None\"]\n\
         [Deal \"N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85\"]\n\
         [Declarer \"E\"]\n[Contract \"5HX\"]\n[Result \"9\"]\n[Auction \"N\"]\n1D 1S 3H =1= 4S\n5C X 5H X\n\
         Pass Pass Pass\n[Play \"S\"]\nSK =1= H3 S4 S3\nC5 C2 C6 CK\n",
    ),
    (
        "a.diff",
        "--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,4 @@\n-a1\n+b2\n c3\n",
    ),
    (
        "links.md",
        "See also\n[my second post](https://example.org/2) and\n[issue tracker](https://example.org/3).\n\n\
         1. First thing\n2. Second thing\n",
    ),
    (
        "patch.json",
        "[{\"op\":\"add\",\"path\":\"/definitions/Logs/properties/S3/properties/BucketName/format\",\"value\":\"x\"}]\n",
    ),
    (
        "a.yaml",
        "name: x\nrun: |\n  get projects/p1/locations/l1/deployments/d1/revisions/r-0\n",
    ),
    (
        "b.yaml",
        "name: x\nroot: /usr/lib/perf-core/scripts/python/Perf-Trace-Util/lib\n",
    ),
    ("path.txt", "The path is /k/q/r/b/n/p/k today\n"),
    (
        "paths.txt",
        "/usr/lib/k/r/n/b/q/p/K\n/b/n/k/r/q/p/8/K\nb/n/k/r/q/p/8/K\n",
    ),
    (
        "words.txt",
        "services/projects/packages/internal/kernels1/commands/elements/articles\n",
    ),
    ("a.sql", "BEGIN TRANSACTION;\nCREATE TABLE x(a);\nCOMMIT;\n"),
    (
        "a.awk",
        "BEGIN { FS=\":\" }\n{ print $1 }\nEND { print NR }\n",
    ),
    (
        "a.list",
        "deb https://packages.example.org/apt stable main\n",
    ),
];

#[test]
fn files_of_other_things_give_no_records() {
    for (name, text) in STRANGERS {
        let (records, done) = read_as(name, text.as_bytes(), ImportOptions::default());
        assert_eq!(records, [] as [&str; 0], "{name}");
        // And that they have none is said.
        assert!(done.rejected > 0 || done.sources_empty.len() == 1, "{name}");
    }
}

#[test]
fn settings_are_not_taken_from_folders() {
    let base = Base::new();
    let folder = base.folder().join("files");
    std::fs::create_dir(&folder).expect("a folder");
    for (name, text) in STRANGERS {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    std::fs::write(folder.join("games"), GAME).expect("a file");
    let done = base.import(&[folder], ImportOptions::default());
    assert_eq!((done.seen, done.stored, done.rejected), (1, 1, 0));
}

#[test]
fn games_beside_other_things_are_found() {
    let game = "Event=Alpha White=Ann e4 e5 Nf3";
    for (name, text, wanted) in [
        (
            "blog.md",
            format!(
                "I found this on\n[a study](https://example.org/study), and\n\n{GAME}\n\nSee\n[it](https://example.org)\n"
            ),
            &[game][..],
        ),
        (
            "a.txt",
            format!("[Illustration: Ann at play]\n\nShe won:\n\n{GAME}"),
            &[game],
        ),
        // Tags that nobody knows are those of a game that has moves, or where its name says so.
        (
            "a.txt",
            "[Anything \"x\"]\n\n1. e4 e5 *\n".to_owned(),
            &["Anything=x e4 e5"],
        ),
        (
            "a.txt",
            "[Anything \"x\"]\n\ne4 e5 Nf3 *\n".to_owned(),
            &["Anything=x e4 e5 Nf3"],
        ),
        (
            "a.txt",
            "[Event \"x\"]\n\nplayed on a train *\n".to_owned(),
            &["Event=x ‹played› ‹on› ‹a› ‹train›"],
        ),
        (
            "a.pgn",
            "[Anything \"x\"]\n\n*\n".to_owned(),
            &["Anything=x"],
        ),
    ] {
        let (records, _) = read_as(name, text.as_bytes(), ImportOptions::default());
        let told: Vec<&str> = records.iter().map(String::as_str).collect();
        assert_eq!(told, wanted, "{name}: {text}");
    }
}

#[test]
fn boards_whose_ranks_are_counted_wrong_are_still_said() {
    let problem = "A. Author\n8/8/8/4K4/8/4k3/p8/8 #3\n";
    let (records, _) = read_as("a.problems", problem.as_bytes(), ImportOptions::default());
    assert_eq!(records.len(), 1, "{records:?}");
    let json = "[{\"fen\":\"rnbqkbnr/pppppppp/9/8/8/8/PPPPPPP/RNBQKBNR w KQkq - 0 1\"}]\n";
    let (records, _) = read_as("a.json", json.as_bytes(), ImportOptions::default());
    assert_eq!(records.len(), 1, "{records:?}");
}
