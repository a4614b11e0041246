//! Composers are found as players are.

use super::*;

/// Whatever the accents and however umlauts are written.
#[test]
fn composers_are_found_as_players_are() {
    let text = "Müller, Source 1, 8/8/8/8/8/5K2/R7/7k #2\n\n\
        D. Mueller, Source 1999, 8/8/8/8/8/4K3/R7/7k #2\n\n\
        Łukasz & Šarić, Source 1999, 8/8/8/8/8/4K3/1R6/7k #2\n\n\
        Λόυντ, Source 1999, 8/8/8/8/8/4K3/2R5/7k #2\n";
    let base = base_of_text("names.problems", text);
    let db = base.folder().join("test.db");
    let found = |args: &[&str]| {
        let ran = run(&db, &[&["search", "--count"], args].concat());
        (ran.out.trim().to_owned(), ran.err)
    };
    for (name, count) in [
        ("Müller", "2"),
        ("mueller", "2"),
        ("muller", "2"),
        ("saric", "1"),
        ("lukasz", "1"),
        ("λουντ", "1"),
    ] {
        assert_eq!(found(&["--author", name]).0, count, "{name}");
    }
    assert_eq!(found(&["--author", "saric", "--author", "lukasz"]).0, "1");
    assert_eq!(found(&["--author", "muller", "--exact-names"]).0, "0");
    let (_, told) = found(&["--author", "muller"]);
    assert!(told.contains("muller: 2 composers, 2 games"), "{told}");
    let (_, told) = found(&["--author", "lukash"]);
    assert!(
        told.contains("no composer is called `lukash`; did you mean Łukasz?"),
        "{told}"
    );
}
