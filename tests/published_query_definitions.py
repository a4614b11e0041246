"""What the queries of tests/vectors/published_queries.tsv mean, one function of a game for each.

`either` stands for both colours: a definition with `color` is asked with White and with Black as
the side that the query writes in capitals.
"""

import re

import chess
from chess import BLACK, WHITE, popcount

from published_queries import (
    AROUND,
    BISHOP,
    BOTH,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    area,
    file_of,
    mask_of,
    rank_for,
    squares,
)

QUERIES = {}


def query(name):
    """A definition of a game."""

    def add(fits):
        QUERIES[name] = fits
        return fits

    return add


def ply(name):
    """A definition of a position, which some ply of the game fulfils."""

    def add(fits):
        QUERIES[name] = lambda game: game.any(fits)
        return fits

    return add


def either(name):
    """The same for one side or the other."""

    def add(fits):
        QUERIES[name] = lambda game: game.any_side(fits)
        return fits

    return add


# Endings of CQL's collections.


@either("01_05P")
def _(at, own):
    return at.total == 3 and at.men("P", own) == 1


@either("06_07RB")
def _(at, own):
    return at.total == 4 and at.men("R", own) == 1 and at.men("B", not own) == 1


@either("10Np")
def _(at, own):
    corners = area("ah", [2], own)
    return at.total == 4 and at.men("N", own) == 1 and at.men("P", not own, corners)


@either("16_19Qp")
def _(at, own):
    return at.total == 4 and at.men("Q", own) == 1 and at.men("P", not own, area("abcdefgh", [2], own)) == 1


@either("30_32Rpp")
def _(at, own):
    return (
        at.total == 5
        and at.men("R", own) == 1
        and at.men("P", not own) == 2
        and len(at.connected(not own)) == 2
    )


@ply("33_36BPb")
def _(at):
    white, black = at.shades(WHITE), at.shades(BLACK)
    return (
        at.total == 5
        and sum(white) == sum(black) == 1
        and white == black
        and not any(at.men("QRN", color) for color in BOTH)
    )


@either("41_51ocBPPb")
def _(at, own):
    return (
        at.total == 6
        and at.has_opposite_bishops
        and at.men("P", own) == 2
        and not at.men("P", not own)
        and len(at.connected(own)) == 2
    )


@either("52_68RPr")
def _(at, own):
    return (
        at.total == 5 and at.men("P", own) == 1 and at.men("R", own) == 1 and at.men("R", not own) == 1
    )


def rook_and_pawn(at, own, files, ranks):
    is_one = any(at.men("P", own, area(file, ranks, own)) == 1 for file in files)
    return at.total == 5 and is_one and at.men("R", own) == at.men("R", not own) == 1


@either("55RPr")
def _(at, own):
    return rook_and_pawn(at, own, "bg", [5, 6, 7])


@either("57_58RPr")
def _(at, own):
    return rook_and_pawn(at, own, "de", [6])


@either("77PP")
def _(at, own):
    return at.total == 4 and not at.men("P", not own) and len(at.doubled(own)) == 2


@either("78PP")
def _(at, own):
    return at.total == 4 and not at.men("P", not own) and len(at.isolated(own)) == 2


def pawn_each(at):
    return at.total == 4 and at.men("P", WHITE) == at.men("P", BLACK) == 1


@ply("79_81Pp")
def _(at):
    return pawn_each(at) and not at.passed[WHITE]


@ply("82Pp")
def _(at):
    return pawn_each(at) and at.passed[WHITE] and at.passed[BLACK]


@either("83_86PPp")
def _(at, own):
    return (
        at.total == 5
        and at.men("P", own) == 2
        and at.men("P", not own) == 1
        and len(at.passed[WHITE]) + len(at.passed[BLACK]) == 1
    )


@either("99Qrp")
def _(at, own):
    inner = area("bcdefg", range(2, 8))
    return (
        at.total == 5
        and at.men("Q", own) == 1
        and at.men("R", not own) == 1
        and at.men("P", not own, inner) == 1
    )


@ply("FCE 2.1")
def _(at):
    return all(not at.men("QRBN", color) and at.men("P", color) <= 2 for color in BOTH)


@either("FCE 5.3")
def _(at, own):
    return at.pieces(own) == "BB" and at.pieces(not own) == "NN"


@either("FCE 6.1D")
def _(at, own):
    return at.pieces(own) == "R" and not at.pieces(not own) and all(at.men("P", color) for color in BOTH)


@either("FCE 7.3")
def _(at, own):
    return at.pieces(own) == "R" and at.pieces(not own) == "BN"


@either("FCE 10.1")
def _(at, own):
    return at.pieces(own) == "Q" and at.pieces(not own) in ("B", "N")


