import type { WorkflowContext } from '../../../lib/engine/context.js';
import { DatabaseError } from '../../../lib/core/errors.js';
import { appLedger } from '../../support/app-ledger.js';
import { type Gate, gate } from '../../support/gate.js';
import { describeSqlHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

describeSqlHouses('commits that the database has lost', (house) => {
  const { enter, ledger } = appLedger(house);
  const query = (text: string) => house().backend!.query<{ entry: string }>(text);
  const book = (ctx: WorkflowContext, name: string) =>
    ctx.transaction(name, async (tx) => {
      await enter(tx, `${ctx.workflowId}/${name}`);
      return name;
    });
  const lossesOf = ({ telemetry }: Process) => {
    const losses: (readonly string[])[] = [];
    telemetry.on('history.lost', ({ runIds }) => losses.push([...runIds].sort()));
    return losses;
  };
  /** As a standby that did not have it yet: what the run has recorded behind its first position never was. */
  const lose = async (runId: string) => {
    await query(`DELETE FROM durable_steps WHERE run_id = '${runId}' AND seq > 0`);
    await query(`DELETE FROM app_ledger WHERE entry LIKE '${runId}/%' AND entry <> '${runId}/a'`);
  };
  const holding =
    (hold: Gate, held: Set<string>) =>
    async (ctx: WorkflowContext): Promise<string> => {
      const names = [await book(ctx, 'a'), await book(ctx, 'b'), await book(ctx, 'c')];
      await ctx.step('hold', () => {
        held.add(ctx.workflowId);
        return hold.opened;
      });
      return [...names, await book(ctx, 'd')].join('');
    };

  it('are done again by runs that had gone on in memory; others go on as they were, and one event says so', async () => {
    const [hold, held] = [gate(), new Set<string>()];
    const process = await house().boot({ workflows: { order: holding(hold, held) } });
    const losses = lossesOf(process);
    const ids = ['r1', 'r2', 'r3'];
    for (const id of ids) await process.client.start('order', null, { id });
    await until('all hold', () => held.size === 3);
    await lose('r1');
    await lose('r3');
    hold.open();
    for (const id of ids) expect(await process.client.result(id, { timeout: '120s' })).toBe('abcd');
    expect(await ledger()).toEqual(ids.flatMap((id) => ['a', 'b', 'c', 'd'].map((name) => `${id}/${name}`)));
    expect(losses.flat().sort()).toEqual(['r1', 'r3']);
    for (const id of ids) {
      const { history } = await process.client.getStatus(id, { history: true });
      expect(history!.map(({ name, status }) => [name, status])).toEqual(
        ['a', 'b', 'c', 'hold', 'd'].map((name) => [name, 'completed']),
      );
    }
  });

  it('are seen by a transaction that is under way: it is rolled back, and done after what was lost', async () => {
    const [inside, go] = [gate(), gate()];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const names = [await book(ctx, 'a'), await book(ctx, 'b')];
          await ctx.transaction('c', async (tx) => {
            inside.open();
            await go.opened;
            await enter(tx, 'r1/c');
          });
          return [...names, 'c'].join('');
        },
      },
    });
    const losses = lossesOf(process);
    await process.client.start('order', null, { id: 'r1' });
    await inside.opened;
    await lose('r1');
    go.open();
    expect(await process.client.result('r1', { timeout: '120s' })).toBe('abc');
    expect(await ledger()).toEqual(['r1/a', 'r1/b', 'r1/c']);
    expect(losses).toEqual([['r1']]);
  });

  it('are seen by a run that only ends, or waits for others', async () => {
    const hold = gate();
    const held: string[] = [];
    const process = await house().boot({
      handlers: { far: async () => (held.push('far'), await hold.opened, 'far') },
      workflows: {
        order: async (ctx) => {
          await ctx.step('a', () => 'a');
          await book(ctx, 'b');
          return ctx.remote('far');
        },
      },
    });
    const losses = lossesOf(process);
    await process.client.start('order', null, { id: 'r1' });
    await until('its step is being done', () => held.length === 1);
    await lose('r1');
    hold.open();
    expect(await process.client.result('r1', { timeout: '120s' })).toBe('far');
    expect(await ledger()).toEqual(['r1/b']);
    expect(losses).toEqual([['r1']]);
  });

  it('stand the run still where that is asked for, until somebody lets it go on', async () => {
    const [hold, held] = [gate(), new Set<string>()];
    const process = await house().boot({ workflows: { order: holding(hold, held) }, onHistoryLost: 'block' });
    await process.client.start('order', null, { id: 'r1' });
    await until('it holds', () => held.size === 1);
    await lose('r1');
    hold.open();
    const status = await until('it stands still', async () => {
      const now = await process.client.getStatus('r1');
      return now.reason === 'history_lost' && now;
    });
    expect(status).toMatchObject({ status: 'suspended', reason: 'history_lost' });
    expect((await process.client.list({ reason: 'history_lost' })).runs.map(({ id }) => id)).toEqual(['r1']);
    expect((await process.client.explain('r1')).text).toContain('lost commits');
    expect(await ledger()).toEqual(['r1/a']);
    // Nobody tries it by itself.
    const another = await house().boot({ workflows: { order: holding(hold, held) } });
    await another.engine.claimer.tick();
    expect((await process.client.getStatus('r1')).reason).toBe('history_lost');
    await process.client.retry('r1');
    expect(await process.client.result('r1', { timeout: '120s' })).toBe('abcd');
    expect(await ledger()).toEqual(['a', 'b', 'c', 'd'].map((name) => `r1/${name}`));
  });

  it('stand the run still also where the database takes that word only after some beats of the process', async () => {
    const [hold, held] = [gate(), new Set<string>()];
    let refusals = 0;
    let refuses = true;
    const process = await house().boot({
      workflows: { order: holding(hold, held) },
      onHistoryLost: 'block',
      hooks: {
        before: (call, [, , standstill]) => {
          if (call !== 'store.release' || standstill === undefined || !refuses) return;
          refusals++;
          throw new DatabaseError('The server is not there', true);
        },
      },
    });
    await process.client.start('order', null, { id: 'r1' });
    await until('it holds', () => held.size === 1);
    await lose('r1');
    hold.open();
    await until('its standstill is refused', () => refusals > 0);
    for (let beats = 0; beats < 5; beats++) await process.engine.heartbeat.tick();
    expect(process.engine.residents.size).toBe(0);
    expect(await process.client.getStatus('r1')).toMatchObject({ status: 'running', reason: null });
    refuses = false;
    await until('it stands still', async () => (await process.client.getStatus('r1')).reason === 'history_lost');
    expect(await ledger()).toEqual(['r1/a']);
    await process.client.retry('r1');
    expect(await process.client.result('r1', { timeout: '120s' })).toBe('abcd');
  });

  it('stand the run still also where its process is stopped after that word was refused', async () => {
    const [hold, held] = [gate(), new Set<string>()];
    let refusals = 0;
    let stops = false;
    const process = await house().boot({
      workflows: { order: holding(hold, held) },
      onHistoryLost: 'block',
      hooks: {
        before: (call, [, , standstill]) => {
          if (call !== 'store.release' || standstill === undefined || stops) return;
          refusals++;
          throw new DatabaseError('The server is not there', true);
        },
      },
    });
    await process.client.start('order', null, { id: 'r1' });
    await until('it holds', () => held.size === 1);
    await lose('r1');
    hold.open();
    await until('the pause before its next try is long', () => refusals >= 6);
    stops = true;
    await process.stop();
    const another = await house().boot({ workflows: { order: holding(hold, held) } });
    for (let beats = 0; beats < 3; beats++) await another.engine.heartbeat.tick();
    await another.engine.claimer.tick();
    expect(await another.client.getStatus('r1')).toMatchObject({ status: 'suspended', reason: 'history_lost' });
    expect(await ledger()).toEqual(['r1/a']);
  });

  it('of a claim leave the run to whoever took it instead, under the same number', async () => {
    const [hold, held] = [gate(), new Set<string>()];
    const process = await house().boot({ workflows: { order: holding(hold, held) }, nodeLeaseMs: 60_000 });
    await process.client.start('order', null, { id: 'r1' });
    await until('it holds', () => held.size === 1);
    await query(`UPDATE durable_runs SET owner = 'another' WHERE id = 'r1'`);
    hold.open();
    await until('it is let go', () => process.engine.residents.size === 0);
    expect(await ledger()).toEqual(['a', 'b', 'c'].map((name) => `r1/${name}`));
    const { history } = await process.client.getStatus('r1', { history: true });
    expect(history!.at(-1)).toMatchObject({ name: 'c' });
  });
});
