import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, sqlStorageOn } from '../../support/engine-storage.js';
import { observed, type ObservedStatement, shortOf } from '../../support/observed-executor.js';
import { sized } from '../../support/tiers.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const [FEW, MANY] = [sized(100, 30), sized(1_000, 300)];
const told = new WorkflowSignal<number>('told');

describeDatabases(
  'what signals cost',
  (at) => {
    let backend: OpenBackend;

    beforeAll(async () => {
      backend = await at.open();
    });
    afterAll(() => backend.close());

    /** Rows read and statements asked until a run has taken so many signals, all of which were there before. */
    const take = async (count: number) => {
      const { executor, observation } = observed(executorOf({ orm: at.orm, handle: await backend.another() }));
      const storage = await sqlStorageOn(executor);
      const parts = engineParts(storage, { pollMs: 1_000 });
      parts.define(`order${count}`, async (ctx: WorkflowContext) => {
        for (let n = 0; n < count; n++) {
          const got = await ctx.waitForSignal(`n${n}`, told, { key: `key${count}` });
          if (got !== n) throw new Error(`Signal ${got} in place of ${n}`);
        }
      });
      const { id } = await parts.client.start(`order${count}`);
      await Promise.all(
        Array.from({ length: count }, (_, n) => parts.client.signal(told, n, { workflowId: id, id: String(n) })),
      );
      observation.reset();
      await parts.start();
      await parts.client.result(id);
      const { statements } = observation;
      // How often somebody looks in vain for new ones depends on how fast the machine is.
      const isVain = ({ text, rows }: ObservedStatement) => text.startsWith('SELECT u.channel') && rows === 0;
      const mailbox = statements.filter((one) => /durable_signal/.test(one.text) && !isVain(one));
      const counts: Record<string, number> = {};
      for (const { text } of mailbox) counts[shortOf(text)] = (counts[shortOf(text)] ?? 0) + 1;
      await parts.stop();
      await storage.close();
      return { rows: mailbox.reduce((sum, { rows }) => sum + rows, 0), statements: mailbox.length, counts };
    };

    it(`${MANY} signals to one run are read about once each (N4)`, async () => {
      const few = await take(FEW);
      const many = await take(MANY);
      process.stdout.write(`${MANY} signals [${at.name}]: ${JSON.stringify(many)}\n`);
      expect(many.rows).toBeLessThan(few.rows * 11);
      expect(many.rows).toBeLessThan(9 * MANY);
      expect(many.statements).toBeLessThan(few.statements * 11);
    });
  },
  // One ORM is enough: the statements are the same.
  { only: ({ orm }) => orm === 'typeorm' },
);
