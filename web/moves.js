// The moves that were played in a position, with how they scored.

import { count, counted, h, opening, percent, trouble } from './text.js';

/** The shares of White's wins, draws and Black's wins among the games with a result. */
function shares(score) {
  const known = score.white_wins + score.draws + score.black_wins;
  return known ? [score.white_wins, score.draws, score.black_wins].map(part => part / known) : null;
}

function results(score) {
  const parts = shares(score);
  if (!parts) return h('td', { class: 'results' }, h('span', { class: 'quiet' }, 'no results'));
  const words = ['White won', 'drawn', 'Black won'];
  const told = parts.map((part, at) => `${words[at]} ${percent(part)}`).join(', ');
  return h('td', { class: 'results' },
    h('span', { class: 'bar', 'aria-hidden': 'true', title: told }, ...['white', 'draw', 'black'].map((side, at) => (
      parts[at] > 0 ? h('span', { class: side, style: `flex-grow:${parts[at].toFixed(4)}` }) : null
    ))),
    h('span', { class: 'unseen' }, told),
    h('span', { class: 'thirds', 'aria-hidden': 'true' }, ...parts.map(part => h('span', {}, percent(part)))));
}

function facts(score) {
  return [
    h('td', { class: 'number' }, percent(score.score)),
    h('td', { class: 'number minor' }, score.average_rating ? String(Math.round(score.average_rating)) : '–'),
    h('td', { class: 'number minor' }, score.last_year ? String(score.last_year) : '–'),
  ];
}

function row(move, total, { play, point }) {
  const name = opening(move.opening);
  return h('tr', {
    class: play && 'playable',
    onclick: play,
    onmouseenter: point && (() => point(true)),
    onmouseleave: point && (() => point(false)),
  },
  h('th', { scope: 'row' }, h('div', { class: 'named-move' },
    play ? h('button', {
      type: 'button',
      class: 'move',
      onclick: event => { event.stopPropagation(); play(); },
      onfocus: point && (() => point(true)),
      onblur: point && (() => point(false)),
    }, move.san) : move.san,
    name && h('span', { class: 'opening' }, name))),
  h('td', { class: 'number' }, count(move.games), h('span', { class: 'share' }, percent(total ? move.games / total : 0))),
  results(move),
  ...facts(move));
}

/** A word of the legend; narrow screens leave its end out. */
function legend(word, end) {
  return h('span', {}, word, h('span', { class: 'minor' }, end));
}

/** What names did not find, with those that are nearly so. */
export function missing(names, take) {
  return (names ?? []).filter(asked => !asked.spellings?.length).map(asked => h('p', { class: 'note' },
    `No ${asked.filter} is called “${asked.typed}”.`,
    asked.similar_names?.length ? [' Did you mean ', ...asked.similar_names.flatMap((near, at) => [
      at ? ' or ' : '',
      h('button', { type: 'button', class: 'link', onclick: () => take(asked, near) }, near),
    ]), '?'] : null));
}

/** Shows a tree. `legal` are the moves of the position, by UCI. */
export function showMoves(place, tree, { position, filtered, play, point, take }) {
  const name = opening(position.opening);
  const heading = name ? h('p', { class: 'named' }, name) : null;
  const legal = new Map(position.moves.flatMap(move => [[move.san, move], [move.uci ?? move.san, move]]));
  const notes = [
    ...missing(tree.names, take),
    ...(tree.other_variants ?? []).map(({ variant, games }) => h('p', { class: 'note' },
      `${counted(games, 'game')} of ${variant} ${games === 1 ? 'holds' : 'hold'} this position, too.`)),
  ];
  if (!tree.total.games) {
    const why = filtered ? 'No game with these filters reaches this position.' : 'No game reaches this position.';
    place.replaceChildren(...[heading, h('p', { class: 'nothing' }, why), ...notes].filter(Boolean));
    return;
  }
  const rows = tree.moves.map(move => {
    // A null move is no legal one, but games have it.
    const passed = /^(--|\.{3})$/.test(move.san) ? { ...move, squares: [] } : null;
    const known = legal.get(move.uci) ?? legal.get(move.san) ?? passed;
    return row(move, tree.total.games, {
      play: known && (() => play(known)),
      point: known?.squares.length ? on => point(on ? known.squares : null) : null,
    });
  });
  if (tree.ends_here.games) rows.push(row({ ...tree.ends_here, san: 'game ends' }, tree.total.games, {}));
  const table = h('table', { class: 'moves' },
    h('caption', { class: 'unseen' }, 'Moves played here, with the results of the games'),
    h('thead', {}, h('tr', {},
      h('th', { scope: 'col' }, 'Move'),
      h('th', { scope: 'col', class: 'number' }, 'Games'),
      h('th', { scope: 'col' }, h('span', { class: 'legend' }, legend('White', ' won'), legend('drawn', ''), legend('Black', ' won'))),
      h('th', { scope: 'col', class: 'number', title: 'Points of the side to move' }, 'Score'),
      h('th', { scope: 'col', class: 'number minor', title: 'Mean rating of the side to move' }, 'Rating'),
      h('th', { scope: 'col', class: 'number minor', title: 'Year of the last game' }, 'Last'))),
    h('tbody', {}, ...rows),
    h('tfoot', {}, row({ ...tree.total, san: 'Total' }, tree.total.games, {})));
  const unknown = tree.total.no_result
    ? h('p', { class: 'note' }, `${counted(tree.total.no_result, 'game')} without a result.`)
    : null;
  place.replaceChildren(...[heading, table, unknown, ...notes].filter(Boolean));
}

/** Says why there is no tree. */
export function failMoves(place, error) {
  place.replaceChildren(h('p', { class: 'trouble', role: 'alert' }, ...trouble(error)));
}
