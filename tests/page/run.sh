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
(cd "$work" && npm init -y > /dev/null && npm install --silent --no-audit --no-fund playwright-core@1.65.1 axe-core@4.14.1)
CHROMIUM="$chromium" WORK="$work" PLYDEX="$plydex" node tests/page/page.mjs
