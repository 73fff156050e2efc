import { render } from 'preact';
import type { ComponentType } from 'preact';
import { ActDialog } from './act.js';
import { Acts } from './acts.js';
import { Deploy } from './deploy.js';
import { Doctor } from './doctor.js';
import { Effects } from './effects.js';
import { Guarded, Header } from './frame.js';
import { Keys } from './keys.js';
import { Outbox } from './outbox.js';
import { Overview } from './overview.js';
import { Processes } from './processes.js';
import { Queues } from './queues.js';
import { path, runId } from './router.js';
import { RunView } from './run.js';
import { Runs } from './runs.js';
import { Schedules } from './schedules.js';
import { Signals } from './signals.js';
import { Steps } from './step-list.js';
import { Told, watchFocus } from './told.js';
import './style.css';

const VIEWS: Readonly<Record<string, ComponentType>> = {
  overview: Overview,
  runs: Runs,
  steps: Steps,
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

/** The fragment alone would lead to the base of the page. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('h1')?.focus();
}

function App() {
  const [view = 'overview'] = path();
  const id = runId();
  const known = Object.hasOwn(VIEWS, view) ? view : 'overview';
  const View = VIEWS[known]!;
  const key = id === undefined ? known : `${known} ${id}`;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <Header views={Object.keys(VIEWS)} view={known} />
      <Guarded key={key}>{id === undefined ? <View /> : <RunView id={id} />}</Guarded>
      <Told view={key} />
      <ActDialog view={key} />
      <Keys />
    </>
  );
}

const root = document.getElementById('app')!;
render(<App />, root);
watchFocus(root);
