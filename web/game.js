// A game that is opened: its moves by their places, and what can be known of each.

/** Chances of White in percent by an evaluation, as players of all ratings turn it into points. */
export function chances({ cp, mate }) {
  if (mate !== undefined) return mate > 0 ? 100 : 0;
  return 100 / (1 + Math.exp(-0.00368208 * cp));
}

/** An evaluation as players write it. */
export function evaluation(value, decimals = 1) {
  if (!value) return '';
  if (value.mate !== undefined) return `${value.mate < 0 ? '−' : ''}#${Math.abs(value.mate)}`;
  const pawns = (Math.abs(value.cp) / 100).toFixed(decimals);
  return `${value.cp > 0 ? '+' : value.cp < 0 ? '−' : ''}${pawns}`;
}

/** How much of the chances a move may lose before it is marked. */
const DROPS = [[30, 4], [20, 2], [10, 6]];

/** A game with its variations. Places are written as `plydex show --ply` takes them: `12`, `12.1/14`. */
export class Game {
  /** `data` is the server's tree; `template` the position in which it begins. */
  constructor(id, data, template) {
    Object.assign(this, { id, data, template, header: data.header, found: [] });
    this.first = { place: '0', node: null, before: null, line: '', depth: 0, inner: [] };
    this.places = new Map([['0', this.first]]);
    this.main = this.lay(data.moves, '', this.first, 0);
    this.marks = this.judge();
  }

  get start() {
    const { variant, start_fen: fen } = this.header;
    return { fen: fen ?? '', variant: variant === 'chess' ? '' : variant };
  }

  /** Gives each move of a line its place, and goes into its variations. */
  lay(nodes, line, before, depth) {
    const moves = [];
    let last = before;
    for (const node of nodes) {
      if (node.ply === undefined) continue;
      const at = { place: line ? `${line}/${node.ply}` : String(node.ply), node, before: last, line, depth, inner: [] };
      this.places.set(at.place, at);
      // A variation is another move than the one that its place goes on with.
      if (!last.next && last.line === line) last.next = at;
      at.first = moves.length === 0;
      moves.push(at);
      // What is kept as text has no number among the variations.
      let nth = 0;
      for (const variation of node.variations ?? []) {
        if (variation.length === 1 && variation[0].rest !== undefined && variation[0].ply === undefined) continue;
        nth += 1;
        const name = `${line ? `${line}/` : ''}${node.ply}.${nth}`;
        at.inner.push(this.lay(variation, name, last, depth + 1));
      }
      last = at;
    }
    return moves;
  }

  /** The place of an address, or the end of the main line. */
  at(written) {
    const last = this.main.at(-1) ?? this.first;
    if (written === null || written === undefined) return last;
    const known = this.places.get(String(written));
    if (known) return known;
    return Number(written) > 0 ? last : this.first;
  }

  /** The places from the start to one, that one included. */
  path(at) {
    const path = [];
    for (let here = at; here.node; here = here.before) path.push(here);
    return path.reverse();
  }

  /** The moves up to a place, as programs write them. */
  play(at) {
    return this.path(at).map(({ node }) => node.uci);
  }

  /** The last name of an opening up to a place. */
  opening(at) {
    for (let here = at; here; here = here.before) {
      const found = here.node ? here.node.opening : this.data.start.opening;
      if (found) return found;
    }
    return null;
  }

  /** The last clock of a side up to a place, in seconds; before it moved, what the time control gives. */
  clock(at, second) {
    const path = this.path(at).reverse();
    const known = path.find(({ node }) => node.clock !== undefined && this.isSecond(node) === second);
    if (known) return known.node.clock;
    if (!this.hasClocks) return null;
    const control = new Map(this.data.tags).get('TimeControl') ?? '';
    const seconds = control.match(/^(?:\d+\/)?(\d+)(?:\+\d+)?$/)?.[1];
    return seconds ? Number(seconds) : null;
  }

  isSecond(node) {
    return (node.ply % 2 === 0) !== this.data.first_move.black;
  }

  get hasClocks() {
    return this.main.some(({ node }) => node.clock !== undefined);
  }

  get hasEvaluations() {
    return this.main.filter(({ node }) => node.eval).length > 1;
  }

  /** The evaluation at a place, or the last one before it. */
  evaluation(at) {
    for (let here = at; here; here = here.before) if (here.node?.eval) return here.node.eval;
    return null;
  }

  /** The glyph of each move of the main line that loses much by the evaluations around it. */
  judge() {
    const marks = new Map();
    let before = null;
    for (const { place, node } of this.main) {
      const now = node.eval ? chances(node.eval) : null;
      if (before !== null && now !== null) {
        const lost = this.isSecond(node) ? now - before : before - now;
        const drop = DROPS.find(([least]) => lost >= least);
        if (drop) marks.set(place, drop[1]);
      }
      before = now;
    }
    return marks;
  }

  /** A position as the board takes it, before its legal moves are known. */
  position(at) {
    if (!at.node) return { ...this.template, moves: [] };
    const { fen, san } = at.node;
    return {
      ...this.template,
      fen,
      to_move: this.sideOf(fen),
      check: /[+#]$/.test(san),
      end: null,
      moves: [],
      pieces: [],
    };
  }

  /** The side to move of a FEN, by that of the start. */
  sideOf(fen) {
    const letter = text => (text.match(/^[WB](?=:)/i)?.[0] ?? text.split(' ')[1] ?? '').toLowerCase();
    const { fen: start, to_move: first } = this.template;
    if (letter(fen) === letter(start)) return first;
    if (first !== 'black') return 'black';
    return this.header.variant === 'xiangqi' ? 'red' : 'white';
  }

  /** The next place, or that before, at which there is a choice. */
  branching(at, by) {
    let here = by > 0 ? at.next : at.before;
    while (here) {
      if (here.next?.inner.length || (by > 0 && !here.next) || (by < 0 && !here.node)) return here;
      here = by > 0 ? here.next : here.before;
    }
    return null;
  }

  /** Into the first variation of the next move, or of this one. */
  inward(at) {
    return at.next?.inner[0]?.[0] ?? at.inner[0]?.[0] ?? null;
  }

  /** Out of a variation, to the move whose place it takes. */
  outward(at) {
    if (!at.line) return null;
    return this.places.get(at.line.replace(/\.\d+$/, '')) ?? null;
  }
}

/** The squares of a move as programs write it, the first and the last included. */
export function squaresOf(uci) {
  const way = uci.includes('@') ? uci.split('@')[1] : uci;
  if (way.startsWith('/')) return [];
  if (/[^a-z0-9]/i.test(way) || /\dx/.test(way)) return way.split(/[-x:]/).filter(part => /[a-z0-9]/i.test(part));
  return way.match(/[a-z]\d+/g) ?? (/^\d+$/.test(way) && way !== '0000' ? [way] : []);
}

/** The numbers of a first move and of those after it: `12.`, `12…`. */
export function numberOf(first, ply) {
  const at = ply - 1 + (first.black ? 1 : 0);
  return { number: first.number + Math.floor(at / 2), second: at % 2 === 1 };
}

/** Seconds as a clock shows them. */
export function clockText(seconds) {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = number => String(number).padStart(2, '0');
  if (seconds < 20) return `0:${two(rest)}.${Math.floor((seconds * 10) % 10)}`;
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
