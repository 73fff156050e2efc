import { useEffect, useRef } from 'preact/hooks';
import { paused } from './rest.js';
import { go, href, pause } from './router.js';

/** The letter after `g` that leads to each view. */
export const JUMPS: Readonly<Record<string, string>> = {
  o: 'overview',
  r: 'runs',
  q: 'queues',
  p: 'processes',
  i: 'signals',
  s: 'schedules',
  x: 'outbox',
  e: 'effects',
  a: 'acts',
  d: 'deploy',
  c: 'doctor',
};

const KEYS = [
  ['/', 'search for a run'],
  ['j, k, Enter', 'the next row or step, the one before, open it'],
  ['Home, End', 'the first step, the last one'],
  ['e', 'why the run stands where it stands'],
  ...Object.entries(JUMPS).map(([letter, view]) => [`g ${letter}`, view] as const),
  ['p', 'pause or go on'],
  ['?', 'these keys'],
] as const;

/** The keys that work everywhere but in fields, and the dialog that names them. */
export function Keys() {
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => listen(() => help.current?.showModal()), []);
  return (
    <dialog ref={help} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

function listen(help: () => void): () => void {
  const single: Readonly<Record<string, () => void>> = {
    '?': help,
    p: () => pause(!paused.value),
    '/': search,
    e: () => focusOn(document.querySelector('.why')),
    j: () => step(1),
    k: () => step(-1),
  };
  let before = '';
  const pressed = (event: KeyboardEvent) => {
    const field = (event.target as Element).closest('input, select, textarea, dialog');
    if (field || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const jump = before === 'g' ? JUMPS[event.key] : undefined;
    before = event.key;
    const act = jump === undefined ? single[event.key] : () => go(href(jump));
    if (!act) return;
    before = '';
    event.preventDefault();
    act();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}

const searchField = () => document.querySelector<HTMLElement>('[name=jump]');

function search(): void {
  const here = searchField();
  if (here) return here.focus();
  go(href('runs'));
  // After the heading of the view has got the focus.
  requestAnimationFrame(() => requestAnimationFrame(() => searchField()?.focus()));
}

function focusOn(element: HTMLElement | null): void {
  if (!element) return;
  element.tabIndex = -1;
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
}

/** From the row of a list that has the focus to the next one, or to the first. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('tbody tr')].flatMap((row) => row.querySelector('a') ?? []);
  const here = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  links[Math.min(links.length - 1, Math.max(0, here < 0 ? 0 : here + by))]?.focus();
}
