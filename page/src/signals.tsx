import type { SignalsPage } from '../../lib/operator/limits-and-signals.js';
import { type Sent, useLive } from './api.js';
import { RunLink, Table, View } from './parts.js';
import { Time } from './times.js';

export function Signals() {
  const live = useLive<Sent<SignalsPage>>('signals', 5_000);
  return (
    <View title="Signals" live={live}>
      <p class="dim">Signals that were sent and that no run has taken.</p>
      {live.data && (
        <Table
          caption="Signals that nobody took"
          head={['Signal', 'To', 'Count', 'Oldest', 'Runs that listen']}
          none="Every signal was taken."
          rows={live.data.signals.map((one) => (
            <tr key={`${one.name} ${JSON.stringify(one.to)}`}>
              <td>{one.name}</td>
              <td>{'workflowId' in one.to ? <RunLink id={one.to.workflowId} /> : `key ${one.to.key}`}</td>
              <td>{one.count}</td>
              <td>
                <Time at={one.since} />
              </td>
              <td>{one.listening}</td>
            </tr>
          ))}
        />
      )}
    </View>
  );
}
