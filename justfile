# Recipes for daily work; `just` lists them.

default:
    @just --list

# Everything that continuous integration runs
ci:
    .ci/run

# The tests that run before every commit
test:
    cargo test

# What CI runs, then what takes longer: deep perft, measured tables, the page, torture for some minutes
full MINUTES="2":
    PLYDEX_TESTS=full .ci/run
    cargo build --release
    cargo test --profile dev --no-default-features --examples
    cargo test --lib --test it -- --ignored
    PROPTEST_CASES=40 cargo test --test it naive
    cargo test --test torture
    tests/page/run.sh target/release/plydex
    tests/proxies.sh target/release/plydex
    tests/openapi.sh target/release/plydex
    python3 tests/python_chess.py target/release/plydex ../shared/corpora/chess/otb.pgn.zst
    python3 tests/explorer_counts.py target/release/plydex ../shared/corpora/chess/otb.pgn.zst
    just torture {{MINUTES}}

# What readers do with the page of `plydex serve`, in Chromium (CONTRIBUTING.md)
page:
    cargo build --profile fast
    tests/page/run.sh target/fast/plydex

# Formatting and lints
lint:
    cargo fmt --check
    cargo clippy --all-targets -- -D warnings
    cargo clippy --test torture -- -D warnings

# The library's documentation, warnings being errors
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# Import against validation, queries against known counts
bench *FILE:
    cargo bench --bench import -- {{FILE}}
    cargo bench --bench query -- {{FILE}}

# Licences and advisories of the dependencies
deny:
    cargo deny check

# The main job on the sample games
demo:
    cargo run -- --db sample.db import sample-data
    cargo run -q -- --db sample.db search e4 e5 Nf3 Nc6 Bb5

# Takes what the code makes of the samples now for what it is to make of them
# (tests/it/signature.tsv): for a change that is meant
signature:
    PLYDEX_SIGNATURE=write cargo test --test it signature
    git diff --stat tests/it/signature.tsv

# Writes what the program prints now, and the tables that the code makes, into README.md and docs/
documents:
    PLYDEX_DOCUMENTS=write cargo test --test it documents
    git diff --stat README.md docs

# Kill, cut off, crowd, interrupt and damage databases for some minutes (docs/reliability.md)
torture MINUTES="10" KINDS="":
    PLYDEX_TORTURE_SECONDS="$(({{MINUTES}} * 60))" PLYDEX_TORTURE_KINDS="{{KINDS}}" cargo test --profile fast --test torture -- --ignored --exact for_as_long_as_asked --nocapture

# Fuzz one of the readers (docs/fuzzing.md) for some seconds
fuzz TARGET SECONDS="300":
    cd fuzz && ./seed.sh && RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none {{TARGET}} -- -max_total_time={{SECONDS}}
