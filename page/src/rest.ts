import { effect, signal } from '@preact/signals';

/** Nothing is asked while it is set; the address says it, so that it outlives a reload. */
export const paused = signal(new URLSearchParams(location.search).get('paused') === 'true');

const hidden = signal(document.hidden);
document.addEventListener('visibilitychange', () => (hidden.value = document.hidden));

/** Whoever acts has its view look again by itself, within this time. */
const BY_ITSELF_MS = 50;

let changes = 0;
let changedAt = Number.NEGATIVE_INFINITY;
/** How many changes the other views are to see. */
const told = signal(0);

/** Something was changed from here: all that is shown may be old. */
export function changed(): void {
  changedAt = performance.now();
  const all = ++changes;
  setTimeout(() => (told.value = all), BY_ITSELF_MS);
}

export const changesSoFar = (): number => changes;
export const sinceChangeMs = (): number => performance.now() - changedAt;

/**
 * Resolves after `ms`, or as soon as there are more changes than `seen`; not while nobody looks at the page or it is paused,
 * and never once it is stopped.
 */
export function rested(ms: number, seen: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = signal(false);
    const timer = setTimeout(() => (over.value = true), ms);
    const end = effect(() => {
      const isOver = over.value || told.value > seen;
      if (!isOver || hidden.value || paused.value) return;
      resolve();
      queueMicrotask(forget);
    });
    function forget(): void {
      clearTimeout(timer);
      end();
      stopped.removeEventListener('abort', forget);
    }
    stopped.addEventListener('abort', forget);
  });
}
