// The moves of a game beside the board: two columns, comments and variations between them.

import { evaluation, numberOf } from './game.js';
import { h, icon, result } from './text.js';

/** Glyphs by their numbers: as players write them, what they mean, and the class of their colour. */
const GLYPHS = [
  [[1], '!', 'good move', 'good'],
  [[2], '?', 'mistake', 'mistake'],
  [[3], '!!', 'very good move', 'brilliant'],
  [[4], '??', 'blunder', 'blunder'],
  [[5], '!?', 'interesting move', 'good'],
  [[6], '?!', 'dubious move', 'dubious'],
  [[7, 8], '□', 'only move'],
  [[10, 11, 12], '=', 'equal'],
  [[13], '∞', 'unclear'],
  [[14], '+=', 'White is slightly better'],
  [[15], '=+', 'Black is slightly better'],
  [[16], '±', 'White is better'],
  [[17], '∓', 'Black is better'],
  [[18], '+−', 'White is winning'],
  [[19], '−+', 'Black is winning'],
  [[20], '+−', 'White is winning by far'],
  [[21], '−+', 'Black is winning by far'],
  [[22, 23], '⨀', 'zugzwang'],
  [[32, 33], '⟳', 'development'],
  [[36, 37], '↑', 'initiative'],
  [[40, 41], '→', 'attack'],
  [[44, 45], '=∞', 'with compensation'],
  [[132, 133], '⇆', 'counterplay'],
  [[138, 139], '⊕', 'time trouble'],
  [[140], '∆', 'with the idea'],
  [[142], '≥', 'better is'],
  [[145], 'RR', 'comment'],
  [[146], 'N', 'novelty'],
];

/** A glyph by its number, with what it means. */
export function glyph(nag) {
  const [, sign = `$${nag}`, word = `annotation glyph ${nag}`, kind = ''] = GLYPHS.find(([numbers]) => numbers.includes(nag)) ?? [];
  return { sign, word, kind };
}

function glyphs(nags) {
  return (nags ?? []).map(nag => {
    const { sign, kind, word } = glyph(nag);
    return h('span', { class: `gl ${kind}`, title: word }, sign);
  });
}

/** Plies of a variation that are shown where it is long; the rest is folded. */
const FOLDED_FROM = 24;

/** The notation of one game. It is built once; a step marks another move. */
export class Notation {
  /** `go` is called with the place of each move that is clicked. */
  constructor(place, game, go) {
    Object.assign(this, { place, game, buttons: new Map() });
    place.replaceChildren(...this.rows());
    place.onclick = event => {
      const button = event.target.closest('[data-place]');
      if (button) go(button.dataset.place);
    };
  }

  button(at, kind, children) {
    const button = h('button', { type: 'button', class: kind, 'data-place': at.place, tabindex: '-1' }, ...children);
    this.buttons.set(at.place, button);
    return button;
  }

  cell(at) {
    const { node } = at;
    const drop = node.nags?.some(nag => nag < 7) ? null : this.game.marks.get(at.place);
    const told = drop ? glyph(drop) : null;
    return this.button(at, 'm move', [
      h('b', {}, node.san),
      ...glyphs(node.nags),
      told && h('span', { class: `gl ${told.kind}`, title: `${told.word}, by the evaluations` }, told.sign),
      node.eval ? h('span', { class: 'e' }, evaluation(node.eval)) : null,
    ]);
  }

  /** All rows: a number, White's move, Black's move; what stands between them takes a row of its own. */
  rows() {
    const { data, main, header } = this.game;
    const parts = [];
    const before = data.start.comments ?? [];
    if (before.length) parts.push(h('div', { class: 'note' }, ...before.map(text => h('p', { class: 'comment' }, text))));
    // Whether a row waits for Black's move.
    let open = false;
    for (const at of main) {
      const { number, second } = numberOf(data.first_move, at.node.ply);
      if (!open) parts.push(h('span', { class: 'n' }, String(number)));
      if (second && !open) parts.push(h('span', { class: 'm quiet' }, '…'));
      parts.push(this.cell(at));
      open = !second;
      const note = this.note(at);
      if (!note) continue;
      if (open) parts.push(h('span', { class: 'm quiet' }, at.next ? '…' : ''));
      open = false;
      parts.push(note);
    }
    if (open) parts.push(h('span', { class: 'm' }));
    const rest = data.rest ?? null;
    if (rest) {
      parts.push(h('div', { class: 'note damaged' },
        h('p', {}, main.length ? 'What follows cannot be played:' : 'The moves cannot be played; this is the text:'),
        h('p', { class: 'comment' }, rest)));
    }
    parts.push(h('div', { class: 'end' }, result(header)));
    return parts;
  }

