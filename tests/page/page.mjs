// What readers do with the page, in a browser, with the answers of the commands beside it.
// tests/page/run.sh starts this.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { CHROMIUM, PLYDEX, WORK } = process.env;
const require = createRequire(join(WORK, 'package.json'));
const { chromium } = require('playwright-core');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const DB = join(WORK, 'page.db');
const LONG = 300;
/** Draughts in which a man can take two men on either of two ways that end on the same square. */
const TWO_WAYS = 'W:W26:B14,15,22,23';
/** A capture of two men, which nothing else can be taken for. */
const ONE_WAY = 'W:W26:B14,22';

/** A game of many plies, in which the knights come and go. */
function longGame() {
  const words = [];
  for (let ply = 0; ply < LONG; ply += 1) {
    if (ply % 2 === 0) words.push(`${ply / 2 + 1}.`);
    words.push(['Nf3', 'Nf6', 'Ng1', 'Ng8'][ply % 4]);
  }
  const tags = [['Event', 'Three hundred plies'], ['White', 'Long, Lena'], ['Black', 'Steady, Stan'], ['Date', '2024.05.01'],
    ['WhiteElo', '2100'], ['BlackElo', '2200'], ['Result', '1/2-1/2']];
  return `${tags.map(([name, value]) => `[${name} "${value}"]`).join('\n')}\n\n${words.join(' ')} 1/2-1/2\n`;
}

/** A game that passes the turn, one that begins as a lot has drawn, and one in which a position is set by hand. */
const ODD = `[White "Pass, Paula"]

1. e4 -- 2. d4 d5 3. Nc3 *

[White "Lot, Lotte"]
[Variant "CapaRandom"]
[SetUp "1"]
[FEN "rnbaqkcbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBAQKCBNR w KQkq - 0 1"]

1. e4 e5 2. d4 *

[White "Hand, Hanna"]
[GameType "20"]

1. 32-28 18-23 /FEN "B:W28,31,33:B1,2,20"/ 20-24 *
`;

/** A game with variations, comments, glyphs, arrows, clocks and evaluations, and one that breaks off. */
const ANNOTATED = `[Event "Study"]
[White "Note, Nora"]
[Black "Comment, Carl"]
[WhiteElo "2400"]
[TimeControl "600+5"]
[Result "1-0"]

{Before the start.} 1. e4 {[%clk 0:09:58][%eval 0.2] Best by test. [%csl Gd5][%cal Ge4e5,Rd2d4]} e5 {[%clk 0:09:55][%eval 0.3]}
(1... c5 {the Sicilian} 2. Nf3 d6 (2... Nc6 3. d4) 3. d4) (1... e6 $14) 2. Nf3 {[%clk 0:09:40][%eval 0.3]} Nc6 $6 {[%clk 0:00:12][%eval 0.4]}
3. Bb5 {[%clk 0:09:30][%eval 0.4]} f6 $4 {[%clk 0:00:09][%eval 3.9]} 4. O-O $146 {[%eval 3.8]} 1-0

[Event "Study"]
[White "Break, Bea"]
[Black "Off, Olaf"]
[Result "*"]

1. d4 d5 2. c4 Qh4 3. Nc3 *
`;

