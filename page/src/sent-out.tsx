import { useState } from 'preact/hooks';
import type { StoryEntry } from '../../lib/engine/story.js';
import { ask, type Sent } from './api.js';
import { Status, Table } from './parts.js';
import { href, queryText } from './router.js';
import { Time } from './times.js';

type Entry = Sent<StoryEntry>;
type Outgoing = Extract<Entry, { kind: `event.${string}` | `effect.${string}` }>;

/** A story is read a part at a time: it tells of everything else, too. */
const MOST_PAGES = 5;

const isOutgoing = (entry: Entry): entry is Outgoing => /^(event|effect)\./.test(entry.kind);

/** The events that a run has published, and the calls that it has enqueued: looked for in its story on demand. */
export function SentOut({ at }: { at: string }) {
  const [found, setFound] = useState<{ entries: Outgoing[]; cursor?: string | undefined }>();
  const [problem, setProblem] = useState<string>();
  const look = async () => {
    let { entries, cursor } = found ?? { entries: [] };
    for (let pages = 0; pages < MOST_PAGES && (pages === 0 || cursor !== undefined); pages++) {
      const story = await ask<{ entries: Entry[]; cursor?: string }>(
        `${at}/story?${queryText({ cursor, limit: '500' })}`,
      );
      entries = [...entries, ...story.entries.filter(isOutgoing)];
      ({ cursor } = story);
    }
    setFound({ entries, cursor });
  };
  const isOver = found !== undefined && found.cursor === undefined;
  return (
    <section class="panel" aria-label="Events and effects">
      <h2>Events and effects</h2>
      {found && (
        <Table
          caption="Events and effects of this run"
          head={['When', 'What', 'Of', 'Outcome']}
          none={isOver ? 'It has published no events and enqueued no calls.' : 'None so far.'}
          rows={found.entries.map((entry, n) => (
            <Row key={n} entry={entry} />
          ))}
        />
      )}
      {problem && (
        <p role="alert" class="alert">
          {problem}
        </p>
      )}
      {!isOver && (
        <button type="button" onClick={() => void look().catch((error: Error) => setProblem(error.message))}>
          {found ? 'Look further' : 'Look'}
        </button>
      )}
    </section>
  );
}

function Row({ entry }: { entry: Outgoing }) {
  return (
    <tr>
      <td>
        <Time at={entry.at} />
      </td>
      <td>
        <a href={placeOf(entry)}>{entry.kind.replace('.', ' ')}</a>
      </td>
      <td>{subjectOf(entry)}</td>
      <td>{'status' in entry ? <Status status={entry.status} /> : entry.kind === 'event.dead' ? entry.error : ''}</td>
    </tr>
  );
}

/** Of a call: the audit log of its operation. */
const placeOf = (entry: Outgoing): string =>
  'operation' in entry ? href('effects', { operation: entry.operation, subject: entry.subject }) : href('outbox');

function subjectOf(entry: Outgoing): string {
  switch (entry.kind) {
    case 'event.published':
      return `${entry.mutationIds.length} to ${entry.channels.join(', ')}`;
    case 'event.dead':
      return `${entry.name} to ${entry.channel} (${entry.destination})`;
    default:
      return `${entry.handler} for ${entry.subject}`;
  }
}
