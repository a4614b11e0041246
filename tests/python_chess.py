#!/usr/bin/env python3
"""Asks plydex and python-chess the same questions about the first games of a file.

    python3 tests/python_chess.py target/release/plydex otb.pgn.zst [GAMES]

The games are imported, exported by number and replayed by python-chess, which looks at every
position of them. Without the package `chess` nothing is compared, and that is said.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import chess
    import chess.pgn
except ImportError:
    sys.exit("python-chess is not installed: nothing was compared")

WHITE, BLACK = chess.WHITE, chess.BLACK
P, N, B, R, Q, K = range(1, 7)


def men(board, piece, color):
    return len(board.pieces(piece, color))


def on(board, square, piece, color):
    return board.piece_at(chess.parse_square(square)) == chess.Piece(piece, color)


def all_on(board, squares, piece, color):
    return all(on(board, square, piece, color) for square in squares.split())


def pawns(board, color, file):
    return len(board.pieces(P, color) & chess.BB_FILES["abcdefgh".index(file)])


def material(text):
    """Exactly these men, either side having the first."""
    sides = [[side.count(kind) for kind in "KQRBNP"] for side in text.split("v")]

    def holds(at):
        here = [[men(at.board, piece, color) for piece in (K, Q, R, B, N, P)] for color in (WHITE, BLACK)]
        return here in (sides, sides[::-1])

    return holds


class Ply:
    """A position, the move that leaves it and the one that led there."""

    def __init__(self, board, move, last, number):
        self.board, self.move, self.last, self.number = board, move, last, number

    def moved(self):
        return self.board.piece_type_at(self.move.from_square) if self.move else None

    def taken(self):
        if not self.move or self.board.is_castling(self.move):
            return None
        if self.board.is_en_passant(self.move):
            return P
        return self.board.piece_type_at(self.move.to_square)

    def san(self, text):
        """A move of this piece to this square, taking something where it says so."""
        return (
            self.move is not None
            and self.moved() == chess.PIECE_SYMBOLS.index(text[0].lower())
            and self.move.to_square == chess.parse_square(text[-2:])
            and ("x" not in text or self.taken() is not None)
        )

    def castles(self, color, is_short):
        board = self.board
        return (
            self.move is not None
            and board.turn == color
            and (board.is_kingside_castling if is_short else board.is_queenside_castling)(self.move)
        )


def attackers(board, piece, color, targets):
    """How many of these men attack something of each of the targets."""
    squares = board.pieces(piece, color)
    return sum(1 for square in squares if all(board.attacks(square) & target for target in targets))


def any_ply(holds):
    return lambda plies: any(holds(at) for at in plies)


def in_a_row(*moments):
    def holds(plies):
        starts = range(len(plies) - len(moments) + 1)
        return any(all(one(plies[at + by]) for by, one in enumerate(moments)) for at in starts)

    return holds


def walk(color, *moves):
    def holds(plies):
        left = list(moves)
        for at in plies:
            if left and at.move and at.board.turn == color and at.move.uci() == left[0]:
                left.pop(0)
        return not left

    return holds


def runs(length, step, holds):
    def found(plies):
        last = len(plies) - (length - 1) * step
        return any(all(holds(plies[at + step * n]) for n in range(length)) for at in range(last))

    return found


def smothered(at):
    board = at.board
    if not board.is_checkmate() or at.last is None or board.piece_type_at(at.last.to_square) != N:
        return False
    around = chess.BB_KING_ATTACKS[board.king(board.turn)]
    return not around & ~board.occupied_co[board.turn]


def last_was_pawn(plies):
    end = plies[-1]
    return end.board.is_checkmate() and plies[-2].moved() == P


OFF = lambda at: not (at.board.pieces(Q, WHITE) | at.board.pieces(Q, BLACK))
BISHOPS = lambda at, color: [
    len(at.board.pieces(B, color) & chess.BB_LIGHT_SQUARES),
    len(at.board.pieces(B, color) & chess.BB_DARK_SQUARES),
]

QUESTIONS = [
    ("material:KRPvKR", any_ply(material("KRPvKR"))),
    ("material:KQvKR", any_ply(material("KQvKR"))),
    ("stalemate", lambda plies: plies[-1].board.is_stalemate()),
    ("mate", lambda plies: plies[-1].board.is_checkmate()),
    ("mate last:P", last_was_pawn),
    ("smothered", any_ply(smothered)),
    (
        "Pd4 Pc/e=0 pd=0 Q q",
        any_ply(
            lambda at: on(at.board, "d4", P, WHITE)
            and not pawns(at.board, WHITE, "c") + pawns(at.board, WHITE, "e")
            and not pawns(at.board, BLACK, "d")
            and men(at.board, Q, WHITE)
            and men(at.board, Q, BLACK)
        ),
    ),
    (
        "Pc=2.. Pb/d=0",
        any_ply(
            lambda at: pawns(at.board, WHITE, "c") > 1
            and not pawns(at.board, WHITE, "b") + pawns(at.board, WHITE, "d")
        ),
    ),
    ("Q=0 q=0 ply:..20", any_ply(lambda at: at.number <= 20 and OFF(at))),
    ("Kh4 q", any_ply(lambda at: on(at.board, "h4", K, WHITE) and men(at.board, Q, BLACK))),
    (
        "R7=2.. k8",
        any_ply(
            lambda at: len(at.board.pieces(R, WHITE) & chess.BB_RANK_7) > 1
            and at.board.pieces(K, BLACK) & chess.BB_RANK_8
        ),
    ),
    (
        "BN=3 Q=0 q=1 bn=0 R=r",
        any_ply(
            lambda at: men(at.board, B, WHITE) + men(at.board, N, WHITE) == 3
            and not men(at.board, Q, WHITE)
            and men(at.board, Q, BLACK) == 1
            and not men(at.board, B, BLACK) + men(at.board, N, BLACK)
            and men(at.board, R, WHITE) == men(at.board, R, BLACK)
        ),
    ),
    (
        "Pe4 Nc3,d4 pa6,d6 nf6",
        any_ply(
            lambda at: all_on(at.board, "e4", P, WHITE)
            and all_on(at.board, "c3 d4", N, WHITE)
            and all_on(at.board, "a6 d6", P, BLACK)
            and all_on(at.board, "f6", N, BLACK)
        ),
    ),
    (
        "pa6,b6,d6,e6 pc=0 Pc4,e4",
        any_ply(
            lambda at: all_on(at.board, "a6 b6 d6 e6", P, BLACK)
            and all_on(at.board, "c4 e4", P, WHITE)
            and not pawns(at.board, BLACK, "c")
        ),
    ),
    (
        "Pc4,d5,e4 pc7,d6,e5,f5,g6",
        any_ply(
            lambda at: all_on(at.board, "c4 d5 e4", P, WHITE)
            and all_on(at.board, "c7 d6 e5 f5 g6", P, BLACK)
        ),
    ),
    (
        "move:Bxh7 captured:P kg8 by:white",
        any_ply(
            lambda at: at.board.turn and at.san("Bxh7") and at.taken() == P and on(at.board, "g8", K, BLACK)
        ),
    ),
    (
        "move:Bxh7 next move:Kxh7 next move:Ng5",
        in_a_row(*(lambda at, san=san: at.san(san) for san in ("Bxh7", "Kxh7", "Ng5"))),
    ),
    (
        "uci:b1d2 by:white then uci:d2f1 by:white then uci:f1g3 by:white",
        walk(WHITE, "b1d2", "d2f1", "f1g3"),
    ),
    ("castles:O-O-O by:white", any_ply(lambda at: at.castles(WHITE, False))),
    (
        "castles:O-O-O by:white and castles:O-O by:black",
        lambda plies: any(at.castles(WHITE, False) for at in plies)
        and any(at.castles(BLACK, True) for at in plies),
    ),
    ("moved:K captured:Q", any_ply(lambda at: at.moved() == K and at.taken() == Q)),
    ("moved:P captured:Q", any_ply(lambda at: at.moved() == P and at.taken() == Q)),
    ("captured:Q by:black", any_ply(lambda at: at.board.turn == BLACK and at.taken() == Q)),
    ("promotes:N", any_ply(lambda at: at.move is not None and at.move.promotion == N)),
    ("ep", any_ply(lambda at: at.move is not None and at.board.is_en_passant(at.move))),
    (
        "moved:N next moved:N next moved:N next moved:B",
        in_a_row(*(lambda at, piece=piece: at.moved() == piece for piece in (N, N, N, B))),
    ),
    ("check stm:black for 8 step 2", runs(8, 2, lambda at: at.board.turn == BLACK and at.board.is_check())),
    ("check stm:white for 3 step 2", runs(3, 2, lambda at: at.board.turn == WHITE and at.board.is_check())),
    (
        "Ke1 Rh1 _f1,g1 ply:40..",
        any_ply(
            lambda at: at.number >= 40
            and on(at.board, "e1", K, WHITE)
            and on(at.board, "h1", R, WHITE)
            and not at.board.occupied & (chess.BB_F1 | chess.BB_G1)
        ),
    ),
    (
        "_d4,e4,d5,e5 ply:20",
        any_ply(
            lambda at: at.number == 20
            and not at.board.occupied & (chess.BB_D4 | chess.BB_E4 | chess.BB_D5 | chess.BB_E5)
        ),
    ),
    ("Q=2..", any_ply(lambda at: men(at.board, Q, WHITE) > 1)),
    (
        "B:light=1 B:dark=0 b:dark=1 b:light=0",
        any_ply(lambda at: BISHOPS(at, WHITE) == [1, 0] and BISHOPS(at, BLACK) == [0, 1]),
    ),
    (
        "attacks:N:k,q",
        any_ply(
            lambda at: attackers(at.board, N, WHITE, [at.board.pieces(K, BLACK), at.board.pieces(Q, BLACK)])
        ),
    ),
    (
        "attacks:B:h7=2..",
        any_ply(lambda at: attackers(at.board, B, WHITE, [chess.SquareSet(chess.BB_H7)]) > 1),
    ),
    ("attacks:p:N/B,R/Q", any_ply(
        lambda at: attackers(
            at.board,
            P,
            BLACK,
            [
                at.board.pieces(N, WHITE) | at.board.pieces(B, WHITE),
                at.board.pieces(R, WHITE) | at.board.pieces(Q, WHITE),
            ],
        )
    )),
]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, source = sys.argv[1:3]
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 4000
    with tempfile.TemporaryDirectory() as folder:
        db, pgn = Path(folder, "games.db"), Path(folder, "games.pgn")

        def plydex(*args):
            ran = subprocess.run([program, "--db", db, "--quiet", *args], capture_output=True, text=True)
            if ran.returncode > 1:
                sys.exit(f"{' '.join(map(str, args))}: {ran.stderr}")
            return ran.stdout

        plydex("import", "--duplicates", "keep", source)
        # Chess from its usual start, which python-chess reads as it is.
        plydex("export", "--games", f"1-{games}", "--variant", "chess", "--output", pgn)
        found = {text: 0 for text, _ in QUESTIONS}
        read = 0
        with pgn.open(encoding="utf-8") as text:
            while (game := chess.pgn.read_game(text)) is not None:
                read += 1
                board, last, plies = game.board(), None, []
                moves = list(game.mainline_moves())
                for number, move in enumerate([*moves, None]):
                    plies.append(Ply(board.copy(stack=False), move, last, number))
                    if move is not None:
                        board.push(move)
                        last = move
                for name, holds in QUESTIONS:
                    found[name] += bool(holds(plies))
        wrong = 0
        for name, expected in found.items():
            asked = ["--games", f"1-{games}", "--variant", "chess", name]
            own = int(plydex("search", "--count", *asked))
            wrong += own != expected
            print(f"{own:>6} {expected:>6} {'' if own == expected else '<--':3} {name}")
        print(f"{read} games, {len(found)} questions, {wrong} answered otherwise")
        sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