function plydex(...args) {
  return execFileSync(PLYDEX, ['--db', DB, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Starts the server on a free port, and waits until it says where. */
function serve() {
  const child = spawn(PLYDEX, ['--db', DB, 'serve', '--port', '0'], { stdio: ['ignore', 'inherit', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', data => {
      said += data;
      const found = said.match(/http:\/\/[\d.]+:\d+/);
      if (found) resolve({ child, base: found[0] });
    });
    child.on('exit', code => reject(new Error(`plydex serve ended with ${code}: ${said}`)));
  });
}

const tests = [];
function test(name, run, options = {}) {
  tests.push({ name, run, options });
}

/** Waits until what was asked last is shown. */
async function settled(page) {
  await page.waitForFunction(() => ['moves', 'games', 'line'].every(id => (
    document.getElementById(id).getAttribute('aria-busy') === 'false'
  )) && document.documentElement.dataset.shown === location.search);
}

async function open(page, search = '') {
  await page.goto(`${page.base}/${search}`);
  await settled(page);
}

/** The middle of a square of the board that is drawn by chessground. */
async function middle(page, square) {
  const box = await page.locator('cg-board').boundingBox();
  const flipped = await page.locator('.orientation-black').count();
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  const [column, row] = flipped ? [7 - file, rank] : [file, 7 - rank];
  return [box.x + ((column + 0.5) * box.width) / 8, box.y + ((row + 0.5) * box.height) / 8];
}

async function drag(page, from, to) {
  await page.mouse.move(...await middle(page, from));
  await page.mouse.down();
  await page.mouse.move(...await middle(page, to), { steps: 6 });
  await page.mouse.up();
}

async function click(page, ...squares) {
  for (const square of squares) await page.mouse.click(...await middle(page, square));
}

/** Waits until a line is played. */
async function played(page, ...line) {
  await page.waitForFunction(moves => (new URLSearchParams(location.search).get('play') ?? '') === moves, line.join(','));
  await settled(page);
}

const fen = page => page.inputValue('#fen');
const movesOf = page => page.locator('#moves tbody tr').evaluateAll(rows => rows.map(row => ({
  san: row.querySelector('.move')?.textContent ?? 'game ends',
  games: Number(row.querySelector('td.number').firstChild.textContent.replaceAll(',', '')),
})));

/** The moves of the main line beside the board. */
const mainLine = page => page.locator('#game-moves button.m b').allTextContents();

/** The moves as the command has them. */
function tree(...args) {
  const told = JSON.parse(plydex('tree', ...args, '--format', 'json'));
  const moves = told.moves.map(({ san, games }) => ({ san, games }));
  return told.ends_here.games ? [...moves, { san: 'game ends', games: told.ends_here.games }] : moves;
}

test('pieces are dragged and clicked, and the back button takes back', async page => {
  await open(page);
  assert.deepEqual(await movesOf(page), tree());
  await drag(page, 'e2', 'e4');
  await played(page, 'e2e4');
  assert.match(await fen(page), /^rnbqkbnr\/pppppppp\/8\/8\/4P3\//);
  assert.equal(new URL(page.url()).search, '?play=e2e4');
  await click(page, 'c7', 'c5');
  await played(page, 'e2e4', 'c7c5');
  assert.equal(new URL(page.url()).search, '?play=e2e4,c7c5');
  assert.deepEqual(await movesOf(page), tree('e4', 'c5'));
  assert.match(await page.textContent('#opening'), /Sicilian Defense/);
  assert.equal(await page.textContent('#command'), 'plydex tree e4 c5');
  await page.goBack();
  await settled(page);
  assert.deepEqual(await movesOf(page), tree('e4'));
  await page.goBack();
  await settled(page);
  assert.equal(new URL(page.url()).search, '');
  await page.goForward();
  await settled(page);
  assert.deepEqual(await movesOf(page), tree('e4'));
  // Nothing but legal moves is made.
  await drag(page, 'e7', 'e4');
  await page.waitForTimeout(200);
  assert.equal(new URL(page.url()).search, '?play=e2e4');
});

test('a move of the list is played by a click', async page => {
  await open(page);
  await page.locator('#moves tbody tr').first().click();
  await settled(page);
  assert.deepEqual(await movesOf(page), tree(tree()[0].san));
});

test('filters change the counts to those of the command', async page => {
  await open(page, '?play=e2e4');
  const before = await movesOf(page);
  await page.click('#filters-box summary');
  for (const [field, value] of [['since', '1900'], ['player', 'fischer'], ['where', 'castles:O-O by:white']]) {
    await page.fill(`[name=${field}]`, value);
    await page.press(`[name=${field}]`, 'Enter');
    await settled(page);
  }
  const asked = ['e4', '--since', '1900', '--player', 'fischer', '--where', 'castles:O-O by:white'];
  assert.deepEqual(await movesOf(page), tree(...asked));
  assert.notDeepEqual(await movesOf(page), before);
  const games = JSON.parse(plydex('tree', ...asked, '--format', 'json')).total.games;
  assert.match(await page.textContent('#games .count'), new RegExp(`^${games} games?$`));
  assert.match(await page.textContent('#command'), /--player fischer --since 1900 --where 'castles:O-O by:white'/);
  await page.click('#clear');
  await settled(page);
  assert.deepEqual(await movesOf(page), before);
  await page.selectOption('[name=result]', '0-1');
  await settled(page);
  assert.deepEqual(await movesOf(page), tree('e4', '--result', '0-1'));
});

test('what is wrong is said in words', async page => {
  await open(page, '?since=soon');
  assert.match(await page.textContent('#moves'), /soon/);
  await open(page, '?play=e2e5');
  assert.match(await page.textContent('#trouble'), /e2e5/);
  await page.click('#trouble button');
  await settled(page);
  await page.fill('#typed', 'Nf6');
  await page.press('#typed', 'Enter');
  await page.locator('#typed-trouble').waitFor();
  assert.match(await page.textContent('#typed-trouble'), /Nf6/);
  await open(page, '?player=nobodyatall');
  assert.match(await page.textContent('#moves'), /No game with these filters.*No player is called “nobodyatall”/s);
  assert.match(await page.textContent('#games'), /No games/);
}, { refusals: true });

test('a name that is nearly one is offered', async page => {
  await open(page, '?player=fisher');
  await page.locator('#moves .link').first().click();
  await settled(page);
  assert.notEqual(await page.locator('#moves tbody tr').count(), 0);
});

test('games are listed by pages, opened, and stepped through', async page => {
  await open(page, '?play=e2e4');
  const all = JSON.parse(plydex('search', 'e4', '--limit', '0', '--format', 'json')).total;
  assert.ok(all > 20);
  assert.equal(await page.textContent('#games .count'), `1–20 of ${all} games`);
  await page.click('#games button[aria-label="Next page"]');
  await settled(page);
  assert.equal(await page.textContent('#games .count'), `21–${Math.min(all, 40)} of ${all} games`);
  const id = JSON.parse(plydex('search', '--player', 'legall', '--format', 'json')).hits[0].id;
  await open(page, `?game=${id}&ply=0`);
  const written = JSON.parse(plydex('show', String(id), '--format', 'json'));
  assert.match(await page.textContent('#game h2'), /Legall/);
  const sans = written.items.flatMap(item => (item.move ? [item.move] : []));
  assert.deepEqual(await mainLine(page), sans);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => location.search.includes('ply=3'));
  await settled(page);
  const { position } = JSON.parse(plydex('show', String(id), '--ply', '3', '--format', 'json'));
  assert.equal(await fen(page), position.fen);
  // Another move leaves the game; back is in it again.
  await page.fill('#typed', 'h6');
  await page.press('#typed', 'Enter');
  await page.waitForFunction(() => location.search.endsWith('h7h6'));
  await settled(page);
  assert.equal(await page.locator('#game').isHidden(), true);
  await page.goBack();
  await settled(page);
  assert.equal(await page.locator('#game').isHidden(), false);
  const link = await page.locator('#game-foot a').getAttribute('href');
  const pgn = await (await page.request.get(`${page.base}/${link}`)).text();
  assert.equal(pgn, plydex('show', String(id), '--format', 'pgn'));
});

test('a comment of a game is shown without the commands of programs', async page => {
  const { hits } = JSON.parse(plydex('search', '--comment', 'annotator', '--format', 'json'));
  await open(page, `?game=${hits[0].id}`);
  assert.match(await page.locator('#game-moves .comment').first().textContent(), /annotator/);
});

/** The position that the command has at a place of a game. */
const fenAt = (id, place) => JSON.parse(plydex('show', String(id), '--ply', place, '--format', 'json')).position.fen;

async function atPlace(page, place) {
  await page.waitForFunction(to => new URLSearchParams(location.search).get('ply') === to, place);
  await settled(page);
}

test('a game has its variations, comments, glyphs, arrows, clocks and evaluations', async page => {
  const id = numberOf('--player', 'Note, Nora');
  await open(page, `?game=${id}&ply=1`);
  assert.deepEqual(await mainLine(page), ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'f6', 'O-O']);
  assert.deepEqual(await page.locator('#game-moves > .note .comment').allTextContents(), ['Before the start.', 'Best by test.', 'the Sicilian ']);
  assert.doesNotMatch(await page.textContent('#game-moves'), /\[%|\$\d/);
  assert.equal(await page.locator('cg-container .cg-shapes :is(line, circle)').count(), 3, 'a square and two arrows');
  assert.match(await page.textContent('#below'), /Note, Nora.*2400.*9:58/);
  assert.match(await page.textContent('#above'), /Comment, Carl.*10:00/);
  // A click, and the keys, go into a variation and out of it.
  await page.click('#game-moves [data-place="2.1/4"]');
  await atPlace(page, '2.1/4');
  assert.equal(await fen(page), fenAt(id, '2.1/4'));
  await page.keyboard.press('ArrowRight');
  await atPlace(page, '2.1/5');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('[');
  await atPlace(page, '2');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press(']');
  await atPlace(page, '2.1/2');
  await page.reload();
  await settled(page);
  assert.equal(await fen(page), fenAt(id, '2.1/2'));
  for (const place of ['2.1/4.1/5', '2.2/2', '7']) {
    await page.click(`#game-moves [data-place="${place}"]`);
    await atPlace(page, place);
    assert.equal(await fen(page), fenAt(id, place));
  }
  // Folded, a variation shows its first move.
  const inner = page.locator('#game-moves [data-place="2.1/5"]');
  await page.click('#game-moves [data-line="2.1"] > .fold');
  assert.equal(await inner.isVisible(), false);
  await page.click('#game-moves [data-line="2.1"] > .fold');
  assert.equal(await inner.isVisible(), true);
  // Glyphs, those of large losses, and the low clock.
  assert.equal(await page.textContent('#game-moves [data-place="6"] .gl'), '??');
  assert.equal(await page.getAttribute('#game-moves [data-place="7"] .gl', 'title'), 'novelty');
  await page.click('#game-moves [data-place="6"]');
  await atPlace(page, '6');
  assert.match(await page.textContent('#above .low'), /^0:09/);
  assert.match(await page.textContent('#graph .sum'), /White \?! 0 \? 0 \?\? 0.*Black \?! 0 \? 1 \?\? 0/);
  const box = await page.locator('#graph .plot').boundingBox();
  await page.mouse.click(box.x + (box.width * 3) / 7, box.y + 20);
  await atPlace(page, '3');
  // A move of the game and of a variation is gone to; another one leaves the game.
  await page.click('#first');
  await atPlace(page, '0');
  await drag(page, 'e2', 'e4');
  await atPlace(page, '1');
  await drag(page, 'e7', 'e6');
  await atPlace(page, '2.2/2');
  await drag(page, 'd2', 'd4');
  await played(page, 'e2e4', 'e7e6', 'd2d4');
  await page.goBack();
  await atPlace(page, '2.2/2');
});

test('a game that breaks off shows what could not be read', async page => {
  await open(page, `?game=${numberOf('--player', 'Break, Bea')}`);
  assert.deepEqual(await mainLine(page), ['d4', 'd5', 'c4']);
  assert.match(await page.textContent('#game-moves .damaged'), /cannot be played.*Qh4 3\. Nc3/s);
});

test('the wheel over the board steps', async page => {
  await open(page, `?game=${numberOf('--player', 'Note, Nora')}&ply=1`);
  await page.mouse.move(...await middle(page, 'd4'));
  await page.mouse.wheel(0, 120);
  await atPlace(page, '2');
  await page.mouse.wheel(0, -120);
  await atPlace(page, '1');
});

test('a game that a query finds is opened there, and n goes on to the next place', async page => {
  const where = 'Ne5';
  const { hits, total } = JSON.parse(plydex('search', where, '--format', 'json'));
  const [hit] = hits;
  assert.ok(hit.ply > 0 && total > 2);
  await open(page, `?where=${where}`);
  assert.match(await page.locator('#games tbody tr').first().textContent(), new RegExp(`${Math.floor(hit.ply / 2) + 1}[.…] `));
  await page.locator('#games tbody tr').first().click();
  await atPlace(page, String(hit.ply));
  assert.equal(await fen(page), fenAt(hit.id, String(hit.ply)));
  const found = await page.locator('#game-moves .found').evaluateAll(all => all.map(one => Number(one.dataset.place)));
  assert.deepEqual(found, hit.plies_found.filter(ply => ply > 0));
  await page.keyboard.press('n');
  await atPlace(page, String(hit.plies_found[1] ?? hit.plies_found[0]));
  await page.keyboard.press('N');
  await atPlace(page, String(hit.ply));
  // The next game of the list, also at its place, and back.
  await page.keyboard.press('j');
  await page.waitForFunction(id => new URLSearchParams(location.search).get('game') === id, String(hits[1].id));
  await atPlace(page, String(hits[1].ply));
  assert.match(await page.textContent('#game'), new RegExp(`2 of ${total}`));
  await page.keyboard.press('k');
  await page.waitForFunction(id => new URLSearchParams(location.search).get('game') === id, String(hit.id));
  await settled(page);
  // Closing it brings back the list.
  await page.keyboard.press('Escape');
  await settled(page);
  assert.equal(new URL(page.url()).search, `?where=${where}`);
  // With a position and a query the game is opened at what the query finds.
  await open(page, `?play=e2e4&where=${where}`);
  const both = JSON.parse(plydex('search', 'e4', '--where', where, '--format', 'json')).hits[0];
  const places = JSON.parse(plydex('search', where, '--games', String(both.id), '--format', 'json')).hits[0].plies_found;
  await page.locator('#games tbody tr').first().click();
  await atPlace(page, String(places.find(ply => ply >= both.ply) ?? places[0]));
});

test('the list of games stays beside the game, and its last page leads to the next', async page => {
  const all = JSON.parse(plydex('search', 'e4', '--limit', '0', '--format', 'json')).hits.map(one => one.id);
  await open(page, '?play=e2e4');
  await page.locator('#games tbody tr').nth(19).click();
  await page.waitForFunction(id => new URLSearchParams(location.search).get('game') === id, String(all[19]));
  await settled(page);
  assert.equal(await page.locator('#games tbody tr[aria-current]').getAttribute('data-game'), String(all[19]));
  await page.keyboard.press('j');
  await page.waitForFunction(id => new URLSearchParams(location.search).get('game') === id, String(all[20]));
  await settled(page);
  assert.match(await page.textContent('#games .count'), /^21–/);
  // The moves of the position are a panel away.
  await page.click('#tab-moves');
  await settled(page);
  assert.deepEqual(await movesOf(page), tree('e4'));
});

test('light and dark are chosen, and kept', async page => {
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await open(page);
  assert.equal(await theme(), 'light');
  await page.keyboard.press('d');
  assert.equal(await theme(), 'dark');
  await page.reload();
  await settled(page);
  assert.equal(await theme(), 'dark');
});

test('reports show what the commands have, and their rows lead to the games', async page => {
  await open(page, '?report=player&name=fischer');
  const report = JSON.parse(plydex('prepare', 'fischer', '--format', 'json'));
  assert.equal(await page.textContent('#report .big'), report.player.name);
  const results = page.locator('#report .panel:has(h2:text-is("Results"))').locator('tbody tr');
  assert.match(await results.first().textContent(), new RegExp(`^All games${report.results[0].games}`));
  await results.nth(1).locator('a').click();
  await settled(page);
  const games = JSON.parse(plydex('tree', '--white', report.player.name, '--format', 'json')).total.games;
  assert.match(await page.textContent('#moves-count'), new RegExp(`^${games} `));
  await open(page, '?report=position&play=e2e4,e7e5');
  const next = JSON.parse(plydex('report', 'e4', 'e5', '--format', 'json')).next.map(one => one.san);
  const moves = await page.locator('#report .panel:has(h2:text-is("Next moves"))').locator('tbody a').allTextContents();
  assert.deepEqual(moves.map(text => text.split(' ')[0]), next);
  const [first] = JSON.parse(plydex('events', '--format', 'json')).names;
  await open(page, '?report=event');
  assert.equal(await page.locator('#report tbody a').first().textContent(), first.name);
  await page.locator('#report tbody a').first().click();
  await settled(page);
  await page.locator('#report table').waitFor();
});

test('the listed games are saved as PGN', async page => {
  await open(page, '?play=e2e4,c7c5&result=0-1');
  const link = await page.locator('#games a[download]').getAttribute('href');
  const text = await (await page.request.get(`${page.base}/${link}`)).text();
  assert.equal(text, plydex('export', 'e4', 'c5', '--result', '0-1'));
});

test(`a game of ${LONG} plies is gone through`, async page => {
  const { hits } = JSON.parse(plydex('search', '--player', 'Long, Lena', '--format', 'json'));
  await open(page, `?game=${hits[0].id}&ply=0`);
  assert.equal(await page.locator('#game-moves .move').count(), LONG);
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('#game-moves [aria-current]')?.dataset.place === '300');
  await settled(page);
  assert.match(await fen(page), / w KQkq - 300 151$/);
  for (let times = 0; times < 20; times += 1) await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('#game-moves [aria-current]')?.dataset.place === '280');
  await settled(page);
  // A long line fits into the address, and comes back from it.
  await page.fill('#typed', 'e4');
  await page.press('#typed', 'Enter');
  await page.waitForFunction(() => location.search.endsWith('e2e4'));
  await settled(page);
  assert.equal(await page.locator('#line-moves .move').count(), 281);
  await page.reload();
  await settled(page);
  assert.equal(await page.locator('#line-moves .move').count(), 281);
});

