import { storyOfOutgoing } from '../../../lib/nest/outgoing.js';
import { sqlEffectStorage } from '../../../lib/effects/entries.sql.js';
import { effectTables } from '../../../lib/effects/tables.sql.js';
import { ClientStory } from '../../../lib/engine/client/insight.js';
import { Payloads } from '../../../lib/engine/payloads.js';
import { sqlRelayStorage } from '../../../lib/outbox/storage.sql.js';
import { jsonCodec } from '../../../lib/core/codec.js';
import { backends } from '../../support/backends.js';
import { numbersTable } from '../../support/crowded-tables.js';
import { executorOf, sqlStorageOn } from '../../support/engine-storage.js';
import { observed } from '../../support/observed-executor.js';
import { relayTables } from '../../support/outbox-relay-tables.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const RUNS = 300;
const STEPS = 10;

describe('a page of a story', () => {
  it.each(backends.filter(({ orm }) => orm === 'typeorm'))(
    'costs as many statements for hundreds of runs as for one on $db',
    async (at) => {
      const backend = await at.open();
      const { executor, observation } = observed(executorOf(backend));
      const storage = await sqlStorageOn(executor);
      const tables = await relayTables(executor);
      await numbersTable(backend.query, RUNS * STEPS);
      const each = `FROM numbers WHERE n < ${RUNS}`;
      const run = `CONCAT('run-', MOD(n, ${RUNS}))`;
      const seq = `FLOOR(n / ${RUNS})`;
      for (const rows of [
        `INSERT INTO durable_runs (id, namespace, workflow, version, status, epoch, settled, crashes, created_at) SELECT ${run}, '', 'work', 1, 'suspended', 1, 0, 0, n ${each}`,
        `INSERT INTO durable_run_attributes (run_id, name, namespace, type, text_value) SELECT ${run}, 'order', '', 'text', '42' ${each}`,
        `INSERT INTO durable_steps (run_id, seq, kind, name, status, attempt, created_at, finished_at) SELECT ${run}, ${seq}, 'remote', 'step', 'completed', 1, n, n + 7 FROM numbers`,
        `INSERT INTO durable_step_attempts (run_id, seq, attempt, outcome, finished_at) SELECT ${run}, ${seq}, 1, 'failed', n + 3 FROM numbers`,
      ])
        await backend.query(rows);
      const effects = sqlEffectStorage(executor, effectTables('durable'), storage.notifier!);
      const outgoingStory = storyOfOutgoing({
        effects,
        outbox: { relay: sqlRelayStorage(executor, tables, { retains: true }) },
      });
      const payloads = new Payloads(jsonCodec, { payloadBytes: 0 });
      const told = new ClientStory({ storage, payloads, namespace: '', outgoingStory });
      observation.reset();
      const one = await told.story({ id: 'run-7' }, { payloads: true });
      const cost = observation.statements.length;
      expect(one.entries).toHaveLength(1 + 3 * STEPS);
      let entries = 0;
      for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
        observation.reset();
        const options = { payloads: true, limit: 1_000, ...(cursor && { cursor }) };
        const page = await told.story({ attribute: { order: '42' } }, options);
        // One more finds the runs.
        expect(observation.statements.length).toBeLessThanOrEqual(cost + 1);
        entries += page.entries.length;
        cursor = page.cursor;
      }
      expect(entries).toBe(RUNS * (1 + 3 * STEPS));
      await storage.close();
      await backend.close();
    },
  );
});
