import type { DurableNode } from '../../lib/engine/nodes/node-views.js';
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
          head={['Process', 'Host', 'Roles', 'Version', 'Build', 'Since', 'Last seen', 'Serves']}
          none="No process is signed in."
          rows={live.data.nodes.map((node) => (
            <tr key={node.id}>
              <td>
                {node.id} {node.lost ? <span class="status failed">lost</span> : null}
                {!node.alive && !node.lost ? <span class="status cancelled">ended</span> : null}
              </td>
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
              </td>
              <td>{servedBy(node)}</td>
            </tr>
          ))}
        />
      )}
    </View>
  );
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
