// The games of a position, a page at a time.

import { address } from './api.js';
import { link } from './save.js';
import { PAGE } from './state.js';
import { count, counted, date, h, icon, name, plainly, rating, result, trouble } from './text.js';

/** Games that are saved from here at most; an answer of the server has its bounds. */
const EXPORTED_MAX = 20_000;

const ORDERS = [
  ['', 'As imported'], ['date:desc', 'Newest first'], ['date', 'Oldest first'], ['elo:desc', 'Highest rated first'],
];

/** These, and the one that the address has. */
function ordersWith(sort) {
  return ORDERS.some(([value]) => value === sort) ? ORDERS : [...ORDERS, [sort, sort]];
}

/** A family name, which is enough where there is little room. */
function family(written) {
  return name(written).split(',')[0];
}

/** Where a query found something: the number of the move, and the move that was played there. */
function foundAt(hit) {
  const number = `${Math.floor(hit.ply / 2) + 1}${hit.ply % 2 ? '…' : '.'}`;
  return hit.next_move ? `${number} ${hit.next_move}` : `${number} end`;
}

function row(hit, { href, open, current, compact, queried }) {
  const move = queried && hit.ply !== null ? foundAt(hit) : hit.next_move ?? 'end';
  const players = hit.authors?.length ? hit.authors.join(' & ') : `${family(hit.white)} – ${family(hit.black)}`;
  const anchor = words => h('a', {
    href: href(hit),
    class: 'players',
    title: hit.authors?.length ? null : `${name(hit.white)} – ${name(hit.black)}`,
    onclick: plainly(() => open(hit)),
  }, ...words);
  const year = date(hit.date).slice(0, 4);
  const outcome = h('td', { class: 'mid res' }, hit.authors?.length ? hit.stipulation ?? '' : result(hit));
  const cells = compact
    ? [h('td', {}, anchor([players])), outcome, h('td', { class: 'b' }, move), h('td', { class: 'number sub' }, year)]
    : [
      h('td', {}, anchor(hit.authors?.length ? [players] : [name(hit.white), rating(hit.white_elo)])),
      h('td', {}, hit.authors?.length ? '' : name(hit.black), rating(hit.black_elo)),
      outcome,
      h('td', { class: 'sub c4' }, date(hit.date)),
      h('td', { class: 'sub c2', title: hit.event }, hit.event && hit.event !== '?' ? hit.event : ''),
      h('td', { class: 'b' }, move),
      h('td', { class: 'number sub c1' }, String(hit.plies)),
    ];
  return h('tr', {
    'data-game': hit.id,
    'aria-current': current === hit.id ? 'true' : null,
    onclick: event => event.target.closest('a') || open(hit),
  }, ...cells);
}

/** Shows a page of games. */
export function showGames(place, head, found, options) {
  const { offset, sort, exported, file, turn, order, compact, queried } = options;
  const total = found.total ?? found.hits.length;
  if (!total) {
    head.replaceChildren();
    place.replaceChildren(h('p', { class: 'nothing' }, 'No games.'));
    return;
  }
  const end = Math.min(offset + found.hits.length, total);
  const orders = h('select', { class: 'select', 'aria-label': 'Order of the games', onchange: event => order(event.target.value) },
    ...ordersWith(sort).map(([value, words]) => h('option', { value, selected: value === sort }, words)));
  const all = compact ? count(total) : counted(total, 'game');
  const range = total > PAGE ? `${count(offset + 1)}–${count(end)} of ${all}` : counted(total, 'game');
  const page = (words, sign, to, disabled) => h('button', {
    type: 'button', class: 'btn sq sm ghost', 'aria-label': words, title: words, disabled, onclick: () => turn(to),
  }, icon(sign));
  head.replaceChildren(
    h('span', { class: 'count' }, range),
    ...(total > PAGE || offset ? [h('span', { class: 'pager' },
      page('Previous page', 'back', Math.max(0, offset - PAGE), offset === 0),
      page('Next page', 'next', offset + PAGE, offset + PAGE >= total))] : []),
    h('span', { class: 'sp' }),
    orders,
    total > EXPORTED_MAX || compact
      ? '' : link(address('v1/export.pgn', exported), file, [icon('save'), h('span', { class: 'label' }, file.split('.').pop().toUpperCase())], `Download these games as ${file.split('.').pop().toUpperCase()}`),
  );
  const th = (text, kind = '') => h('th', { scope: 'col', class: kind }, text);
  const move = queried ? th('Found at', compact ? 'w-found' : 'w-found') : th(compact ? 'Next' : 'Played', 'w-next');
  const columns = compact
    ? [th('Players'), th('Result', 'mid w-result'), move, th('Year', 'number w-small')]
    : [th('White'), th('Black'), th('Result', 'mid w-result'), th('Date', 'c4 w-date'), th('Event', 'c2 w-event'), move, th('Plies', 'number c1 w-small')];
  place.replaceChildren(
    found.hits.length ? h('table', { class: 'games' },
      h('caption', { class: 'unseen' }, 'Games that reach this position'),
      h('thead', {}, h('tr', {}, ...columns)),
      h('tbody', {}, ...found.hits.map(hit => row(hit, options))))
      : h('p', { class: 'nothing' }, 'There are no games on this page of the list.'),
    total > EXPORTED_MAX && !compact ? h('p', { class: 'note-line' }, 'To save that many games, use plydex export.') : '');
}

/** Says why there are no games, unless that was said of the moves already. */
export function failGames(place, head, error, isSaid) {
  head.replaceChildren();
  place.replaceChildren(isSaid
    ? h('p', { class: 'nothing' }, 'None, for the same reason.')
    : h('p', { class: 'trouble pad', role: 'alert' }, ...trouble(error)));
}
