// Reports: a player as an opponent, the position at hand, the table of an event.

import { ask, position as askPosition } from './api.js';
import { Grid } from './grid.js';
import { bar } from './moves.js';
import { picture } from './wood.js';
import { count, counted, date, h, name, opening, plainly, result, share, trouble } from './text.js';

const KINDS = [['player', 'Player'], ['position', 'Position'], ['event', 'Event']];

/** Columns, with their classes, and what is to be said of them. */
const N = ['Games', 'number w-games'];
const SCORE = ['Score', 'number w-score'];
const SHARE = ['Share', 'number w-score'];
const FIGURES = [N, ['Result', 'w-bar'], SCORE, ['vs rating', 'number c3 w-diff', 'score less what the ratings let expect, in points of a hundred'], ['Perf.', 'number c2 w-small']];
const GAME = [['Game'], ['Result', 'mid w-result'], ['Date', 'number w-date']];

/** How a report leads to other pages. */
let lead;

/** A difference of scores in points of a hundred, with its sign. */
function points(diff, marked) {
  if (typeof diff !== 'number') return h('span', { class: 'quiet' }, '–');
  const mark = { up: ' ▲', down: ' ▼' }[marked] ?? '';
  return h('span', { class: mark && marked }, `${diff > 0 ? '+' : diff < 0 ? '−' : ''}${Math.abs(diff * 100).toFixed(1)}${mark}`);
}

const results = row => bar([row.won, row.drawn, row.lost], { own: true });
const figures = row => [count(row.games), results(row), share(row.score), points(row.diff), row.performance ? String(row.performance) : '–'];
const years = ({ first_year: from, last_year: to }) => (from ? `${from}–${to}` : '');
const colour = side => (side === 'white' ? 'White' : 'Black');

/** Moves with their numbers, from a ply on. */
function written(moves, from = 0) {
  return moves.slice(from).map((move, at) => {
    const ply = from + at;
    return ply % 2 === 0 || at === 0 ? `${Math.floor(ply / 2) + 1}${ply % 2 ? '…' : '.'} ${move}` : move;
  }).join(' ');
}

/** A link to a state of the page. */
function anchor(to, words, kind = 'players') {
  return h('a', { href: lead.href(to), class: kind, onclick: plainly(() => lead.go(to)) }, words);
}

function panel(title, hint, ...content) {
  return h('section', { class: /^(Lines|Plans)/.test(title) ? 'panel full' : 'panel' },
    h('header', {}, h('h2', {}, title), hint ? h('span', { class: 'count' }, hint) : null), ...content);
}

/** A table in a panel: rows are cells, the last of them the state that the row leads to. No panel without rows. */
function section(title, hint, columns, rows) {
  if (!rows?.length) return [];
  const row = cells => {
    const to = cells[columns.length];
    return h('tr', { class: to && 'playable', onclick: to && (event => event.target.closest('a') || lead.go(to)) },
      ...columns.map(([, kind], at) => h('td', { class: kind }, at === 0 && to ? anchor(to, cells[0]) : cells[at])));
  };
  return [panel(title, hint, h('table', {},
    h('thead', {}, h('tr', {}, ...columns.map(([words, kind, told]) => h('th', { scope: 'col', class: kind, title: told }, words)))),
    h('tbody', {}, ...rows.map(row))))];
}

/** The head of a report: its name, what is to be said beside, and the main figures. */
function head(title, hints, values, extra = '') {
  return h('div', { class: 'who-head' }, h('div', {}, h('h2', { class: 'big' }, title), h('p', { class: 'quiet' }, hints.filter(Boolean).join(' · '))), extra,
    h('div', { class: 'stats' }, ...values.map(([value, words]) => h('span', { class: 'stat' }, h('b', {}, String(value ?? '–')), h('span', {}, words)))));
}

function gameRow(game) {
  return [`${name(game.white)} – ${name(game.black)}`, result(game), date(game.date), { game: game.id, ply: game.ply ?? 0 }];
}

function segments(label, choices, current, choose) {
  return h('span', { class: 'seg', role: 'group', 'aria-label': label }, ...choices.map(([value, words]) => h('button', {
    type: 'button', 'aria-pressed': String(value === current), onclick: () => choose(value),
  }, words)));
}

