import type { EffectEntry } from '../../lib/effects/effect-entry.js';
import type { UnclaimedEffects } from '../../lib/effects/effect-storage.js';
import type { Count } from '../../lib/operator/questions.js';
import { Act } from './act.js';
import { type Sent, useLive } from './api.js';
import { countText, Table, View } from './parts.js';
import { Time } from './times.js';

type Entry = Omit<Sent<EffectEntry>, 'ref' | 'error'> & { error: string | null };

interface Standing {
  counts: Record<string, Count>;
  unclaimed: Sent<UnclaimedEffects>[];
}

export function Effects() {
  const live = useLive<Standing>('effects', 5_000);
  const abandoned = useLive<{ entries: Entry[] }>('effects/abandoned', 5_000);
  const scheduled = useLive<{ entries: Entry[] }>('effects/scheduled', 5_000);
  return (
    <View title="Effects" live={live}>
      <p class="counts">
        {Object.entries(live.data?.counts ?? {}).map(([status, count]) => (
          <span key={status}>
            {countText(count)} {status}
          </span>
        ))}
      </p>
      {live.data?.unclaimed.map(({ handler }) => (
        <p key={handler} class="alert">
          Nobody makes the calls of {handler}.
        </p>
      ))}
      <h2>Abandoned</h2>
      {abandoned.data && (
        <Calls caption="Abandoned calls" entries={abandoned.data.entries} again={abandoned.again} requeues />
      )}
      <h2>Scheduled</h2>
      {scheduled.data && <Calls caption="Scheduled calls" entries={scheduled.data.entries} again={scheduled.again} />}
    </View>
  );
}

interface CallsProps {
  caption: string;
  entries: readonly Entry[];
  requeues?: boolean;
  again: () => void;
}

function Calls({ caption, entries, requeues = false, again }: CallsProps) {
  return (
    <Table
      caption={caption}
      head={['Call', 'Handler', 'Operation', 'Attempts', 'Error', 'When', '']}
      none="None."
      rows={entries.map((entry) => (
        <tr key={entry.entryId}>
          <td>{entry.entryId}</td>
          <td>{entry.handler}</td>
          <td>{entry.operation}</td>
          <td>{entry.attempts}</td>
          <td>{entry.error ?? entry.lastError ?? '–'}</td>
          <td>
            <Time at={entry.nextAttemptAt} />
          </td>
          <td>
            {requeues && (
              <Act
                verb={`Requeue ${entry.handler}`}
                permission="effects"
                address="effects/requeue"
                body={() => ({ entryIds: [entry.entryId] })}
                done={again}
                text="The call is made again, with all its attempts."
              />
            )}
          </td>
        </tr>
      ))}
    />
  );
}
