// The page: what the address bar says is asked of the server and shown.

import { ask, position as askPosition, useDatabase } from './api.js';
import { Board } from './board.js';
import { Game, squaresOf } from './game.js';
import { GameView } from './gameview.js';
import { failGames, showGames } from './games.js';
import { listenToKeys } from './keys.js';
import { firstMove, showLine } from './line.js';
import { failMoves, showMoves } from './moves.js';
import { showReport } from './reports.js';
import { EMPTY, FILTERS, PAGE, filterOf, read, several, told, write } from './state.js';
import { capital, command, copy, count, counted, h, icon, opening, plainly, players, trouble } from './text.js';

const $ = id => document.getElementById(id);

let state = read(location.search);
/** What is on the board: the position, the line that it is in or the place in a game, and where. */
let shown = null;
/** The tree and the list that are shown, by what was asked for them. */
let tree = { key: '' };
let list = { key: '' };
/** Ends what is asked for a state that is left. */
let asking = new AbortController();
let variants = [];
const opened = new Map();
/** What is beside the board where there is no room for all. */
let tab = 'notation';
let unfolded = false;

const board = new Board($('board'), $('hand'), move => playMove(move));
const view = new GameView({
  go: place => toPlace(shown?.game?.at(place), false),
  close: () => closeGame(),
  turn: by => turnGame(by),
});

/** What is kept of a state where another position or another game is shown. */
function kept() {
  return { filters: state.filters, flip: state.flip, sort: state.sort };
}

/** Goes to another state; the back button comes back to this one unless it is replaced. */
function go(change, { replace = false } = {}) {
  const next = { ...state, ...change };
  const to = write(next);
  if (shown && to === write(state)) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  state = next;
  refresh();
}

/** The line that is shown as one that was played: for moves that a game does not have. */
function played() {
  const { game, place, start, line, at } = shown;
  return {
    fen: start.fen,
    variant: start.variant,
    play: game ? game.play(place) : line.slice(0, at).map(move => move.uci ?? move.san),
    game: 0,
    ply: null,
    offset: 0,
    report: '',
  };
}

function playMove(move) {
  const { game, place, line, at } = shown;
  if (game) {
    const next = [place.next, ...(place.next?.inner ?? []).map(([first]) => first)].filter(Boolean);
    const known = next.find(({ node }) => node.uci === move.uci);
    if (known) return toPlace(known, false);
  } else if (line[at]?.san === move.san && line[at].uci === move.uci) {
    return step(at + 1, false);
  }
  const own = played();
  return go({ ...own, play: [...own.play, move.uci ?? move.san] });
}

/** The line that a state names, whatever the ply. */
function lineOf({ game, fen, play, variant }) {
  return JSON.stringify(game || [fen, play, variant]);
}

/** The ply that was asked for last: keys are quicker than answers. */
function here() {
  if (!shown) return NaN;
  return shown.name === lineOf(state) ? Math.min(state.ply ?? Infinity, shown.line.length) : shown.at;
}

/** Goes to a ply of the line; steps do not fill the history. */
function step(ply, replace = true) {
  if (!shown) return;
  const to = Math.max(0, Math.min(shown.line.length, ply));
  if (to !== here()) go({ ply: to, offset: 0 }, { replace });
}

/** Goes to a place of the opened game. */
function toPlace(at, replace = true) {
  if (!at || !shown?.game || at === shown.place) return;
  go({ ply: /^\d+$/.test(at.place) ? Number(at.place) : at.place }, { replace });
}

/** A step on or back, to the beginning or the end, in a game or on a line. */
const STEPS = {
  on: () => (shown?.game ? toPlace(shown.place.next) : step(here() + 1)),
  back: () => (shown?.game ? toPlace(shown.place.before) : step(here() - 1)),
  start: () => (shown?.game ? toPlace(shown.game.first) : step(0)),
  end: () => (shown?.game ? toPlace(lastOf(shown)) : step(shown?.line.length)),
};

/** The end of the line that is at hand: of the variation, and there that of the main line. */
function lastOf({ game, place }) {
  let last = place;
  while (last.next) last = last.next;
  return last === place ? game.main.at(-1) : last;
}

