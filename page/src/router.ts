import { signal } from '@preact/signals';
import { paused } from './rest.js';

const base = new URL(document.baseURI).pathname;

/** The address of the page; every view is one, so that it can be reloaded, kept and sent. */
export const address = signal(new URL(location.href));

addEventListener('popstate', () => {
  address.value = new URL(location.href);
  paused.value = query('paused') === 'true';
});

export type Query = Readonly<Record<string, string | undefined>>;

export function queryText(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return new URLSearchParams(given).toString();
}

export function href(path: string, query: Query = {}): string {
  const text = queryText({ ...query, ...(paused.value && { paused: 'true' }) });
  return base + path + (text && `?${text}`);
}

/** The address below the dashboard's, in its parts. */
export const path = (): string[] =>
  address.value.pathname.slice(base.length).split('/').filter(Boolean).map(decodeURIComponent);

export const query = (name: string): string | undefined => address.value.searchParams.get(name) ?? undefined;

/** `replace`: the view stays, and so do the place on the page and the focus. */
export function go(to: string, { replace = false }: { replace?: boolean } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  address.value = new URL(location.href);
  if (replace) return;
  scrollTo(0, 0);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('h1')?.focus());
}

/** The address with a part of the query changed. */
export function refined(change: Query): string {
  const { paused: _paused, ...now } = Object.fromEntries(address.value.searchParams);
  return href(path().map(encodeURIComponent).join('/'), { ...now, ...change });
}

export const refine = (change: Query): void => go(refined(change), { replace: true });

export function pause(on: boolean): void {
  paused.value = on;
  refine({});
}

/** Of the run in the address; an id that may not be in a path is in the query. */
export const runId = (): string | undefined => {
  const [view, id] = path();
  return view !== 'runs' ? undefined : id === '~' ? query('id') : id;
};

addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.('a');
  const isPlain = !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!link || !isPlain || link.target || link.origin !== location.origin || !link.pathname.startsWith(base)) return;
  event.preventDefault();
  go(link.href);
});