/** The first game that a search finds. */
const numberOf = (...args) => JSON.parse(plydex('search', ...args, '--format', 'json')).hits[0].id;
const address = page => new URL(page.url()).searchParams;

test('a game that passes the turn is opened, and its null move is played', async page => {
  await open(page, `?game=${numberOf('--player', 'Pass, Paula')}`);
  const sans = ['e4', '--', 'd4', 'd5', 'Nc3'];
  assert.deepEqual(await mainLine(page), sans);
  assert.equal(await fen(page), 'rnbqkbnr/ppp1pppp/8/3p4/3PP3/2N5/PPP2PPP/R1BQKBNR b KQkq - 1 3');
  await open(page, '?play=e2e4&player=paula');
  await page.click('#moves button.move:text("--")');
  await played(page, 'e2e4', '0000');
  assert.deepEqual(await movesOf(page), tree('e4 --', '--player', 'paula'));
  await page.fill('#typed', 'd4 --');
  await page.press('#typed', 'Enter');
  await played(page, 'e2e4', '0000', 'd2d4', '0000');
});

test('a game in which a position is set by hand is stepped through, and left', async page => {
  const id = numberOf('--player', 'Hand, Hanna');
  await open(page, `?game=${id}&ply=2`);
  await page.keyboard.press('ArrowRight');
  await settled(page);
  assert.equal(await fen(page), 'B:W28,31,33:B1,2,20');
  await page.keyboard.press('ArrowRight');
  await settled(page);
  assert.equal(await fen(page), 'W:W28,31,33:B1,2,24');
  // Another move makes a line of its own, which the address can say.
  await page.fill('#typed', '28-22');
  await page.press('#typed', 'Enter');
  await page.waitForFunction(() => location.search.includes('play='));
  await settled(page);
  const left = await fen(page);
  assert.equal(left, 'B:W22,31,33:B1,2,24');
  await page.reload();
  await settled(page);
  assert.equal(await fen(page), left);
});