@ply("FCE 10.8")
def _(at):
    return any(at.is_ending(*both) for both in [("QB", "QB"), ("QB", "QN"), ("QN", "QN")])


# Motifs of CQL's examples.


def is_pure_mate(at, mated):
    if not at.board.is_checkmate() or at.board.turn != mated:
        return False
    field = squares(AROUND[at.board.king(mated)])
    own = at.all(mated)
    return all(
        at.attackers_of(square, not mated) <= (0 if own >> square & 1 else 1) for square in field
    )


@ply("pure mate")
def _(at):
    return is_pure_mate(at, BLACK)


@either("pure mate, either")
def _(at, own):
    return is_pure_mate(at, not own)


@ply("pins")
def _(at):
    return len(at.pinned(BLACK)) >= 3


@either("pins, either")
def _(at, own):
    return len(at.pinned(not own)) >= 3


@query("checks")
def _(game):
    return game.lasts(lambda at: at.board.is_check(), 3, 2)


@query("excelsior")
def _(game):
    seen = set()
    for at in game.plies:
        if at.move and at.move.promotion and at.origin[at.move.from_square] in seen:
            return True
        seen |= {at.origin[pawn] for pawn in at.pawns[WHITE] if pawn >> 3 == 1}
    return False


@query("Ivanchuk")
def _(game):
    winner = {"1-0": ["White"], "0-1": ["Black"]}.get(game.tags.get("Result"), [])
    return game.has_words(winner, "ivanchuk") and game.has_words(["Event"], "linares")


@query("by length")
def _(game):
    return game.has_words(["Event"], "1.p")


@query("any")
def _(game):
    year = game.tags.get("Date", "")[:4]
    in_years = year.isdigit() and 2000 <= int(year) <= 2005
    return in_years and game.has_words(["White", "Black"], "kasparyan")


def officers(at, color):
    return at.all(color) & ~at.board.pawns


@either("pawn attacks")
def _(at, own):
    return popcount(officers(at, not own) & at.attacked_by(at.of(PAWN, own))) >= 2


@either("pawn forks")
def _(at, own):
    return any(popcount(at.attacks[pawn] & officers(at, not own)) >= 2 for pawn in at.pawns[own])


@query("opposite castling")
def _(game):
    sides = [(WHITE, "O-O-O"), (BLACK, "O-O")]
    return all(
        game.any(lambda at: at.castles == way and at.board.turn == color) for color, way in sides
    )


@ply("castling check")
def _(at):
    return at.before is not None and at.before.castles and at.board.is_check()


@either("castling pins")
def _(at, own):
    if at.before is None or not at.before.castles:
        return False
    light = (at.board.bishops | at.board.knights) & at.all(not own)
    targets = at.undefended(light, not own)
    return at.rays(at.of(ROOK, own), targets, at.of(KING, not own))


@either("advanced passed")
def _(at, own):
    return any(rank_for(own, pawn) >= 5 for pawn in at.passed[own])


@ply("fixed pawns")
def _(at):
    return any(at.stops(color) & at.of(PAWN, not color) for color in BOTH)


@either("chains")
def _(at, own):
    return at.chain[own]


@either("bases")
def _(at, own):
    held = at.attacked_by(at.of(PAWN, own)) | at.stops(own)
    return mask_of(at.chain[own]) & ~held


@ply("two queens")
def _(at):
    pawns = mask_of(at.promoted)
    return all(pawns & at.of(QUEEN, color) for color in BOTH)


@ply("queening stalemates")
def _(at):
    return at.before is not None and at.before.move.promotion == QUEEN and at.board.is_stalemate()


@either("N promotion forks")
def _(at, own):
    if at.before is None or at.before.move.promotion != KNIGHT:
        return False
    square = at.before.move.to_square
    targets = (at.board.kings | at.board.queens | at.board.rooks) & at.all(not own)
    return at.of(KNIGHT, own) >> square & 1 and popcount(at.attacks[square] & targets) >= 2


@ply("smothered")
def _(at):
    board = at.board
    if at.before is None or at.before.moved != KNIGHT or not board.is_checkmate():
        return False
    return not AROUND[board.king(board.turn)] & ~at.all(board.turn)


# Masks of other programs.


@ply("1 isolated d-pawn")
def _(at):
    return any(file_of(pawn) == 3 for pawn in at.isolated(WHITE))


@ply("2 hanging pawns")
def _(at):
    return {chess.C4, chess.D4} <= at.hanging(WHITE)


@ply("3 backward d6")
def _(at):
    return chess.D6 in at.backward(BLACK)


@ply("4 doubled rooks, open file")
def _(at):
    rooks = at.of(ROOK, WHITE)
    files = [file for file in chess.BB_FILES if not file & at.board.pawns]
    return any(popcount(file & rooks) >= 2 for file in files)


