use super::*;

/// What is meant by texts that somebody typed, each read in a thread of its own.
#[test]
fn what_is_meant() {
    let text = std::env::var("TYPED").unwrap_or_default();
    let text = std::fs::read_to_string(text).unwrap_or_default();
    for line in text.lines() {
        let mut cells = line.split('\t');
        let text = cells.next().unwrap_or_default();
        let hint = cells.next().unwrap_or_default();
        let rows = hint.split(' ').filter_map(Variant::by_name).collect();
        let begin = std::time::Instant::now();
        let read = read_position(text, &Hint { rows });
        let took = begin.elapsed().as_micros();
        match read {
            Ok(read) => {
                let warnings: Vec<String> = read
                    .warnings
                    .iter()
                    .filter(|w| !w.is_usual())
                    .map(ToString::to_string)
                    .collect();
                println!(
                    "{text}\t{hint}\t{} {}\t{took}us {} {}",
                    read.row.name,
                    read.at.fen(),
                    read.moves.join(" "),
                    warnings.join(" | ")
                );
            }
            Err(error) => println!(
                "{text}\t{hint}\terror {error}\t{took}us {} | {:?}",
                error.hint,
                error.row.map(|row| row.name)
            ),
        }
    }
}