/** Goes to the next ply that the query has found, or to that before. */
function toFound(by) {
  const plies = shown?.found ?? [];
  if (!plies.length) return;
  const now = shown.place.node?.ply ?? 0;
  const next = by > 0 ? plies.find(ply => ply > now) : plies.findLast(ply => ply < now);
  toPlace(shown.game.at(next ?? (by > 0 ? plies[0] : plies.at(-1))));
}

async function openedGame(id, signal) {
  const key = `${state.database}/${id}`;
  if (!opened.has(key)) {
    const data = await ask(`v1/games/${id}`, { form: 'tree' }, signal);
    const { header, start } = data;
    const variant = header.variant === 'chess' ? '' : header.variant;
    const template = start.fen === null
      ? await askPosition({ fen: '', play: [], variant: '' }, signal)
      : await askPosition({ fen: header.start_fen ?? '', play: [], variant }, signal);
    // A problem has a diagram that cannot always be played.
    opened.set(key, new Game(id, data, template));
    if (opened.size > PAGE) opened.delete(opened.keys().next().value);
  }
  const game = opened.get(key);
  const { where } = state.filters;
  if (game.by !== where) Object.assign(game, { found: await findPlies(id, signal), by: where });
  return game;
}

/** The plies at which the query finds a game; the list has them only where it asks for no position. */
async function findPlies(id, signal) {
  const { where } = state.filters;
  if (!where) return [];
  const hit = list.found?.hits.find(one => one.id === id);
  if (hit?.plies_found && list.asked?.where === where) return hit.plies_found;
  const found = await ask('v1/search', { where, games: id, limit: 1 }, signal).catch(error => {
    if (error.name === 'AbortError') throw error;
    return { hits: [] };
  });
  return found.hits[0]?.plies_found ?? [];
}

/** The line of a state, and the position that it is at. */
async function place(now, signal) {
  if (now.game) {
    const game = await openedGame(now.game, signal);
    const at = game.at(now.ply);
    return { name: lineOf(now), game, place: at, start: game.start, position: game.position(at), found: game.found, line: [], at: 0 };
  }
  const start = { fen: now.fen, variant: now.variant };
  const at = Math.min(now.ply ?? now.play.length, now.play.length);
  const whole = await askPosition({ ...start, play: now.play }, signal);
  const position = at === now.play.length ? whole : await askPosition({ ...start, play: now.play.slice(0, at) }, signal);
  return { name: lineOf(now), start, line: whole.line, at, position };
}

/** The kind of game that is on the board, whether it was chosen, is that of a game or was inferred. */
function kind() {
  const { position, start } = shown ?? {};
  return (state.game ? '' : state.variant) || start?.variant || (position && position.variant !== 'chess' ? position.variant : '');
}

/** The parameters that select games at the position on the board. */
function selection() {
  return { position: shown.position.fen, variant: kind(), ...state.filters };
}

/** What a list is of, apart from the game that was opened from it. */
function listName() {
  const play = state.game || state.ply === null ? state.play : state.play.slice(0, state.ply);
  return JSON.stringify([state.database, state.fen, play, state.variant, state.filters]);
}

/** The parameters of the list: at the position on the board, or where the game was opened from. */
async function listed(signal) {
  const { filters, fen, play, variant } = state;
  // A game is opened from the list that is shown, whatever the game is.
  if (state.game && list.from === listName()) return list.asked;
  const isStart = !fen && !play.length;
  const own = state.game && isStart ? shown.start.variant : variant;
  const asked = { variant: state.game ? own : kind(), ...filters };
  // From the start of the game on, a query alone says where it has found something.
  const at = state.game ? play.length : shown.at;
  if (!fen && at === 0 && filters.where) return asked;
  if (!state.game) return { position: shown.position.fen, ...asked };
  const start = isStart ? shown.start : { fen, variant };
  // The start that a lot has drawn is that of few games.
  const from = await askPosition({ fen: isStart ? '' : start.fen, variant: own, play }, signal)
    .catch(() => askPosition({ ...shown.start, play: [] }, signal));
  return { position: from.fen, ...asked, variant: own || (from.variant === 'chess' ? '' : from.variant) };
}