test('the start is that of the kind of game that is shown', async page => {
  const start = 'W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20';
  const draughts = numberOf('--variant', 'international');
  for (const search of [`?game=${draughts}`, `?fen=${encodeURIComponent('W:W46,K47:B6,K50')}`]) {
    await open(page, search);
    await page.click('#restart');
    await settled(page);
    assert.equal(await page.inputValue('#variant'), 'international');
    assert.equal(await fen(page), start);
  }
  const typed = async text => {
    await page.fill('#typed', text);
    await page.press('#typed', 'Enter');
    await page.waitForFunction(() => document.getElementById('typed').value === '');
    await settled(page);
  };
  // A position is one of the game at hand, if it can be.
  await open(page, `?game=${numberOf('--variant', 'frisian')}`);
  await typed('W:W28:B40');
  assert.equal(await page.inputValue('#variant'), 'frisian');
  await open(page, `?game=${draughts}`);
  await typed('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  assert.equal(await page.inputValue('#variant'), 'chess');
  // Where a lot draws the start, it is that of the game.
  await open(page, `?game=${numberOf('--player', 'Lot, Lotte')}`);
  for (const press of ['#flip', '#restart']) {
    await page.click(press);
    await settled(page);
    assert.equal(await page.inputValue('#variant'), 'caparandom');
  }
  assert.match(await fen(page), /^rnbaqkcbnr\/p{10}\/10\/10\/10\/10\/P{10}\/RNBAQKCBNR w/);
}, { refusals: true });

test('filters that only an address can say are shown and kept', async page => {
  const asked = [
    ['result', '1-0,0-1'], ['time', 'classical,ultrabullet'], ['player', 'fischer'], ['player', 'spassky'],
  ];
  await open(page, `?${new URLSearchParams(asked)}`);
  assert.equal(await page.inputValue('[name=result]'), '1-0,0-1');
  assert.equal(await page.inputValue('[name=time]'), 'classical,ultrabullet');
  assert.equal(await page.inputValue('[name=player]'), 'fischer; spassky');
  assert.match(await page.textContent('#command'), /--player fischer --player spassky/);
  await page.click('#filters-box summary');
  await page.fill('[name=since]', '1950');
  await page.press('[name=since]', 'Enter');
  await page.waitForFunction(() => location.search.includes('1950'));
  await settled(page);
  const kept = address(page);
  for (const [name] of asked) assert.deepEqual(kept.getAll(name), asked.filter(one => one[0] === name).map(one => one[1]));
  // Another value takes the place of such a one, which is then offered no longer.
  await page.selectOption('[name=result]', '0-1');
  await settled(page);
  assert.equal(address(page).get('result'), '0-1');
  assert.equal(await page.locator('[name=result] option[value="1-0,0-1"]').count(), 0);
  await page.fill('[name=player]', 'fischer');
  await page.press('[name=player]', 'Enter');
  await page.waitForFunction(() => !location.search.includes('spassky'));
  assert.deepEqual(address(page).getAll('player'), ['fischer']);
  await open(page, '?time=ultrabullet&result=white');
  assert.equal(await page.inputValue('[name=time]'), 'ultrabullet');
  assert.equal(await page.inputValue('[name=result]'), 'white');
});

test('going back takes a filter back, also from the field that has the focus', async page => {
  await open(page, '?play=e2e4');
  await page.click('#filters-box summary');
  await page.fill('[name=player]', 'fischer');
  await page.press('[name=player]', 'Enter');
  await page.waitForFunction(() => location.search.includes('fischer'));
  await settled(page);
  await page.goBack();
  await settled(page);
  assert.equal(await page.inputValue('[name=player]'), '');
  await page.fill('[name=since]', '1950');
  await page.press('[name=since]', 'Enter');
  await page.waitForFunction(() => location.search.includes('1950'));
  assert.equal(address(page).get('player'), null);
  // What is being typed stays while something else is asked for.
  await page.fill('[name=event]', 'half a wo');
  await page.evaluate(() => document.getElementById('flip').click());
  await settled(page);
  assert.equal(await page.inputValue('[name=event]'), 'half a wo');
});

test('files are saved by their kind, and it is said if they are too large', async page => {
  const saved = async link => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(link)]);
    return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
  };
  const id = numberOf('--variant', 'international');
  await open(page, `?game=${id}`);
  assert.deepEqual(await saved('#game-foot a'), [`${id}.pdn`, plydex('show', String(id), '--format', 'pgn')]);
  await open(page, '?play=e2e4,c7c5&result=0-1');
  const link = '#games a[download]';
  assert.deepEqual(await saved(link), ['games.pgn', plydex('export', 'e4', 'c5', '--result', '0-1')]);
  await page.route(url => url.pathname === '/v1/export.pgn', route => route.fulfill({ status: 413, json: { error: 'x', hint: null } }));
  await page.click(link);
  await page.waitForFunction(() => document.querySelector('#games [role=alert]:not([hidden])'));
  assert.match(await page.textContent('#games [role=alert]'), /too much to be saved from here.*plydex export/);
}, { refusals: true });

