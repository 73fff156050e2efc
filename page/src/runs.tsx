import { useEffect, useState } from 'preact/hooks';
import type { RunRow } from '../../lib/dashboard/run-rows.js';
import type { RunCounts } from '../../lib/operator/operator-runs.js';
import { type Sent, useLive } from './api.js';
import { Bulk } from './bulk.js';
import { countText, RunLink, runHref, Status, Table, View } from './parts.js';
import { go, href, type Query, query, queryText, refine } from './router.js';
import { between, Time } from './times.js';

const STATUSES = [
  ...['pending', 'running', 'suspended', 'compensating', 'completed', 'failed', 'cancelled', 'compensation_failed'],
];
const FILTER = [
  ...['status', 'reason', 'blocked', 'workflow', 'version', 'attribute', 'createdAfter', 'createdBefore', 'parent'],
  ...['schedule'],
];

interface Page {
  runs: Sent<RunRow>[];
  cursor?: string;
}

const given = (names: readonly string[]): Query => Object.fromEntries(names.map((name) => [name, query(name)]));

export function Runs() {
  const filter = given(FILTER);
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
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  return (
    <View title="Runs" live={live}>
      <Filters filter={filter} />
      <p class="counts" role="status">
        {Object.entries(counts.data?.byStatus ?? {}).map(([status, count]) => (
          <a key={status} href={href('runs', { ...filter, status })}>
            {countText(count)} {status.replaceAll('_', ' ')}
          </a>
        ))}
        {counts.data && !counts.data.complete && <span class="dim">of those looked at</span>}
      </p>
      <Bulk filter={filter} ids={[...chosen]} done={changed} />
      {live.data && (
        <Table
          caption="Runs"
          head={['', 'Run', 'Workflow', 'Status', 'Began', 'Took', 'Next']}
          none={live.data.cursor ? 'None on this page: go on.' : 'No run matches.'}
          rows={runs.map((run) => (
            <Row key={run.id} run={run} chosen={chosen.has(run.id)} toggle={() => toggle(run.id)} />
          ))}
        />
      )}
      <div class="actions">
        {query('cursor') && <a href={href('runs', filter)}>Newest</a>}
        {live.data?.cursor && <a href={href('runs', { ...filter, cursor: live.data.cursor })}>Older</a>}
      </div>
    </View>
  );
}

function Row({ run, chosen, toggle }: { run: Sent<RunRow>; chosen: boolean; toggle: () => void }) {
  return (
    <tr>
      <td>
        <input type="checkbox" checked={chosen} onChange={toggle} aria-label={`Choose ${run.id}`} />
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
      <td>
        <Time at={run.startedAt ?? run.createdAt} />
      </td>
      <td>{between(run.createdAt, run.finishedAt)}</td>
      <td>{run.wakeAt ? <Time at={run.wakeAt} /> : <span class="dim">–</span>}</td>
    </tr>
  );
}

function Filters({ filter }: { filter: Query }) {
  const text = (name: string, label: string, placeholder = '') => (
    <label>
      {label}
      <input
        value={filter[name] ?? ''}
        placeholder={placeholder}
        onChange={(event) => refine({ [name]: event.currentTarget.value, cursor: undefined })}
      />
    </label>
  );
  const jump = (event: SubmitEvent) => {
    event.preventDefault();
    const id = new FormData(event.currentTarget as HTMLFormElement).get('jump');
    if (typeof id === 'string' && id.trim() !== '') go(runHref(id.trim()));
  };
  return (
    <div class="filters">
      <form role="search" onSubmit={jump}>
        <label>
          Id <input name="jump" placeholder="jump to a run" autocomplete="off" />
        </label>
      </form>
      {text('workflow', 'Workflow')}
      {text('version', 'Version')}
      {text('attribute', 'Attributes', 'customer=acme')}
      <label>
        Status
        <select
          value={filter['status'] ?? ''}
          onChange={(event) => refine({ status: event.currentTarget.value, cursor: undefined })}
        >
          <option value="">any</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {status.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={filter['blocked'] === 'true'}
          onChange={(event) => refine({ blocked: event.currentTarget.checked ? 'true' : undefined, cursor: undefined })}
        />
        blocked
      </label>
    </div>
  );
}