/** Goes to the start of the kind of game that is on the board: that of the game, where it is drawn by lot. */
function restart() {
  const variant = kind();
  const isDrawn = variants.some(row => row.name === variant && !row.start_fen);
  go({ ...EMPTY, ...kept(), variant, fen: isDrawn ? shown?.start.fen ?? '' : '' });
}

function closeGame() {
  if (!state.game) return;
  go({ game: 0, ply: null });
}

async function refresh() {
  useDatabase(state.database);
  $('database').value = state.database || $('database').options[0]?.value;
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  layout();
  showFilters();
  if (state.report) return refreshReport(signal);
  // Quick answers do not flicker.
  const slow = setTimeout(() => signal.aborted || ['moves', 'games', 'line'].forEach(id => busy(id, true)), 150);
  const done = id => { if (!signal.aborted) busy(id, false); };
  try {
    const next = await place(state, signal);
    if (signal.aborted) return;
    shown = next;
    $('trouble').hidden = true;
    await showPosition(signal);
  } catch (error) {
    if (signal.aborted) return;
    clearTimeout(slow);
    ['moves', 'games', 'line'].forEach(done);
    shown = null;
    failPosition(error);
    finished();
    return;
  }
  if (signal.aborted) return;
  done('line');
  showCommand();
  await Promise.all([
    refreshTree(signal).finally(() => done('moves')),
    refreshList(signal).finally(() => done('games')),
    shown.game ? allow(signal) : null,
  ]);
  clearTimeout(slow);
  if (signal.aborted) return;
  ['moves', 'games', 'line'].forEach(done);
  finished();
}

/** Asks for the moves of the position, unless they are shown already, or are not beside the board. */
async function refreshTree(signal) {
  if (state.game && !isVisible('moves')) return;
  const asked = selection();
  const key = JSON.stringify([state.database, asked]);
  if (tree.key !== key) {
    // Whoever steps through a game quickly does not want the tree of every position.
    if (state.game) await new Promise(resolve => { setTimeout(resolve, 120); });
    if (signal.aborted) return;
    try {
      const answer = await ask('v1/tree', asked, signal);
      if (signal.aborted) return;
      tree = { key, answer };
    } catch (error) {
      if (signal.aborted) return;
      tree = { key: '', error };
      failMoves($('moves-body'), error);
      $('moves-count').textContent = '';
      drawShapes();
      return;
    }
  }
  showTree();
}

async function refreshList(signal) {
  let asked;
  try {
    asked = await listed(signal);
    if (signal.aborted) return;
    const key = JSON.stringify([state.database, asked, state.sort, state.offset]);
    if (list.key !== key) {
      const found = await ask('v1/search', { ...asked, sort: state.sort, limit: PAGE, offset: state.offset }, signal);
      if (signal.aborted) return;
      list = { key, found, asked, from: listName() };
    }
    showList();
  } catch (error) {
    if (signal.aborted) return;
    list = { key: '' };
    failGames($('games-body'), $('games-head'), error, tree.error?.message === error.message);
  }
}

/** Takes the legal moves of a position of a game, which is shown before they are known. */
async function allow(signal) {
  const { game, place: at } = shown;
  if (game.data.start.fen === null) return;
  // Whoever steps quickly does not want to move there.
  await new Promise(resolve => { setTimeout(resolve, 60); });
  if (signal.aborted) return;
  try {
    const position = await askPosition({ ...game.start, play: game.play(at) }, signal);
    if (signal.aborted) return;
    shown.position = position;
    board.allow(position);
    describePosition(position, game.opening(at));
    if (tree.answer && isVisible('moves')) showTree();
  } catch (error) {
    if (signal.aborted) return;
    $('trouble').hidden = false;
    $('trouble').replaceChildren(...trouble(error));
  }
}

/** Says for which address everything is shown, for those who wait for it. */
function finished() {
  document.documentElement.dataset.shown = location.search;
}

function busy(id, is) {
  $(id).setAttribute('aria-busy', String(is));
}

