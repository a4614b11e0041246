// Links that save an answer of the server as a file, and say why there is none.

import { askFile } from './api.js';
import { h, trouble } from './text.js';

async function save(event, problem) {
  // Another tab, if the reader wants one.
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href, download } = event.currentTarget;
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
export function link(href, name, words) {
  const problem = h('span', { class: 'trouble small', role: 'alert', hidden: true });
  return h('span', {}, h('a', { href, download: name, onclick: event => save(event, problem) }, words), problem);
}
