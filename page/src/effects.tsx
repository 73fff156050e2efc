import type { EffectEntry, UnclaimedEffects } from '../../lib/effects/entries.js';
import type { AuditEventsPage, Count } from '../../lib/operate/operator-parts.js';
import { Act } from './act.js';
import { type Sent, useGrowing, useLive } from './api.js';
import { countText, Filter, More, Pages, Problem, Table, View } from './parts.js';
import { href, query, queryText, refined } from './router.js';
import { Time } from './times.js';

type Entry = Omit<Sent<EffectEntry>, 'ref' | 'error'> & { error: string | null };

interface Standing {
  counts: Record<string, Count>;
  unclaimed: Sent<UnclaimedEffects>[];
}

export function Effects() {
  const live = useLive<Standing>('effects', 5_000);
  const abandoned = useGrowing<{ entries: Entry[] }>('effects/abandoned');
  const scheduled = useGrowing<{ entries: Entry[] }>('effects/scheduled');
  const only = query('status');
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
      {only === undefined ? <AuditLog /> : <a href={refined({ status: undefined })}>All of effects</a>}
      <h2>Abandoned</h2>
      <Problem live={abandoned} what="Abandoned calls" />
      {abandoned.data && (
        <Calls caption="Abandoned calls" entries={abandoned.data.entries} again={abandoned.again} requeues />
      )}
      <More of={abandoned} shown={abandoned.data?.entries.length ?? 0} what="abandoned calls" />
      {only !== 'abandoned' && (
        <>
          <h2>Scheduled</h2>
          <Problem live={scheduled} what="Scheduled calls" />
          {scheduled.data && (
            <Calls caption="Scheduled calls" entries={scheduled.data.entries} again={scheduled.again} />
          )}
          <More of={scheduled} shown={scheduled.data?.entries.length ?? 0} what="scheduled calls" />
        </>
      )}
    </View>
  );
}

/** Whoever asks what became of a subject names it, and the operation. */
function AuditLog() {
  const [operation, subject] = [query('operation'), query('subject')];
  return (
    <section aria-label="Audit log">
      <h2>Audit log</h2>
      <div class="filters">
        {(['operation', 'subject'] as const).map((name) => (
          <Filter key={name} name={name} label={name} with={{ cursor: undefined }} />
        ))}
      </div>
      {operation && subject && <Trail operation={operation} subject={subject} />}
    </section>
  );
}

/** What happened to the calls of an operation for a subject, oldest first. */
function Trail({ operation, subject }: { operation: string; subject: string }) {
  const asked = queryText({ operation, subject, cursor: query('cursor') });
  const live = useLive<Sent<AuditEventsPage>>(`effects/audit?${asked}`, 10_000);
  const problem = <Problem live={live} what="The audit log" />;
  if (!live.data) return problem;
  const { events, cursor } = live.data;
  return (
    <>
      {problem}
      <Table
        caption={`Audit log of ${operation} of ${subject}`}
        head={['When', 'Event', 'Call', 'Handler', 'Details']}
        none="Nothing is recorded of it."
        rows={events.map((event) => (
          <tr key={event.eventId}>
            <td>
              <Time at={event.recordedAt} />
            </td>
            <td>{event.type.replaceAll('_', ' ')}</td>
            <td>{event.entryId ?? '–'}</td>
            <td>{event.handler ?? '–'}</td>
            <td>{JSON.stringify(event.details)}</td>
          </tr>
        ))}
      />
      <Pages next={cursor} what="events" />
    </>
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
          <td>
            <a href={href('effects', { operation: entry.operation, subject: entry.subject })}>{entry.operation}</a> of{' '}
            {entry.subject}
          </td>
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