const square = (page, name) => page.locator(`[data-square="${name}"]`);

test('a capture in draughts is clicked by its whole way, or by its ends where these are enough', async page => {
  const at = fen => `?variant=english&fen=${encodeURIComponent(fen)}`;
  const told = async query => (await page.request.get(`${page.base}/v1/position${query}`)).json();
  const { moves } = await told(at(TWO_WAYS));
  assert.deepEqual(moves.map(move => move.squares.join(' ')).sort(), ['26 17 10', '26 19 10']);
  for (const move of moves) {
    await open(page, at(TWO_WAYS));
    for (const name of move.squares) await square(page, name).click();
    await played(page, move.uci);
    assert.equal(await fen(page), (await told(`${at(TWO_WAYS)}&play=${encodeURIComponent(move.uci)}`)).fen);
  }
  // The ends alone leave open which is meant: the page asks.
  await open(page, at(TWO_WAYS));
  await square(page, '26').click();
  await square(page, '10').click();
  await page.locator('#dialog button').nth(1).click();
  await played(page, moves[1].uci);
  await open(page, at(ONE_WAY));
  await square(page, '26').click();
  await square(page, '10').click();
  await played(page, (await told(at(ONE_WAY))).moves[0].uci);
});

test('draughts: moves by square number, dragged, turned, and counted as the command does', async page => {
  await open(page, '?variant=international');
  assert.equal(await page.locator('[data-square]').count(), 50);
  await square(page, '32').click();
  await square(page, '28').click();
  await played(page, '32-28');
  assert.deepEqual(await movesOf(page), tree('32-28', '--variant', 'international'));
  await page.keyboard.press('f');
  await settled(page);
  await square(page, '19').dragTo(square(page, '23'));
  await played(page, '32-28', '19-23');
  await page.fill('#typed', '28x19');
  await page.press('#typed', 'Enter');
  await played(page, '32-28', '19-23', '28x19');
});

