// The evaluations of a game as a graph: White's chances above the middle, moves that lose much as dots.

import { chances, evaluation } from './game.js';
import { glyph } from './notation.js';
import { h, markup } from './text.js';

const HEIGHT = 74;
const KINDS = { 6: 'dubious', 2: 'mistake', 4: 'blunder' };

/** The graph of a game; `go` is called with the place of a ply that is clicked. */
export class Graph {
  constructor(place, game, go) {
    this.game = game;
    const last = this.last = game.main.at(-1)?.node.ply ?? 1;
    let now = { cp: 20 };
    const points = [[0, this.y(now)]];
    for (const { node } of game.main) {
      if (node.eval) now = node.eval;
      else if (node.san.endsWith('#')) now = { mate: game.isSecond(node) ? -1 : 1 };
      points.push([node.ply, this.y(now)]);
    }
    const path = points.map(([x, y]) => `L${x} ${y.toFixed(1)}`).join('');
    this.svg = markup(`<svg viewBox="0 0 ${last} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Evaluation by move">
      <rect width="${last}" height="${HEIGHT}" fill="var(--graph-black)"/><path d="M0 ${HEIGHT}${path}L${last} ${HEIGHT}z" fill="var(--graph-white)"/>
      <path d="M0 ${HEIGHT / 2}H${last}" stroke="var(--graph-line)" stroke-dasharray="3 4" vector-effect="non-scaling-stroke"/></svg>`);
    const at = place => `${(100 * Number(place)) / last}%`;
    const y = new Map(points);
    this.bands = h('div', { class: 'bands' });
    this.dots = [...game.marks].map(([place, nag]) => h('i', {
      class: `dot ${KINDS[nag]}`, style: `left:${at(place)};top:${y.get(Number(place))}px`,
    }));
    this.cursor = h('i', { class: 'cursor' });
    this.box = h('div', { class: 'plot' }, this.svg, this.bands, ...this.dots, this.cursor);
    this.box.addEventListener('pointerdown', event => this.point(event, go));
    this.box.addEventListener('pointermove', event => {
      if (event.buttons & 1) this.point(event, go);
    });
    place.replaceChildren(this.box, this.sums());
  }

  point(event, go) {
    if (event.button > 0) return;
    const { left, width } = this.box.getBoundingClientRect();
    go(String(Math.max(0, Math.min(this.last, Math.round(((event.clientX - left) / width) * this.last)))));
  }

  y(value) {
    return HEIGHT * (1 - chances(value) / 100);
  }

  counts() {
    const all = [{ 6: 0, 2: 0, 4: 0 }, { 6: 0, 2: 0, 4: 0 }];
    for (const [place, nag] of this.game.marks) all[this.game.isSecond({ ply: Number(place) }) ? 1 : 0][nag] += 1;
    return [['White', all[0]], ['Black', all[1]]];
  }

  sums() {
    const one = ([name, of]) => h('span', {}, h('b', {}, name), ...[6, 2, 4].flatMap(nag => {
      const { sign, kind, word } = glyph(nag);
      return [' ', h('span', { class: `gl ${kind}`, title: word }, sign), ` ${of[nag]}`];
    }));
    this.now = h('span', { class: 'now' });
    return h('div', { class: 'sum' }, ...this.counts().map(one), this.now);
  }

  show(at) {
    const main = at.line ? at.line.split('.')[0] : at.place;
    this.cursor.style.left = `${(100 * Number(main)) / this.last}%`;
    this.now.textContent = at.line ? '' : evaluation(at.node?.eval, 2);
  }

  found(plies) {
    this.bands.replaceChildren(...plies.map(ply => h('i', { style: `left:${(100 * ply) / this.last}%` })));
  }
}
