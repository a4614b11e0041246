// An opened game: its head, players and clocks at the board, moves, graph and tags.

import { address, askText } from './api.js';
import { chances, clockText, evaluation, squaresOf } from './game.js';
import { Graph } from './graph.js';
import { Notation, glyph } from './notation.js';
import { link } from './save.js';
import { copy, date, flash, h, icon, name, opening, players, rating, result, trouble } from './text.js';

const $ = id => document.getElementById(id);

const COLORS = { good: '#1b6650', brilliant: '#0a6380', dubious: '#7f5200', mistake: '#9c4a00', blunder: '#b3261e' };

/** Everything around the board that a game has. */
export class GameView {
  /** `act` has `go` (to a place), `close` and `turn` (to another game of the list). */
  constructor(act) {
    this.act = act;
    this.game = null;
  }

  /** Shows another game, or none. */
  open(game, kind) {
    if (this.game === game) return;
    this.game = game;
    for (const id of ['above', 'below', 'game', 'notation']) $(id).hidden = !game;
    this.notation = this.graph = null;
    $('graph').hidden = true;
    $('evalbar').hidden = true;
    if (!game) {
      $('game-moves').replaceChildren();
      $('game').replaceChildren();
      return;
    }
    this.notation = new Notation($('game-moves'), game, place => this.act.go(place));
    if (game.hasEvaluations) {
      $('graph').hidden = false;
      $('evalbar').hidden = false;
      this.graph = new Graph($('graph'), game, place => this.act.go(place));
    }
    this.foot(kind);
    this.tags();
  }

  /** The head: who played, where, and which game of the list it is. */
  head({ index, total, before, after }) {
    const { header } = this.game;
    const round = header.round && !/^[?-]*$/.test(header.round) ? `round ${header.round}` : '';
    const known = text => (text && text !== '?' ? text : '');
    const facts = [
      known(header.event),
      header.site === header.event ? '' : known(header.site),
      round,
      date(header.date),
      opening(header.opening),
    ].filter(Boolean).join(' · ');
    const button = (sign, label, key, on, disabled) => h('button', {
      type: 'button', class: 'btn sq', 'aria-label': label, title: `${label} (${key})`, onclick: on, disabled,
    }, icon(sign));
    const turns = total > 1 ? [
      index ? h('span', { class: 'count no-phone' }, `${index.toLocaleString('en')} of ${total.toLocaleString('en')}`) : '',
      button('back', 'Previous game', 'k', () => this.act.turn(-1), !before),
      button('next', 'Next game', 'j', () => this.act.turn(1), !after),
    ] : [];
    $('game').replaceChildren(
      h('span', { class: 'score' }, result(header)),
      h('div', { class: 't' }, h('h2', { class: 'cut', title: players(header) }, players(header)), h('p', { class: 'cut', title: facts }, facts)),
      ...turns,
      button('close', 'Close game', 'Esc', () => this.act.close()));
  }

  foot(kind) {
    const { id } = this.game;
    const file = `v1/games/${id}.pgn`;
    const copied = (label, text) => h('button', {
      type: 'button', class: 'btn sm ghost',
      onclick: async event => {
        const button = event.currentTarget;
        try {
          await copy(await text(), button);
        } catch (error) {
          flash(button, trouble(error)[0]);
        }
      },
    }, icon(label === 'Link' ? 'link' : 'copy'), h('span', { class: 'label' }, label));
    this.pgn = copied(kind.toUpperCase(), () => askText(file));
    $('game-foot').replaceChildren(
      this.pgn,
      copied('FEN', () => $('fen').value),
      copied('Link', () => location.href),
      h('span', { class: 'sp' }),
      link(address(file), `${id}.${kind}`, [icon('save'), h('span', { class: 'label' }, 'Download')], `Download ${kind.toUpperCase()}`));
  }

  tags() {
    const { tags, provenance } = this.game.data;
    const rows = [...tags];
    if (provenance?.source) rows.push(['Read from', `${provenance.source}, game ${provenance.number}`]);
    $('tags').replaceChildren(h('dl', { class: 'tag-list' }, ...rows.flatMap(([tag, value]) => [h('dt', {}, tag), h('dd', {}, value)])));
  }

  /** A player's name and clock at the board. */
  strip(place, second, at, toMove) {
    const { header } = this.game;
    if (header.authors?.length) {
      place.hidden = true;
      return;
    }
    const seconds = this.game.clock(at, second);
    place.hidden = false;
    place.replaceChildren(
      h('span', { class: second ? 'disc black' : 'disc' }),
      h('span', { class: 'who cut' }, name(second ? header.black : header.white)),
      rating(second ? header.black_elo : header.white_elo) ?? '',
      seconds === null ? '' : h('span', {
        class: `clock${toMove ? ' run' : ''}${seconds < 20 ? ' low' : ''}`,
        'aria-label': `${second ? 'Black' : 'White'} has ${clockText(seconds)} left`,
      }, clockText(seconds)));
  }

  /** Shows a place of the game, besides the board. */
  show(at, { flip, toMove }) {
    const blackMoves = toMove === 'black';
    this.strip($(flip ? 'above' : 'below'), false, at, !blackMoves);
    this.strip($(flip ? 'below' : 'above'), true, at, blackMoves);
    this.notation.show(at);
    this.graph?.show(at);
    if (this.graph) {
      const value = this.game.evaluation(at);
      $('evalbar').firstElementChild.style.height = `${value ? chances(value) : 50}%`;
      $('evalbar').classList.toggle('flipped', flip);
      $('evalbar').setAttribute('aria-label', `Evaluation ${evaluation(value) || 'not known'}`);
    }
  }

  /** Marks the plies that a query has found. */
  found(plies) {
    this.notation?.found(plies);
    this.graph?.found(plies);
  }

  /** What the board draws at a place: arrows and squares of its comments, and the sign of the move. */
  shapes(at) {
    const { node } = at;
    const own = node ? node.shapes : this.game.data.start.shapes;
    return (own ?? []).map(({ from, to, color }) => ({ from, to, color: color.toUpperCase() }));
  }

  sign(at) {
    const nag = at.node?.nags?.find(one => one < 7) ?? this.game.marks.get(at.place);
    if (!nag) return null;
    const { sign, kind } = glyph(nag);
    return { square: squaresOf(at.node.uci).at(-1), sign, color: COLORS[kind] ?? '#5d564c' };
  }
}
