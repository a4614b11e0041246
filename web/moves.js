// The moves that were played in a position, with how they scored.

import { count, counted, h, opening, share, trouble } from './text.js';

/** Results as a bar: won by White, drawn, won by Black; or won, drawn, lost by a player. */
export function bar(parts, { own = false } = {}) {
  const total = parts.reduce((sum, part) => sum + part, 0);
  const words = own ? ['won', 'drawn', 'lost'] : ['White won', 'drawn', 'Black won'];
  if (!total) return h('span', { class: 'quiet' }, 'no results');
  const told = parts.map((part, at) => `${words[at]} ${share(part / total)}`).join(', ');
  return h('div', { class: own ? 'wdl own' : 'wdl', role: 'img', 'aria-label': told, title: told },
    ...['w', 'd', 'l'].map((kind, at) => (parts[at] > 0 ? h('span', {
      class: parts[at] / total < 0.2 ? `${kind} thin` : kind, style: `flex-grow:${(parts[at] / total).toFixed(4)}`,
    }, `${Math.round((100 * parts[at]) / total)}%`) : null)));
}

/** The name of an opening without what the position is called already. */
function shortened(name, of) {
  if (!of) return name.name;
  if (name.name === of.name) return name.eco === of.eco ? '' : name.eco;
  for (const mark of [', ', ': ']) if (name.name.startsWith(of.name + mark)) return name.name.slice(of.name.length + mark.length);
  return name.name;
}

function row(move, total, { play, point, position, hidden }) {
  const name = move.opening ? shortened(move.opening, position.opening) : '';
  return h('tr', {
    class: play && 'playable',
    hidden,
    onclick: play,
    onmouseenter: point && (() => point(true)),
    onmouseleave: point && (() => point(false)),
  },
  h('th', { scope: 'row' },
    play ? h('button', {
      type: 'button',
      class: 'move san',
      onclick: event => { event.stopPropagation(); play(); },
      onfocus: point && (() => point(true)),
      onblur: point && (() => point(false)),
    }, move.san) : h('span', { class: 'quiet' }, move.san)),
  h('td', { class: 'c3 sub', title: opening(move.opening) || null }, name),
  h('td', { class: 'number' }, count(move.games)),
  h('td', { class: 'number sub c4' }, share(total ? move.games / total : 0)),
  h('td', { class: 'results' }, bar([move.white_wins, move.draws, move.black_wins])),
  h('td', { class: 'number b' }, share(move.score)),
  h('td', { class: 'number c2' }, move.average_rating ? String(Math.round(move.average_rating)) : '–'),
  h('td', { class: 'number sub c2' }, move.last_year ? String(move.last_year) : '–'));
}

/** What names did not find, with those that are nearly so. */
export function missing(names, take) {
  return (names ?? []).filter(asked => !asked.spellings?.length).map(asked => h('p', { class: 'note-line' },
    `No ${asked.filter} is called “${asked.typed}”.`,
    asked.similar_names?.length ? [' Did you mean ', ...asked.similar_names.flatMap((near, at) => [
      at ? ' or ' : '',
      h('button', { type: 'button', class: 'link', onclick: () => take(asked, near) }, near),
    ]), '?'] : null));
}

/** A column of a table. */
function th(text, kind = '', attributes = {}) {
  return h('th', { scope: 'col', class: kind, ...attributes }, text);
}

/** Shows a tree. `play` is called with a legal move of the position, `point` with the squares of one. */
export function showMoves(place, tree, { position, filtered, play, point, take, rows: most, unfolded, unfold }) {
  const legal = new Map(position.moves.flatMap(move => [[move.san, move], [move.uci ?? move.san, move]]));
  const notes = [
    ...missing(tree.names, take),
    ...(tree.other_variants ?? []).map(({ variant, games }) => h('p', { class: 'note-line' },
      `${counted(games, 'game')} of ${variant} ${games === 1 ? 'holds' : 'hold'} this position, too.`)),
  ];
  if (!tree.total.games) {
    const why = filtered ? 'No game with these filters reaches this position.' : 'No game reaches this position.';
    place.replaceChildren(h('p', { class: 'nothing' }, why), ...notes);
    return;
  }
  const folded = !unfolded && tree.moves.length > most ? tree.moves.length - most : 0;
  const rows = tree.moves.map((move, at) => {
    // A null move is no legal one, but games have it.
    const passed = /^(--|\.{3})$/.test(move.san) ? { ...move, squares: [] } : null;
    const known = legal.get(move.uci) ?? legal.get(move.san) ?? passed;
    return row(move, tree.total.games, {
      position,
      hidden: folded > 0 && at >= most,
      play: known && (() => play(known)),
      point: known?.squares.length ? on => point(on ? known.squares : null) : null,
    });
  });
  if (tree.ends_here.games) {
    rows.push(row({ ...tree.ends_here, san: 'game ends' }, tree.total.games, { position, hidden: folded > 0 }));
  }
  const total = row({ ...tree.total, san: 'Total' }, tree.total.games, { position });
  if (folded) {
    total.children[1].className = 'more';
    total.children[1].append(h('button', { type: 'button', class: 'link', onclick: unfold }, `${counted(folded, 'more move')}`));
  }
  const table = h('table', { class: 'moves' },
    h('caption', { class: 'unseen' }, 'Moves played here, with the results of the games'),
    h('thead', {}, h('tr', {},
      th('Move', 'w-move'),
      th('Opening', 'c3'),
      th('Games', 'number w-games'),
      th('Share', 'number c4 w-share'),
      th('Result', 'w-bar'),
      th('Score', 'number w-score', { title: 'Points of the side to move' }),
      th('Rating', 'number c2 w-small', { title: 'Mean rating of the side to move' }),
      th('Last', 'number c2 w-small', { title: 'Year of the last game' }))),
    h('tbody', {}, ...rows),
    h('tfoot', {}, total));
  place.replaceChildren(table, ...notes);
}

/** Says why there is no tree. */
export function failMoves(place, error) {
  place.replaceChildren(h('p', { class: 'trouble pad', role: 'alert' }, ...trouble(error)));
}