function failPosition(error) {
  view.open(null);
  $('trouble').hidden = false;
  $('trouble').replaceChildren(
    h('p', {}, ...trouble(error)),
    h('button', { type: 'button', class: 'btn', onclick: () => go({ ...EMPTY, filters: state.filters }) }, 'To the start position'),
  );
  ['moves-body', 'games-body', 'games-head', 'moves-count', 'line-moves', 'opening', 'status', 'command'].forEach(id => $(id).replaceChildren());
  ['first', 'back', 'next', 'last'].forEach(id => { $(id).disabled = true; });
}

/** Whether a panel is beside the board as things stand. */
function isVisible(name) {
  const panel = document.querySelector(`[data-tab="${name}"]`);
  return !panel.hidden && panel.offsetParent !== null;
}

/** Arranges the page for what the state has: the explorer, a game or a report. */
function layout() {
  const is = state.report ? 'report' : state.game ? 'game' : 'explorer';
  const page = $('page');
  if (page.dataset.is !== is) {
    page.dataset.is = is;
    page.className = `page ${is}`;
    tab = is === 'game' ? 'notation' : 'moves';
  }
  $('report').hidden = is !== 'report';
  $('filters').hidden = is === 'report' && state.report !== 'position';
  $('notation').hidden = $('tags').hidden = is !== 'game';
  $('moves').hidden = $('games').hidden = is === 'report';
  $('line').hidden = is !== 'explorer';
  for (const id of ['to-explore', 'to-reports']) {
    if ((id === 'to-reports') === (is === 'report')) $(id).setAttribute('aria-current', 'page');
    else $(id).removeAttribute('aria-current');
  }
  if (is !== 'game') view.open(null);
  showTabs(is);
}

const TABS = {
  game: [['notation', 'Notation'], ['games', 'Games'], ['moves', 'Moves here'], ['tags', 'Tags']],
  explorer: [['moves', 'Moves'], ['games', 'Games']],
  report: [],
};

function showTabs(is) {
  $('tabs').replaceChildren(...TABS[is].map(([name, words]) => h('button', {
    type: 'button', role: 'tab', id: `tab-${name}`, class: name === 'notation' ? 'of-notation' : null,
    'aria-selected': String(name === tab), tabindex: name === tab ? '0' : '-1',
    onclick: () => choose(name),
  }, words)));
  $('page').dataset.tab = tab;
}

/** The arrows go from tab to tab where one has the focus. */
function turnTab(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const all = [...$('tabs').children].filter(one => one.offsetParent);
  const next = by && all[(all.indexOf(event.target) + by + all.length) % all.length];
  if (!next) return;
  event.stopPropagation();
  event.preventDefault();
  next.click();
  $(next.id).focus();
}

/** Shows another panel beside the board. */
function choose(name) {
  tab = name;
  showTabs($('page').dataset.is);
  if (shown && name === 'moves') refreshTree(asking.signal);
}

/** What stands on the board, for those who cannot see it. */
function describe({ pieces }) {
  const all = {};
  for (const { side, letter, square } of pieces) (all[side] ??= []).push(letter.toUpperCase() + square);
  return Object.entries(all).map(([side, own]) => `${capital(side)}: ${own.join(' ')}.`).join(' ');
}

function describePosition(position, named) {
  const { title, to_move: side, check, end } = position;
  const what = end ? `${capital(end)}.` : `${capital(side)} to move${check ? ', in check' : ''}.`;
  const name = opening(named);
  $('status').replaceChildren(title === 'Chess' ? what : `${title}: ${what}`, name && shown.game ? h('span', { class: 'named' }, ` ${name}`) : '');
  $('men').textContent = describe(position);
  $('legal').replaceChildren(...position.moves.map(({ san }) => h('option', { value: san })));
}

