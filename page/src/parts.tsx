import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Count } from '../../lib/operator/questions.js';
import type { Live } from './api.js';
import { href } from './router.js';

export const countText = (count: Count): string =>
  typeof count === 'number' ? String(count) : `over ${count.atLeast}`;

export const isNone = (count: Count): boolean => count === 0;

export const runHref = (id: string, query: Record<string, string> = {}): string =>
  href(`runs/${encodeURIComponent(id)}`, query);

export const RunLink = ({ id }: { id: string }) => (
  <a class="id" href={runHref(id)}>
    {id}
  </a>
);

/** A view: its title, which gets the focus when somebody comes to it, and what the server refused. */
export function View({
  title,
  live,
  children,
}: {
  title: ComponentChildren;
  live?: Live<unknown>;
  children?: ComponentChildren;
}) {
  const text = typeof title === 'string' ? title : 'Run';
  useEffect(() => {
    document.title = `${text} · Durable`;
  }, [text]);
  return (
    <main id="main">
      <h1 tabIndex={-1}>{title}</h1>
      {live?.error && (
        <p role="alert" class="alert">
          {live.error.status === 401 || live.error.status === 403
            ? `You may not look any more: ${live.error.message}. Sign in again and reload the page.`
            : live.error.message}
        </p>
      )}
      {live && !live.data && !live.error && <p role="status">Looking …</p>}
      {children}
    </main>
  );
}

interface TableProps {
  caption: string;
  head: readonly string[];
  /** What is said if there is no row. */
  none: string;
  rows: ComponentChildren[];
}

export function Table({ caption, head, none, rows }: TableProps) {
  if (rows.length === 0) return <p class="dim">{none}</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="hide">{caption}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );
}

export function Status({ status, reason }: { status: string; reason?: string | null | undefined }) {
  return (
    <>
      <span class={`status ${status}`}>{status.replaceAll('_', ' ')}</span>
      {reason && <span class="status blocked">{reason.replaceAll('_', ' ')}</span>}
    </>
  );
}
