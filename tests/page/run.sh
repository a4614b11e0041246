#!/usr/bin/env bash
# The page of `plydex serve` in a browser: tests/page/run.sh [PLYDEX]
# Needs Node, npm and Chromium (Debian: apt-get install --no-install-recommends nodejs npm chromium).
# npm's packages go into a temporary folder, of which nothing stays.
set -euo pipefail
cd "$(dirname "$0")/../.."

plydex="$(realpath "${1:-target/release/plydex}")"
chromium="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}"
if [ -z "$chromium" ]; then
    echo 'error: there is no Chromium; install it, or name it: CHROMIUM=/path/to/chromium' >&2
    exit 2
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm init -y > /dev/null && npm install --silent --no-audit --no-fund playwright-core@1.65.1 axe-core@4.14.1 @lichess-org/chessground@10.1.1)

# The files of others are those that npm has.
package="$work/node_modules/@lichess-org/chessground"
cmp "$package/dist/chessground.min.js" web/vendor/chessground.min.js
for sheet in base brown cburnett; do
    cmp "$package/assets/chessground.$sheet.css" "web/vendor/chessground.$sheet.css"
done
cmp "$package/LICENSE" web/vendor/LICENSE.chessground

CHROMIUM="$chromium" WORK="$work" PLYDEX="$plydex" node tests/page/page.mjs
