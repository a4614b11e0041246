//! Moves beside positions are played.

use crate::fooled::assert_told;

#[test]
fn castling_and_promotions_are_moves_beside_others() {
    for (template, wanted) in [
        (
            "- fen: {fen}\n  moves:\n    - e4\n    - gxh1=Q\n    - e5\n- fen: {A}\n  moves:\n    - Bb5\n",
            &["pv=e4 gxh1=Q e5 FEN={fen} e4 gxh1=Q e5", "pv=Bb5 A Bb5"][..],
        ),
        (
            "{fen}\ne4 gxh1=Q\n{A}\nBb5 a6 O-O\n{A}\nBc4\n",
            &[
                "pv=e4 gxh1=Q FEN={fen} e4 gxh1=Q",
                "pv=Bb5 a6 O-O A Bb5 a6 O-O",
                "pv=Bc4 A Bc4",
            ],
        ),
    ] {
        let fen = "4k3/4p3/8/8/8/8/4PKp1/7R w - - 0 1";
        let filled = template.replace("{fen}", fen);
        let wanted: Vec<String> = wanted
            .iter()
            .map(|told| told.replace("{fen}", fen))
            .collect();
        let wanted: Vec<&str> = wanted.iter().map(|told| &told[..]).collect();
        assert_told("a.txt", &filled, "text", &wanted);
    }
}
