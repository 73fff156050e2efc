import type { ListedStep } from '../../lib/engine/views.js';
import type { StepKind, StepStatus } from '../../lib/engine/step.js';
import { type Sent, useLive } from './api.js';
import { Filter, Pages, runHref, RunLink, Status, Table, View } from './parts.js';
import { query, queryText } from './router.js';
import { allOf, ANEW, Choice, given, STATUSES } from './run-filters.js';
import { Time } from './times.js';

const STEP_STATUSES = allOf<StepStatus>({
  ...{ pending: true, answered: true, exhausted: true, completed: true, failed: true },
});
const KINDS = allOf<StepKind>({
  ...{ step: true, transaction: true, remote: true, sleep: true, signal: true, child: true, marker: true },
});

/** `status` and what follows it are of the runs. */
const FILTER = [
  ...['step', 'stepStatus', 'stepKind', 'worker', 'olderThan', 'youngerThan'],
  ...['workflow', 'status', 'attribute', 'createdAfter', 'createdBefore', 'order'],
];

interface Page {
  /** The text of its error. */
  steps: (Omit<Sent<ListedStep>, 'error'> & { error: { message: string } | null })[];
  cursor?: string;
  lookedAt: number;
}

/** Steps over all runs, or over those that match. */
export function Steps() {
  const live = useLive<Page>(`steps?${queryText({ ...given(FILTER), cursor: query('cursor') })}`, 5_000);
  return (
    <View title="Steps" live={live}>
      <div class="filters">
        <Filter name="step" label="Step" with={ANEW} />
        <Choice name="stepStatus" label="Status" values={STEP_STATUSES} />
        <Choice name="stepKind" label="Kind" values={KINDS} />
        <Filter name="worker" label="Worker" with={ANEW} />
        <Filter name="olderThan" label="Asked before" placeholder="10m" with={ANEW} />
        <Filter name="youngerThan" label="Asked within" placeholder="1h" with={ANEW} />
      </div>
      <div class="filters">
        <Filter name="workflow" label="Of workflow" offers="workflows" with={ANEW} />
        <Choice name="status" label="Of runs that are" values={STATUSES} />
        <Filter name="attribute" label="Of runs with attributes" placeholder="customer=acme" with={ANEW} />
        <Choice name="order" label="Order of runs" values={['oldest', 'ended']} none="newest" />
      </div>
      {live.data && (
        <Table
          caption="Steps"
          head={['Run', 'Workflow', 'Step', 'Status', 'Failures', 'Asked', 'Ended', 'Worker', 'Error']}
          none={
            live.data.cursor ? `None in the ${live.data.lookedAt} runs that were looked at: go on.` : 'No step matches.'
          }
          rows={live.data.steps.map((step) => (
            <tr key={`${step.workflowId} ${step.seq}`}>
              <td>
                <RunLink id={step.workflowId} />
              </td>
              <td>{step.workflow}</td>
              <td>
                <a href={runHref(step.workflowId, { step: String(step.seq) })}>{step.name}</a>{' '}
                <span class="dim">{step.kind}</span>
              </td>
              <td>
                <Status status={step.status} />
              </td>
              <td>{step.failures}</td>
              <td>
                <Time at={step.askedAt} />
              </td>
              <td>
                <Time at={step.finishedAt} />
              </td>
              <td>{step.worker ?? '–'}</td>
              <td>{step.error?.message ?? '–'}</td>
            </tr>
          ))}
        />
      )}
      <Pages next={live.data?.cursor} what="steps" />
    </View>
  );
}
