import type { WorkflowContext } from '../../../lib/engine/context.js';
import { describeSqlHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

/** Twice as long as JSON, and four times as JSON in JSON. */
const text = '"'.repeat(400_000);
const COUNT = 50;
const worker = { leaseMs: 30_000 };
const each = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: COUNT }, (_, n) => work(n)));

const total = async (ctx: WorkflowContext) =>
  (await each((n) => ctx.step(`s${n}`, () => text))).every((output) => output === text);

describeSqlHouses(
  'payloads that are small enough, but together more than a server takes in one statement (fault 23)',
  (house) => {
    it('go through', async () => {
      const process = await house().boot({
        workflows: { total },
        handlers: { echo: (input: string) => input },
        worker,
      });
      expect(await process.client.startAndWait('total', null, { timeout: '120s' })).toBe(true);
    });

    it('wake runs that nobody owned when their answers came', async () => {
      const parked = async (ctx: WorkflowContext) => (await each(() => ctx.remote<string>('echo', 1))).length;
      const first = await house().boot({ workflows: { parked } });
      const { id } = await first.client.start('parked');
      const asked = async () => (await first.client.getStatus(id, { history: true })).history?.length === COUNT;
      await until('all are asked', asked);
      await first.stop();
      first.kill();
      const second = await house().boot({ handlers: { echo: () => text }, worker });
      const third = await house().boot({ workflows: { parked } });
      expect(await third.client.result(id, { timeout: '120s' })).toBe(COUNT);
      await second.stop();
      second.kill();
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
