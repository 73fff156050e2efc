import type { DurableNode } from '../../lib/engine/nodes.js';
import { Act } from './act.js';
import { type Sent, useLive } from './api.js';
import { Table, View } from './parts.js';
import { query, refine } from './router.js';
import { Time } from './times.js';

export function Processes() {
  const ended = query('ended') === 'true';
  const live = useLive<{ nodes: Sent<DurableNode>[] }>(`nodes${ended ? '?ended=true' : ''}`, 5_000);
  return (
    <View title="Processes" live={live}>
      <label class="check">
        <input
          type="checkbox"
          checked={ended}
          onChange={(event) => refine({ ended: event.currentTarget.checked ? 'true' : undefined })}
        />
        also those that have ended
      </label>
      {live.data && (
        <Table
          caption="Processes"
          head={[
            'Process',
            'Namespace',
            'Host',
            'Roles',
            'Version',
            'Build',
            'Since',
            'Last seen',
            'Load',
            'Serves',
            '',
          ]}
          none="No process is signed in."
          rows={live.data.nodes.map((node) => (
            <tr key={node.id}>
              <td>
                {node.id} {node.lost ? <span class="status failed">lost</span> : null}
                {!node.alive && !node.lost ? <span class="status cancelled">ended</span> : null}
                {node.draining ? <span class="status blocked">draining</span> : null}
              </td>
              <td>{node.namespace}</td>
              <td>
                {node.host} {node.pid}
              </td>
              <td>{node.roles.join(', ')}</td>
              <td>{node.version}</td>
              <td>{node.build ?? '–'}</td>
              <td>
                <Time at={node.startedAt} />
              </td>
              <td>
                <Time at={node.seenAt} />
                {node.endedAt && !node.lost && (
                  <>
                    , ended <Time at={node.endedAt} />
                  </>
                )}
              </td>
              <td>{loadOf(node)}</td>
              <td>{servedBy(node)}</td>
              <td>{node.alive ? <DrainActs node={node} done={live.again} /> : null}</td>
            </tr>
          ))}
        />
      )}
    </View>
  );
}

/** Who has it drain, and the button that has it drain or go on. */
function DrainActs({ node: { id, draining }, done }: { node: Sent<DurableNode>; done: () => void }) {
  const address = `nodes/${encodeURIComponent(id)}`;
  if (!draining)
    return (
      <Act
        verb={`Drain ${id}`}
        permission="drain"
        address={`${address}/drain`}
        done={done}
        text="It begins nothing new, and what it has ends or goes on elsewhere. It stays signed in until it is resumed."
      />
    );
  return (
    <>
      {draining.actor}: {draining.reason} <Time at={draining.since} />{' '}
      <Act
        verb={`Resume ${id}`}
        permission="drain"
        address={`${address}/resume`}
        done={done}
        text="It begins new work again."
      />
    </>
  );
}

function loadOf({ load, serves: { concurrency } }: Sent<DurableNode>): string {
  if (!load) return '–';
  const { steps, residents, eventLoopP99Ms, pool, errors, notifications } = load;
  return [
    `${residents} runs in memory`,
    ...(concurrency === undefined ? [] : [`${steps} of ${concurrency} steps`]),
    `event loop p99 ${Math.round(eventLoopP99Ms)} ms`,
    ...(pool ? [`pool ${pool.used} of ${pool.most ?? '?'}, ${pool.waiting} wait`] : []),
    ...(errors > 0 ? [`${errors} errors of its loops`] : []),
    notifications,
  ].join('; ');
}

function servedBy({ serves }: Sent<DurableNode>): string {
  const { workflows = {}, groups = {}, destinations = [], effects = [] } = serves;
  return [
    ...Object.entries(workflows).map(([name, versions]) => `${name} v${versions.join(', v')}`),
    ...Object.entries(groups).map(([group, steps]) => `${group}: ${steps.join(', ')}`),
    ...destinations.map((name) => `to ${name}`),
    ...effects.map((name) => `calls ${name}`),
  ].join('; ');
}
