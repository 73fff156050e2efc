import { render } from 'preact';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Acts } from './acts.js';
import { paused } from './api.js';
import { Deploy } from './deploy.js';
import { Doctor } from './doctor.js';
import { Effects } from './effects.js';
import { Outbox } from './outbox.js';
import { Overview } from './overview.js';
import { Processes } from './processes.js';
import { Queues } from './queues.js';
import { address, go, href, path } from './router.js';
import { RunView } from './run.js';
import { Runs } from './runs.js';
import { Schedules } from './schedules.js';
import { Signals } from './signals.js';
import './style.css';

const VIEWS: Readonly<Record<string, ComponentType>> = {
  overview: Overview,
  runs: Runs,
  queues: Queues,
  processes: Processes,
  signals: Signals,
  schedules: Schedules,
  outbox: Outbox,
  effects: Effects,
  acts: Acts,
  deploy: Deploy,
  doctor: Doctor,
};

const KEYS = [
  ['/', 'search for a run'],
  ['j, k', 'the next step, the one before'],
  ['g o, g r, g q', 'overview, runs, queues'],
  ['p', 'pause or go on'],
  ['?', 'these keys'],
] as const;

function App() {
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => keys(() => help.current?.showModal()), []);
  const [view = 'overview', id] = path();
  void address.value;
  const View = VIEWS[view] ?? Overview;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header>
        <strong>Durable</strong>
        <nav aria-label="Main">
          {Object.keys(VIEWS).map((name) => (
            <a key={name} href={href(name)} aria-current={name === view ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <button type="button" aria-pressed={paused.value} onClick={() => (paused.value = !paused.value)}>
          {paused.value ? 'Go on' : 'Pause'}
        </button>
      </header>
      {view === 'runs' && id !== undefined ? <RunView key={id} id={id} /> : <View key={view} />}
      <dialog ref={help} aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <dl>
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
    </>
  );
}

const JUMPS: Readonly<Record<string, string>> = { o: 'overview', r: 'runs', q: 'queues' };

/** The keys that work everywhere but in fields. */
function keys(help: () => void): () => void {
  let before = '';
  const pressed = (event: KeyboardEvent) => {
    const field = (event.target as Element).closest('input, select, textarea, dialog');
    if (field || event.ctrlKey || event.metaKey || event.altKey) return;
    const jump = before === 'g' ? JUMPS[event.key] : undefined;
    before = event.key;
    if (jump) go(href(jump));
    else if (event.key === '?') help();
    else if (event.key === 'p') paused.value = !paused.value;
    else if (event.key === '/') {
      const search = document.querySelector<HTMLElement>('[name=jump]');
      if (search) search.focus();
      else go(href('runs'));
    } else return;
    event.preventDefault();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}

render(<App />, document.getElementById('app')!);
