import { setTimeout as pause } from 'node:timers/promises';
import { type OpenBackend, describeDatabases } from '../../support/backends.js';
import { insertParked, insertParkedSteps, numbersTable } from '../../support/crowded-tables.js';
import { type EngineParts, engineParts } from '../../support/engine-parts.js';
import { executorOf, type OpenStorage, sqlStorageOn } from '../../support/engine-storage.js';
import { type Observation, observed } from '../../support/observed-executor.js';
import { sized } from '../../support/tiers.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

/** Loading is what takes the time. */
const PARKED = { postgres: sized(1_000_000), mysql: sized(100_000, 20_000), mariadb: sized(100_000) } as const;

const quantile =
  (share: number) =>
  (values: readonly number[]): number =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!;
const [tenth, median] = [quantile(0.1), quantile(0.5)];

describeDatabases(
  'runs that are parked by the million',
  (at) => {
    let backend: OpenBackend;
    let storage: OpenStorage;
    let observation: Observation;

    beforeAll(async () => {
      backend = await at.open();
      const own = observed(executorOf(backend));
      observation = own.observation;
      storage = await sqlStorageOn(own.executor);
      await numbersTable(backend.query, PARKED[at.db]);
      await insertParked(backend.query, PARKED[at.db]);
      await insertParkedSteps(backend.query, PARKED[at.db] / 10);
      if (at.db === 'postgres') await backend.query('VACUUM ANALYZE durable_runs');
    });
    afterAll(async () => {
      await storage.close();
      await backend.close();
    });

    it('cost an idle engine nothing, and a start no time (E16)', async () => {
      let parts: EngineParts | undefined;
      const starts: number[] = [];
      for (let n = 0; n < 3; n++) {
        await parts?.stop();
        parts = engineParts(storage, { pollMs: 1_000 });
        parts.define('work', async () => 'done');
        const before = performance.now();
        await parts.start();
        // Played at once, whatever else is in the table.
        expect(await parts.client.startAndWait('work', null, { timeout: '120s' })).toBe('done');
        starts.push(performance.now() - before);
      }
      // The fastest: what else the machine is busy with makes some of them slow, the table would make all of them slow.
      const startMs = Math.min(...starts);
      await pause(4_000);
      const rates: number[] = [];
      // The quietest: a process that stood still connects anew, and looks at everything then.
      for (let n = 0; n < 3; n++) {
        observation.reset();
        await pause(4_000);
        rates.push(observation.statements.length / 4);
      }
      const rate = Math.min(...rates);
      process.stdout.write(`${PARKED[at.db]} parked [${at.name}]: start ${startMs.toFixed(0)} ms, idle ${rate}/s\n`);
      await parts?.stop();
      expect(startMs).toBeLessThan(5_000);
      expect(rate).toBeLessThanOrEqual(at.db === 'postgres' ? 6 : 14);
    });

    it('are not looked at by a claim: it takes as long as one beside none (E17)', async () => {
      const workflows = [{ name: 'work', version: 1 }];
      const claim = async (namespace: string) => {
        const before = performance.now();
        const claimed = await storage.store.claim({
          nodeId: `of ${namespace}`,
          namespace,
          workflows,
          limit: 100,
          which: 'due',
        });
        expect(claimed).toEqual([]);
        return performance.now() - before;
      };
      const [beside, alone]: [number[], number[]] = [[], []];
      for (const namespace of ['', 'other'])
        await storage.roster.beat({ id: `of ${namespace}`, namespace, roles: 'engine' }, 60_000);
      for (let n = 0; n < 200; n++) {
        beside.push(await claim(''));
        alone.push(await claim('other'));
      }
      // A machine that is busy answers late to anything; what looks at the parked runs is never fast.
      const [ms, aloneMs] = [tenth(beside), tenth(alone)];
      process.stdout.write(
        `${PARKED[at.db]} parked [${at.name}]: an empty claim ${median(beside).toFixed(2)} ms; a fast one ${ms.toFixed(2)}, beside none ${aloneMs.toFixed(2)}\n`,
      );
      expect(ms).toBeLessThan(2 * aloneMs + 1);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