@query("5 exchange on c3")
def _(game):
    return game.pairs(
        lambda at: at.captured == KNIGHT and at.moved == ROOK and at.move.to_square == chess.C3,
        lambda at: at.is_capture_on(PAWN, chess.C3) and file_of(at.move.from_square) == 1,
    )


@query("6 Greek gift")
def _(game):
    return game.pairs(
        lambda at: at.is_capture_on(BISHOP, chess.H7) and at.board.gives_check(at.move),
        lambda at: at.is_capture_on(KING, chess.H7),
    )


QUERIES["7 opposite castling"] = QUERIES["opposite castling"]


@ply("8 rooks on the 7th")
def _(at):
    return at.men("R", WHITE, chess.BB_RANK_7) >= 2


@ply("9 pair v two knights")
def _(at):
    minor = [at.men(kind, color) for color in BOTH for kind in "BN"]
    return minor == [2, 0, 0, 2]


@ply("10 opposite bishops")
def _(at):
    return at.is_ending("B", "B") and at.has_opposite_bishops


@ply("11 outpost")
def _(at):
    return at.outposts(WHITE)


@ply("12 king in the centre")
def _(at):
    return at.number >= 40 and at.board.king(WHITE) == chess.E1 and at.men("Q", BLACK)


@ply("13 Carlsbad")
def _(at):
    white, black = ({file: [] for file in range(8)} for _ in BOTH)
    for color, by_file in ((WHITE, white), (BLACK, black)):
        for pawn in at.pawns[color]:
            by_file[file_of(pawn)].append(pawn)
    stands = chess.D4 in white[3] and chess.D5 in black[3]
    return stands and not white[2] and not black[4] and white[4] and black[2]


def gives(game, most, plies=8):
    """The plies at which the side to move gives material away and does not get it back."""
    values = [at.value(WHITE) - at.value(BLACK) for at in game.plies]
    for at in range(game.total - 2):
        sign = 1 if game.plies[at].board.turn else -1
        before = [sign * values[other] for other in (at, at - 2) if other >= 0]
        after = [sign * values[other] for other in range(at + 2, min(at + plies + 1, game.total), 2)]
        if all(value <= min(before) - most for value in after):
            yield at


@query("14 queen given")
def _(game):
    return any(True for _ in gives(game, 8))


@query("15 exchange for a pawn")
def _(game):
    def balance(at):
        more = lambda kinds: at.men(kinds, WHITE) - at.men(kinds, BLACK)
        return [more("R"), more("BN"), more("P"), more("Q")] == [-1, 1, 1, 0]

    return game.lasts(balance, 8)


@ply("16 passed on the 7th")
def _(at):
    return any(pawn >> 3 == 6 for pawn in at.passed[WHITE])


# Further conditions.


@query("a knight's walk")
def _(game):
    # How far each knight has come.
    come = {}
    for at in game.plies:
        for knight in squares(at.of(KNIGHT, WHITE)):
            piece = at.origin[knight]
            done = come.get(piece, 0)
            if done < 3 and knight == (chess.B1, chess.F1, chess.G3)[done]:
                come[piece] = done + 1
    return 3 in come.values()


@query("sacrifice")
def _(game):
    return any(True for _ in gives(game, 2))


@query("mate missed")
def _(game):
    def mates(at, move):
        if not at.board.gives_check(move):
            return False
        at.board.push(move)
        is_mate = at.board.is_checkmate()
        at.board.pop()
        return is_mate

    return game.any(
        lambda at: at.number >= 11
        and at.move is not None
        and not mates(at, at.move)
        and any(mates(at, move) for move in at.board.legal_moves)
    )


@query("repetition")
def _(game):
    times = {}
    for at in game.plies:
        position = at.board.epd()
        times[position] = times.get(position, 0) + 1
    return max(times.values()) >= 3


@ply("fifty moves")
def _(at):
    return at.board.halfmove_clock >= 100


@query("blunders of Black")
def _(game):
    # After a move of Black, White is to move.
    return any(4 in node.nags and node.turn() == WHITE for node in game.nodes)


@query("long thought")
def _(game):
    control = re.search(r"\+(\d+)", game.tags.get("TimeControl", ""))
    increment = int(control[1]) if control else 0
    before = {}
    for node in game.nodes:
        side, left, spent = node.turn(), node.clock(), node.emt()
        if spent is None and left is not None and side in before:
            spent = before[side] - left + increment
        if spent is not None and spent >= 60:
            return True
        if left is not None:
            before[side] = left
    return False


@ply("x-ray")
def _(at):
    return at.rays(at.of(ROOK, WHITE), at.all(BLACK), at.of(QUEEN, BLACK))