/** A field for a name, with the names that fit while it is typed. */
function asker({ state, signal, go }, label, path, extra = '') {
  const options = h('datalist', { id: 'report-names' });
  let waiting = 0;
  const suggest = async () => {
    const text = field.value.trim();
    const found = text.length > 1 && await ask(path, { text, limit: 12 }, signal).catch(() => null);
    if (found) options.replaceChildren(...found.names.map(one => h('option', { value: one.name }, counted(one.games, 'game'))));
  };
  const field = h('input', {
    class: 'field', value: state.name, list: 'report-names', placeholder: label, 'aria-label': label, spellcheck: 'false', autocomplete: 'off',
    oninput: () => {
      clearTimeout(waiting);
      waiting = setTimeout(suggest, 200);
    },
  });
  const submit = event => {
    event.preventDefault();
    if (field.value.trim()) go({ name: field.value.trim(), you: path === 'v1/events' ? '' : state.you });
  };
  return h('form', { class: 'asker', onsubmit: submit }, field, options, h('button', { class: 'btn pri', type: 'submit' }, 'Show'), extra);
}

/** Shows the report of a state. `act` has `go`, `href`, `explore`, the state and the signal that ends it. */
export async function showReport(place, act) {
  const { state, signal, go } = act;
  lead = {
    go: to => act.explore({ filters: {}, ...to, database: state.database }),
    href: to => act.href({ filters: {}, ...to }),
  };
  const [top, fill] = SHOWS[state.report](act);
  const body = h('div', { class: 'report-body' }, h('p', { class: 'nothing', role: 'status' }, 'Computing …'));
  const chooser = segments('Report', KINDS, state.report, kind => go({ report: kind, name: '', you: '' }));
  place.replaceChildren(h('div', { class: 'report-head' }, chooser, top), body);
  try {
    const parts = await fill();
    if (!signal.aborted) body.replaceChildren(...parts);
  } catch (error) {
    if (signal.aborted || error.name === 'AbortError') return;
    body.replaceChildren(h('p', { class: 'trouble pad', role: 'alert' }, ...trouble(error)));
  }
}

/** What is above each report, and what makes its parts. */
const SHOWS = {
  player(act) {
    const { state, signal, go } = act;
    const you = segments('You have', [['', 'You have either'], ['white', 'White'], ['black', 'Black']], state.you, side => go({ you: side }));
    return [asker(act, 'Name of a player', 'v1/players', you), async () => {
      if (state.name) return player(await ask('v1/prepare', { name: state.name, you: state.you }, signal));
      const { names } = await ask('v1/players', { limit: 40 }, signal);
      return section('Players with the most games', '', [['Player'], N, ['Years', 'c4 w-date'], ['Rating', 'number w-small', 'the highest'], SCORE], names.map(one => [
        name(one.name), count(one.games), years(one), one.rating_top ? String(one.rating_top) : '–', share(one.score), { report: 'player', name: one.name },
      ]));
    }];
  },

  position({ state, signal }) {
    return [h('span', { class: 'quiet' }, 'The position that the explorer shows, with its filters.'), async () => {
      const { fen, variant, filters } = state;
      const play = state.ply === null ? state.play : state.play.slice(0, state.ply);
      const at = await askPosition({ fen, play, variant }, signal);
      const own = at.variant === 'chess' ? '' : at.variant;
      const found = await ask('v1/report', { position: at.fen, variant: own, ...filters }, signal);
      return position(found, at, san => ({ fen, play: [...play, san], variant: own, filters }));
    }];
  },

  event(act) {
    const { state, signal } = act;
    const list = async (params, title) => {
      const { names } = await ask('v1/events', { ...params, limit: 40 }, signal);
      return section(title, '', [['Event'], N, ['Years', 'w-date']], names.map(one => [one.name, count(one.games), years(one), { report: 'event', name: one.name }]));
    };
    return [asker(act, 'Name of an event, such as Linares 1992', 'v1/events'), async () => {
      if (!state.name) return list({}, 'Events with the most games');
      // `you` has the options that select one of several events.
      const found = await ask('v1/crosstable', { event: state.name, ...Object.fromEntries(new URLSearchParams(state.you)) }, signal);
      if (found.players) return event(found);
      return found.total ? several(found, state.name) : list({ text: state.name }, `No event is called “${state.name}”. Events with these words`);
    }];
  },
};

/** The filters with which the explorer has the games of a row of a player. */
function filtersOf(player, { by, key, color }) {
  const side = color ?? (by === 'color' ? key : '');
  const filters = { [side || 'player']: player };
  if (by === 'since' || by === 'time') filters[by] = key;
  return filters;
}

function label({ by, key }) {
  if (by === 'since') return `Since ${key}`;
  if (by === 'opponents') return `Opponents ${key.replace('..', '–')}`;
  return { all: 'All games', white: 'As White', black: 'As Black' }[key] ?? key.charAt(0).toUpperCase() + key.slice(1);
}

function trend({ recent, recent_chances: of, before, before_chances: all, sign }) {
  if (!sign || !of || !all) return '';
  return `${sign === 'up' ? '▲' : '▼'} ${Math.round((100 * before) / all)}→${Math.round((100 * recent) / of)}%`;
}

