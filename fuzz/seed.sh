#!/bin/sh
# Makes first inputs for the fuzz targets of the test vectors: a file for each line.
set -eu
cd "$(dirname "$0")"
vectors=../tests/vectors

# seed TARGET TABLE COLUMN: the cells of a column; `bytes` before each, for a number.
seed() {
    mkdir -p "corpus/$1"
    tail -n +2 "$vectors/$2" | awk -F'\t' -v folder="corpus/$1" -v column="$3" -v before="${4:-}" '
        $column != "" { file = folder "/seed-" NR; printf "%s%s", before, $column > file; close(file) }'
}

seed fen fen.tsv 2
seed epd epd.tsv 1
seed forsyth forsyth.tsv 1
seed problem problem_lines.tsv 1 A
seed move_text san.tsv 2 AAAA
# The examples of the page about queries.
mkdir -p corpus/query
sed -n "s/^plydex search \([^#]*[^# ]\) *\(#.*\)\{0,1\}$/\1/p" ../docs/query-language.md | tr -d "'" |
    awk '{ file = "corpus/query/seed-" NR; printf "A%s", $0 > file; close(file) }'
mkdir -p corpus/pgn corpus/pdn corpus/pdn_fen corpus/packed corpus/transcribe
for file in "$vectors"/pgn_cases/*.pgn; do
    # Files made to be long are no help.
    [ "$(wc -c < "$file")" -gt 4000 ] || cp "$file" corpus/pgn/
done
for file in ../sample-data/pdn/*.pdn; do
    head -c 3000 "$file" > "corpus/pdn/$(basename "$file")"
done
grep -ho 'FEN "[^"]*"' ../sample-data/pdn/*.pdn | cut -d'"' -f2 | sort -u | head -n 200 |
    awk '{ file = "corpus/pdn_fen/seed-" NR; printf "A%s", $0 > file; close(file) }'
cp ../sample-data/variants/*.pgn corpus/pgn/
# A first byte past the registry: nobody says the variant.
for file in ../sample-data/positions/* ../sample-data/problems/*; do
    { printf '\377'; head -c 2000 "$file"; } > "corpus/transcribe/$(basename "$file")"
done
for vector in epd fen forsyth variant_fen; do
    tail -n +2 "$vectors/$vector.tsv" | awk -F'\t' -v folder=corpus/transcribe -v name="$vector" '
        NR % 3 == 0 { file = folder "/" name NR; printf "%s%s", "A", $0 > file; close(file) }'
done
# Positions in JSON and in code.
printf '\377%s' '{"all": [{"id": 1, "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "moves": "e2-e4"}]}' \
    > corpus/transcribe/json
printf '\377%s' 'P(code = "#1", FEN("W:W31-50:B1-20"), "32-28"); // old' > corpus/transcribe/code
# A board that is drawn, a link, a table whose cell has two lines.
rank='. . . . . . . .'
printf '\377Black to move:\n\n. . . . k . . .\n%s\n. . . . K . . .\n' \
    "$(for number in 1 2 3 4 5 6; do echo "$rank"; done)" > corpus/transcribe/board
printf '\377See https://lichess.org/editor/4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1 there.' > corpus/transcribe/link
printf '\377fen,note\n4k3/8/8/8/8/8/4P3/4K3,"Black to\nmove"\n' > corpus/transcribe/table
mkdir -p corpus/recognition
cp corpus/transcribe/* corpus/recognition/
for file in corpus/pgn/*; do
    { printf '\020'; head -c 2000 "$file"; } > "corpus/recognition/$(basename "$file")"
done
mkdir -p corpus/wrapped
printf 'BSubject: =?utf-8?Q?a_b?=\nContent-Transfer-Encoding: quoted-printable\n\n[White "M=FCller"]=0D=0A\n1. e4 =\ne5\n' > corpus/wrapped/seed-mail
printf 'CContent-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Transfer-Encoding: base64\n\nMS4gZTQgZTU=\n--x--\n' > corpus/wrapped/seed-parts
