#!/usr/bin/env python3
"""What `plydex serve` answers about every position of some games, against a replay by python-chess.

usage: explorer_counts.py PLYDEX GAMES.pgn[.zst] [HOW_MANY]

The games (1,000 unless it is said) are imported into a database of their own; each of their positions is asked of
/masters, and its moves, results and totals are compared. Needs the packages chess and, for .zst, the program zstd."""

import collections
import http.client
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

import chess
import chess.pgn

RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}


def texts(path, count):
    """The first games of a file, each as its text."""
    if path.endswith(".zst"):
        unpacked = subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE)
        stream = io.TextIOWrapper(unpacked.stdout, encoding="utf-8", errors="replace")
    else:
        stream = open(path, encoding="utf-8", errors="replace")
    game, in_moves = [], False
    for line in stream:
        if line.startswith("[") and in_moves:
            yield "".join(game)
            count -= 1
            if count == 0:
                return
            game, in_moves = [], False
        in_moves |= bool(line.strip()) and not line.startswith("[")
        game.append(line)
    yield "".join(game)


def expected(games):
    """By position, the first FEN that was met, and of each move the results of the games that played it there."""
    fens, moves = {}, collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0]))
    for text in games:
        game = chess.pgn.read_game(io.StringIO(text))
        result = RESULTS.get(game.headers["Result"])
        board, seen = game.board(), set()
        for move in game.mainline_moves():
            key = board.epd(en_passant="legal")
            fens.setdefault(key, board.fen(en_passant="legal"))
            if key not in seen and result is not None:
                seen.add(key)
                uci = move.uci()
                if board.is_castling(move):
                    rook = max if chess.square_file(move.to_square) == 6 else min
                    rights = board.castling_rights & chess.BB_RANKS[chess.square_rank(move.from_square)]
                    uci = uci[:2] + chess.square_name(rook(chess.SquareSet(rights)))
                moves[key][uci][result] += 1
            board.push(move)
    return fens, moves


def main():
    program, path = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    games = list(texts(path, count))
    with tempfile.TemporaryDirectory() as folder:
        pgn, db = os.path.join(folder, "games.pgn"), os.path.join(folder, "games.db")
        with open(pgn, "w", encoding="utf-8") as file:
            file.write("\n".join(games))
        subprocess.run([program, "--db", db, "--quiet", "import", "--duplicates", "keep", pgn], check=True)
        server = subprocess.Popen([program, "--db", db, "serve", "--port", "0"], stderr=subprocess.PIPE, text=True)
        try:
            host, port = re.search(r"http://([^:]+):(\d+)/", server.stderr.readline()).groups()
            wrong = compare(http.client.HTTPConnection(host, int(port), timeout=60), *expected(games))
        finally:
            server.terminate()
            server.wait()
    sys.exit(1 if wrong else 0)


def compare(server, fens, moves):
    wrong = 0
    for key, fen in fens.items():
        server.request("GET", "/masters?moves=300&topGames=0&fen=" + urllib.parse.quote(fen))
        answer = json.loads(server.getresponse().read())
        found = {line["uci"]: [line["white"], line["draws"], line["black"]] for line in answer["moves"]}
        known = {uci: results for uci, results in moves[key].items()}
        total = [sum(results[at] for results in known.values()) for at in range(3)]
        if found != known or [answer["white"], answer["draws"], answer["black"]] != total:
            wrong += 1
            print(f"{fen}\n  there: {known}\n  found: {found}")
    print(f"{len(fens)} positions, {wrong} answered otherwise")
    return wrong


if __name__ == "__main__":
    main()
