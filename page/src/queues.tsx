import type { LimitsPage } from '../../lib/operator/limits-and-signals.js';
import type { QueuesPage } from '../../lib/operator/queues.js';
import { HoldActs } from './holds.js';
import { type Sent, useLive } from './api.js';
import { countText, Table, View } from './parts.js';
import { Time } from './times.js';

export function Queues() {
  const live = useLive<Sent<QueuesPage>>('queues', 3_000);
  return (
    <View title="Queues" live={live}>
      {live.data && (
        <Table
          caption="Groups"
          head={['Group', 'Waiting', 'Oldest', 'In hand', 'Lapsed', 'Served by', 'Held']}
          none="No task waits, and no process serves a group."
          rows={live.data.queues.map((queue) => (
            <tr key={queue.group}>
              <td>{queue.group}</td>
              <td>{countText(queue.waiting)}</td>
              <td>
                <Time at={queue.since} />
              </td>
              <td>{queue.inHand}</td>
              <td>{queue.lapsed}</td>
              <td>
                {queue.servedBy.length === 0 ? (
                  <span class="alert">nobody that signed in</span>
                ) : (
                  queue.servedBy.map(({ id, concurrency }) => `${id} × ${concurrency}`).join(', ')
                )}
              </td>
              <td>
                <HoldActs kind="group" name={queue.group} hold={queue.hold} done={live.again} />
              </td>
            </tr>
          ))}
        />
      )}
      <Limits />
    </View>
  );
}

function Limits() {
  const live = useLive<Sent<LimitsPage>>('limits', 5_000);
  if (!live.data) return null;
  return (
    <section aria-label="Limits">
      <h2>Limits</h2>
      <Table
        caption="Limits in use"
        head={['Of', 'Key', 'At once', 'Rate', 'Holding', 'Waiting', 'Oldest', 'Opens']}
        none="No limit is in use."
        rows={live.data.limits.map((limit) => (
          <tr key={`${limit.name} ${limit.key}`}>
            <td>{limit.name}</td>
            <td>{limit.key}</td>
            <td>{limit.concurrency ?? '–'}</td>
            <td>{limit.rate ? `${limit.rate.max} in ${limit.rate.durationMs} ms` : '–'}</td>
            <td>{countText(limit.holding)}</td>
            <td>{countText(limit.waiting)}</td>
            <td>
              <Time at={limit.since} />
            </td>
            <td>
              <Time at={limit.opensAt} />
            </td>
          </tr>
        ))}
      />
    </section>
  );
}