  /** The comments and variations of a move; nothing if it has none. */
  note(at) {
    const { comments = [], variations = [] } = at.node;
    if (!comments.length && !variations.length) return null;
    return h('div', { class: 'note' },
      ...comments.map(text => h('p', { class: 'comment' }, text)),
      ...this.variations(at));
  }

  variations(at) {
    let nth = 0;
    return (at.node.variations ?? []).map(members => {
      const rest = members.find(member => member.rest !== undefined)?.rest;
      if (members[0]?.ply === undefined) {
        const text = rest ?? (members[0]?.comments ?? []).join(' ');
        return h('div', { class: 'var' }, h('span', { class: 'kept' }, text));
      }
      const line = at.inner[nth];
      nth += 1;
      return this.variation(line, rest);
    });
  }

  variation(line, rest) {
    const name = line[0].line;
    const words = [];
    let anew = true;
    for (const at of line) {
      const { node } = at;
      for (const text of node.before ?? []) words.push(h('span', { class: 'comment' }, `${text} `));
      const { number, second } = numberOf(this.game.data.first_move, node.ply);
      const told = second ? (anew ? `${number}…` : '') : `${number}.`;
      words.push(h('span', { class: 'ply' },
        told && h('i', {}, told),
        this.button(at, 'mv move', [node.san, ...glyphs(node.nags)])), ' ');
      anew = false;
      for (const text of node.comments ?? []) {
        words.push(h('span', { class: 'comment' }, `${text} `));
        anew = true;
      }
      if (node.variations?.length) {
        words.push(...this.variations(at));
        anew = true;
      }
    }
    if (rest) words.push(h('span', { class: 'kept' }, rest));
    const shut = line.length > FOLDED_FROM && line[0].depth > 1;
    const fold = h('button', {
      type: 'button', class: 'fold', tabindex: '-1', 'aria-expanded': String(!shut), 'aria-label': `Variation with ${line[0].node.san}`,
      onclick: event => {
        event.stopPropagation();
        this.fold(name, !box.classList.contains('shut'));
      },
    }, icon('down'));
    const box = h('div', { class: shut ? 'var shut' : 'var', 'data-line': name }, fold, h('div', { class: 'in' }, ...words));
    return box;
  }

  /** Folds a variation, or opens it. */
  fold(name, shut) {
    const box = this.place.querySelector(`[data-line="${name}"]`);
    if (!box) return;
    box.classList.toggle('shut', shut);
    box.querySelector('.fold').setAttribute('aria-expanded', String(!shut));
  }

  /** Marks the move that is on the board, opens what it is in, and brings it into sight. */
  show(at) {
    const old = this.current;
    if (old) {
      old.removeAttribute('aria-current');
      old.tabIndex = -1;
    }
    const button = this.buttons.get(at.place);
    this.current = button ?? null;
    if (!button) {
      this.place.scrollTop = 0;
      const [first] = this.buttons.values();
      if (first) first.tabIndex = 0;
      return;
    }
    for (let box = button.closest('.var'); box; box = box.parentElement.closest('.var')) {
      if (box.classList.contains('shut')) this.fold(box.dataset.line, false);
    }
    button.setAttribute('aria-current', 'step');
    button.tabIndex = 0;
    if (old && old === document.activeElement) button.focus({ preventScroll: true });
    const [inner, outer] = [button.getBoundingClientRect(), this.place.getBoundingClientRect()];
    const margin = Math.min(60, outer.height / 5);
    if (this.place.scrollHeight > this.place.clientHeight && (inner.top < outer.top + margin || inner.bottom > outer.bottom - margin)) {
      this.place.scrollTop += inner.top - outer.top - outer.height * 0.45;
    }
  }

  /** Marks the plies that a query has found. */
  found(plies) {
    for (const [place, button] of this.buttons) button.classList.toggle('found', plies.includes(Number(place)));
  }
}
