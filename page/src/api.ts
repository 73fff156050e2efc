import { useEffect, useState } from 'preact/hooks';
import { signal } from '@preact/signals';

/** What JSON makes of a type of the server. */
export type Sent<T> = T extends Date
  ? string
  : T extends readonly (infer One)[]
    ? Sent<One>[]
    : T extends object
      ? { [Key in keyof T]: Sent<T[Key]> }
      : T;

/** Nothing is asked while it is set. */
export const paused = signal(false);

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

async function request<T>(address: string, init: RequestInit): Promise<T> {
  const response = await fetch(new URL(`api/${address}`, document.baseURI), init);
  const body = (await response.json().catch(() => ({}))) as { error?: { message: string }; message?: string };
  if (response.ok) return body as T;
  throw new ApiError(response.status, body.error?.message ?? body.message ?? response.statusText);
}

export const ask = <T>(address: string, signal?: AbortSignal): Promise<T> =>
  request<T>(address, { headers: { accept: 'application/json' }, ...(signal && { signal }) });

export const send = <T>(address: string, body: Readonly<Record<string, unknown>>): Promise<T> =>
  request<T>(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

export interface Live<T> {
  /** The last answer, also while the next one is awaited or could not be had. */
  data: T | undefined;
  error: ApiError | undefined;
  /** Asks at once. */
  again: () => void;
}

/** How much longer than an answer took nobody asks again: at most a tenth of the time is spent on answers. */
const REST = 10;

/** Asks now, and again and again; not while nobody looks at the page, and the slower the longer answers take. */
export function useLive<T>(address: string | undefined, everyMs = 2_000): Live<T> {
  const [state, setState] = useState<{ address?: string; data?: T; error?: ApiError }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (address === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const began = performance.now();
      try {
        const data = await ask<T>(address, stop.signal);
        setState({ address, data });
      } catch (error) {
        if (stop.signal.aborted) return;
        const told = error instanceof ApiError ? error : new ApiError(0, 'The app does not answer');
        setState((old) => ({ ...(old.address === address && old), address, error: told }));
      }
      wait(Math.max(everyMs, (performance.now() - began) * REST));
    };
    const wait = (ms: number) => {
      if (stop.signal.aborted) return;
      timer = setTimeout(() => (document.hidden || paused.value ? wait(ms) : void look()), ms);
    };
    void look();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [address, turn]);
  const known = state.address === address ? state : {};
  return { data: known.data, error: known.error, again: () => setTurn((n) => n + 1) };
}
