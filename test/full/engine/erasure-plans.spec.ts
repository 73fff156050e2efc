import { jsonCodec } from '../../../lib/core/codec.js';
import { sqlEffectStorage } from '../../../lib/effects/entries.sql.js';
import { effectTables } from '../../../lib/effects/tables.sql.js';
import { ClientErasure } from '../../../lib/engine/client/erasure.js';
import { ClientStory } from '../../../lib/engine/client/insight.js';
import { Payloads } from '../../../lib/engine/payloads.js';
import { Eraser, ErasureTally } from '../../../lib/engine/upkeep.js';
import { erasureOfOutgoing, storyOfOutgoing } from '../../../lib/nest/outgoing.js';
import { sqlOutboxStorage } from '../../../lib/outbox/storage.sql.js';
import { newRun } from '../../contract/conformance/fixtures.js';
import { backends } from '../../support/backends.js';
import { crowd, numbersTable } from '../../support/crowded-tables.js';
import { executorOf, sqlStorageOn } from '../../support/engine-storage.js';
import { explained } from '../../support/explaining-executor.js';
import { relayTables } from '../../support/outbox-relay-tables.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const COUNT = 20_000;
const GROWING = [
  ...['runs', 'steps', 'signals', 'step_logs', 'step_attempts', 'run_attributes', 'limiter_entries', 'acts', 'effects'],
  ...['effect_audit', 'outbox', 'outbox_dead'],
].map((name) => `durable_${name}`);
/** A few rows while something is erased, a row per process or destination. */
const SMALL = new Set([
  'durable_migrations',
  'durable_erasures',
  'durable_nodes',
  'durable_outbox_destinations',
  'durable_outbox_channels',
]);

describe('no statement of an erasure, or of a story, reads a whole table', () => {
  const onTypeOrm = backends.filter(({ orm }) => orm === 'typeorm');
  it.each(onTypeOrm)('on $db', async (at) => {
    const backend = await at.open();
    const db = executorOf(backend);
    const plain = await sqlStorageOn(db);
    const tables = await relayTables(db);
    await numbersTable(backend.query, COUNT);
    await crowd(backend.query, COUNT);
    const all = `FROM numbers WHERE n < ${COUNT}`;
    const text = (prefix: string) => `CONCAT('${prefix}', n)`;
    for (const rows of [
      `INSERT INTO durable_effects (entry_id, operation, subject, handler, enqueued_at, ref, run_id, ready, open, status, finished_at) SELECT ${text('e-')}, 'o', ${text('s-')}, 'h', n, '1', ${text('parked-')}, NULL, 0, 'succeeded', 1 ${all}`,
      `INSERT INTO durable_effect_audit (event_id, type, operation, subject, entry_id, details, recorded_at) SELECT ${text('v-')}, 'effect_succeeded', 'o', ${text('s-')}, ${text('e-')}, '{"a":1}', n ${all}`,
      `INSERT INTO durable_outbox (mutation_id, channel, name, processed, data) SELECT ${text('m-')}, ${text('c-')}, 'x', ${at.db === 'postgres' ? 'true' : '1'}, '1' ${all}`,
      `INSERT INTO durable_outbox_dead (destination, sequence_id, mutation_id, channel, name, attempts, reason, failed_at) SELECT 'broker', n, ${text('m-')}, ${text('c-')}, 'x', 1, 'failed', n ${all}`,
      `INSERT INTO durable_steps (run_id, seq, kind, name, status, attempt, created_at, ref, output) VALUES ('parked-7', 1, 'marker', 'publish', 'completed', 0, 1, 'publish', '{"ids":["m-7"],"channels":["c-7"]}'), ('parked-7', 2, 'signal', 's', 'completed', 0, 1, 'channel-10011:1', '1')`,
      `INSERT INTO durable_acts (${at.db === 'postgres' ? '"at"' : '`at`'}, actor, action, kind, target, details, outcome) SELECT n, 'ada', 'x', 'run', ${text('parked-')}, '{"a":1}', 'x' ${all}`,
    ])
      await backend.query(rows);
    await backend.query(`INSERT INTO durable_outbox_destinations (name, created_at, seen_at) VALUES ('broker', 1, 1)`);
    await plain.catalog.create(['a', 'b'].map((id) => newRun(id, { attributes: { who: 'secret' } })));
    for (const table of GROWING)
      await backend.query(backend.db === 'postgres' ? `ANALYZE ${table}` : `ANALYZE TABLE ${table}`);
    await plain.control.close('a', 'terminated', async () => undefined);
    const watched = explained(db, SMALL);
    const storage = await sqlStorageOn(watched.executor);
    const { notifier } = storage;
    const effects = sqlEffectStorage(watched.executor, effectTables('durable'), notifier!);
    const outbox = sqlOutboxStorage(watched.executor, tables, notifier!, { ordering: 'commit', retains: true });
    const outgoing = erasureOfOutgoing({ effects, outbox, hasOwnAudit: false });
    const ports = { storage, outgoing, namespace: '' };
    const told = new ClientStory({
      storage,
      payloads: new Payloads(jsonCodec, { payloadBytes: 0 }),
      namespace: '',
      outgoingStory: storyOfOutgoing({ effects, outbox }),
    });
    const kinds: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const page = await told.story(
        { id: ['parked-7', 'other-10011'], attribute: { who: 'secret' } },
        { payloads: true, limit: 2, ...(cursor && { cursor }) },
      );
      kinds.push(...page.entries.map(({ kind }) => kind));
      cursor = page.cursor;
    }
    const report = await new ClientErasure(ports).erase(
      {
        id: ['parked-7', 'other-10011'],
        attribute: { who: 'secret' },
        effects: [{ operation: 'o', subject: 's-9' }],
        signals: [{ signal: 'x', key: 'y' }],
        channels: ['c-3', 'c-4'],
      },
      { actor: 'ada', reason: 'a test' },
    );
    await new Eraser(ports).work({ namespace: '' }, new ErasureTally());
    await storage.close();
    await plain.close();
    await backend.close();
    const everything = ['run.created', 'step.asked', 'signal.sent', 'effect.ended', 'event.dead', 'act'];
    expect(kinds).toEqual(expect.arrayContaining(everything));
    expect(report.erased).toMatchObject({ events: 2, runs: 2 });
    expect(report.erased.effects).toBeGreaterThan(0);
    expect(watched.scans).toEqual([]);
  });
});
