import { useEffect, useRef, useState } from 'preact/hooks';
import { inLine } from './line.js';
import { pauseAfter } from './pace.js';
import { changed, changesSoFar, rested, sinceChangeMs } from './rest.js';

/** What JSON makes of a type of the server. */
export type Sent<T> = T extends Date
  ? string
  : T extends readonly (infer One)[]
    ? Sent<One>[]
    : T extends object
      ? { [Key in keyof T]: Sent<T[Key]> }
      : T;

/** What the server lets this user do; it checks again. */
const allowed = (document.documentElement.dataset['may'] ?? '').split(' ');
export const may = (permission: string): boolean => allowed.includes(permission);
export const payloads = document.documentElement.dataset['payloads'];

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** What every router takes as one part of a path, at its length: the others are sent in the query. */
export const PLAIN = /^[\w:@-][\w.:@-]{0,89}$/;

/** `runs/<id>/why` with an id that may not be in a path as `runs/~/why?id=<id>`. */
export function addressOf(address: string): string {
  const [path = '', query = ''] = address.split('?');
  const [kind = '', id, ...rest] = path.split('/');
  if (id === undefined || PLAIN.test(decodeURIComponent(id))) return address;
  return `${[kind, '~', ...rest].join('/')}?${query}${query && '&'}id=${id}`;
}

interface Answer<T> {
  body: T;
  /** In how many ms there will be another one. */
  restMs: number;
}

async function request<T>(address: string, init: RequestInit): Promise<Answer<T>> {
  const where = new URL(`api/${addressOf(address)}`, document.baseURI);
  // A redirect leads to a page that asks who one is: its text is no answer.
  const response = await fetch(where, { ...init, redirect: 'manual' });
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  if (response.type === 'opaqueredirect' || (response.ok && !isJson))
    throw new ApiError(401, 'the app asks who you are');
  // An answer that was cut off, as when nobody wants it any more, is none; a refusal without a text is one.
  const told = isJson ? response.json() : Promise.resolve({});
  const body = (await (response.ok ? told : told.catch(() => ({})))) as Told;
  const restMs = Number(response.headers.get('durable-rest-ms')) || 0;
  if (response.ok) return { body: body as T, restMs };
  throw new ApiError(
    response.status,
    body.error?.message ?? body.message ?? (response.statusText || String(response.status)),
  );
}

interface Told {
  error?: { message: string };
  message?: string;
}

/** For the first look: what was answered a moment ago will do. For others, whatever the server keeps. */
const [FIRST_S, LATER_S] = [1, 60];
/** No question takes longer: what other processes of the app answered so long after a change has seen it. */
const LONGEST_S = 5;

/** As old as `mostS` seconds, but not from before the last change. */
const withAge = (mostS: number): string => {
  const age = Math.floor(Math.min(mostS, sinceChangeMs() / 1_000 - LONGEST_S));
  return age > 0 ? `max-age=${age}` : 'no-cache';
};

const look = <T>(address: string, mostS: number, signal?: AbortSignal): Promise<Answer<T>> => {
  const from = (): Promise<Answer<T>> => {
    const headers = { accept: 'application/json', 'cache-control': withAge(mostS) };
    return request<T>(address, { headers, ...(signal && { signal }) });
  };
  return inLine(from);
};

export const ask = async <T>(address: string, signal?: AbortSignal): Promise<T> =>
  (await look<T>(address, FIRST_S, signal)).body;

export const send = async <T>(address: string, body: Readonly<Record<string, unknown>>): Promise<T> => {
  try {
    const headers = { 'content-type': 'application/json' };
    return (await request<T>(address, { method: 'POST', headers, body: JSON.stringify(body) })).body;
  } finally {
    changed();
  }
};

export interface Live<T> {
  /** The last answer, also while the next one is awaited or could not be had. */
  data: T | undefined;
  error: ApiError | undefined;
  /** Asks at once. */
  again: () => void;
}

/** By which a look asks. */
export interface Asker {
  ask: <T>(address: string) => Promise<T>;
  stopped: AbortSignal;
}

/** A look that is so much later than planned, since nobody saw the page, is a first one. */
const LATE_MS = 1_000;

/**
 * Looks now, and again and again until the returned function is called, at once when something is changed here; not while
 * nobody looks at the page, and the slower the longer a look takes, here or for all who look. `fresh`: the first look takes
 * no answer that was given before.
 */
export function repeat(looking: (asker: Asker) => Promise<void>, everyMs: () => number, fresh = false): () => void {
  const stop = new AbortController();
  const { signal: stopped } = stop;
  const lookOnce = async (mostS: number): Promise<number> => {
    const began = performance.now();
    // As it was when the look began, which may have missed what has changed it.
    const ms = everyMs();
    let rest = 0;
    const ask = async <T>(address: string): Promise<T> => {
      const { body, restMs } = await look<T>(address, mostS, stopped);
      stopped.throwIfAborted();
      rest = Math.max(rest, restMs);
      return body;
    };
    await looking({ ask, stopped });
    return pauseAfter(ms, performance.now() - began, rest);
  };
  const follow = async (): Promise<void> => {
    for (let mostS = fresh ? 0 : FIRST_S; !stopped.aborted;) {
      const seen = changesSoFar();
      const pause = await lookOnce(mostS);
      if (stopped.aborted) return;
      const due = performance.now() + pause;
      await rested(pause, seen, stopped);
      mostS = performance.now() - due > LATE_MS ? FIRST_S : LATER_S;
    }
  };
  void follow();
  return () => stop.abort();
}

export const errorFrom = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(0, 'The app does not answer');

/** Asks now, and again and again, see {@link repeat}. */
export function useLive<T>(address: string | undefined, everyMs = 2_000): Live<T> {
  const [state, setState] = useState<{ address?: string; data?: T; error?: ApiError }>({});
  const [turn, setTurn] = useState(0);
  // The next wait is as long as it says then, without asking at once.
  const every = useRef(everyMs);
  every.current = everyMs;
  useEffect(() => {
    if (address === undefined) return undefined;
    const looking = async ({ ask: askFor, stopped }: Asker) => {
      try {
        const data = await askFor<T>(address);
        setState({ address, data });
      } catch (error) {
        if (stopped.aborted) return;
        setState((old) => ({ ...(old.address === address && old), address, error: errorFrom(error) }));
      }
    };
    return repeat(looking, () => every.current, turn > 0);
  }, [address, turn]);
  const known = state.address === address ? state : {};
  return { data: known.data, error: known.error, again: () => setTurn((n) => n + 1) };
}

export interface Growing<T> extends Live<T> {
  limit: number;
  most: number;
  more: () => void;
}

const STEP = 100;

/** A list without a cursor: "More" asks for a hundred more, up to what the server gives at once. */
export function useGrowing<T>(address: string, everyMs = 5_000, most = 1_000): Growing<T> {
  const [limit, setLimit] = useState(STEP);
  const live = useLive<T>(`${address}${address.includes('?') ? '&' : '?'}limit=${limit}`, everyMs);
  const last = useRef(live.data);
  last.current = live.data ?? last.current;
  return { ...live, data: last.current, limit, most, more: () => setLimit((now) => Math.min(most, now + STEP)) };
}
