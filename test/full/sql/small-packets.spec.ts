import { Effects } from '../../../lib/effects/effects.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { StatementTooLargeError, UndeliverableSignalError } from '../../../lib/core/errors.js';
import { jsonCodec } from '../../../lib/core/codec.js';
import { systemClock } from '../../../lib/core/time.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { type EffectsDatabase, effectsDatabase } from '../../support/effects-database.js';
import { openOutbox, type OpenOutbox } from '../../support/outbox-app.js';
import type { Process } from '../../support/processes.js';
import { describeSmallPackets } from '../../support/small-packets.js';
import { thrownBy } from '../../support/thrown-by.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes tables of its own');

/** The servers of these tests take statements of 1 MiB. */
const TOO_LARGE = 'x'.repeat(1_045_000);
const LARGE = 'x'.repeat(300_000);
/** Together more than three times what one statement may be. */
const COUNT = 12;
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const echo = async (_: WorkflowContext, input: string) => input.length;

describeSmallPackets('what an app hands in where the server takes small packets', (on) => {
  const count = async (from: string) => {
    const [row] = await on().house.backend!.query<{ n: unknown }>(`SELECT COUNT(*) AS n FROM ${from}`);
    return Number(row?.n);
  };
  /** In a transaction of the app's, which goes on after it. Returns what it was refused with. */
  const refusedWithin = ({ storage }: Process, work: (transaction: unknown) => Promise<unknown>) =>
    inAppTransaction(on().at.orm, storage.handle, async (tx) => {
      const refusal = await thrownBy(work(tx.handle));
      await tx.query('SELECT 1');
      return refusal;
    });

  describe('starts', () => {
    it('refuses one with an input that is too large, and writes nothing', async () => {
      const process = await on().house.boot({ workflows: { echo } });
      const { client } = process;
      const [id, within] = ['too-large', 'too-large-within'];
      expect(await thrownBy(client.start('echo', TOO_LARGE, { id }))).toBeInstanceOf(StatementTooLargeError);
      const refusal = await refusedWithin(process, (transaction) =>
        client.start('echo', TOO_LARGE, { id: within, transaction }),
      );
      expect(refusal).toBeInstanceOf(StatementTooLargeError);
      expect(await count("durable_runs WHERE id LIKE 'too-large%'")).toBe(0);
      expect(await client.startAndWait('echo', 'x', { id, timeout: '120s' })).toBe(1);
    });

    it('writes many at once in parts, beside one that is too large', async () => {
      const { client } = await on().house.boot({ workflows: { echo } });
      const inputs = upTo(COUNT).map((n) => (n === 5 ? TOO_LARGE : LARGE));
      const started = await Promise.allSettled(
        inputs.map((input, n) => client.start('echo', input, { id: `many-${n}` })),
      );
      expect(started.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([5]);
      expect(started[5]).toMatchObject({ reason: { code: 'STATEMENT_TOO_LARGE' } });
      const handles = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const results = await Promise.all(handles.map((handle) => handle.result({ timeout: '120s' })));
      expect(results).toEqual(Array(COUNT - 1).fill(LARGE.length));
    });
  });

  describe('a schedule', () => {
    it('begins what it has missed in parts', async () => {
      const starter = await on().house.boot({ engine: false, workflows: { hourly: echo } });
      const options = { every: '1h', missed: 'all', overlap: 'allow' } as const;
      await starter.schedules.create('hourly', { id: 'hourly', ...options, input: LARGE });
      await on().house.backend!.query(`UPDATE durable_schedules SET next_at = next_at - ${COUNT * 3_600_000}`);
      const { client } = await on().house.boot({ workflows: { hourly: echo } });
      const ended = () => client.list({ workflow: 'hourly', status: 'completed' });
      await until('all have ended', async () => (await ended()).runs.length === COUNT);
      await starter.schedules.delete('hourly');
    });
  });

  describe('signals', () => {
    const listens = async (ctx: WorkflowContext, name: string) =>
      (await ctx.waitForSignal(name, new WorkflowSignal<string>(name))).length;

    it('refuses one with a payload that is too large, and writes nothing', async () => {
      const process = await on().house.boot({ workflows: { listens } });
      const { client } = process;
      const handle = await client.start('listens', 'one');
      const to = { workflowId: handle.id };
      expect(await thrownBy(client.signal('one', TOO_LARGE, to))).toBeInstanceOf(StatementTooLargeError);
      const refusal = await refusedWithin(process, (transaction) =>
        client.signal('one', TOO_LARGE, { ...to, transaction }),
      );
      expect(refusal).toBeInstanceOf(StatementTooLargeError);
      expect(await count("durable_signals WHERE name = 'one'")).toBe(0);
      await client.signal('one', LARGE, to);
      expect(await handle.result({ timeout: '120s' })).toBe(LARGE.length);
    });

    it('writes many at once in parts, beside one that is too large', async () => {
      const { client } = await on().house.boot({ workflows: { listens } });
      const handles = await Promise.all(upTo(COUNT).map(() => client.start('listens', 'many')));
      const sent = await Promise.allSettled(
        [TOO_LARGE, ...handles.map(() => LARGE)].map((payload, n) =>
          client.signal('many', payload, { workflowId: handles[Math.max(0, n - 1)]!.id }),
        ),
      );
      expect(sent.map(({ status }) => status)).toEqual(['rejected', ...Array<string>(COUNT).fill('fulfilled')]);
      expect(sent[0]).toMatchObject({ reason: { code: 'STATEMENT_TOO_LARGE' } });
      const results = await Promise.all(handles.map((handle) => handle.result({ timeout: '120s' })));
      expect(results).toEqual(Array(COUNT).fill(LARGE.length));
    });
  });

  describe('a signal whose delivery is too large', () => {
    it('holds up no other, and is told of', async () => {
      const listens = async (ctx: WorkflowContext) =>
        (await ctx.waitForSignal('wait', new WorkflowSignal<string>('held-up'))).length;
      const { client, engine, telemetry } = await on().house.boot({ workflows: { listens }, residencyMs: 1 });
      const errors: unknown[] = [];
      telemetry.on('loop.error', ({ error }) => errors.push(error));
      const handles = await Promise.all(upTo(3).map(() => client.start('listens')));
      // A wait that is just being opened is given what is there by another way.
      const waits = `durable_signal_waits WHERE run_id IN (${handles.map(({ id }) => `'${id}'`).join(', ')})`;
      await until('all wait', async () => engine.residents.size === 0 && (await count(waits)) === handles.length);
      // Twice as long as JSON, four times in the answer to the step, and eight times in the rows of its statement.
      await client.signal('held-up', '"'.repeat(200_000), { workflowId: handles[0]!.id });
      await until('it is told of', () => errors.some((error) => error instanceof UndeliverableSignalError));
      for (const { id } of handles.slice(1)) await client.signal('held-up', 'x', { workflowId: id });
      const others = handles.slice(1).map((handle) => handle.result({ timeout: '120s' }));
      expect(await Promise.all(others)).toEqual([1, 1]);
      expect((await client.getStatus(handles[0]!.id)).status).not.toBe('completed');
      await client.terminate(handles[0]!.id);
    });
  });

  describe('signals of one transaction', () => {
    const wait = (ctx: WorkflowContext, name: string) => ctx.waitForSignal(name, new WorkflowSignal<string>(name));
    const listens = async (ctx: WorkflowContext) =>
      (await Promise.all(upTo(COUNT).map((n) => wait(ctx, `n-${n}`)))).map((payload) => payload.length);

    it('are delivered in parts', async () => {
      const process = await on().house.boot({ workflows: { listens } });
      const { client, storage } = process;
      const handle = await client.start('listens');
      const asked = async () => (await client.getStatus(handle.id, { history: true })).history?.length === COUNT;
      await until('it waits for all', asked);
      await inAppTransaction(on().at.orm, storage.handle, async ({ handle: transaction }) => {
        for (const n of upTo(COUNT)) await client.signal(`n-${n}`, LARGE, { workflowId: handle.id, transaction });
      });
      expect(await handle.result({ timeout: '120s' })).toEqual(Array(COUNT).fill(LARGE.length));
    });
  });

  describe('events', () => {
    let open: OpenOutbox;
    beforeAll(async () => {
      open = await openOutbox(on().house.backend!);
    });
    const event = (n: number, data: string) => ({ channel: `c${n % 3}`, name: 'e', mutationId: String(n), data });
    const written = async () =>
      (
        await on().house.backend!.query<{ mutation_id: string }>('SELECT mutation_id FROM outbox ORDER BY sequence_id')
      ).map((row) => Number(row.mutation_id));
    beforeEach(() => on().house.backend!.query('DELETE FROM outbox'));

    it('refuses one that is too large, and with it the transaction that publishes it', async () => {
      const { orm, handle, query } = on().house.backend!;
      await query('CREATE TABLE posts (id integer PRIMARY KEY)');
      expect(await thrownBy(open.outbox.publish([event(0, TOO_LARGE)]))).toBeInstanceOf(StatementTooLargeError);
      const committed = inAppTransaction(orm, handle, async (tx) => {
        await tx.query('INSERT INTO posts VALUES (1)');
        await open.outbox.publish([event(1, 'x'), event(2, TOO_LARGE)], { transaction: tx.handle });
      });
      expect(await thrownBy(committed)).toBeInstanceOf(StatementTooLargeError);
      expect([await written(), await count('posts')]).toEqual([[], 0]);
      await open.outbox.publish([event(3, LARGE)]);
      expect(await written()).toEqual([3]);
    });

    it('writes many of one transaction in parts, in their order', async () => {
      const { orm, handle } = on().house.backend!;
      await inAppTransaction(orm, handle, async (tx) => {
        const events = upTo(COUNT).map((n) => event(n, LARGE));
        await open.outbox.publish(events.slice(0, 7), { transaction: tx.handle });
        await open.outbox.publish(events.slice(7), { transaction: tx.handle });
      });
      expect(await written()).toEqual(upTo(COUNT));
    });
  });

  describe('effects', () => {
    let database: EffectsDatabase;
    beforeAll(async () => {
      database = await effectsDatabase(on().at);
    });
    afterAll(() => database.close());
    beforeEach(() => database.empty());
    const effects = () =>
      new Effects(database.storage, { codec: jsonCodec, payloadBytes: 2 << 20, clock: systemClock });
    const operation = (payloads: readonly string[]) => ({
      operation: 'erase',
      subject: 'user-1',
      calls: payloads.map((payload, ref) => ({ handler: 'files', ref, payload })),
    });
    const refs = async () =>
      (await database.backend.query<{ ref: string }>('SELECT ref FROM durable_effects ORDER BY entry_id')).map(
        ({ ref }) => Number(ref),
      );

    it('refuses one that is too large, and writes none of its operation', async () => {
      const { orm, handle } = database.backend;
      const tooLarge = operation([LARGE, LARGE, TOO_LARGE]);
      expect(await thrownBy(effects().enqueue(tooLarge))).toBeInstanceOf(StatementTooLargeError);
      const within = inAppTransaction(orm, handle, (tx) => effects().enqueue(tooLarge, { transaction: tx.handle }));
      expect(await thrownBy(within)).toBeInstanceOf(StatementTooLargeError);
      expect(await refs()).toEqual([]);
    });

    it('writes many of one operation in parts', async () => {
      const { orm, handle } = database.backend;
      const many = operation(Array<string>(COUNT).fill(LARGE));
      await effects().enqueue(many);
      expect(await refs()).toEqual(upTo(COUNT));
      await inAppTransaction(orm, handle, (tx) =>
        effects().enqueue({ ...many, subject: 'user-2' }, { transaction: tx.handle }),
      );
      expect(await refs()).toEqual([...upTo(COUNT), ...upTo(COUNT)]);
    });
  });
});
