// What the page shows, as the address bar has it.

/** The filters, by the names of the long options of `plydex tree`. */
export const FILTERS = [
  'player', 'white', 'black', 'min-elo', 'max-elo', 'since', 'until', 'result', 'time', 'event',
  'eco', 'opening', 'where',
];

/** Those that may be given several times; in the form `;` stands between. */
const MANY = ['player', 'opening'];
/** Those that are lists with commas. */
const LISTS = ['result', 'time', 'eco'];

/** Games on a page of the list. */
export const PAGE = 20;

/** The start position of chess, nothing filtered. */
export const EMPTY = {
  fen: '', play: [], ply: null, variant: '', game: 0, flip: false, offset: 0, sort: '', filters: {}, report: '', name: '', you: '',
};

/** The reports that the page shows. */
const REPORTS = ['player', 'position', 'event'];

/** A query with the signs that may stand in one as they are: people read addresses. */
export function legible(query) {
  return query.toString().replace(/%(2C|2F|3A|40)/g, decodeURIComponent);
}

/** The values of a parameter: none, one, or a list. */
export function several(value) {
  return value === undefined || value === null ? [] : [value].flat();
}

/** A filter as its field has it. */
export function told(value) {
  return several(value).join('; ');
}

/** What a field says of a filter; nothing if it is empty. */
export function filterOf(name, text) {
  const values = (MANY.includes(name) ? text.split(';') : [text]).map(value => value.trim()).filter(Boolean);
  return values.length > 1 ? values : values[0];
}

/** A place in a game: a ply, or the way into a variation and a ply, as `show --ply` takes it. */
function placeOf(text) {
  return /^(\d{1,6}\.\d{1,4}\/)+\d{1,6}$/.test(text ?? '') ? text : whole(text);
}

function whole(text) {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : null;
}

/** Reads the part of an address behind the question mark; what is no number is left out. */
export function read(search) {
  const query = new URLSearchParams(search);
  const filters = {};
  for (const name of FILTERS) {
    const known = query.getAll(name).map(value => value.trim()).filter(Boolean);
    if (known.length === 0) continue;
    const [first] = LISTS.includes(name) ? [known.join(',')] : known;
    filters[name] = MANY.includes(name) && known.length > 1 ? known : first;
  }
  return {
    fen: query.get('fen') ?? '',
    // The FEN of a position that is set by hand has commas of its own.
    play: (query.get('play') ?? '').match(/(?:[^,"]|"[^"]*"?)+/g) ?? [],
    ply: placeOf(query.get('ply')),
    variant: query.get('variant') ?? '',
    game: whole(query.get('game')) ?? 0,
    report: REPORTS.includes(query.get('report')) ? query.get('report') : '',
    name: query.get('name') ?? '',
    you: query.get('you') ?? '',
    flip: query.get('flip') === '1',
    offset: whole(query.get('offset')) ?? 0,
    sort: query.get('sort') ?? '',
    database: query.get('database') ?? '',
    filters,
  };
}

/** The address of what is shown; `read` of it is the same again. */
export function write(state) {
  const query = new URLSearchParams();
  const put = (name, value) => value && query.set(name, value);
  put('report', state.report);
  put('name', state.name);
  put('you', state.you);
  put('game', state.game);
  // Beside a game these are the position of the list that it was opened from.
  put('fen', state.fen);
  put('play', state.play.join(','));
  put('variant', state.variant);
  if (state.ply !== null && (state.game || state.ply < state.play.length)) query.set('ply', state.ply);
  for (const name of FILTERS) several(state.filters[name]).forEach(value => query.append(name, value));
  put('database', state.database);
  put('sort', state.sort);
  put('offset', state.offset);
  put('flip', state.flip ? '1' : '');
  const text = legible(query);
  return text ? `?${text}` : './';
}
