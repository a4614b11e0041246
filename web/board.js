// The board: which drawing it has, and what clicks on it mean. The server knows the legal moves.

import { h, piece } from './text.js';
import { Grid } from './grid.js';
import { Wood, isChess } from './wood.js';

/** A board with the moves that can be made on it. */
export class Board {
  /** `played` is called with each move that is made. */
  constructor(place, hand, played) {
    this.place = place;
    this.hand = hand;
    this.played = played;
    this.inHand = '';
    this.drawing = null;
  }

  /**
   * Shows a position; `last` has the squares of the move that led to it, `shapes` are arrows and
   * squares, `glyph` is a sign at the square that was moved to.
   */
  async show(position, { last, flip, shapes = [], glyph = null, signal }) {
    const Kind = isChess(position) ? Wood : Grid;
    if (!(this.drawing instanceof Kind)) {
      this.drawing?.remove();
      this.place.replaceChildren();
      this.drawing = new Kind(this.place, this);
    }
    this.position = position;
    this.shown = { last, flip, shapes, glyph };
    this.inHand = '';
    this.showHand();
    await this.drawing.show(position, { last, flip, shapes, glyph, signal });
  }

  /** Takes the legal moves of the position that is shown. */
  allow(position) {
    this.position = position;
    this.drawing.position = position;
    this.showHand();
    this.drawing.refresh();
  }

  /** Draws other arrows and squares. */
  mark(shapes) {
    if (this.shown) this.shown.shapes = shapes;
    this.drawing?.draw(shapes);
  }

  /** Points at a move that is not made; `null` ends that. */
  hint(squares) {
    this.drawing?.hint(squares);
  }

  /** The moves that can be made by clicks as things stand: with a piece of the hand, or without. */
  get open() {
    const moves = this.position?.moves ?? [];
    if (this.inHand) return moves.filter(move => move.drop === this.inHand);
    return this.kinds.length > 0 ? moves.filter(move => !move.drop) : moves;
  }

  /** The letters of the pieces that can be dropped; none where every move puts down the same man. */
  get kinds() {
    const moves = this.position?.moves ?? [];
    const kinds = [...new Set(moves.map(move => move.drop).filter(Boolean))];
    return kinds.length === 1 && !this.position.fen.includes('[') ? [] : kinds;
  }

  showHand() {
    const held = this.position.fen.match(/\[(\w*)\]/)?.[1] ?? '';
    const kinds = this.kinds;
    const white = this.position.to_move !== 'black';
    const heldBy = isWhite => [...held].filter(letter => (letter === letter.toUpperCase()) === isWhite).map(piece);
    this.hand.hidden = kinds.length === 0 && held === '';
    const buttons = kinds.map(kind => {
      const letter = white ? kind.toUpperCase() : kind.toLowerCase();
      const number = [...held].filter(one => one === letter).length;
      return h('button', {
        type: 'button',
        'aria-pressed': String(this.inHand === kind),
        onclick: () => {
          this.inHand = this.inHand === kind ? '' : kind;
          this.showHand();
          this.drawing.refresh();
        },
      }, `${piece(kind)}${number > 1 ? ` × ${number}` : ''}`);
    });
    const others = [true, false].filter(side => heldBy(side).length && !(buttons.length && side === white))
      .map(side => h('span', { class: 'quiet' }, `${side ? 'White' : 'Black'} holds ${heldBy(side).join(', ')}`));
    this.hand.replaceChildren(...(buttons.length ? ['Drop', ...buttons] : []), ...others);
  }

  /** Makes one of several moves that look alike on the board, after asking which. */
  async make(moves) {
    const [first] = moves;
    const move = moves.length > 1 ? await choose(moves) : first;
    if (move) this.played(move);
    else if (this.position) await this.show(this.position, this.shown);
  }
}

/** Asks which of several moves is meant: what a pawn becomes, which way a capture goes. */
function choose(moves) {
  const dialog = document.getElementById('dialog');
  const promotes = moves.every(move => move.promotion);
  document.getElementById('dialog-title').textContent = promotes ? 'Promote to' : 'Which move?';
  document.getElementById('dialog-body').replaceChildren(...moves.map((move, at) => h(
    'button',
    { value: String(at) },
    promotes ? h('b', {}, piece(move.promotion)) : null,
    promotes ? ' ' : null,
    move.san,
  )));
  return new Promise(resolve => {
    dialog.returnValue = '';
    dialog.addEventListener(
      'close',
      () => resolve(dialog.returnValue === '' ? null : moves[Number(dialog.returnValue)]),
      { once: true },
    );
    dialog.showModal();
  });
}
