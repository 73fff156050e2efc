import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { signal } from '@preact/signals';
import { paused } from './rest.js';
import { href, pause } from './router.js';

const narrow = matchMedia('(max-width: 640px)');
const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches));

/** Above every view: where one can go, and whether the page asks again. */
export function Header({ views, view }: { views: readonly string[]; view: string }) {
  const links = (
    <nav aria-label="Main">
      {views.map((name) => (
        <a key={name} href={href(name)} aria-current={name === view ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
  return (
    <header>
      <strong>Durable</strong>
      {isNarrow.value ? (
        <details key={view}>
          <summary>
            <span class="hide">Menu, now: </span>
            {view}
          </summary>
          {links}
        </details>
      ) : (
        links
      )}
      {paused.value && <span class="status pending">paused</span>}
      <button
        type="button"
        title={paused.value ? 'The page is paused: it asks nothing' : undefined}
        onClick={() => pause(!paused.value)}
      >
        {paused.value ? 'Go on' : 'Pause'}
      </button>
    </header>
  );
}

/** A view that cannot be drawn says so; the others still can. */
export function Guarded({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary((thrown: unknown) => console.error(thrown));
  if (error === undefined || error === null) return <>{children}</>;
  return (
    <main id="main">
      <h1 tabIndex={-1}>This view broke</h1>
      <p role="alert" class="alert">
        {String((error as Error).message ?? error)}
      </p>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </main>
  );
}
