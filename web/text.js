// Elements, and numbers, dates and commands as people read them.

import { several } from './state.js';

/** Makes an element: attributes, listeners (`onclick`), children; those that are null are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/** Makes an element from markup that the page itself has written; no text of games goes in here. */
export function markup(text) {
  const template = document.createElement('template');
  template.innerHTML = text;
  return template.content.firstElementChild;
}

/** A sign of `icons.svg`; what it stands for is said by its button. */
export function icon(name) {
  const solid = name === 'back' || name === 'next' ? ' solid' : '';
  return markup(`<svg class="ico${solid}" aria-hidden="true"><use href="icons.svg#${name}"/></svg>`);
}

const numbers = new Intl.NumberFormat('en');

/** A number with commas between thousands. */
export function count(number) {
  return numbers.format(number);
}

/** How many of what: `1 game`, `2 games`. */
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** A share from 0 to 1 in percent with one decimal, for columns that are compared. */
export function share(part) {
  if (part === null || part === undefined) return '–';
  return part === 1 ? '100%' : `${(part * 100).toFixed(1)}%`;
}

/** A text that begins with a capital. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A date of a game without the parts that are not known; empty if the year is not. */
export function date(written) {
  const known = (written ?? '').split('.').filter(part => /^\d+$/.test(part));
  return known.length && /^\d{4}/.test(written) ? known.join('-') : '';
}

/** The result as it is written in the game, draws with signs that read more quickly. */
export function result({ result_written: written, result: told }) {
  return (written ?? told ?? '').replaceAll('1/2', '½').replace(/^([\d½]+)-([\d½]+)$/, '$1–$2');
}

/** A name as written but for the blank after its comma, or that it is not known. */
export function name(written) {
  return written && written !== '?' ? written.replace(/,(?=\S)/g, ', ') : 'unknown';
}

/** An opening as one text, or nothing. */
export function opening(known) {
  return known ? `${known.eco ? `${known.eco} ` : ''}${known.name}` : '';
}

/** A word for a shell. */
function quoted(word) {
  return /^[\w@%+=:.,/-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command that shows the same moves in a terminal. */
export function command(words, options) {
  const parts = ['plydex', 'tree', ...words.map(quoted)];
  for (const [option, values] of Object.entries(options)) {
    several(values).filter(Boolean).forEach(value => parts.push(`--${option}`, quoted(value)));
  }
  return parts.join(' ');
}

const PIECES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** The word for a piece of chess by its letter; other letters stay. */
export function piece(letter) {
  return PIECES[letter.toLowerCase()] ?? letter.toUpperCase();
}

/** Copies a text, also where the page is not served from this machine, and says so on the button. */
export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h('textarea', { class: 'unseen' });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  flash(button, 'Copied');
}

/** Shows a word on a button for a short time. */
export function flash(button, word) {
  const label = button.querySelector('.label') ?? button;
  const before = label.dataset.label ?? label.textContent;
  label.dataset.label = before;
  label.textContent = word;
  clearTimeout(Number(label.dataset.timer));
  label.dataset.timer = setTimeout(() => { label.textContent = before; }, 1500);
}

/** A listener that leaves a click to the browser where the reader wants another tab. */
export function plainly(act) {
  return event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    act(event);
  };
}

/** The rating beside a name, where it is known. */
export function rating(elo) {
  return elo ? h('span', { class: 'elo' }, String(elo)) : null;
}

/** Who composed a problem, or who played, as one text. */
export function players(header) {
  const known = [header.white, header.black].some(one => one && one !== '?');
  if (!known && header.start_fen && !header.authors) return 'Position';
  if (header.authors?.length) return `${header.authors.join(' & ')}${header.stipulation ? `, ${header.stipulation}` : ''}`;
  return `${name(header.white)} – ${name(header.black)}`;
}

/** What went wrong, with what to do about it. */
export function trouble(error) {
  return [capital(error.message), ...(error.hint ? [h('span', { class: 'hint' }, error.hint)] : [])];
}