async function showPosition(signal) {
  const { position, line, at, game, place: spot } = shown;
  $('fen').value = position.fen;
  $('flip').setAttribute('aria-pressed', String(state.flip));
  $('variant').value = (state.game ? '' : state.variant) || position.variant;
  const isFirst = game ? !spot.node : at === 0;
  const isLast = game ? !spot.next : at === line.length;
  $('first').disabled = $('back').disabled = isFirst;
  $('next').disabled = $('last').disabled = isLast;
  if (game) {
    document.title = `${players(game.header)} · plydex`;
    view.open(game, textKind());
    view.show(spot, { flip: state.flip, toMove: position.to_move });
    view.found(shown.found);
    showHead();
    describePosition(position, game.opening(spot));
  } else {
    const name = opening(position.opening);
    document.title = name ? `${name} · plydex` : 'plydex';
    describePosition(position, position.opening);
    $('opening').replaceChildren(...(position.opening ? [
      position.opening.eco ? h('span', { class: 'eco' }, position.opening.eco) : '', h('span', { class: 'cut' }, position.opening.name),
    ] : []));
    showLine($('line-moves'), { line, at, first: firstMove(position, at), go: ply => step(ply, false) });
  }
  const last = game ? spot.node && squaresOf(spot.node.uci) : at > 0 && line[at - 1].squares;
  await board.show(position, {
    last: last || null, flip: state.flip, signal, shapes: game ? view.shapes(spot) : [], glyph: game ? view.sign(spot) : null,
  });
}

/** The head of the game, with its number in the list. */
function showHead() {
  const hits = list.found?.hits ?? [];
  const at = hits.findIndex(hit => hit.id === state.game);
  const total = list.found?.total ?? 0;
  const index = at < 0 ? 0 : state.offset + at + 1;
  view.head({ index, total: at < 0 ? 0 : total, before: index > 1, after: index > 0 && index < total });
}

/** What games like the one on the board are written as. */
function textKind() {
  return shown.position.fen.includes(':') ? 'pdn' : 'pgn';
}

/** Shows something in a section, and keeps the focus there if what had it is replaced. */
function within(id, show) {
  const section = $(id);
  const had = section.contains(document.activeElement);
  show($(`${id}-body`));
  if (had && !section.contains(document.activeElement)) section.focus({ preventScroll: true });
}

/** Whether the moves played most are drawn on the board. */
let hasArrows = document.documentElement.dataset.arrows === '1';

/** Keeps a choice, where the browser lets the page. */
function store(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it is not remembered.
  }
}

/** Draws what a game has at its place, or the moves that are played most. */
function drawShapes() {
  if (!shown) return;
  $('arrows').setAttribute('aria-pressed', String(hasArrows));
  const own = shown.game ? view.shapes(shown.place) : [];
  const legal = new Map(shown.position.moves.map(move => [move.uci ?? move.san, move]));
  const most = hasArrows && tree.answer && tree.key === JSON.stringify([state.database, selection()])
    ? tree.answer.moves.slice(0, 3).map((move, at) => [legal.get(move.uci), at]).filter(([move]) => move?.squares.length > 1)
    : [];
  board.mark([...own, ...most.map(([move, at]) => ({
    from: move.squares[0], to: move.squares.at(-1), color: 'faint', width: [12, 9, 6][at],
  }))]);
}

function showTree() {
  const { answer } = tree;
  const { total } = answer;
  const unknown = total.no_result ? `, ${count(total.no_result)} without a result` : '';
  $('moves-count').textContent = total.games ? counted(total.games, 'game') + unknown : '';
  within('moves', panel => showMoves(panel, answer, {
    position: shown.position,
    filtered: Object.keys(state.filters).length > 0,
    rows: innerHeight >= 1000 ? 12 : 10,
    unfolded,
    unfold: () => {
      unfolded = true;
      showTree();
    },
    play: playMove,
    point: squares => board.hint(squares),
    take: (asked, near) => {
      const names = several(state.filters[asked.filter]).map(name => (name === asked.typed ? near : name));
      go({ filters: { ...state.filters, [asked.filter]: names.length > 1 ? names : near }, offset: 0 });
    },
  }));
  drawShapes();
}

/** The state in which a game of the list is opened: at what was found, and the list with it. */
function hitState(hit) {
  const at = hit.ply ?? 0;
  const from = state.game ? {} : {
    fen: state.fen, play: shown.at < shown.line.length ? state.play.slice(0, shown.at) : state.play, variant: state.variant,
  };
  return { ...state, ...from, game: hit.id, ply: hit.variation ? `${hit.variation}/${at}` : at };
}

/** Opens a game of the list; where a query and a position were asked, at what the query finds. */
async function openHit(hit, options) {
  const next = hitState(hit);
  if (state.filters.where && !hit.plies_found && hit.ply !== null && !hit.in_variation) {
    const plies = await findPlies(hit.id).catch(() => []);
    next.ply = plies.find(ply => ply >= next.ply) ?? plies[0] ?? next.ply;
  }
  go(next, options);
}

