// The page: what the address bar says is asked of the server and shown.

import { ask, position as askPosition, useDatabase } from './api.js';
import { Board } from './board.js';
import { failGames, showGames } from './games.js';
import { firstMove, mainLine, players, showHeader, showLine, showMovetext } from './line.js';
import { failMoves, showMoves } from './moves.js';
import { EMPTY, FILTERS, PAGE, filterOf, read, several, told, write } from './state.js';
import { capital, command, copy, h, opening, trouble } from './text.js';

const $ = id => document.getElementById(id);

let state = read(location.search);
/** What is on the board: the position, the line that it is in, and where. */
let shown = null;
/** Ends what is asked for a state that is left. */
let asking = new AbortController();
let variants = [];
const opened = new Map();

const board = new Board($('board'), $('hand'), move => playMove(move));

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
  return {
    fen: shown.start.fen,
    variant: shown.start.variant,
    play: shown.line.slice(0, shown.at).map(move => move.uci ?? move.san),
    game: 0,
    ply: null,
    offset: 0,
  };
}

function playMove(move) {
  const next = shown.line[shown.at];
  if (next && same(next, move)) step(shown.at + 1, false);
  else {
    const line = played();
    go({ ...line, play: [...line.play, move.uci ?? move.san] });
  }
}

function same(one, other) {
  return one.san === other.san && (one.uci ?? '') === (other.uci ?? '');
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

async function openedGame(id, signal) {
  const key = `${state.database}/${id}`;
  if (!opened.has(key)) {
    const game = await ask(`v1/games/${id}`, {}, signal);
    const { variant, start_fen: fen } = game.header;
    opened.set(key, { ...game, start: { fen: fen ?? '', variant: variant === 'chess' ? '' : variant } });
    if (opened.size > PAGE) opened.delete(opened.keys().next().value);
  }
  return opened.get(key);
}

/** The line of a state, and the position that it is at. */
async function place(now, signal) {
  const game = now.game ? await openedGame(now.game, signal) : null;
  const start = game ? game.start : { fen: now.fen, variant: now.variant };
  const play = game ? mainLine(game) : now.play;
  const at = Math.min(now.ply ?? play.length, play.length);
  const whole = await askPosition({ ...start, play }, signal);
  const position = at === play.length ? whole : await askPosition({ ...start, play: play.slice(0, at) }, signal);
  return { name: lineOf(now), game, start, line: whole.line, at, position };
}

/** The kind of game that is on the board, whether it was chosen, is that of a game or was inferred. */
function kind() {
  const { position, start } = shown ?? {};
  return state.variant || start?.variant || (position && position.variant !== 'chess' ? position.variant : '');
}

/** The parameters that select games here. */
function selection() {
  return { position: shown.position.fen, variant: kind(), ...state.filters };
}

/** Goes to the start of the kind of game that is on the board: that of the game, where it is drawn by lot. */
function restart() {
  const variant = kind();
  const isDrawn = variants.some(row => row.name === variant && !row.start_fen);
  go({ ...EMPTY, filters: state.filters, flip: state.flip, variant, fen: isDrawn ? shown?.start.fen ?? '' : '' });
}

async function refresh() {
  useDatabase(state.database);
  $('database').value = state.database || $('database').options[0]?.value;
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  showFilters();
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
  const asked = selection();
  showCommand();
  const tree = ask('v1/tree', asked, signal);
  const found = ask('v1/search', { ...asked, sort: state.sort, limit: PAGE, offset: state.offset }, signal);
  await Promise.all([
    tree.then(
      answer => signal.aborted || showTree(answer),
      error => signal.aborted || failMoves($('moves-body'), error),
    ).finally(() => done('moves')),
    found.then(
      answer => signal.aborted || showList(answer, asked),
      async error => {
        const other = await tree.then(() => '', failed => failed.message);
        if (!signal.aborted) failGames($('games-body'), error, other === error.message);
      },
    ).finally(() => done('games')),
  ]);
  clearTimeout(slow);
  if (signal.aborted) return;
  ['moves', 'games', 'line'].forEach(done);
  finished();
}

/** Says for which address everything is shown, for those who wait for it. */
function finished() {
  document.documentElement.dataset.shown = location.search;
}

function busy(id, is) {
  $(id).setAttribute('aria-busy', String(is));
}

function failPosition(error) {
  $('trouble').hidden = false;
  $('trouble').replaceChildren(
    ...trouble(error),
    h('button', { type: 'button', onclick: () => go({ ...EMPTY, filters: state.filters }) }, 'To the start position'),
  );
  ['moves-body', 'games-body', 'line-moves', 'status', 'command'].forEach(id => $(id).replaceChildren());
  ['first', 'back', 'next', 'last'].forEach(id => { $(id).disabled = true; });
  $('game').hidden = true;
}

/** What stands on the board, for those who cannot see it. */
function describe({ pieces }) {
  const sides = [...new Set(pieces.map(one => one.side))];
  const men = side => pieces.filter(one => one.side === side).map(one => `${one.letter.toUpperCase()}${one.square}`);
  return sides.map(side => `${capital(side)}: ${men(side).join(' ')}.`).join(' ');
}

function title({ title: written, to_move: side, check, end }) {
  const what = end ? `${capital(end)}.` : `${capital(side)} to move${check ? ', in check' : ''}.`;
  return written && written !== 'Chess' ? `${written}: ${what}` : what;
}

async function showPosition(signal) {
  const { position, line, at, game } = shown;
  const last = at > 0 ? line[at - 1].squares : null;
  const drawn = board.show(position, { last, flip: state.flip, signal });
  const name = opening(position.opening);
  $('status').replaceChildren(title(position), name ? h('span', { class: 'named' }, ` ${name}`) : '');
  $('men').textContent = describe(position);
  $('fen').value = position.fen;
  $('flip').setAttribute('aria-pressed', String(state.flip));
  $('first').disabled = $('back').disabled = at === 0;
  $('next').disabled = $('last').disabled = at === line.length;
  $('legal').replaceChildren(...position.moves.map(move => h('option', { value: move.san })));
  $('variant').value = state.variant || position.variant;
  $('line-title').hidden = Boolean(game);
  if (game) {
    document.title = `${players(game.header)} · plydex`;
    showHeader($('game'), { id: state.game, game, kind: textKind(), close: () => go(played()) });
    showMovetext($('line-moves'), { game, at, go: ply => step(ply, false) });
  } else {
    document.title = name ? `${name} · plydex` : 'plydex';
    $('game').hidden = true;
    showLine($('line-moves'), { line, at, first: firstMove(position, at), go: ply => step(ply, false) });
  }
  await drawn;
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

function showTree(tree) {
  within('moves', place => showMoves(place, tree, {
    position: shown.position,
    filtered: Object.keys(state.filters).length > 0,
    play: playMove,
    point: squares => board.hint(squares),
    take: (asked, near) => {
      const names = several(state.filters[asked.filter]).map(name => (name === asked.typed ? near : name));
      go({ filters: { ...state.filters, [asked.filter]: names.length > 1 ? names : near }, offset: 0 });
    },
  }));
}

function showList(found, asked) {
  const hitState = hit => ({
    ...EMPTY, filters: state.filters, sort: state.sort, flip: state.flip, game: hit.id, ply: hit.ply ?? 0,
  });
  within('games', place => showGames(place, found, {
    offset: state.offset,
    sort: state.sort,
    exported: asked,
    file: `games.${textKind()}`,
    href: hit => write(hitState(hit)),
    open: hit => {
      go(hitState(hit));
      $('game').scrollIntoView({ block: 'nearest' });
    },
    turn: offset => go({ offset }),
    order: sort => go({ sort, offset: 0 }),
  }));
}

function showCommand() {
  const { position, line, at, start } = shown;
  const { position: fen, variant, ...filters } = selection();
  const sans = line.slice(0, at).map(move => move.san);
  const words = start.fen || sans.some(san => san.startsWith('-')) ? [position.fen] : sans;
  $('command').textContent = command(words.length ? words : [], { variant, ...filters });
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
  const active = Object.keys(state.filters).length;
  $('filters-count').textContent = active ? `${active} active` : 'none';
  // On narrow screens the count has to do: the moves are what is looked at.
  if (active && !showFilters.once && matchMedia('(min-width: 60rem)').matches) $('filters-box').open = true;
  showFilters.once = true;
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
  if (/[/:]/.test(text)) change = { ...EMPTY, filters: state.filters, flip: state.flip, fen: text, variant: kind() };
  else {
    const words = text.split(/\s+/).map(word => word.replace(/^\d+\.+/, '')).filter(Boolean);
    const line = played();
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

function control(id, act) {
  $(id).addEventListener('click', act);
}

function flip() {
  go({ flip: !state.flip }, { replace: true });
}

/** Moves the focus through the list of moves. */
function choose(by) {
  const buttons = [...$('moves-body').querySelectorAll('button.move')];
  const at = buttons.indexOf(document.activeElement);
  const to = at < 0 ? (by > 0 ? 0 : buttons.length - 1) : Math.max(0, Math.min(buttons.length - 1, at + by));
  buttons[to]?.focus();
}

const KEYS = {
  ArrowLeft: () => step(here() - 1),
  ArrowRight: () => step(here() + 1),
  ArrowUp: () => choose(-1),
  ArrowDown: () => choose(1),
  Home: () => step(0),
  End: () => step(shown?.line.length),
  f: flip,
};

function listen() {
  control('first', KEYS.Home);
  control('back', KEYS.ArrowLeft);
  control('next', KEYS.ArrowRight);
  control('last', KEYS.End);
  control('flip', flip);
  control('restart', restart);
  control('copy-fen', event => copy($('fen').value, event.currentTarget));
  control('copy-command', event => copy($('command').textContent, event.currentTarget));
  $('fen').addEventListener('focus', event => event.target.select());
  $('home').addEventListener('click', event => {
    event.preventDefault();
    go(EMPTY);
  });
  $('database').addEventListener('change', event => {
    // A game has another number in another database, its moves are the same.
    go({ ...(state.game ? played() : {}), offset: 0, database: event.target.value });
  });
  $('variant').addEventListener('change', event => {
    const variant = event.target.value === 'chess' ? '' : event.target.value;
    go({ ...EMPTY, filters: state.filters, flip: state.flip, variant });
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
  document.addEventListener('keydown', event => {
    const typing = event.target.closest('input, select, textarea, dialog, summary');
    if (!shown || typing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
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
  if (shown) $('variant').value = state.variant || shown.position.variant;
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
