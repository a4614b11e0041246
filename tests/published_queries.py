#!/usr/bin/env python3
"""Counts the games of the published queries by their definitions, with python-chess.

    python3 tests/published_queries.py GAMES.pgn [MOST]

Each query of tests/vectors/published_queries.tsv has a function of its name here, which looks at
every position of a main line. A line is printed for each: its name, a tab, the number of games.
"""

import sys
from functools import cached_property

import chess
import chess.pgn
from chess import BLACK, WHITE, popcount, scan_forward

sys.dont_write_bytecode = True

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
KINDS = {"P": PAWN, "N": KNIGHT, "B": BISHOP, "R": ROOK, "Q": QUEEN, "K": KING}
VALUES = {PAWN: 1, KNIGHT: 3, BISHOP: 3, ROOK: 5, QUEEN: 9}
BOTH = (WHITE, BLACK)


def squares(mask):
    return list(scan_forward(mask))


def mask_of(those):
    mask = 0
    for square in those:
        mask |= 1 << square
    return mask


def file_of(square):
    return square & 7


def rank_for(color, square):
    """The rank from 1, counted from the side of a colour."""
    rank = square >> 3
    return rank + 1 if color else 8 - rank


def is_ahead(color, square, other):
    return rank_for(color, other) > rank_for(color, square)


def area(files, ranks, color=WHITE):
    """Files and ranks as a colour counts ranks."""
    return mask_of(
        s for s in range(64) if chess.FILE_NAMES[file_of(s)] in files and rank_for(color, s) in ranks
    )


AROUND = [chess.BB_KING_ATTACKS[square] for square in range(64)]


class Ply:
    """A position, the move that leaves it and the one that led there."""

    def __init__(self, number, board, move, before, origin, promoted):
        self.number, self.board, self.move = number, board, move
        self.before = before
        # Where each piece stood when it was first seen, and which have been pawns.
        self.origin, self.promoted = origin, promoted

    def men(self, kinds, color, on=chess.BB_ALL):
        return sum(popcount(self.board.pieces_mask(KINDS[kind], color) & on) for kind in kinds)

    def of(self, kind, color):
        return self.board.pieces_mask(kind, color)

    def all(self, color):
        return self.board.occupied_co[color]

    @cached_property
    def total(self):
        return popcount(self.board.occupied)

    @cached_property
    def attacks(self):
        return {square: self.board.attacks_mask(square) for square in squares(self.board.occupied)}

    def attackers_of(self, target, color, among=None):
        """How many pieces of a colour attack a square."""
        own = self.all(color) if among is None else among
        return sum(1 for square in squares(own) if self.attacks[square] >> target & 1)

    def attacked_by(self, mask):
        result = 0
        for square in squares(mask):
            result |= self.attacks[square]
        return result

    # Sets of pawns.

    @cached_property
    def pawns(self):
        return {color: squares(self.of(PAWN, color)) for color in BOTH}

    def pawns_that(self, color, fits):
        own, enemy = self.pawns[color], self.pawns[not color]
        return [pawn for pawn in own if fits(pawn, own, enemy)]

    @cached_property
    def passed(self):
        def free(color):
            return lambda pawn, own, enemy: not any(
                abs(file_of(pawn) - file_of(other)) <= 1 and is_ahead(color, pawn, other) for other in enemy
            )

        return {color: self.pawns_that(color, free(color)) for color in BOTH}

    def isolated(self, color):
        return self.pawns_that(
            color, lambda pawn, own, _: all(abs(file_of(pawn) - file_of(other)) != 1 for other in own)
        )

    def doubled(self, color):
        return self.pawns_that(
            color,
            lambda pawn, own, _: any(file_of(pawn) == file_of(other) and pawn != other for other in own),
        )

    def connected(self, color):
        return self.pawns_that(
            color,
            lambda pawn, own, _: any(
                abs(file_of(pawn) - file_of(other)) == 1 and abs((pawn >> 3) - (other >> 3)) <= 1
                for other in own
            ),
        )

    def backward(self, color):
        step = 8 if color else -8

        def fits(pawn, own, enemy):
            beside = [other for other in own if abs(file_of(pawn) - file_of(other)) == 1]
            held = any(self.attacks[other] >> (pawn + step) & 1 for other in enemy)
            return beside and all(is_ahead(color, pawn, other) for other in beside) and held

        return self.pawns_that(color, fits)

    @cached_property
    def chain(self):
        return {
            color: self.pawns_that(
                color,
                lambda pawn, own, _: any(
                    self.attacks[pawn] >> other & 1 or self.attacks[other] >> pawn & 1 for other in own
                ),
            )
            for color in BOTH
        }

    def hanging(self, color):
        found = set()
        by_file = lambda color, file: [pawn for pawn in self.pawns[color] if file_of(pawn) == file]
        for file in range(7):
            left, right = by_file(color, file), by_file(color, file + 1)
            if (
                len(left) == len(right) == 1
                and not by_file(color, file - 1)
                and not by_file(color, file + 2)
                and not by_file(not color, file)
                and not by_file(not color, file + 1)
                and abs((left[0] >> 3) - (right[0] >> 3)) <= 1
            ):
                found.update(left + right)
        return found

    def stops(self, color):
        return mask_of(pawn + (8 if color else -8) for pawn in self.pawns[color])

    def outposts(self, color):
        pawns = self.of(PAWN, color)
        found = []
        for knight in squares(self.of(KNIGHT, color)):
            safe = not any(
                abs(file_of(knight) - file_of(other)) == 1 and is_ahead(color, knight, other)
                for other in self.pawns[not color]
            )
            if rank_for(color, knight) in (5, 6) and safe and self.attackers_of(knight, color, pawns):
                found.append(knight)
        return found

    # Other sets.

    def pinned(self, color):
        own = squares(self.all(color) & ~self.board.kings)
        return [square for square in own if self.board.is_pinned(color, square)]

    def undefended(self, mask, color):
        return mask_of(square for square in squares(mask) if not self.attackers_of(square, color))

    def rays(self, first, second, third, is_straight=True):
        """Whether a line along files and ranks meets one of each in turn, and nothing else."""
        for one in squares(first):
            for last in squares(third):
                same = file_of(one) == file_of(last) or one >> 3 == last >> 3
                between = chess.between(one, last) & self.board.occupied
                if same is is_straight and popcount(between) == 1 and between & second:
                    return True
        return False

    # Material.

    def value(self, color):
        return sum(value * popcount(self.of(kind, color)) for kind, value in VALUES.items())

    def pieces(self, color):
        return "".join(kind * self.men(kind, color) for kind in "QRBN")

    def is_ending(self, one, other):
        return sorted([self.pieces(WHITE), self.pieces(BLACK)]) == sorted([one, other])

    def shades(self, color):
        own = self.of(BISHOP, color)
        return [popcount(own & chess.BB_LIGHT_SQUARES), popcount(own & chess.BB_DARK_SQUARES)]

    @cached_property
    def has_opposite_bishops(self):
        white, black = self.shades(WHITE), self.shades(BLACK)
        return sum(white) == sum(black) == 1 and white != black

    # Moves.

    @cached_property
    def moved(self):
        return self.board.piece_type_at(self.move.from_square) if self.move else None

    @cached_property
    def captured(self):
        if not self.move or self.castles:
            return None
        if self.board.is_en_passant(self.move):
            return PAWN
        return self.board.piece_type_at(self.move.to_square)

    @cached_property
    def castles(self):
        if not self.move or not self.board.is_castling(self.move):
            return None
        return "O-O" if self.board.is_kingside_castling(self.move) else "O-O-O"

    def is_capture_on(self, kind, square):
        return (
            self.moved == kind
            and self.move.to_square == square
            and self.captured is not None
            and not self.castles
        )