/** Opens the next game of the list, or the one before, also on another page of it. */
async function turnGame(by) {
  if (!state.game || !list.found) return;
  const { hits, total } = list.found;
  const at = hits.findIndex(hit => hit.id === state.game);
  const index = state.offset + at + by;
  if (at < 0 || index < 0 || index >= total) return;
  const next = hits[at + by];
  if (next) return openHit(next, { replace: true });
  const offset = Math.max(0, by > 0 ? state.offset + PAGE : state.offset - PAGE);
  const page = await ask('v1/search', { ...list.asked, sort: state.sort, limit: PAGE, offset });
  const hit = by > 0 ? page.hits[0] : page.hits.at(-1);
  if (!hit) return;
  state = { ...state, offset };
  list = { ...list, key: JSON.stringify([state.database, list.asked, state.sort, offset]), found: page };
  return openHit(hit, { replace: true });
}

function showList() {
  const { found, asked } = list;
  const { offset, sort } = state;
  within('games', panel => showGames(panel, $('games-head'), found, {
    offset,
    sort,
    exported: asked,
    file: `games.${textKind()}`,
    compact: Boolean(state.game),
    queried: Boolean(asked.where && !asked.position),
    current: state.game,
    href: hit => write(hitState(hit)),
    open: hit => openHit(hit),
    turn: to => go({ offset: to }),
    order: by => go({ sort: by, offset: 0 }),
  }));
  if (state.game) {
    showHead();
    const row = $('games-body').querySelector('[aria-current]');
    if (row && isVisible('games')) row.scrollIntoView?.({ block: 'nearest' });
  }
}

function showCommand() {
  const { position, line, at, start, game, place: spot } = shown;
  const { position: fen, variant, ...filters } = selection();
  if (game) {
    const path = spot.node ? ['--ply', spot.place] : ['--ply', '0'];
    $('command').textContent = ['plydex', 'show', String(game.id), ...path].join(' ');
    return;
  }
  const sans = line.slice(0, at).map(move => move.san);
  const words = start.fen || sans.some(san => san.startsWith('-')) ? [position.fen ?? fen] : sans;
  $('command').textContent = command(words.length ? words : [], { variant, ...filters });
}

async function refreshReport(signal) {
  shown = null;
  ['moves', 'games', 'line'].forEach(id => busy(id, false));
  busy('report', true);
  document.title = 'Reports · plydex';
  try {
    await showReport($('report'), {
      state,
      signal,
      go,
      explore: change => go({ ...EMPTY, ...change }),
      href: change => write({ ...EMPTY, database: state.database, ...change }),
    });
  } finally {
    if (!signal.aborted) {
      busy('report', false);
      finished();
    }
  }
}

/** Shows what the filters are; what somebody is typing stays, unless the filter has become another. */
function showFilters() {
  const form = $('filters');
  for (const name of FILTERS) {
    const field = form.elements[name];
    const text = told(state.filters[name]);
    if (field.dataset.told === text && document.activeElement === field) continue;
    field.dataset.told = text;
    if (field.options) {
      // What only an address can say is shown as well, and kept.
      [...field.options].filter(option => option.dataset.other).forEach(option => option.remove());
      const isThere = [...field.options].some(option => option.value === text);
      if (!isThere) field.append(h('option', { value: text, 'data-other': '1' }, text));
    }
    field.value = text;
  }
  const active = FILTERS.filter(name => state.filters[name] !== undefined);
  $('filters-count').textContent = active.length ? String(active.length) : '';
  const label = name => form.elements[name].closest('label').firstChild.textContent.trim();
  $('chips').replaceChildren(...active.map(name => h('span', { class: 'chip on' },
    h('em', {}, label(name)), ` ${told(state.filters[name])}`,
    h('button', {
      type: 'button', class: 'x', 'aria-label': `Remove the filter ${label(name)}`,
      onclick: () => {
        const { [name]: _, ...filters } = state.filters;
        go({ filters, offset: 0 });
      },
    }, icon('close')))));
}

