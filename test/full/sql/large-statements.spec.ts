import type { SqlConnection } from '../../../lib/sql/executor.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { StatementTooLargeError } from '../../../lib/core/errors.js';
import { inParts } from '../../../lib/sql/tables.js';
import { sql } from '../../../lib/sql/statement.js';
import { describeDatabases } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { describeSqlHouses } from '../../support/processes.js';
import { describeSmallPackets } from '../../support/small-packets.js';
import { thrownBy } from '../../support/thrown-by.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const text = (bytes: number) => 'x'.repeat(bytes);
const worker = { leaseMs: 30_000 };
const nothing = async () => 1;

/** A neighbour that begins meanwhile is done within this time, also on a machine that is busy with other tests. */
const AT_ONCE_MS = 10_000;

describeSmallPackets('a statement that is larger than the server takes', (on) => {
  it('is refused before it is sent, alone, in a transaction and in one of the app', async () => {
    const backend = on().house.backend!;
    const db = executorOf(backend);
    const tooLarge = sql`SELECT LENGTH(${text(1_100_000)}) AS length`;
    const fits = sql`SELECT LENGTH(${text(900_000)}) AS length`;
    expect(await thrownBy(db.run(tooLarge))).toBeInstanceOf(StatementTooLargeError);
    expect(await thrownBy(db.run(tooLarge))).toMatchObject({ code: 'STATEMENT_TOO_LARGE', transient: false });
    const inside = async (tx: SqlConnection) => {
      expect(await thrownBy(tx.run(tooLarge))).toBeInstanceOf(StatementTooLargeError);
      const { rows } = await tx.run<{ length: unknown }>(fits);
      return Number(rows[0]?.length);
    };
    expect(await db.transaction((tx) => inside(tx))).toBe(900_000);
    expect(await db.ormTransaction((_, tx) => inside(tx))).toBe(900_000);
  });

  it('is one of several where it has rows', async () => {
    const db = executorOf(on().house.backend!);
    const rows = Array.from({ length: 9 }, (_, n) => ({ n, text: text(300_000) }));
    const answer = await db.transaction((tx) =>
      inParts<{ n: unknown }, (typeof rows)[number]>(
        tx,
        rows,
        (some) => sql`SELECT r.n FROM ${tx.dialect.rows(some, { n: 'int', text: 'text' })} AS r`,
      ),
    );
    expect(answer.rows.map(({ n }) => Number(n))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(answer.affected).toBe(9);
  });

  it('is never needed for a fan-out, for tasks, answers, ends and log lines that are together too large', async () => {
    const count = 12;
    const large = text(300_000);
    const each = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => work(n)));
    const process = await on().house.boot({
      workflows: {
        child: async (ctx, input) => {
          for (let n = 0; n < 8; n++) ctx.log.info(text(30_000));
          await ctx.step('s', () => input);
          return input;
        },
        family: async (ctx) => (await ctx.all('child', Array(count).fill(large))).length,
        remote: async (ctx) => (await each(() => ctx.remote('echo', large))).length,
        beside: async (ctx) => ctx.step('a', nothing),
      },
      handlers: { echo: (input: string) => input },
      worker,
    });
    const { client } = process;
    const [family, remote] = [await client.start('family'), await client.start('remote')];
    const begun = performance.now();
    await client.startAndWait('beside');
    expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
    expect(await family.result({ timeout: '120s' })).toBe(count);
    expect(await remote.result({ timeout: '120s' })).toBe(count);
  });
});

describeSqlHouses('a fan-out that is larger than a server takes in one statement', (house) => {
  it('begins in one commit, with each child once, while others go on', async () => {
    const input = text(900_000);
    const [count, many] = [house().backend!.db === 'mariadb' ? 40 : 10, 4_500];
    const process = await house().boot({
      workflows: {
        child: nothing,
        few: async (ctx: WorkflowContext) => (await ctx.all('child', Array(count).fill(input))).length,
        many: async (ctx: WorkflowContext) => (await ctx.all('child', Array(many).fill(1))).length,
        beside: async (ctx) => ctx.step('a', nothing),
      },
    });
    const { client } = process;
    const handles = [await client.start('few'), await client.start('many')];
    await client.startAndWait('beside', null, { timeout: '120s' });
    expect(await Promise.all(handles.map((handle) => handle.result({ timeout: '120s' })))).toEqual([count, many]);
    const [row] = await house().backend!.query<{ n: unknown }>(
      "SELECT count(*) AS n FROM durable_runs WHERE workflow = 'child'",
    );
    expect(Number(row?.n)).toBe(count + many);
  });
});

describeDatabases('what is not too large', (at) => {
  it('is sent as it is', async () => {
    const backend = await at.open();
    const { rows } = await executorOf(backend).run<{ length: unknown }>(
      sql`SELECT LENGTH(CAST(${text(3_000_000)} AS char(3000000))) AS length`,
    );
    expect(Number(rows[0]?.length)).toBe(3_000_000);
    await backend.close();
  });
});
