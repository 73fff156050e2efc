import { sql } from '../../../lib/sql/statement.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { describeSqlHouses } from '../../support/processes.js';
import { roleOfTests } from '../../support/role-of-tests.js';

/** Else the suites of the foundation would have the rights of the owner, and all of them would pass. */
const ownedOtherwise = roleOfTests() === undefined ? describe.skip : describe;

ownedOtherwise('the rights of the suites beside this one', () => {
  describeBackends('those of an ORM', (backend) => {
    let opened: OpenBackend;

    beforeAll(async () => {
      opened = await backend.open();
    });
    afterAll(() => opened?.close());

    it('are not those of the owner', async () => {
      const executor = executorOf(opened);
      await expect(executor.run(sql`DROP TABLE durable_runs`)).rejects.toThrow(/denied|must be owner/);
      await expect(executor.run(sql`CREATE TABLE of_nobody (id int)`)).rejects.toThrow(/denied/);
      expect((await executor.run(sql`SELECT id FROM durable_runs`)).rows).toEqual([]);
    });
  });

  describeSqlHouses('those of a process', (house) => {
    const ofRole = async (options: { engine?: boolean }) => (await house().boot(options)).storage.executor!;
    const removeRuns = sql`DELETE FROM durable_runs WHERE 1 = 0`;
    const changeActs = sql`UPDATE durable_acts SET actor = actor WHERE 1 = 0`;

    it('are those of an engine, or of an operator, which may not change what was done', async () => {
      const [engine, operator] = [await ofRole({}), await ofRole({ engine: false })];
      await engine.run(removeRuns);
      await engine.run(changeActs);
      await operator.run(removeRuns);
      await expect(operator.run(changeActs)).rejects.toThrow(/denied/);
    });
  });
});