function takeFilters() {
  const filters = {};
  for (const name of FILTERS) {
    const field = $('filters').elements[name];
    const value = field.value === field.dataset.told ? state.filters[name] : filterOf(name, field.value);
    if (value !== undefined) filters[name] = value;
  }
  if (JSON.stringify(filters) !== JSON.stringify(state.filters)) go({ filters, offset: 0 });
}

/** A move as typed, whatever marks it has. */
function bare(text) {
  return text.replace(/[+#!?=]/g, '').replace(/0/g, 'O').toLowerCase();
}

async function typed(text) {
  const moves = shown?.position.moves ?? [];
  const exact = moves.filter(move => move.san === text || move.uci === text);
  const alike = exact.length ? exact : moves.filter(move => bare(move.san) === bare(text));
  if (alike.length === 1) return playMove(alike[0]);
  let change;
  if (/[/:]/.test(text) || !shown) change = { ...EMPTY, ...kept(), fen: /[/:]/.test(text) ? text : '', variant: kind() };
  if (!change || !change.fen) {
    const words = text.split(/\s+/).map(word => word.replace(/^\d+\.+/, '')).filter(Boolean);
    const line = shown ? played() : { ...EMPTY, ...kept() };
    change = { ...line, play: [...line.play, ...words] };
  }
  const { line, fen } = await askPosition(change).catch(async error => {
    // Nobody has asked for the kind of game at hand: it may be a position of another.
    if (!change.fen || change.play.length || !change.variant || state.variant) throw error;
    change.variant = '';
    return askPosition(change).catch(() => { throw error; });
  });
  if (change.play.length) change.play = line.map(move => move.uci ?? move.san);
  else change.fen = fen;
  return go(change);
}

function flip() {
  go({ flip: !state.flip }, { replace: true });
}

/** Moves the focus through the rows of the table beside the board: of moves, or of games. */
function chooseRow(by) {
  const selector = isVisible('moves') && !(state.game && isVisible('games')) ? '#moves-body button.move' : '#games-body a.players';
  const rows = [...document.querySelectorAll(selector)].filter(row => !row.closest('[hidden]'));
  const at = rows.indexOf(document.activeElement);
  const to = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + by));
  rows[to]?.focus();
}

function theme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  store('theme', root.dataset.theme);
  showTheme();
}

function showTheme() {
  $('theme').replaceChildren(icon(document.documentElement.dataset.theme === 'dark' ? 'sun' : 'moon'));
}

const showKeys = () => $('keys').showModal();

const KEYS = {
  ArrowLeft: STEPS.back,
  ArrowRight: STEPS.on,
  ArrowUp: () => chooseRow(-1),
  ArrowDown: () => chooseRow(1),
  Home: STEPS.start,
  End: STEPS.end,
  'Shift+ArrowLeft': () => shown?.game && toPlace(shown.game.branching(shown.place, -1)),
  'Shift+ArrowRight': () => shown?.game && toPlace(shown.game.branching(shown.place, 1)),
  ']': () => shown?.game && toPlace(shown.game.inward(shown.place)),
  '[': () => shown?.game && toPlace(shown.game.outward(shown.place)),
  j: () => turnGame(1),
  k: () => turnGame(-1),
  n: () => toFound(1),
  N: () => toFound(-1),
  f: flip,
  d: theme,
  x: () => $('arrows').click(),
  c: () => $('copy-fen').click(),
  C: () => view.pgn?.click(),
  ' ': () => {
    const [most] = tree.key === JSON.stringify([state.database, selection()]) ? tree.answer.moves : [];
    const move = most && shown.position.moves.find(one => (one.uci ?? one.san) === most.uci);
    if (move) playMove(move);
  },
  '/': () => $('typed').focus(),
  t: () => { choose('moves'); $('moves').focus(); },
  g: () => { choose('games'); $('games').focus(); },
  m: () => state.game && choose('notation'),
  '?': showKeys,
  Escape: closeGame,
};
for (let nth = 1; nth <= 9; nth += 1) {
  KEYS[nth] = () => [...document.querySelectorAll('#moves-body button.move')][nth - 1]?.click();
}

