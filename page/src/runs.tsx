import { useEffect, useState } from 'preact/hooks';
import type { RunRow } from '../../lib/dashboard/options.js';
import type { RunCounts } from '../../lib/operate/operator-runs.js';
import { type Sent, useLive } from './api.js';
import { Bulk } from './bulk.js';
import { countText, Problem, RunLink, Status, Table, View } from './parts.js';
import { href, query, queryText } from './router.js';
import { RunsExport } from './run-export.js';
import { FILTER, given, LOOK, RunFilters } from './run-filters.js';
import { SavedViews } from './saved-views.js';
import { Time, Took } from './times.js';

interface Page {
  runs: Sent<RunRow>[];
  cursor?: string;
  lookedAt: number;
}

export function Runs() {
  const filter = given(FILTER);
  const look = given(LOOK);
  const columns = (look['columns'] ?? '').split(',').flatMap((name) => name.trim() || []);
  const live = useLive<Page>(`runs?${queryText({ ...filter, ...given(['cursor', 'order']) })}`);
  const counts = useLive<Sent<RunCounts>>(`runs/counts?${queryText(filter)}`, 10_000);
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const runs = live.data?.runs ?? [];
  const shownBy = queryText(filter);
  useEffect(() => choose(new Set()), [shownBy]);
  const changed = () => {
    choose(new Set());
    live.again();
    counts.again();
  };
  const toggle = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const id of ids)
      if (isChosen) next.add(id);
      else next.delete(id);
    choose(next);
  };
  return (
    <View title="Runs" live={live}>
      <RunFilters />
      <SavedViews />
      <p class="counts" role="status">
        {Object.entries(counts.data?.byStatus ?? {}).map(([status, count]) => (
          <a key={status} href={href('runs', { ...filter, ...look, status })}>
            {countText(count)} {status.replaceAll('_', ' ')}
          </a>
        ))}
        {counts.data && !counts.data.complete && <span class="dim">of those looked at</span>}
      </p>
      <Problem live={counts} what="The counts" />
      <Bulk filter={filter} ids={[...chosen]} done={changed} />
      <RunsExport filter={filter} ids={[...chosen]} />
      {runs.length > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={runs.every(({ id }) => chosen.has(id))}
            onChange={(event) =>
              toggle(
                runs.map(({ id }) => id),
                event.currentTarget.checked,
              )
            }
          />
          choose all on this page
        </label>
      )}
      {live.data && (
        <Table
          caption="Runs"
          head={[
            '(Choose)',
            'Run',
            'Workflow',
            'Status',
            ...columns,
            'Began',
            'Took',
            look['order'] === 'ended' ? 'Ended' : 'Next',
          ]}
          none={live.data.cursor ? `None of the ${live.data.lookedAt} that were looked at: go on.` : 'No run matches.'}
          rows={runs.map((run) => (
            <Row
              key={run.id}
              run={run}
              columns={columns}
              chosen={chosen.has(run.id)}
              toggle={(isChosen) => toggle([run.id], isChosen)}
            />
          ))}
        />
      )}
      <div class="actions">
        {query('cursor') && <a href={href('runs', { ...filter, ...look })}>First page</a>}
        {live.data?.cursor && <a href={href('runs', { ...filter, ...look, cursor: live.data.cursor })}>Next page</a>}
      </div>
    </View>
  );
}

interface RowProps {
  run: Sent<RunRow>;
  /** Names of attributes. */
  columns: readonly string[];
  chosen: boolean;
  toggle: (isChosen: boolean) => void;
}

function Row({ run, columns, chosen, toggle }: RowProps) {
  const last = query('order') === 'ended' ? run.finishedAt : run.wakeAt;
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          checked={chosen}
          onChange={(event) => toggle(event.currentTarget.checked)}
          aria-label={`Choose ${run.id}`}
        />
      </td>
      <td>
        <RunLink id={run.id} />
      </td>
      <td>
        {run.workflow} <span class="dim">v{run.version}</span>
      </td>
      <td>
        <Status status={run.status} reason={run.reason} /> <span class="dim">{run.customStatus}</span>
      </td>
      {columns.map((name) => (
        <td key={name}>{String(run.attributes[name] ?? '–')}</td>
      ))}
      <td>
        <Time at={run.startedAt ?? run.createdAt} />
      </td>
      <td>
        <Took from={run.createdAt} to={run.finishedAt} />
      </td>
      <td>
        <Time at={last} />
      </td>
    </tr>
  );
}
