// The games of a position, a page at a time.

import { address } from './api.js';
import { link } from './save.js';
import { PAGE } from './state.js';
import { count, counted, date, h, name, result, trouble } from './text.js';

/** Games that are saved from here at most; an answer of the server has its bounds. */
const EXPORTED_MAX = 20_000;

const ORDERS = [
  ['', 'as imported'], ['date:desc', 'newest first'], ['date', 'oldest first'], ['elo:desc', 'highest rated first'],
];

/** These, and the one that the address has. */
function ordersWith(sort) {
  return ORDERS.some(([value]) => value === sort) ? ORDERS : [...ORDERS, [sort, sort]];
}

function player(side, written, elo) {
  return h('span', { class: 'player' },
    h('span', { class: `disc ${side}`, role: 'img', 'aria-label': side === 'white' ? 'White' : 'Black' }),
    h('span', {}, name(written)), elo ? h('span', { class: 'elo' }, String(elo)) : null);
}

function who(hit) {
  if (!hit.authors?.length) return [player('white', hit.white, hit.white_elo), player('black', hit.black, hit.black_elo)];
  return [h('span', { class: 'player' }, hit.authors.join(' & ')), h('span', { class: 'player' }, hit.stipulation ?? '')];
}

function row(hit, { href, open }) {
  const move = hit.next_move ?? 'end';
  return h('tr', { onclick: event => event.target.closest('a') || open(hit) },
    h('td', {}, h('a', {
      href: href(hit),
      class: 'players',
      onclick: event => {
        // Another tab, if the reader wants one.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(hit);
      },
    }, ...who(hit))),
    h('td', { class: 'outcome' }, result(hit)),
    h('td', { class: 'date' }, date(hit.date)),
    h('td', { class: 'minor event' }, hit.event && hit.event !== '?' ? hit.event : ''),
    h('td', {}, move));
}

/** Shows a page of games. */
export function showGames(place, found, { offset, sort, exported, file, href, open, turn, order }) {
  const total = found.total ?? found.hits.length;
  if (!total) {
    place.replaceChildren(h('p', { class: 'nothing' }, 'No games.'));
    return;
  }
  const end = Math.min(offset + found.hits.length, total);
  const orders = h('select', { onchange: event => order(event.target.value) },
    ...ordersWith(sort).map(([value, words]) => h('option', { value, selected: value === sort }, words)));
  const range = total > PAGE ? `${count(offset + 1)}–${count(end)} of ${counted(total, 'game')}` : counted(total, 'game');
  place.replaceChildren(
    h('div', { class: 'row spread' },
      h('span', { class: 'count' }, range),
      h('label', { class: 'choice' }, 'Order ', orders)),
    found.hits.length ? h('table', { class: 'games' },
      h('caption', { class: 'unseen' }, 'Games that reach this position'),
      h('thead', {}, h('tr', {},
        h('th', { scope: 'col' }, 'Players'),
        h('th', { scope: 'col' }, 'Result'),
        h('th', { scope: 'col' }, 'Date'),
        h('th', { scope: 'col', class: 'minor' }, 'Event'),
        h('th', { scope: 'col' }, 'Played'))),
      h('tbody', {}, ...found.hits.map(hit => row(hit, { href, open }))))
      : h('p', { class: 'nothing' }, 'There are no games on this page of the list.'),
    h('div', { class: 'row spread' },
      total > EXPORTED_MAX
        ? h('span', { class: 'quiet' }, 'To save so many games, use plydex export.')
        : link(address('v1/export.pgn', exported), file, 'Download these games'),
      total > PAGE || offset ? h('span', { class: 'row' },
        h('button', { type: 'button', disabled: offset === 0, onclick: () => turn(Math.max(0, offset - PAGE)) }, 'Previous'),
        h('button', { type: 'button', disabled: offset + PAGE >= total, onclick: () => turn(offset + PAGE) }, 'Next')) : null));
}

/** Says why there are no games, unless that was said of the moves already. */
export function failGames(place, error, isSaid) {
  place.replaceChildren(isSaid
    ? h('p', { class: 'nothing' }, 'None, for the same reason.')
    : h('p', { class: 'trouble', role: 'alert' }, ...trouble(error)));
}
