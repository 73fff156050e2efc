import { randomUUID } from 'node:crypto';
import type { Transactions } from '../../../lib/engine/starts.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { appLedger } from '../../support/app-ledger.js';
import { endSession, write } from '../../support/app-transactions.js';
import { gate } from '../../support/gate.js';
import { describeSqlHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

describeSqlHouses('transactions that the database ends in the midst of the work', (house) => {
  const { enter, ledger } = appLedger(house);
  const ended = (handle: unknown) => endSession(house().backend!, handle);

  it.each(['as it was thrown', 'as the cause of an error of the app'])(
    'are tried again without counting, the loss coming %s (N8)',
    async (how) => {
      let tries = 0;
      const process = await house().boot({
        workflows: {
          order: (ctx) =>
            ctx.transaction(
              'book',
              async (tx) => {
                await enter(tx, `try ${++tries}`);
                if (tries > 1) return tries;
                await ended(tx);
                await enter(tx, 'too late').catch((cause: unknown) => {
                  throw how === 'as it was thrown' ? cause : new Error('cannot book', { cause });
                });
              },
              { retry: false },
            ),
        },
      });
      const lost: string[] = [];
      process.telemetry.on('transaction.lost', ({ name }) => lost.push(name));
      const { id } = await process.client.start('order');
      expect(await process.client.result(id, { timeout: '120s' })).toBe(2);
      expect(await ledger()).toEqual(['try 2']);
      const { history } = await process.client.getStatus(id, { history: true });
      expect(history).toMatchObject([{ name: 'book', failures: 0 }]);
      expect(lost).toEqual(['book']);
    },
  );

  it('are tried again without counting where they undo a step', async () => {
    let undone = 0;
    const process = await house().boot({
      workflows: {
        order: async (ctx: WorkflowContext) => {
          await ctx.transaction('book', (tx) => enter(tx, 'booked').then(() => null), {
            retry: false,
            compensate: async (tx: unknown) => {
              await enter(tx, `undone ${++undone}`);
              if (undone > 1) return;
              await ended(tx);
              await enter(tx, 'too late');
            },
          });
          throw Object.assign(new Error('no room'), { code: 'FULL' });
        },
      },
    });
    await expect(process.client.startAndWait('order', null, { timeout: '120s' })).rejects.toMatchObject({
      code: 'FULL',
    });
    expect(await ledger()).toEqual(['booked', 'undone 2']);
  });

  it('fail the step as ever when it is another connection of the app that was lost', async () => {
    const process = await house().boot({
      workflows: {
        order: (ctx) =>
          ctx.transaction(
            'book',
            async (tx) => {
              await enter(tx, 'never');
              throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
            },
            { retry: false },
          ),
      },
    });
    await expect(process.client.startAndWait('order', null, { timeout: '120s' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    expect(await ledger()).toEqual([]);
  });

  it('are tried again without counting when two of them lock each other out', async () => {
    await house().backend!.query('CREATE TABLE IF NOT EXISTS app_seats (seat varchar(8) PRIMARY KEY, taken integer)');
    await house().backend!.query('DELETE FROM app_seats');
    await house().backend!.query(`INSERT INTO app_seats (seat, taken) VALUES ('a', 0), ('b', 0)`);
    const take = (handle: unknown, seat: string) =>
      write(house().backend!.orm, handle, `UPDATE app_seats SET taken = taken + 1 WHERE seat = '${seat}'`);
    const first = new Set<string>();
    const process = await house().boot({
      workflows: {
        order: (ctx, seats: readonly [string, string]) =>
          ctx.transaction(
            'book',
            async (tx) => {
              await take(tx, seats[0]);
              first.add(seats[0]);
              await until('both have their first seat', () => first.size === 2);
              await take(tx, seats[1]);
              return 'booked';
            },
            { retry: false },
          ),
      },
    });
    const runs = [
      ['a', 'b'],
      ['b', 'a'],
    ].map((seats) => process.client.startAndWait('order', seats, { id: randomUUID(), timeout: '120s' }));
    expect(await Promise.all(runs)).toEqual(['booked', 'booked']);
    expect(await house().backend!.query('SELECT taken FROM app_seats')).toEqual([{ taken: 2 }, { taken: 2 }]);
  });

  it('are rolled back as well when their run is being left, though nobody has written so yet', async () => {
    const [inside, go, leaving, left] = [gate(), gate(), gate(), gate()];
    const isLast = (args: readonly unknown[]) => (args[0] as readonly RunWrite[]).some(({ transition }) => transition);
    const process = await house().boot({
      hooks: {
        before: async (call, args) => {
          if (call !== 'store.commit' || !isLast(args)) return;
          leaving.open();
          await left.opened;
        },
      },
      workflows: {
        order: async (ctx) => {
          void ctx.transaction('late', async (tx) => {
            inside.open();
            await go.opened;
            await enter(tx, 'late');
          });
          await ctx.step('meanwhile', () => inside.opened);
          return 'done';
        },
      },
    });
    const over = gate();
    const { transactions } = process.storage;
    const begin = transactions.begin.bind(transactions);
    const told: Transactions['begin'] = (work) => begin(work).finally(over.open);
    transactions.begin = told;
    const { id } = await process.client.start('order');
    await leaving.opened;
    go.open();
    await over.opened;
    left.open();
    expect(await process.client.result(id, { timeout: '120s' })).toBe('done');
    expect(await ledger()).toEqual([]);
  });
});
