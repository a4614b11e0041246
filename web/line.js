// The line that was played, one move after the other.

import { numberOf } from './game.js';
import { h } from './text.js';

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
  place.replaceChildren(...line.flatMap(({ san }, index) => {
    const ply = index + 1;
    const { number, second } = numberOf(first, ply);
    return [h('span', { class: 'ply' }, second && index ? null : h('i', {}, `${number}${second ? '…' : '.'}`), h('button', {
      type: 'button', class: 'mv move', 'aria-current': ply === at ? 'step' : null, 'data-ply': ply, onclick: () => go(ply),
    }, san)), ' '];
  }));
  reveal(place);
}

/** Brings the current move into sight, without moving the page. */
function reveal(place) {
  const current = place.querySelector('[aria-current]');
  if (!current) {
    place.scrollTop = 0;
    place.scrollLeft = 0;
    return;
  }
  const [inner, outer] = [current.getBoundingClientRect(), place.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) place.scrollTop += inner.top - outer.top - outer.height / 3;
  if (inner.left < outer.left || inner.right > outer.right) place.scrollLeft += inner.left - outer.left - outer.width / 3;
}
