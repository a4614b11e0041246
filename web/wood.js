// Chess and its variants on 8x8, drawn by chessground.

import { Chessground } from './vendor/chessground.min.js';
import { h } from './text.js';

const still = window.matchMedia('(prefers-reduced-motion: reduce)');

/** The brushes of `%csl` and `%cal`, and the faint one of moves that are often played. */
const BRUSHES = { G: 'green', R: 'red', Y: 'yellow', B: 'blue', faint: 'paleGreen' };

function isSquare(name) {
  return /^[a-h][1-8]$/.test(name);
}

/** Whether the pieces of a position are those that chessground draws. */
export function isChess({ fen, files, ranks, numbered }) {
  return files === 8 && ranks === 8 && !numbered && /^[pnbrqk1-8~]+(\/[pnbrqk1-8~]+){7}(\[|\s|$)/i.test(fen);
}

/** Where a move can be shown to end: a king that castles goes to its rook or to where it will stand. */
function ends(move) {
  const end = move.squares.at(-1);
  if (!move.san.startsWith('O-O')) return [end];
  const rank = move.squares[0].slice(1);
  const long = move.san.startsWith('O-O-O');
  return [...new Set([end, (long ? 'c' : 'g') + rank])];
}

/** A board of chess. */
export class Wood {
  constructor(place, board) {
    this.board = board;
    this.element = h('div', { class: 'wood' });
    place.append(this.element);
    this.ground = Chessground(this.element, {
      disableContextMenu: true,
      premovable: { enabled: false },
      draggable: { showGhost: true },
      drawable: { enabled: true },
      animation: { duration: 170 },
    });
    // A piece of the hand goes to the square that is clicked, before chessground sees it.
    this.element.addEventListener('pointerdown', event => this.drop(event), true);
  }

  remove() {
    this.ground.destroy();
  }

  show(position, { last, flip, shapes, glyph }) {
    this.position = position;
    this.shapes = shapes;
    this.glyph = glyph;
    this.hinted = [];
    this.ground.set({
      animation: { enabled: !still.matches },
      fen: position.fen,
      orientation: flip ? 'black' : 'white',
      turnColor: position.to_move,
      check: position.check,
      lastMove: last?.filter(isSquare),
      selected: undefined,
    });
    this.refresh();
  }

  refresh() {
    const dests = new Map();
    for (const move of this.board.open) {
      if (move.squares.length < 2) continue;
      const from = move.squares[0];
      dests.set(from, [...(dests.get(from) ?? []), ...ends(move)]);
    }
    this.ground.selectSquare(null);
    this.ground.set({
      movable: {
        free: false,
        rookCastle: true,
        color: this.position.to_move,
        dests: this.board.inHand ? new Map() : dests,
        events: { after: (from, to) => this.moved(from, to) },
      },
    });
    this.draw(this.shapes);
  }

  /** Draws arrows and squares; with a piece of the hand chosen, where it can go. */
  draw(shapes) {
    this.shapes = shapes;
    const drops = this.board.inHand ? this.board.open.map(move => ({ orig: move.squares[0], brush: 'green' })) : [];
    const drawn = shapes.filter(({ from, to }) => isSquare(from) && (!to || isSquare(to))).map(({ from, to, color, width }) => ({
      orig: from,
      dest: to && to !== from ? to : undefined,
      brush: BRUSHES[color] ?? 'green',
      modifiers: width ? { lineWidth: width } : undefined,
    }));
    const sign = this.glyph && isSquare(this.glyph.square)
      ? [{ orig: this.glyph.square, label: { text: this.glyph.sign, fill: this.glyph.color } }] : [];
    this.ground.setAutoShapes([...drawn, ...drops, ...this.hinted, ...sign]);
  }

  moved(from, to) {
    const moves = this.board.open.filter(move => move.squares.length > 1 && move.squares[0] === from);
    const exact = moves.filter(move => move.squares.at(-1) === to);
    this.board.make(exact.length ? exact : moves.filter(move => ends(move).includes(to)));
  }

  drop(event) {
    if (!this.board.inHand) return;
    event.stopPropagation();
    const square = this.ground.getKeyAtDomPos([event.clientX, event.clientY]);
    const moves = this.board.open.filter(move => move.squares[0] === square);
    if (moves.length) this.board.make(moves);
  }

  hint(squares) {
    const shape = squares && (squares.length > 1
      ? { orig: squares[0], dest: squares.at(-1), brush: 'blue' }
      : { orig: squares[0], brush: 'blue' });
    this.hinted = shape ? [shape] : [];
    this.draw(this.shapes);
  }
}

/** Draws a position that nobody can change, if chessground can; whether it did. */
export function picture(place, position, shapes) {
  if (!isChess(position)) return false;
  place.classList.add('wood');
  const ground = Chessground(place, {
    fen: position.fen, viewOnly: true, coordinates: false, drawable: { enabled: false }, animation: { enabled: false },
  });
  ground.setAutoShapes(shapes.map(({ from, to, color }) => ({ orig: from, dest: to, brush: BRUSHES[color] })));
  return true;
}
