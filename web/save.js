// Links that save an answer of the server as a file, and say why there is none.

import { askFile } from './api.js';
import { h, plainly, trouble } from './text.js';

async function save({ href, download }, problem) {
  problem.hidden = true;
  try {
    const url = URL.createObjectURL(await askFile(href));
    h('a', { href: url, download }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    problem.hidden = false;
    problem.replaceChildren(...trouble(error));
  }
}

/** A link to an address, whose answer becomes a file of that name. */
export function link(href, name, words, label) {
  const problem = h('span', { class: 'trouble small', role: 'alert', hidden: true });
  return h('span', { class: 'saving' },
    h('a', { href, download: name, class: 'btn sm ghost', 'aria-label': label, title: label, onclick: plainly(event => save(event.currentTarget, problem)) }, ...[words].flat()),
    problem);
}
