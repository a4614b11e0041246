// The keys of the page; the page itself has the list of them.

/** Calls what belongs to a key, unless something is being typed. */
export function listenToKeys(keys, isReady) {
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest('input, select, textarea, dialog');
    if (field) {
      if (event.key === 'Escape' && !field.closest('dialog')) field.blur();
      return;
    }
    // What has the focus is pressed by the space bar.
    if (event.key === ' ' && event.target.closest('button, a, summary')) return;
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    const act = keys[name];
    if (!act || (!isReady() && !['d', '?', '/'].includes(name))) return;
    event.preventDefault();
    act();
  });
}