test('other boards: Othello by squares, xiangqi by points, ten files', async page => {
  await open(page, '?variant=othello');
  await square(page, 'f5').click();
  await played(page, 'f5');
  await open(page, '?variant=xiangqi');
  assert.match(await page.textContent('#status'), /Red to move/);
  await square(page, 'h3').click();
  await square(page, 'e3').click();
  await played(page, 'h3e3');
  await page.selectOption('#variant', 'capablanca');
  await settled(page);
  await square(page, 'c1').click();
  await square(page, 'd3').click();
  await played(page, 'c1d3');
});

test('pawns are promoted, pieces dropped, kings castled', async page => {
  await open(page, `?fen=${encodeURIComponent('7k/P7/8/8/8/8/8/R3K3 w Q - 0 1')}`);
  await click(page, 'a7', 'a8');
  await page.locator('#dialog button:has-text("knight")').click();
  await played(page, 'a7a8n');
  await page.goBack();
  await settled(page);
  await drag(page, 'e1', 'c1');
  await played(page, 'e1c1');
  await open(page, `?variant=crazyhouse&fen=${encodeURIComponent('4k3/8/8/8/8/8/8/4K3[Np] w - - 0 1')}`);
  await page.click('#hand button');
  await click(page, 'f3');
  await played(page, 'N@f3');
});

