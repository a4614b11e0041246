//! Documents that list what the code knows must list all of it.

use plydex::base::diagnostic::Code;

/// Every code, its severity and its message stand in docs/diagnostics.md, and no other.
#[test]
fn diagnostics_are_documented() {
    let page = include_str!("../../docs/diagnostics.md");
    let documented: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let expected: Vec<String> = Code::ALL
        .iter()
        .map(|code| {
            format!(
                "| `{}` | {} | {} |",
                code.as_str(),
                code.severity().as_str(),
                code.message()
            )
        })
        .collect();
    assert_eq!(
        documented, expected,
        "docs/diagnostics.md and src/diagnostic.rs differ"
    );
}
