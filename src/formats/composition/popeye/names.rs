//! What Popeye calls its men in its three languages (`PieNamString` in
//! `output/plaintext/language_dependant.c` of Popeye's source, in its order).

/// The names of one man in English, German and French.
type Names = [&'static str; 3];

/// Every man that Popeye knows, the six of orthodox chess first.
const MEN: &[Names; 158] = &[
    ["K", "K", "R"],    // king
    ["P", "B", "P"],    // pawn
    ["Q", "D", "D"],    // queen
    ["S", "S", "C"],    // knight
    ["R", "T", "T"],    // rook
    ["B", "L", "F"],    // bishop
    ["LE", "LE", "LE"], // leo
    ["MA", "MA", "MA"], // mao
    ["PA", "PA", "PA"], // pao
    ["VA", "VA", "VA"], // vao
    ["RO", "RO", "RO"], // rose
    ["G", "G", "S"],    // grasshopper
    ["N", "N", "N"],    // nightrider
    ["Z", "Z", "Z"],    // zebra
    ["CA", "CA", "CH"], // camel
    ["GI", "GI", "GI"], // giraffe
    ["RF", "WF", "CC"], // root-50 leaper
    ["BU", "BU", "BU"], // root-25 leaper (bucephale)
    ["WE", "WE", "VI"], // wazir
    ["AL", "AL", "AL"], // alfil
    ["FE", "FE", "FE"], // fers
    ["DA", "DA", "DA"], // dabbaba
    ["LI", "LI", "LI"], // lion
    ["NE", "NE", "EQ"], // non-stop equihopper
    ["L", "H", "L"],    // locust
    ["BP", "BB", "PB"], // Berolina pawn
    ["AM", "AM", "AM"], // amazon
    ["EM", "KN", "IM"], // empress
    ["PR", "PR", "PR"], // princess
    ["GN", "GN", "G"],  // gnu
    ["AN", "AN", "AN"], // antelope
    ["SQ", "EI", "EC"], // squirrel
    ["WA", "WA", "V"],  // waran
    ["DR", "DR", "DR"], // dragon
    ["KA", "KA", "KA"], // kangaroo
    ["SS", "SS", "CS"], // spiral knight
    ["UU", "UU", "UU"], // ubi-ubi
    ["HA", "HA", "HA"], // hamster
    ["M", "EL", "E"],   // moose
    ["EA", "AD", "AI"], // eagle
    ["SW", "SP", "M"],  // sparrow
    ["AR", "ER", "AR"], // archbishop
    ["RB", "RL", "FR"], // reflecting bishop
    ["C", "KL", "CA"],  // cardinal
    ["NH", "NH", "SN"], // nightrider hopper
    ["DU", "DU", "PI"], // dummy
    ["CR", "CR", "CN"], // camelrider
    ["ZR", "ZR", "ZN"], // zebrarider
    ["GR", "GR", "GN"], // gnurider
    ["CH", "CH", "SC"], // camelrider hopper
    ["ZH", "ZH", "SZ"], // zebrarider hopper
    ["GH", "GH", "SG"], // gnurider hopper
    ["DS", "DS", "CD"], // diagonal spiral knight
    ["BK", "RS", "CR"], // bouncy knight
    ["EQ", "EQ", "EA"], // equihopper
    ["CT", "CT", "CT"], // knight of Troy
    ["BS", "BS", "BS"], // Berolina superpawn
    ["SP", "SB", "SP"], // superpawn
    ["RL", "TL", "TL"], // rook lion
    ["BL", "LL", "FL"], // bishop lion
    ["SI", "SI", "SI"], // siren
    ["TR", "TR", "TR"], // triton
    ["ND", "ND", "NE"], // nereid
    ["O", "O", "O"],    // orphan
    ["EH", "RD", "EH"], // edgehog
    ["MO", "MO", "MO"], // moa
    ["RR", "TJ", "TC"], // rook/bishop hunter
    ["BR", "LJ", "FC"], // bishop/rook hunter
    ["AO", "AO", "AO"], // maorider
    ["OA", "OA", "OA"], // moarider
    ["RH", "TH", "ST"], // rookhopper
    ["BH", "LH", "SF"], // bishophopper
    ["EK", "EK", "RE"], // erlking
    ["BT", "PF", "BT"], // boyscout
    ["GT", "PN", "GT"], // girlscout
    ["SK", "SK", "SK"], // Scylla
    ["CY", "CY", "CY"], // Charybdis
    ["CG", "KG", "SA"], // contra-grasshopper
    ["RN", "RN", "RL"], // rose lion
    ["RP", "RH", "RS"], // rose hopper
    ["OK", "OK", "OK"], // okapi
    ["37", "37", "37"], // 3:7 leaper
    ["G2", "G2", "S2"], // grasshopper 2
    ["G3", "G3", "S3"], // grasshopper 3
    ["16", "16", "16"], // 1:6 leaper
    ["24", "24", "24"], // 2:4 leaper
    ["35", "35", "35"], // 3:5 leaper
    ["DG", "DG", "DS"], // double grasshopper
    ["KH", "KH", "SR"], // kinghopper
    ["OR", "OR", "OR"], // orix
    ["15", "15", "15"], // 1:5 leaper
    ["25", "25", "25"], // 2:5 leaper
    ["GL", "GL", "GL"], // gral
    ["LR", "HT", "LT"], // rook locust
    ["LB", "HL", "LF"], // bishop locust
    ["LN", "HN", "LN"], // nightrider locust
    ["WR", "WR", "VS"], // wazirrider
    ["FR", "FR", "FS"], // fersrider
    ["BI", "BI", "BI"], // bison
    ["ET", "ET", "EL"], // elephant
    ["NA", "NA", "NA"], // nao
    ["RM", "TC", "ET"], // rook moose
    ["RE", "TA", "AT"], // rook eagle
    ["RW", "TS", "MT"], // rook sparrow
    ["BM", "LC", "EF"], // bishop moose
    ["BE", "LA", "AF"], // bishop eagle
    ["BW", "LS", "MF"], // bishop sparrow
    ["RA", "RA", "RA"], // rao
    ["SO", "SO", "SO"], // scorpion
    ["MG", "MG", "MG"], // marguerite
    ["36", "36", "36"], // 3:6 leaper
    ["NL", "NL", "NL"], // nightrider lion
    ["ML", "ML", "ML"], // maorider lion
    ["MM", "MM", "MM"], // moarider lion
    ["F", "F", "A"],    // friend
    ["DO", "DE", "DN"], // dolphin
    ["RT", "HE", "LA"], // rabbit
    ["BO", "BO", "BO"], // bob
    ["QE", "QE", "QA"], // English equihopper
    ["QF", "QF", "QF"], // French equihopper
    ["QQ", "OD", "QQ"], // querquisite
    ["B1", "B1", "B1"], // bouncer
    ["B2", "B2", "B2"], // rook bouncer
    ["B3", "B3", "B3"], // bishop bouncer
    ["CP", "CB", "PC"], // Chinese pawn
    ["RK", "RP", "CL"], // radial knight
    ["PP", "RB", "PV"], // reversed pawn
    ["LS", "LR", "LR"], // rose locust
    ["ZE", "ZE", "ZE"], // zebu
    ["BN", "NR", "NR"], // bouncy nightrider
    ["S2", "S2", "N2"], // spiral knight 2:0
    ["S4", "S4", "N4"], // spiral knight 4:0
    ["S1", "S1", "N1"], // diagonal spiral knight 1:1
    ["S3", "S3", "N3"], // diagonal spiral knight 3:3
    ["QN", "QN", "QN"], // quintessence
    ["DK", "DT", "DT"], // double rookhopper
    ["DB", "DL", "DF"], // double bishophopper
    ["NO", "NO", "NO"], // non-stop orix
    ["TH", "UH", "SB"], // treehopper
    ["LH", "BH", "SE"], // leafhopper
    ["GE", "GU", "SM"], // greater treehopper
    ["GF", "GB", "SU"], // greater leafhopper
    ["KL", "LK", "KL"], // kangaroo lion
    ["KO", "KO", "KO"], // kao
    ["KP", "SH", "SV"], // knighthopper
    ["SH", "SC", "BA"], // ship
    ["GY", "GY", "GY"], // gryphon
    ["MS", "MS", "CM"], // marine knight
    ["PO", "PO", "PO"], // Poseidon
    ["MP", "MB", "PM"], // marine pawn
    ["MH", "MC", "BM"], // marine ship
    ["ST", "ST", "EP"], // sting
    ["SE", "SE", "DG"], // señora
    ["FA", "FA", "FA"], // faro
    ["LO", "LO", "LO"], // loco
    ["SA", "SA", "SL"], // saltador
    ["AH", "AH", "AS"], // maohopper
    ["OH", "OH", "OS"], // moahopper
];

/// How many of them are men of orthodox chess.
const ORTHODOX: usize = 6;

/// The English name of a man that is called so in a language, by its column; what
/// nobody is called so stays as it is. Letters that are an orthodox man in English
/// and nothing in that language get a question mark, so as not to be taken for it.
pub(super) fn english(name: &str, column: usize) -> String {
    let name = name.to_uppercase();
    if let Some(row) = MEN.iter().find(|row| row[column] == name) {
        return row[0].to_owned();
    }
    if MEN[..ORTHODOX].iter().any(|row| row[0] == name) {
        return format!("{name}?");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_man() {
        for column in 0..3 {
            let mut names: Vec<&str> = MEN.iter().map(|row| row[column]).collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count, "{column}");
            assert!(names.iter().all(|name| matches!(name.len(), 1 | 2)));
        }
    }

    #[test]
    fn names_become_english() {
        for (name, column, wanted) in [
            ("s", 0, "S"),
            ("eh", 0, "EH"),
            ("zz", 0, "ZZ"),
            ("S", 1, "S"),
            ("h", 1, "L"),
            ("kl", 1, "C"),
            ("rd", 1, "EH"),
            ("q", 1, "Q?"),
            ("s", 2, "G"),
            ("g", 2, "GN"),
            ("re", 2, "EK"),
            ("k", 2, "K?"),
        ] {
            assert_eq!(english(name, column), wanted, "{name} {column}");
        }
    }
}
