// All other boards: the server's drawing, with squares to click. A capture can be clicked square by
// square; the squares between may be left out where that is unique.

import { askText } from './api.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Whether the squares clicked so far, in their order, lie on the way of a move. */
function goes(move, clicked) {
  if (move.squares[0] !== clicked[0]) return false;
  let at = 1;
  for (const square of clicked.slice(1)) {
    const found = move.squares.indexOf(square, at);
    if (found < 0) return false;
    at = found + 1;
  }
  return true;
}

/**
 * What a click on a square means: the squares clicked so far with it, and the moves that it ends.
 * A second click on a square ends a move there that could go on.
 */
export function click(moves, clicked, square) {
  const again = clicked.length > 1 && clicked.at(-1) === square;
  if (!clicked.length || !again) {
    const now = [...clicked, square];
    const fitting = clicked.length ? moves.filter(move => goes(move, now)) : [];
    if (fitting.length) {
      const ending = fitting.filter(move => move.squares.at(-1) === square);
      return ending.length === fitting.length ? { clicked: [], made: ending } : { clicked: now, made: [] };
    }
    const single = moves.filter(move => move.squares.length === 1 && move.squares[0] === square);
    if (single.length) return { clicked: [], made: single };
    const begins = square !== clicked[0] && moves.some(move => move.squares.length > 1 && move.squares[0] === square);
    return { clicked: begins ? [square] : [], made: [] };
  }
  const ending = moves.filter(move => goes(move, clicked) && move.squares.at(-1) === square);
  return { clicked: [], made: ending };
}

const KEPT = 200;
const pictures = new Map();

/** The drawing of a position. The last ones are kept, so that stepping to and fro asks nothing. */
async function picture({ fen, variant }, flip, signal) {
  const key = `${flip} ${variant} ${fen}`;
  const text = pictures.get(key) ?? await askText('v1/board.svg', { fen, variant, flip: flip && '1' }, signal);
  pictures.delete(key);
  pictures.set(key, text);
  if (pictures.size > KEPT) pictures.delete(pictures.keys().next().value);
  return text;
}

/** A board drawn by the server. */
export class Grid {
  constructor(place, board) {
    this.place = place;
    this.board = board;
    this.clicked = [];
    this.squares = new Map();
    place.addEventListener('pointerdown', this.press = event => this.pressed(event));
    place.addEventListener('pointermove', this.drag = event => this.dragged(event));
    place.addEventListener('pointerup', this.release = event => this.released(event));
  }

  remove() {
    this.place.removeEventListener('pointerdown', this.press);
    this.place.removeEventListener('pointermove', this.drag);
    this.place.removeEventListener('pointerup', this.release);
  }

  async show(position, { last, flip, shapes, signal }) {
    const text = await picture(position, flip, signal);
    if (signal?.aborted) return;
    this.shapes = shapes;
    const drawn = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    this.svg = document.importNode(drawn, true);
    this.svg.setAttribute('class', 'grid');
    this.svg.removeAttribute('width');
    this.svg.removeAttribute('height');
    this.squares = new Map();
    for (const group of this.svg.querySelectorAll('[data-square]')) this.squares.set(group.dataset.square, group);
    this.place.replaceChildren(this.svg);
    this.last = last ?? [];
    this.hinted = [];
    this.clicked = [];
    this.refresh();
  }

  hint(squares) {
    this.hinted = squares ?? [];
    this.mark();
  }

  draw(shapes) {
    this.shapes = shapes;
    this.mark();
  }

  /** Draws an arrow from the middle of a square to that of another. */
  arrow({ from, to, color }) {
    const [start, end] = [from, to].map(square => this.squares.get(square)?.querySelector('rect')).map(field => field && (
      ['x', 'y'].map(name => Number(field.getAttribute(name)) + Number(field.getAttribute('width')) / 2)
    ));
    if (!start || !end) return;
    const [right, down] = [end[0] - start[0], end[1] - start[1]];
    const long = Math.hypot(right, down) || 1;
    const arrow = document.createElementNS(SVG, 'path');
    // Along the way from the start; the head is a triangle at the end.
    arrow.setAttribute('d', `M10 -3H${long - 14}V-8L${long - 2} 0L${long - 14} 8V3H10z`);
    arrow.setAttribute('transform', `translate(${start[0]} ${start[1]}) rotate(${(Math.atan2(down, right) * 180) / Math.PI})`);
    arrow.setAttribute('class', `mark arrow shape-${color}`);
    this.svg.append(arrow);
  }

