import { useEffect, useState } from 'preact/hooks';
import type { VersionInUse, VersionsInUsePage } from '../../lib/operate/overview.js';
import { ask } from './api.js';
import { paused } from './rest.js';
import { BuildCheck } from './build-check.js';
import { Table, View } from './parts.js';
import { href } from './router.js';

interface Seen {
  versions: VersionInUse[];
  pages: number;
  ended: boolean;
  error?: string;
}

const NOTHING: Seen = { versions: [], pages: 0, ended: false };

/** Adds what a page has counted. */
export function added(to: readonly VersionInUse[], more: readonly VersionInUse[]): VersionInUse[] {
  const byKey = new Map(to.map((one) => [`${one.workflow} ${one.version}`, one]));
  for (const one of more) {
    const key = `${one.workflow} ${one.version}`;
    byKey.set(key, { ...one, runs: one.runs + (byKey.get(key)?.runs ?? 0) });
  }
  return [...byKey.values()].sort((a, b) =>
    a.workflow === b.workflow ? a.version - b.version : a.workflow < b.workflow ? -1 : 1,
  );
}

/** Which versions open runs need, and who has their code. All open runs are looked at, page after page. */
export function Deploy() {
  const [seen, setSeen] = useState(NOTHING);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    void look(stop.signal, setSeen);
    return () => stop.abort();
  }, [turn]);
  const lost = seen.versions.filter(({ runs, servedBy }) => runs > 0 && servedBy.length === 0);
  return (
    <View title="Deploy">
      <p role="status">
        {seen.ended ? 'All open runs were looked at.' : `Looking … ${seen.pages * 10_000} runs so far`}{' '}
        {seen.ended && lost.length === 0 && seen.versions.length > 0 && 'Each has a process with its code.'}
      </p>
      {seen.error && (
        <p role="alert" class="alert">
          {seen.error}
        </p>
      )}
      {lost.map(({ workflow, version, runs }) => (
        <p key={`${workflow} ${version}`} class="alert">
          No process has version {version} of {workflow}, which {runs} open runs need.
        </p>
      ))}
      {seen.pages > 0 && <Versions versions={seen.versions} />}
      {(seen.ended || seen.error) && (
        <button type="button" onClick={() => setTurn((n) => n + 1)}>
          Look again
        </button>
      )}
      <BuildCheck />
    </View>
  );
}

function Versions({ versions }: { versions: readonly VersionInUse[] }) {
  return (
    <Table
      caption="Versions in use"
      head={['Workflow', 'Version', 'Open runs', 'Processes that have it']}
      none="No run is open, and no process has a workflow."
      rows={versions.map(({ workflow, version, runs, servedBy }) => (
        <tr key={`${workflow} ${version}`}>
          <td>{workflow}</td>
          <td>{version}</td>
          <td>
            {runs === 0 ? (
              <span class="dim">none</span>
            ) : (
              <a
                href={href('runs', {
                  workflow,
                  version: String(version),
                  status: 'pending,running,suspended,compensating',
                })}
              >
                {runs}
              </a>
            )}
          </td>
          <td>
            {servedBy.length === 0 ? (
              <span class="alert">nobody</span>
            ) : (
              servedBy.map(({ id, build }) => (build === null ? id : `${id} (${build})`)).join(', ')
            )}
          </td>
        </tr>
      ))}
    />
  );
}

async function look(stop: AbortSignal, set: (seen: Seen) => void): Promise<void> {
  let seen = NOTHING;
  let cursor: string | undefined;
  set(seen);
  try {
    do {
      const page = await ask<VersionsInUsePage>(
        `versions${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`,
        stop,
      );
      cursor = page.cursor;
      seen = { versions: added(seen.versions, page.versions), pages: seen.pages + 1, ended: cursor === undefined };
      if (stop.aborted) return;
      set(seen);
    } while (cursor !== undefined && !paused.value);
  } catch (error) {
    if (!stop.aborted) set({ ...seen, error: (error as Error).message });
  }
}
