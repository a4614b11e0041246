// Light or dark, before anything is drawn: the stored choice, else the system's.

(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    let choice = '';
    const root = document.documentElement;
    try {
      choice = localStorage.getItem('theme') ?? '';
      root.dataset.arrows = localStorage.getItem('arrows') ?? '';
    } catch {
      // Without storage the system decides.
    }
    root.dataset.theme = choice || (dark.matches ? 'dark' : 'light');
  };
  set();
  dark.addEventListener('change', set);
})();
