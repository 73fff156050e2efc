import type { WorkflowContext } from '../../../lib/engine/context.js';
import { type OpenBackend, describeDatabases } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, type OpenStorage, sqlStorageOn } from '../../support/engine-storage.js';
import { type Observation, observed } from '../../support/observed-executor.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

/** What this process has computed, whatever else the machine was busy with meanwhile. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

describeDatabases(
  'a long history',
  (at) => {
    let backend: OpenBackend;
    let storage: OpenStorage;
    let observation: Observation;

    beforeAll(async () => {
      backend = await at.open();
      const own = observed(executorOf(backend));
      observation = own.observation;
      storage = await sqlStorageOn(own.executor);
    });
    afterAll(async () => {
      await storage.close();
      await backend.close();
    });

    /** A parked run that has recorded so many steps, and now is due. */
    async function insertRun(id: string, steps: number): Promise<void> {
      const { query } = backend;
      const rows = Array.from(
        { length: steps },
        (_, n) => `('${id}', ${n}, 'step', 'step', 'completed', 0, ${n + 1}, '${n}', 1, 1, 1)`,
      );
      for (let i = 0; i < rows.length; i += 1_000) {
        await query(
          `INSERT INTO durable_steps (run_id, seq, kind, name, status, attempt, settled, output, created_at, started_at, finished_at) VALUES ${rows.slice(i, i + 1_000).join(', ')}`,
        );
      }
      await query(
        `INSERT INTO durable_runs (id, namespace, workflow, version, status, epoch, settled, crashes, priority, input, wake_at, created_at) VALUES ('${id}', '', 'long', 1, 'suspended', 1, ${steps}, 0, 0, '${steps}', 1, 1)`,
      );
    }

    it('is replayed in one read, in a time that grows with its length (E18)', async () => {
      const parts = engineParts(storage, { pollMs: 60_000 });
      let began = 0;
      let ended = 0;
      let ran = 0;
      parts.define('long', async (ctx: WorkflowContext, steps: number) => {
        began = cpuMs();
        let sum = 0;
        for (let n = 0; n < steps; n++) sum += await ctx.step('step', () => ++ran);
        ended = cpuMs();
        return sum;
      });
      await parts.start();
      const replay = async (id: string, steps: number) => {
        await insertRun(id, steps);
        observation.reset();
        parts.engine.wake();
        expect(await parts.client.result(id)).toBe((steps * (steps - 1)) / 2);
        const reads = observation.statements.filter(({ text }) => text.startsWith('SELECT run_id'));
        expect(reads.map(({ rows }) => rows)).toEqual([steps]);
        return ended - began;
      };
      await replay('warm', 5_000);
      const short: number[] = [];
      const long: number[] = [];
      for (let round = 0; round < 5; round++) {
        short.push(await replay(`short${round}`, 1_250));
        long.push(await replay(`long${round}`, 5_000));
      }
      await parts.stop();
      expect(ran).toBe(0);
      const [fast, slow] = [Math.min(...short), Math.min(...long)];
      process.stdout.write(
        `replay [${at.name}]: 1,250 steps ${fast.toFixed(1)} ms, 5,000 steps ${slow.toFixed(1)} ms\n`,
      );
      // Four times as many: linear is 4, quadratic 16.
      expect(slow).toBeLessThan(fast * 10);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
