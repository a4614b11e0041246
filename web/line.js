// Moves one after the other: the line that was played, or a game with its comments.

import { address } from './api.js';
import { link } from './save.js';
import { date, h, name, opening, result } from './text.js';

const GLYPHS = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+', 22: '⨀', 23: '⨀',
};

/** The number before a move: `12.`, `12…` where Black goes on after a comment, or nothing. */
function numbering({ number, black }, ply, anew) {
  const at = ply + (black ? 1 : 0);
  const move = number + Math.floor(at / 2);
  return at % 2 === 0 ? `${move}.` : anew ? `${move}…` : '';
}

function moveButton({ san, ply, at, first, anew, go }) {
  const number = numbering(first, ply - 1, anew);
  return h('span', { class: 'ply' }, number && h('span', { class: 'number' }, number), h('button', {
    type: 'button',
    class: 'move',
    'aria-current': ply === at ? 'step' : null,
    'data-ply': ply,
    onclick: () => go(ply),
  }, san));
}

/** The number of the first move, and whether Black makes it, by a FEN. */
export function firstMove(position, plies) {
  const fields = position.fen.trim().split(/\s+/);
  const number = Number(fields.findLast(field => /^\d+$/.test(field))) || 1;
  const black = (position.to_move === 'black') !== (plies % 2 === 1);
  if (/^[WB]:/i.test(position.fen) || fields.length < 4) return { number: 1, black: false };
  return { number: Math.max(1, number - Math.floor((plies + (black ? 1 : 0)) / 2)), black };
}

/** Shows a line of moves, the current one marked. */
export function showLine(place, { line, at, first, go }) {
  if (!line.length) {
    place.replaceChildren(h('p', { class: 'quiet' }, 'No move yet. Play one on the board or in the list of moves.'));
    return;
  }
  place.replaceChildren(...line.map((move, index) => (
    moveButton({ san: move.san, ply: index + 1, at, first, anew: index === 0, go })
  )));
  reveal(place);
}

/** Brings the current move into sight, without moving the page. */
function reveal(place) {
  const current = place.querySelector('[aria-current]');
  if (!current) place.scrollTop = 0;
  else {
    const [inner, outer] = [current.getBoundingClientRect(), place.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) place.scrollTop += inner.top - outer.top - outer.height / 3;
  }
}

/** A comment without the commands of programs, and what these say. */
function comment(item) {
  const text = (item.comment ?? item.line_comment).replace(/\[%[^\]]*\]/g, ' ').replace(/\s+/g, ' ').trim();
  const { eval_pawns: pawns, eval_mate: mate, clk_seconds: left } = item.values ?? {};
  const told = [];
  if (pawns !== undefined) told.push(`${pawns > 0 ? '+' : ''}${pawns.toFixed(2)}`);
  if (mate !== undefined) told.push(`mate in ${Math.abs(mate)}${mate < 0 ? ' for Black' : ''}`);
  if (left !== undefined) {
    const [hours, minutes, seconds] = [left / 3600, (left / 60) % 60, left % 60].map(Math.floor);
    told.push(`${hours}:${String(minutes).padStart(2, '0')}:${String(seconds).padStart(2, '0')}`);
  }
  return [
    text && h('span', { class: 'comment' }, text),
    told.length ? h('span', { class: 'told' }, told.join(' · ')) : null,
  ];
}

/** The words of a game's main line, which the server reads as moves. */
export function mainLine(game) {
  return game.items.flatMap(item => (item.move === undefined ? [] : [item.move]));
}

/** Shows the movetext of a game. */
export function showMovetext(place, { game, at, go }) {
  let ply = 0;
  let anew = true;
  const parts = [];
  for (const item of game.items) {
    if (item.move !== undefined) {
      ply += 1;
      parts.push(moveButton({ san: item.move, ply, at, first: game.first_move, anew, go }));
      anew = false;
    } else if (item.nag !== undefined) {
      parts.push(h('span', { class: 'glyph' }, GLYPHS[item.nag] ?? `$${item.nag}`));
    } else if (item.variation !== undefined) {
      parts.push(h('span', { class: 'variation' }, `(${item.variation})`));
      anew = true;
    } else if (item.rest !== undefined) {
      parts.push(h('span', { class: 'variation' }, `Could not be played from here: ${item.rest}`));
    } else if (item.word !== undefined) {
      parts.push(h('span', { class: 'variation' }, item.word));
    } else {
      parts.push(...comment(item));
      anew = true;
    }
  }
  parts.push(h('b', { class: 'result' }, result(game.header)));
  place.replaceChildren(...parts.flat().filter(Boolean));
  reveal(place);
}

/** The rating behind a name. */
export function rating(elo) {
  return elo ? ` (${elo})` : '';
}

/** Who composed a problem, or who played. */
export function players(header) {
  if (header.authors?.length) return `${header.authors.join(' & ')}${header.stipulation ? `, ${header.stipulation}` : ''}`;
  return `${name(header.white)}${rating(header.white_elo)} – ${name(header.black)}${rating(header.black_elo)}`;
}

/** Shows what a game is, above its moves. */
export function showHeader(place, { id, game, kind, close }) {
  const { header } = game;
  const round = header.round && !/^[?-]*$/.test(header.round) ? `round ${header.round}` : '';
  const facts = [
    header.event && header.event !== '?' ? header.event : '',
    header.site && header.site !== '?' && header.site !== header.event ? header.site : '',
    round,
    date(header.date),
  ].filter(Boolean).join(', ');
  place.hidden = false;
  place.replaceChildren(
    h('h2', {}, players(header)),
    h('p', {}, h('b', {}, result(header)), facts && ` · ${facts}`),
    header.opening ? h('p', { class: 'quiet' }, opening(header.opening)) : '',
    h('p', { class: 'row' },
      link(address(`v1/games/${id}.pgn`), `${id}.${kind}`, `Download ${kind.toUpperCase()}`),
      h('button', { type: 'button', onclick: close }, 'Close game')),
  );
}