class Game:
    """The main line of a game, ply by ply."""

    def __init__(self, game):
        self.tags, self.plies = game.headers, []
        self.nodes = list(game.mainline())
        board, before = game.board(), None
        origin = {square: square for square in squares(board.occupied)}
        promoted = frozenset()
        for number, move in enumerate([*game.mainline_moves(), None]):
            at = Ply(number, board.copy(stack=False), move, before, origin, promoted)
            self.plies.append(at)
            if move is None:
                break
            origin, promoted = dict(origin), set(promoted)
            self.play(board, at, origin, promoted)
            before = at
        self.total = len(self.plies)

    @staticmethod
    def play(board, at, origin, promoted):
        move = at.move
        gone = move.to_square
        if board.is_en_passant(move):
            gone += -8 if board.turn else 8
        if at.castles:
            # The rook goes as well.
            home = 0 if board.turn else 56
            there, here = (7, 5) if at.castles == "O-O" else (0, 3)
            origin[home + here] = origin.pop(home + there)
        else:
            origin.pop(gone, None)
            promoted.discard(gone)
        if move:
            origin[move.to_square] = origin.pop(move.from_square)
            if move.promotion or move.from_square in promoted:
                promoted.discard(move.from_square)
                promoted.add(move.to_square)
        board.push(move)

    def any(self, fits):
        return any(fits(at) for at in self.plies)

    def any_side(self, fits):
        return any(fits(at, color) for at in self.plies for color in BOTH)

    def pairs(self, first, second):
        return any(first(one) and second(other) for one, other in zip(self.plies, self.plies[1:]))

    def lasts(self, fits, times, step=1):
        holds = [fits(at) for at in self.plies]
        last = self.total - (times - 1) * step
        return any(all(holds[at : at + times * step : step]) for at in range(last))

    def has_words(self, tags, text):
        words = text.lower().split()
        return any(all(word in self.tags.get(tag, "").lower() for word in words) for tag in tags)


def main():
    from published_query_definitions import QUERIES

    if len(sys.argv) < 2:
        sys.exit(__doc__)
    most = int(sys.argv[2]) if len(sys.argv) > 2 else None
    counts = dict.fromkeys(QUERIES, 0)
    games = 0
    with open(sys.argv[1], encoding="utf-8", errors="replace") as text:
        while games != most and (read := chess.pgn.read_game(text)) is not None:
            games += 1
            game = Game(read)
            for name, fits in QUERIES.items():
                counts[name] += bool(fits(game))
    for name, count in counts.items():
        print(f"{name}\t{count}")


if __name__ == "__main__":
    main()