/** Wheel over the board steps, a notch a move. */
let rolled = 0;
function roll(event) {
  if (event.ctrlKey || !shown) return;
  event.preventDefault();
  rolled += event.deltaMode ? event.deltaY * 40 : event.deltaY;
  if (Math.abs(rolled) < 40) return;
  (rolled > 0 ? STEPS.on : STEPS.back)();
  rolled = 0;
}

function listen() {
  for (const name of ['first', 'back', 'next', 'last', 'flip', 'help']) $(name).replaceChildren(icon(name));
  $('arrows').replaceChildren(icon('arrow'));
  $('restart').replaceChildren(icon('home'));
  showTheme();
  const click = (id, act) => $(id).addEventListener('click', act);
  click('first', STEPS.start);
  click('back', STEPS.back);
  click('next', STEPS.on);
  click('last', STEPS.end);
  click('flip', flip);
  click('restart', restart);
  click('theme', theme);
  click('help', showKeys);
  click('arrows', () => {
    hasArrows = !hasArrows;
    store('arrows', hasArrows ? '1' : '');
    drawShapes();
  });
  click('copy-fen', event => copy($('fen').value, event.currentTarget));
  click('copy-command', event => copy($('command').textContent, event.currentTarget));
  document.querySelector('.boardwrap').addEventListener('wheel', roll, { passive: false });
  $('fen').addEventListener('focus', event => event.target.select());
  const link = (id, change) => click(id, plainly(() => go(change())));
  link('home', () => EMPTY);
  link('to-explore', () => ({ report: '', name: '', you: '', game: 0, ply: null }));
  link('to-reports', () => ({ report: 'player', game: 0, ply: null }));
  $('database').addEventListener('change', event => {
    // A game has another number in another database, its moves are the same.
    go({ ...(state.game ? played() : {}), offset: 0, database: event.target.value });
  });
  $('variant').addEventListener('change', event => {
    const variant = event.target.value === 'chess' ? '' : event.target.value;
    go({ ...EMPTY, ...kept(), variant });
  });
  $('filters').addEventListener('change', takeFilters);
  $('filters').addEventListener('submit', event => {
    event.preventDefault();
    takeFilters();
  });
  $('filters').addEventListener('reset', event => {
    event.preventDefault();
    go({ filters: {}, offset: 0 });
  });
  $('entry').addEventListener('submit', async event => {
    event.preventDefault();
    const field = $('typed');
    const problem = $('typed-trouble');
    problem.hidden = true;
    field.removeAttribute('aria-invalid');
    try {
      if (field.value.trim()) await typed(field.value.trim());
      field.value = '';
    } catch (error) {
      problem.hidden = false;
      problem.replaceChildren(...trouble(error));
      field.setAttribute('aria-invalid', 'true');
    }
  });
  $('typed').addEventListener('blur', () => { $('typed-trouble').hidden = true; });
  $('tabs').addEventListener('keydown', turnTab);
  listenToKeys(KEYS, () => shown);
  window.addEventListener('popstate', () => {
    state = read(location.search);
    // Also what was typed and not yet applied is of the page that was left.
    FILTERS.forEach(name => delete $('filters').elements[name].dataset.told);
    refresh();
  });
}

/** Fills the chooser with the games that have rules; those without a start are only shown. */
async function listVariants() {
  variants = (await ask('v1/variants')).filter(row => row.moves === 'known');
  const group = (label, family) => h('optgroup', { label }, ...variants.filter(row => (row.family === 'draughts') === family)
    .map(row => h('option', { value: row.name, disabled: !row.start_fen }, row.title)));
  $('variant').replaceChildren(group('Chess and its variants', false), group('Draughts', true));
  if (shown) $('variant').value = (state.game ? '' : state.variant) || shown.position.variant;
}

/** Fills the chooser of databases, which is there if there are several. */
async function listSources() {
  const { databases } = await ask('v1/databases');
  $('database').replaceChildren(...databases.map(({ name, games }) => h('option', { value: name }, `${name} (${games.toLocaleString('en')})`)));
  $('database').value = state.database || databases[0].name;
  $('databases').hidden = databases.length < 2;
}

listen();
refresh();
listVariants().catch(() => {});
listSources().catch(() => {});
