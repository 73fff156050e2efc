import type { Hold } from '../../lib/acts/holds.js';
import type { InLine, LimitsPage } from '../../lib/operate/limits-and-signals.js';
import type { ListedTasksPage, QueuesPage } from '../../lib/operate/overview.js';
import type { TaskStatus } from '../../lib/worker/waiting-tasks.js';
import { HoldActs, Holds } from './holds.js';
import { type Sent, useLive } from './api.js';
import { countText, Filter, Pages, Problem, runHref, RunLink, Table, View } from './parts.js';
import { type Query, query, queryText } from './router.js';
import { allOf, Choice, given } from './run-filters.js';
import { Time } from './times.js';

export function Queues() {
  const group = query('group');
  const live = useLive<Sent<QueuesPage>>(`queues?${queryText({ group, cursor: query('groups') })}`, 3_000);
  const holds = useLive<{ holds: Sent<Hold>[] }>('holds', 5_000);
  const again = () => [live, holds].forEach((one) => one.again());
  return (
    <View title="Queues" live={live}>
      <div class="filters">
        <Filter name="group" label="Group" offers="groups" with={{ groups: undefined, ...TASKS }} />
      </div>
      {live.data && (
        <Table
          caption="Groups"
          head={['Group', 'Waiting', 'Oldest', 'In hand', 'Lapsed', 'In/min', 'Out/min', 'Served by', 'Held']}
          none={`No task waits, and no process serves ${group === undefined ? 'a group' : 'this group'}.`}
          rows={live.data.queues.map((queue) => (
            <tr key={queue.group}>
              <td>{queue.group}</td>
              <td>{countText(queue.waiting)}</td>
              <td>
                <Time at={queue.since} />
              </td>
              <td>{queue.inHand}</td>
              <td>{queue.lapsed}</td>
              <td>{rateText(queue.perMinute?.in)}</td>
              <td>{rateText(queue.perMinute?.out)}</td>
              <td>
                {queue.servedBy.length === 0 ? (
                  <span class="alert">nobody that signed in</span>
                ) : (
                  queue.servedBy
                    .map(({ id, concurrency, draining }) => `${id} × ${concurrency}${draining ? ' (draining)' : ''}`)
                    .join(', ')
                )}
              </td>
              <td>
                <HoldActs kind="group" name={queue.group} hold={queue.hold} done={again} />
              </td>
            </tr>
          ))}
        />
      )}
      <Pages name="groups" next={live.data?.cursor} what="groups" />
      <Tasks group={group} />
      <Holds live={holds} done={again} />
      <Limits />
    </View>
  );
}

const rateText = (rate: number | undefined) => (rate === undefined ? '–' : String(Math.round(rate * 10) / 10));

const TASK_STATUSES = allOf<TaskStatus>({ waiting: true, inHand: true, lapsed: true });
const TASKS: Query = { tasks: undefined };

/** Those of the group in the address, or of all. */
function Tasks({ group }: { group: string | undefined }) {
  const filter = given(['step', 'taskStatus', 'worker', 'olderThan']);
  const live = useLive<Sent<ListedTasksPage>>(
    `tasks?${queryText({ group, ...filter, cursor: query('tasks') })}`,
    5_000,
  );
  return (
    <section aria-label="Tasks">
      <h2>Tasks</h2>
      <div class="filters">
        <Filter name="step" label="Step" with={TASKS} />
        <Choice name="taskStatus" label="Status" values={TASK_STATUSES} with={TASKS} />
        <Filter name="worker" label="Worker" with={TASKS} />
        <Filter name="olderThan" label="Older than" placeholder="10m" with={TASKS} />
      </div>
      <Problem live={live} what="Tasks" />
      {live.data && (
        <Table
          caption="Tasks of remote steps"
          head={['Run', 'Workflow', 'Step', 'Group', 'Status', 'Attempt', 'Since', 'Worker', 'Claimed']}
          none={live.data.cursor ? 'None of those that were looked at: go on.' : 'No task matches.'}
          rows={live.data.tasks.map((task) => (
            <tr key={`${task.workflowId} ${task.seq}`}>
              <td>
                <RunLink id={task.workflowId} />
              </td>
              <td>{task.workflow ?? '–'}</td>
              <td>
                <a href={runHref(task.workflowId, { step: String(task.seq) })}>{task.step}</a>
              </td>
              <td>{task.group}</td>
              <td>{task.status}</td>
              <td>{task.attempt}</td>
              <td>
                <Time at={task.since} />
              </td>
              <td>{task.worker ?? '–'}</td>
              <td>
                <Time at={task.claimedAt} />
              </td>
            </tr>
          ))}
        />
      )}
      <Pages name="tasks" next={live.data?.cursor} what="tasks" />
    </section>
  );
}

/** Runs, or steps of runs, in their order. */
function InLines({ of }: { of: Sent<InLine>[] }) {
  return (
    <>
      {of.map(({ workflowId, seq }) => (
        <div key={`${workflowId} ${seq}`}>
          <RunLink id={workflowId} />
          {seq === null ? '' : `, step ${seq}`}
        </div>
      ))}
    </>
  );
}

function Limits() {
  const live = useLive<Sent<LimitsPage>>(`limits?${queryText({ cursor: query('limits') })}`, 5_000);
  if (!live.data) return <Problem live={live} what="Limits" />;
  return (
    <section aria-label="Limits">
      <h2>Limits</h2>
      <Problem live={live} what="Limits" />
      <Table
        caption="Limits in use"
        head={['Of', 'Key', 'At once', 'Rate', 'Holding', 'Held by', 'Waiting', 'Oldest', 'Next', 'Opens']}
        none="No limit is in use."
        rows={live.data.limits.map((limit) => (
          <tr key={`${limit.name} ${limit.key}`}>
            <td>{limit.name}</td>
            <td>{limit.key}</td>
            <td>{limit.concurrency ?? '–'}</td>
            <td>{limit.rate ? `${limit.rate.max} in ${limit.rate.durationMs} ms` : '–'}</td>
            <td>{countText(limit.holding)}</td>
            <td>
              <InLines of={limit.holders} />
            </td>
            <td>{countText(limit.waiting)}</td>
            <td>
              <Time at={limit.since} />
            </td>
            <td>
              <InLines of={limit.line} />
            </td>
            <td>
              <Time at={limit.opensAt} />
            </td>
          </tr>
        ))}
      />
      <Pages name="limits" next={live.data.cursor} what="limits" />
    </section>
  );
}