test('the keyboard is enough', async page => {
  await open(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await settled(page);
  const first = tree()[0].san;
  assert.equal(await page.textContent('#line-moves [aria-current]'), first);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.deepEqual(await movesOf(page), tree(first, tree(first)[1].san));
  await page.keyboard.press('Home');
  await page.waitForFunction(() => location.search.includes('ply=0'));
  await settled(page);
  assert.deepEqual(await movesOf(page), tree());
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => location.search.includes('ply=1'));
  await page.keyboard.press('End');
  await page.waitForFunction(() => !location.search.includes('ply='));
  await page.keyboard.press('f');
  await page.waitForFunction(() => location.search.includes('flip=1'));
  await settled(page);
  assert.equal(await page.locator('.orientation-black').count(), 1);
  // Everything that can be clicked is reached, and nothing holds the focus.
  const reached = new Set();
  await page.keyboard.press('Tab');
  for (let times = 0; times < 120; times += 1) {
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.tagName));
    await page.keyboard.press('Tab');
  }
  for (const id of ['variant', 'back', 'flip', 'typed', 'copy-fen', 'players', 'copy-command']) assert.ok(reached.has(id), id);
});

test('late answers do not overwrite newer ones', async page => {
  await open(page);
  let held = 0;
  await page.route(url => url.pathname === '/v1/tree' && url.search.includes('4P3'), async route => {
    held += 1;
    await new Promise(resolve => { setTimeout(resolve, 700); });
    await route.continue().catch(() => {});
  });
  await page.fill('#typed', 'e4');
  await page.press('#typed', 'Enter');
  await page.waitForFunction(() => location.search.includes('e2e4'));
  await page.waitForTimeout(100);
  await page.keyboard.press('Escape');
  await page.click('#back');
  await settled(page);
  await page.waitForTimeout(900);
  assert.equal(held, 1);
  assert.deepEqual(await movesOf(page), tree());
});