function player(found) {
  const { player: who, openings, first_color: first } = found;
  const [all] = found.results;
  const spellings = who.spellings.slice(1).map(one => one.name).join('; ');
  const variant = found.variant === 'chess' ? '' : found.variant;
  const games = (row, more) => ({ variant, filters: { ...filtersOf(who.name, row), ...more } });
  const line = row => ({ ...games(row), play: row.moves });
  const lines = color => section(`Lines as ${colour(color)}`, color === first ? 'the moves of the player, with their share' : '',
    [['Line'], SHARE, N, ['Result', 'w-bar c3'], SCORE, ['vs rating', 'number c2 w-diff'], ['Trend', 'c1 w-trend'], ['Last', 'number c4 w-small']],
    found.lines.filter(row => row.color === color).map(row => [
      h('span', { class: `level-${Math.min(row.level, 5)}`, title: `${written(row.moves)} ${opening(row.opening)}` },
        h('b', {}, written(row.moves, row.level ? row.common : 0)), h('span', { class: 'sub' }, ` ${row.opening?.name ?? ''}`)),
      share(row.share), count(row.games), results(row), share(row.score), points(row.diff), trend(row.trend), String(row.last_year ?? '–'), line(row),
    ]));
  const rare = (title, hint, rows, told) => section(title, hint, [['Line'], ['', 'number w-wide']],
    rows.map(row => [`${colour(row.color)}: ${written(row.moves)}`, told(row), line(row)]));
  const times = row => `${row.games} of ${row.chances}`;
  const rows = found.results.filter(row => row.by !== 'year' && row.key !== 'unknown');
  return [
    head(who.name, [counted(all?.games ?? 0, 'game'), who.years?.join('–'), spellings && `also written ${spellings}`],
      [[share(all?.score), 'score'], [who.top_rating, 'top rating'], [all?.performance, 'performance']]),
    ...[...found.warnings ?? [], found.lines_why ?? []].flat().map(text => h('p', { class: 'note-line' }, text)),
    ...section('Games', '', GAME, found.few_games?.map(gameRow)),
    ...lines(first), ...lines(first === 'white' ? 'black' : 'white'),
    ...section('Results', `recent games are those since ${found.since}`, [['Games of'], ...FIGURES],
      rows.map(row => [label(row), ...figures(row), row.by === 'opponents' ? null : games(row)])),
    ...section('Openings', `${openings.length} in all`, [['Opening'], ['Side', 'w-small'], ...FIGURES],
      openings.slice(0, 30).map(row => [row.name, colour(row.color), ...figures(row), games(row, { opening: row.name })])),
    ...rare('Taken up, or dropped', 'more than chance', found.changes, row => trend(row.trend)),
    ...rare('Own ways', 'lines that others hardly play', found.pet_lines, times),
    ...rare('Surprises', 'played a few times', found.surprises, times),
    ...section('Games that were lost', 'how others did it', GAME, found.models.map(gameRow)),
  ];
}

/** Draws a small board with the ways of pieces, in a place of the page. */
function draw(place, at, steps) {
  const shapes = steps.flatMap(({ route, square, side }) => {
    const color = side === 'white' ? 'G' : 'B';
    if (route.length > 1) return route.slice(1).map((to, index) => ({ from: route[index], to, color }));
    return square ? [{ from: square, color }] : [];
  });
  if (!picture(place, at, shapes)) new Grid(place, { open: [] }).show(at, { shapes }).catch(() => {});
}

