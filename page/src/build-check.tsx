import { useState } from 'preact/hooks';
import type { DeployCheckPage, Obstacle } from '../../lib/engine/play/replay.js';
import { ask, may } from './api.js';
import { kindsOf, type ObstacleKind } from './obstacle-kinds.js';
import { RunLink } from './parts.js';

interface Checked {
  runs: number;
  obstacles: Obstacle[];
  ended: boolean;
}

/** How many runs of a kind are named. */
const NAMED = 10;

/** Replays open runs with the code of the process that serves the page, when somebody asks. */
export function BuildCheck() {
  const [seen, setSeen] = useState<Checked>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (!may('doctor')) return null;
  const check = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await replayed(setSeen);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <section aria-label="This build">
      <h2>This build</h2>
      <p class="dim">
        Replays the open runs with the code of the process that serves this page. It writes nothing. For a build before
        its rollout: <code>npx nest-durable check --app dist/app.module.js</code>
      </p>
      <button type="button" disabled={busy} onClick={() => void check()}>
        {seen ? 'Check again' : 'Check this build'}
      </button>
      <p role="status">{seen && summaryOf(seen)}</p>
      {problem && (
        <p role="alert" class="alert">
          {problem}
        </p>
      )}
      {seen && kindsOf(seen.obstacles).map((kind) => <Kind key={kind.key} kind={kind} />)}
    </section>
  );
}

async function replayed(tell: (seen: Checked) => void): Promise<void> {
  const seen: Checked = { runs: 0, obstacles: [], ended: false };
  let cursor: string | undefined;
  do {
    const page: DeployCheckPage = await ask(
      `check${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`,
    );
    seen.runs += page.runs;
    seen.obstacles.push(...page.obstacles);
    cursor = page.cursor;
    tell({ ...seen, ended: cursor === undefined });
  } while (cursor !== undefined);
}

function summaryOf({ runs, obstacles, ended }: Checked): string {
  const so = ended ? '' : ' so far …';
  if (obstacles.length === 0) return `${runs} open runs fit this build${ended ? '.' : so}`;
  return `${obstacles.length} of ${runs} open runs would be blocked${ended ? '.' : so}`;
}

function Kind({ kind: { first, runIds } }: { kind: ObstacleKind }) {
  const { workflow, version, reason } = first;
  return (
    <div class="finding">
      <p>
        <b>{runIds.length}</b> runs of {workflow} v{version}: {reason.replaceAll('_', ' ')}
      </p>
      <Why obstacle={first} />
      <p>
        {runIds.slice(0, NAMED).map((id) => (
          <>
            <RunLink key={id} id={id} />{' '}
          </>
        ))}
        {runIds.length > NAMED && <span class="dim">and {runIds.length - NAMED} more</span>}
      </p>
    </div>
  );
}

function Why({ obstacle }: { obstacle: Obstacle }) {
  if (obstacle.reason === 'unknown_workflow') return <p>{known(obstacle)}</p>;
  if (!('position' in obstacle)) return null;
  const { position, recorded, asked, detail } = obstacle;
  if (position === null) return <p>{detail}</p>;
  return (
    <>
      <dl class="facts">
        <div>
          <dt>At position</dt>
          <dd>{position}</dd>
        </div>
        <div>
          <dt>Recorded</dt>
          <dd>{recorded}</dd>
        </div>
        <div>
          <dt>The code asks for</dt>
          <dd>{asked}</dd>
        </div>
      </dl>
      <p>
        Leave what is recorded to the runs that have it, and give the new code to the others:{' '}
        <code>if (ctx.patched('name-of-the-change')) … else …</code>
      </p>
    </>
  );
}

const known = ({ known: versions }: { known: readonly number[] }): string =>
  versions.length === 0
    ? 'This process has no such workflow.'
    : `This process has only version ${versions.join(', ')}.`;
