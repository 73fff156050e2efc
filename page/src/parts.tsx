import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { KnownNames } from '../../lib/operate/operator.js';
import type { Count } from '../../lib/operate/operator-parts.js';
import { type Growing, type Live, PLAIN, useLive } from './api.js';
import { href, type Query, query, refine, refined } from './router.js';

export const countText = (count: Count): string =>
  typeof count === 'number' ? String(count) : `over ${count.atLeast}`;

export const isNone = (count: Count): boolean => count === 0;

/** An id that not every router takes as a part of a path is in the query. */
export const runHref = (id: string, query: Record<string, string> = {}): string =>
  PLAIN.test(id) ? href(`runs/${encodeURIComponent(id)}`, query) : href('runs/~', { id, ...query });

export const RunLink = ({ id }: { id: string }) => (
  <a class="id" href={runHref(id)}>
    {id}
  </a>
);

interface ViewProps {
  title: ComponentChildren;
  /** The title as a text, for the tab. */
  name?: string;
  live?: Live<unknown>;
  children?: ComponentChildren;
}

/** A view: its title, which gets the focus when somebody comes to it, and what the server refused. */
export function View({ title, name, live, children }: ViewProps) {
  const text = name ?? (typeof title === 'string' ? title : 'Run');
  useEffect(() => {
    document.title = `${text} · Durable`;
  }, [text]);
  return (
    <main id="main">
      <h1 tabIndex={-1}>{title}</h1>
      {live?.error && (
        <p role="alert" class="alert">
          {isRefused(live)
            ? `You may not look any more: ${live.error.message}. Sign in again and reload the page.`
            : live.error.message}
        </p>
      )}
      {live && !live.data && !live.error && <p role="status">Looking …</p>}
      {children}
    </main>
  );
}

/** What was asked for, and what came of it. */
type Asking = Pick<Live<unknown>, 'error'> & { data?: unknown };

const isRefused = ({ error }: Asking): boolean => error?.status === 401 || error?.status === 403;

/** What the server said instead of a part of a view. Who may not look any more reads it at the top of the view. */
export function Problem({ live, what }: { live: Asking; what: string }) {
  if (!live.error || isRefused(live)) return null;
  return (
    <p role="alert" class="alert">
      {what}: {live.error.message}
      {live.data !== undefined && ' What is shown is older.'}
    </p>
  );
}

/** Below a list that may be longer than what is shown of it. */
export function More({
  of: { limit, most, more },
  shown,
  what,
}: {
  of: Growing<unknown>;
  shown: number;
  what: string;
}) {
  if (shown < limit) return null;
  return (
    <p class="more" role="status">
      The first {shown} {what} are shown.{' '}
      {limit < most ? (
        <button type="button" onClick={more}>
          More
        </button>
      ) : (
        'There may be more than the page can show.'
      )}
    </p>
  );
}

interface FilterProps {
  /** In the address. */
  name: string;
  label: string;
  /** What else changes: another filter begins with its first page. */
  with?: Query;
  placeholder?: string;
  /** Names of which kind are offered; anything may be typed. */
  offers?: keyof KnownNames;
}

/** A text by which a view is filtered, and which the address keeps. */
export function Filter({ name, label, with: also = {}, placeholder = '', offers }: FilterProps) {
  const known = useLive<KnownNames>(offers && 'names', 60_000);
  const list = offers && `${name}-offers`;
  return (
    <label>
      {label}
      <input
        value={query(name) ?? ''}
        placeholder={placeholder}
        list={list}
        onChange={(event) => refine({ ...also, [name]: event.currentTarget.value.trim() })}
      />
      {offers && (
        <datalist id={list}>
          {known.data?.[offers].map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </label>
  );
}

/** Leads through a list with a cursor, which is kept in the address under `name`. */
export function Pages({ name = 'cursor', next, what }: { name?: string; next: string | undefined; what: string }) {
  const here = query(name);
  if (here === undefined && next === undefined) return null;
  return (
    <nav class="actions" aria-label={`Pages of ${what}`}>
      {here !== undefined && <a href={refined({ [name]: undefined })}>First {what}</a>}
      {next !== undefined && <a href={refined({ [name]: next })}>More {what}</a>}
    </nav>
  );
}

interface TableProps {
  caption: string;
  /** A title in parentheses is for screen readers alone; none: what can be done. */
  head: readonly string[];
  /** What is said if there is no row. */
  none: string;
  rows: ComponentChildren[];
}

const HIDDEN = /^\((.*)\)$/;
const titled = (title: string): string => (title === '' ? '(Actions)' : title);

export function Table({ caption, head, none, rows }: TableProps) {
  const table = useRef<HTMLTableElement>(null);
  const titles = head.map(titled);
  useLayoutEffect(() => {
    if (table.current) labelled(table.current, titles);
  });
  if (rows.length === 0) return <p class="dim">{none}</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table ref={table} role="table">
        <caption class="hide">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {titles.map((title) => (
              <th key={title} scope="col" role="columnheader">
                {HIDDEN.test(title) ? <span class="hide">{HIDDEN.exec(title)?.[1]}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{rows}</tbody>
      </table>
    </div>
  );
}

/** Narrow screens show rows as cards: each cell with its title, and with the roles that `display` takes away. */
function labelled(table: HTMLTableElement, titles: readonly string[]): void {
  for (const row of table.tBodies[0]?.rows ?? []) {
    row.setAttribute('role', 'row');
    for (const [n, cell] of [...row.cells].entries()) {
      cell.setAttribute('role', 'cell');
      cell.dataset['label'] = HIDDEN.test(titles[n] ?? '') ? '' : titles[n];
    }
  }
}

export function Status({ status, reason }: { status: string; reason?: string | null | undefined }) {
  return (
    <>
      <span class={`status ${status}`}>{status.replaceAll('_', ' ')}</span>
      {reason && <span class="status blocked">{reason.replaceAll('_', ' ')}</span>}
    </>
  );
}