function position(found, at, on) {
  const { results: all, plans, moves } = found;
  if (!all.games) return [h('p', { class: 'nothing' }, 'No games reach this position with these filters.')];
  const ply = moves?.length ?? 0;
  const card = side => plan => {
    const board = h('div', { class: 'mini' });
    // It has a size only once it is on the page.
    setTimeout(() => board.isConnected && draw(board, at, plan.steps));
    return h('article', { class: 'plan' }, board, h('div', {},
      h('h3', {}, `${colour(side)}: ${plan.steps.map(step => step.text).join(', ')}`),
      h('p', { class: 'quiet' }, `${counted(plan.games, 'game')}, ${share(plan.share)} · score ${share(plan.score)} (`, points(plan.diff, plan.marked), ')'),
      ...plan.models.slice(0, 2).map(game => h('p', {}, anchor({ game: game.id, ply }, `${name(game.white)} – ${name(game.black)}`, null), ` ${result(game)}, ${date(game.date).slice(0, 4)}`))));
  };
  const cards = ['white', 'black'].flatMap(side => (plans?.[side]?.plans ?? []).map(card(side)));
  const steps = side => section(`What ${colour(side)} plays`, '', [['Step'], N, SHARE, SCORE, ['Difference', 'number c3 w-diff', 'to the games without it']],
    plans?.[side]?.steps.slice(0, 10).map(step => [step.text, count(step.games), share(step.share), share(step.score), points(step.diff, step.marked)]));
  const reached = (title, rows) => section(title, '', [['Reached'], N, SHARE, SCORE], rows?.map(row => [row.title, count(row.games), share(row.share), share(row.score)]));
  return [
    head(opening(found.opening) || 'Position', [ply ? written(moves) : at.fen, `scores are those of ${colour(found.view)}`],
      [[count(all.games), 'games'], [share(all.score), 'score'], [all.performance, 'performance']]),
    ...section('Next moves', '', [['Move'], ...FIGURES], found.next.map(row => [`${row.san}  ${row.opening?.name ?? ''}`, ...figures(row), on(row.uci ?? row.san)])),
    ...(cards.length ? [panel('Plans', `steps that the same games play within ${plans.window} plies`, h('div', { class: 'plans' }, ...cards))] : []),
    ...steps('white'), ...steps('black'),
    ...reached('Structures', found.structures), ...reached('Endings', found.endings),
    ...section('New moves of the years', '', [['Move'], ['Year', 'number w-small'], ['Game', 'c3'], ['Games since', 'number w-date']], found.novelties?.map(({ san, year, game, followed }) => [
      san, String(year), `${name(game.white)} – ${name(game.black)}`, count(followed.games), { game: game.id, ply },
    ])),
    ...section('Model games', '', GAME, [...found.white_models ?? [], ...found.black_models ?? []].map(game => gameRow({ ...game, ply }))),
  ];
}

/** The dates of an event. */
function dates({ first_date: from, last_date: to }) {
  return date(from) + (to === from ? '' : ` – ${date(to)}`);
}

function several(found, asked) {
  return section(`“${asked}” is the name of ${counted(found.total, 'event')}`, '', [['Event'], ['Dates', 'w-wide'], ['Players', 'number w-games'], N], found.events.map(one => {
    const options = new URLSearchParams();
    for (let at = 0; at + 1 < one.options.length; at += 2) options.set(one.options[at].replace(/^--/, ''), one.options[at + 1]);
    return [one.site && one.site !== one.event ? `${one.event}, ${one.site}` : one.event, dates(one), count(one.players), count(one.games),
      { report: 'event', name: one.event, you: options.toString() }];
  }));
}

/** Points as tables of events have them. */
function half(value) {
  if (typeof value !== 'number') return '·';
  return value % 1 ? `${Math.floor(value) || ''}½` : String(value);
}

function event(found) {
  const { players, tie_breaks: ties } = found;
  const met = found.kind === 'round_robin' && players.length <= 24 ? players.map((_, at) => at + 1) : [];
  const columns = [['', 'number w-place'], ['Player'], ['Rating', 'number c3 w-small'], ['Points', 'number w-score'],
    ...met.map(number => [String(number), 'mid w-cell']), ...ties.map(tie => [tie, 'number c2 w-small']), ['Perf.', 'number c4 w-small']];
  const cell = (one, opponent) => h('span', {}, ...one.cells.filter(({ opponent: other }) => other === opponent)
    .map(({ result: value, game }) => (game ? anchor({ game, ply: 0 }, half(value)) : half(value))));
  const rows = players.map((one, index) => [
    one.place ? `${one.place}.` : '', anchor({ report: 'player', name: one.name }, one.name), one.rating ?? '', h('b', {}, half(one.points)),
    ...met.map(number => (number === index + 1 ? '' : cell(one, number))), ...ties.map(tie => one.ties?.[tie] ?? ''), one.performance ?? '–',
  ]);
  const [from, to] = [found.first_date, found.last_date].map(text => (text ?? '').slice(0, 4));
  const filters = { event: found.event, ...(/^\d{4}$/.test(from) ? { since: from, until: to } : {}) };
  return [
    head(found.event, [found.site !== found.event && found.site, dates(found), counted(players.length, 'player'), counted(found.games, 'game'),
      found.missing_games && `${found.missing_games} games missing`], [], anchor({ filters }, 'Its games in the explorer', 'btn')),
    ...(found.notes ?? []).map(text => h('p', { class: 'note-line' }, text)),
    h('section', { class: 'panel full' }, h('div', { class: 'wide-table', tabindex: '0', role: 'region', 'aria-label': 'Table' }, h('table', { class: 'cross' },
      h('thead', {}, h('tr', {}, ...columns.map(([title, kind]) => h('th', { scope: 'col', class: kind }, title)))),
      h('tbody', {}, ...rows.map((cells, index) => h('tr', {}, ...cells.map((content, at) => h('td', {
        class: `${columns[at][1] ?? ''}${met.length && at === index + 4 ? ' self' : ''}`,
      }, String(content) === content || content instanceof Node ? content : String(content))))))))),
  ];
}
