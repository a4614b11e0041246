mod chess;
mod draughts;

use super::*;

fn hint(names: &str) -> ExpectedVariants {
    ExpectedVariants {
        rows: names.split(' ').filter_map(Variant::by_name).collect(),
    }
}

/// What people mean by what they type; what is read without a hint is read the same if the
/// game is named.
#[test]
fn every_text_is_what_is_meant() {
    let table = include_str!("../../../../tests/vectors/typed_positions.tsv");
    let mut wrong = Vec::new();
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [text, asked, variant, meant] = cells[..] else {
            panic!("{row}");
        };
        let mut check = |hint: &ExpectedVariants| {
            let (is_right, found) = match read_position(text, hint) {
                Ok(read) => {
                    let found = format!("{} {}", read.row.name, read.at.fen());
                    (found == format!("{variant} {meant}"), found)
                }
                Err(error) => {
                    let is_right = variant == "error" && error.message.contains(meant);
                    (is_right, error.message)
                }
            };
            if !is_right {
                wrong.push(format!("{row}\n    {found}"));
            }
        };
        check(&hint(asked));
        if asked.is_empty() && variant != "error" {
            check(&hint(variant));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rivals_are_told_where_men_differ() {
    for (text, other) in [
        ("11-15", Some("spanish")),
        ("W:W25:B3,K14", Some("italian")),
        ("W:W28:BK5,33", None),
        ("W:Wa3:Bh8", None),
        ("e4 c5", None),
    ] {
        let read = read_position(text, &ExpectedVariants::default()).expect(text);
        let found = read.warnings.iter().find_map(|warning| match warning {
            Warning::OrElse { other, .. } => Some(other.name),
            _ => None,
        });
        assert_eq!(found, other, "{text}");
    }
}
