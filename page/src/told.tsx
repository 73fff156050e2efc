import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** What was said last, and in which view it was read first. */
const last = signal<{ content: ComponentChildren; view?: string }>({ content: null });

/** Says what came of the last change; until the next one, another view, or somebody has read it. */
export const tell = (content: ComponentChildren): void => void (last.value = { content });

/** Always there: what is put into it is read out. */
export function Told({ view }: { view: string }) {
  const told = last.value;
  // A change may lead to another view, such as that of the list when a run was deleted.
  told.view ??= view;
  return (
    <div role="status" class="told" aria-label="What came of it">
      {told.content && told.view === view && (
        <p>
          {told.content}{' '}
          <button type="button" onClick={() => (tell(null), keepFocus())}>
            Dismiss
          </button>
        </p>
      )}
    </div>
  );
}

/** The focus goes to the heading if what had it is no longer there: keys would lead from the top of the page. */
export function keepFocus(): void {
  requestAnimationFrame(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  });
}

/** Does so whenever an answer of the server takes away what has the focus. */
export function watchFocus(root: HTMLElement): void {
  let had: EventTarget | null = null;
  root.addEventListener('focusin', (event) => (had = event.target));
  new MutationObserver(() => {
    if (!(had instanceof Node) || had.isConnected) return;
    had = null;
    keepFocus();
  }).observe(root, { childList: true, subtree: true });
}