for (const width of [320, 390, 1024, 1440]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`${width} pixels wide, ${colorScheme}: nothing sticks out, nothing serious for axe`, async page => {
      for (const search of ['?play=e2e4&player=fischer', '?variant=international&play=32-28', '?game=2&ply=3', '?player=nobodyatall', '?report=player&name=fischer', '?report=position&play=e2e4', `?game=${numberOf('--player', 'Note, Nora')}&ply=2.1/4`]) {
        await open(page, search);
        const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(inner <= outer, `${search}: ${inner} of ${outer} pixels`);
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        const grave = violations.filter(found => ['serious', 'critical'].includes(found.impact));
        assert.deepEqual(grave.map(found => [found.id, found.nodes.map(node => node.html)]), [], search);
      }
    }, { viewport: { width, height: 800 }, colorScheme });
  }
}

test('forced colours: shares are told in numbers', async page => {
  await open(page, '?play=e2e4');
  const told = await page.locator('#moves tbody tr').first().locator('.wdl').getAttribute('aria-label');
  assert.match(told, /^White won [\d.]+%, drawn [\d.]+%, Black won [\d.]+%$/);
}, { forcedColors: 'active' });

writeFileSync(join(WORK, 'long.pgn'), longGame());
writeFileSync(join(WORK, 'odd.pgn'), ODD);
writeFileSync(join(WORK, 'annotated.pgn'), ANNOTATED);
plydex('import', 'sample-data', ...['long', 'odd', 'annotated'].map(name => join(WORK, `${name}.pgn`)));
const pictures = process.env.PICTURES;
if (pictures) mkdirSync(pictures, { recursive: true });
const { child, base } = process.env.BASE ? { base: process.env.BASE } : await serve();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
const only = process.env.ONLY;
let failed = 0;
try {
  for (const { name, run, options } of tests) {
    if (only && !name.includes(only)) continue;
    const { refusals, ...context } = options;
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...context });
    page.setDefaultTimeout(15_000);
    page.base = base;
    const wrong = [];
    page.on('pageerror', error => wrong.push(`error on the page: ${error.message}`));
    page.on('console', message => {
      // The browser itself names each answer with a status of 400 or 413.
      const isRefusal = refusals && /status of 4(00|13)/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isRefusal) wrong.push(`console: ${message.text()}`);
    });
    page.on('request', request => {
      const url = request.url();
      if (!url.startsWith(`${base}/`) && !url.startsWith('data:')) wrong.push(`request to another host: ${url}`);
    });
    try {
      await run(page);
      assert.deepEqual(wrong, []);
      console.log(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n        at ${page.url()}\n${error.stack}\n${wrong.join('\n')}`);
      if (pictures) await page.screenshot({ path: join(pictures, `failed-${failed}.png`), fullPage: true });
    }
    await page.close();
  }
} finally {
  await browser.close();
  child?.removeAllListeners('exit');
  child?.kill('SIGTERM');
}
console.log(failed ? `${failed} failed` : 'all passed');
process.exitCode = failed ? 1 : 0;
