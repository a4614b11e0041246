#!/usr/bin/env bash
# Asks a server what its description of /v1/ allows and what it does not (`pip install schemathesis`):
# tests/openapi.sh PLYDEX [EXAMPLES]
set -euo pipefail
plydex="${1:?the program to test}"
examples="${2:-50}"
here="$(cd "$(dirname "$0")/.." && pwd)"
folder="$(mktemp -d)"
server=''
trap '[ -z "$server" ] || kill "$server"; rm -r "$folder"' EXIT

"$plydex" --db "$folder/games.db" import "$here/sample-data" > "$folder/import" 2>&1
"$plydex" serve --db "$folder/games.db" --port 0 2> "$folder/server" &
server=$!
for _ in $(seq 100); do
    address="$(grep -o 'http://[^ ]*' "$folder/server" | head -1 || true)"
    [ -n "$address" ] && break
    sleep 0.1
done
# Positions, dates and queries have grammars that a schema does not express: that a text of no
# meaning is refused is right.
cd "$folder"
schemathesis run "${address%/}/v1/openapi.json" --max-examples "$examples" \
    --exclude-checks positive_data_acceptance