  refresh() {
    this.clicked = [];
    this.mark();
  }

  /** Puts a shape onto a square; `below` its man, or above. */
  put(square, kind, below) {
    const group = this.squares.get(square);
    const field = group?.querySelector('rect');
    if (!field) return;
    const [x, y, width] = ['x', 'y', 'width'].map(name => Number(field.getAttribute(name)));
    const isDot = kind === 'target' || kind === 'passed';
    const mark = document.createElementNS(SVG, isDot ? 'circle' : 'rect');
    const size = isDot
      ? { cx: x + width / 2, cy: y + width / 2, r: width / (kind === 'passed' ? 12 : 7) }
      : { x: x + 1.5, y: y + 1.5, width: width - 3, height: width - 3 };
    for (const [name, value] of Object.entries(size)) mark.setAttribute(name, value);
    mark.setAttribute('class', `mark ${kind}`);
    if (below) field.after(mark);
    else group.append(mark);
  }

  mark() {
    if (!this.svg) return;
    for (const old of this.svg.querySelectorAll('.mark')) old.remove();
    this.last.forEach((square, at) => {
      this.put(square, at === 0 || at === this.last.length - 1 ? 'last' : 'passed', true);
    });
    this.hinted.forEach(square => this.put(square, 'hinted', true));
    this.clicked.forEach(square => this.put(square, 'clicked', true));
    for (const shape of this.shapes ?? []) {
      if (shape.to && shape.to !== shape.from) this.arrow(shape);
      else this.put(shape.from, `shape shape-${shape.color}`, true);
    }
    const moves = this.board.open;
    if (this.clicked.length) {
      const ways = moves.filter(move => goes(move, this.clicked));
      const after = ways.flatMap(move => move.squares.slice(move.squares.indexOf(this.clicked.at(-1)) + 1));
      for (const square of new Set(after)) this.put(square, 'target');
    } else {
      for (const move of moves) if (move.squares.length === 1) this.put(move.squares[0], 'target');
    }
    for (const [square, group] of this.squares) {
      group.classList.toggle('can', moves.some(move => move.squares[0] === square));
    }
  }

  squareAt(event) {
    return event.target.closest?.('[data-square]')?.dataset.square;
  }

  pressed(event) {
    const square = event.button === 0 ? this.squareAt(event) : null;
    if (!square) return;
    const begins = this.clicked.length === 0;
    this.step(square);
    const man = this.squares.get(square)?.querySelector(':scope > g');
    if (event.pointerType === 'mouse' && man && begins && this.clicked.length === 1) {
      this.held = { square, man, x: event.clientX, y: event.clientY, transform: man.getAttribute('transform') ?? '' };
      event.preventDefault();
    }
  }

  dragged(event) {
    if (!this.held) return;
    const { man, x, y, transform } = this.held;
    const scale = this.svg.getScreenCTM().a;
    const [right, down] = [(event.clientX - x) / scale, (event.clientY - y) / scale];
    if (!this.held.moved && Math.hypot(right, down) < 4) return;
    if (!this.held.moved) {
      this.held.moved = true;
      this.svg.append(man.parentNode);
      man.setAttribute('class', 'held');
    }
    man.setAttribute('transform', `translate(${right} ${down}) ${transform}`);
  }

  released(event) {
    const held = this.held;
    this.held = null;
    if (!held?.moved) return;
    held.man.setAttribute('transform', held.transform);
    held.man.removeAttribute('class');
    const square = this.squareAt(event);
    if (square && square !== held.square) this.step(square);
    else this.refresh();
  }

  step(square) {
    const { clicked, made } = click(this.board.open, this.clicked, square);
    this.clicked = clicked;
    this.mark();
    if (made.length) this.board.make(made);
  }
}
