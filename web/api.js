// Asks the server, and says in words what went wrong.

import { legible, several } from './state.js';

/** What the server, or the way to it, has against a question. */
class Trouble extends Error {
  constructor(message, hint = '') {
    super(message);
    this.hint = hint;
  }
}

/** The database that is asked, by its name; the first one if there is none. */
let database = '';

/** Asks another database from now on. */
export function useDatabase(name) {
  database = name;
}

/** Paths that ask a database. */
const ASKS = /^v1\/(?!position|board|variants|eco|databases|openapi)/;

/** The address of a path with parameters; those without a value are left out. */
export function address(path, params = {}) {
  const query = new URLSearchParams();
  if (database && ASKS.test(path)) query.set('database', database);
  for (const [name, values] of Object.entries(params)) {
    several(values).filter(value => value !== '' && value !== false).forEach(value => query.append(name, value));
  }
  const text = legible(query);
  return text ? `${path}?${text}` : path;
}

async function answer(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Trouble('The server does not answer.', 'Is “plydex serve” still running?');
  }
  if (response.ok) return response;
  if (response.status === 413) throw new Trouble('That is too much to be saved from here.', 'Set filters, or use plydex export.');
  const told = await response.json().catch(() => ({}));
  throw new Trouble(told.error ?? `The server answered with status ${response.status}.`, told.hint ?? '');
}

/** An answer in JSON. Throws `Trouble`, or an `AbortError` if the signal came first. */
export async function ask(path, params, signal) {
  return (await answer(address(path, params), signal)).json();
}

/** An answer as text. */
export async function askText(path, params, signal) {
  return (await answer(address(path, params), signal)).text();
}

/** An answer as a file. */
export async function askFile(url) {
  return (await answer(url)).blob();
}

const KEPT = 200;
const positions = new Map();

/**
 * A position with its legal moves. The rules do not change, so the last answers are kept, and
 * stepping to and fro asks nothing.
 */
export async function position({ fen, play, variant }, signal) {
  const params = { fen, play: play.join(','), variant };
  const key = JSON.stringify(params);
  let kept = positions.get(key);
  if (!kept) kept = await ask('v1/position', params, signal);
  positions.delete(key);
  positions.set(key, kept);
  if (positions.size > KEPT) positions.delete(positions.keys().next().value);
  return kept;
}
