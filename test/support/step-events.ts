import type { StepEvents } from '../../lib/engine/step.js';
import { outboxStepEvents } from '../../lib/nest/outgoing.js';
import type { OutboxWriter } from '../../lib/outbox/events.js';
import { SqlOutboxWriter } from '../../lib/outbox/events.sql.js';
import { Outbox } from '../../lib/outbox/outbox.js';
import { InMemoryOutboxWriter } from '../../lib/outbox/storage.memory.js';
import { sql } from '../../lib/sql/statement.js';
import type { OpenBackend } from './backends.js';
import { executorOf, type OpenStorage } from './engine-storage.js';
import { emptyOutbox, relayTables } from './outbox-relay-tables.js';

export interface PublishedEvent {
  channel: string;
  name: string;
  mutationId: string;
  data: unknown;
}

/** An empty outbox for the engines of one test. */
export interface StepOutbox {
  /** For one process. */
  of(storage: Pick<OpenStorage, 'executor'>): StepEvents;
  /** As the app itself publishes. Not in memory. */
  app(storage: Pick<OpenStorage, 'executor'>): Outbox;
  /** In the order of their numbers. */
  published(): Promise<PublishedEvent[]>;
  /** How often events were written. */
  readonly writes: number;
  /** Channels that were announced. */
  readonly told: string[];
}

const LIMITS = { payloadBytes: 1 << 20 };

export const stepOutbox = (backend: OpenBackend | undefined): Promise<StepOutbox> =>
  backend ? sqlStepOutbox(backend) : Promise.resolve(memoryStepOutbox());

function memoryStepOutbox(): StepOutbox {
  const events: PublishedEvent[] = [];
  const counted = counting();
  const writer = new InMemoryOutboxWriter(
    (event) => events.push(event),
    (channels) => counted.told.push(...channels),
  );
  return Object.assign(counted.view, {
    of: () => counted.around(writer),
    app: () => new Outbox(writer, LIMITS),
    published: async () => [...events],
  });
}

async function sqlStepOutbox(backend: OpenBackend): Promise<StepOutbox> {
  const db = executorOf(backend);
  const tables = await relayTables(db);
  await emptyOutbox(db, tables);
  const counted = counting();
  const notifier = {
    local: (_: string, channels: string) => void counted.told.push(...(JSON.parse(channels) as string[])),
    publish: () => undefined,
  };
  return Object.assign(counted.view, {
    app: ({ executor }: Pick<OpenStorage, 'executor'>) =>
      new Outbox(new SqlOutboxWriter(executor!, tables, notifier, 'commit'), LIMITS),
    of: ({ executor }: Pick<OpenStorage, 'executor'>) =>
      counted.around(new SqlOutboxWriter(executor!, tables, notifier, 'commit')),
    published: async () => {
      const { rows } = await db.run<{ channel: string; name: string; mutation_id: string; data: string | null }>(
        sql`SELECT channel, name, mutation_id, data FROM ${tables.outbox} ORDER BY sequence_id`,
      );
      return rows.map(({ mutation_id: mutationId, data, ...event }) => ({
        ...event,
        mutationId,
        data: data === null ? null : (JSON.parse(data) as unknown),
      }));
    },
  } satisfies Partial<StepOutbox>);
}

function counting() {
  const told: string[] = [];
  let writes = 0;
  return {
    told,
    view: {
      told,
      get writes() {
        return writes;
      },
    },
    around: (writer: OutboxWriter): StepEvents => {
      const events = outboxStepEvents(writer, LIMITS);
      return { ...events, write: (...args) => (writes++, events.write(...args)) };
    },
  };
}
