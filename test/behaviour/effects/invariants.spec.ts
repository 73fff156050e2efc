import { NonRetryableEffectError } from '../../../lib/core/errors.js';
import { RetryAfterError } from '../../../lib/core/run-errors.js';
import type { AuditEvent } from '../../../lib/effects/entries.js';
import { type AbandonedEffect, alreadyAbsent, type EffectContext } from '../../../lib/effects/handlers.js';
import { type EffectsFixture, ERASE } from '../../contract/conformance/effects.js';
import { describeDatabases } from '../../support/backends.js';
import { type Call, effectsOn, type RunnerSetup, type RunningEffects } from '../../support/effect-runners.js';
import { type EffectsDatabase, effectsDatabase } from '../../support/effects-database.js';
import { gate } from '../../support/gate.js';

/** Of the lease, and longer than every wait between two tries. */
const LONG_MS = 300_000;

/** What the ports alone cannot show: enqueuing, calling, settling and telling, together. */
describeDatabases('invariants of effects that are made', (at) => {
  let database: EffectsDatabase;
  let fixture: EffectsFixture;
  const running: RunningEffects[] = [];

  beforeAll(async () => {
    database = await effectsDatabase(at);
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    await database.empty();
    fixture = database.fixture();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ runner }) => runner.stop()));
  });

  const boot = (setup: RunnerSetup, storage = fixture.storage): RunningEffects => {
    const started = effectsOn(storage, setup);
    running.push(started);
    return started;
  };
  const enqueue = ({ effects }: RunningEffects, ...handlers: string[]) =>
    effects.enqueue({ ...ERASE, calls: handlers.map((handler) => ({ handler, ref: 'ada' })) });
  const auditLog = async () =>
    (await fixture.storage.audit.read(ERASE)).map(({ type, handler }) => (handler ? `${type} ${handler}` : type));
  const rowOf = async (id: string | undefined) => (await fixture.rows()).find(({ entryId }) => entryId === id);
  /** Everything that is due now or becomes due. */
  const makeAll = async ({ runner }: RunningEffects) => {
    for (let rounds = 0; rounds < 10; rounds++, fixture.clock.advance(LONG_MS)) while ((await runner.runOnce()) > 0);
  };

  it('I30 an abandonment is told once, after it and its record are durable, and what the listener throws changes nothing', async () => {
    const told: AbandonedEffect[] = [];
    const seen: unknown[] = [];
    const erase = async (entry: AbandonedEffect) => {
      told.push(entry);
      seen.push([(await rowOf(entry.entryId))?.status, (await auditLog()).at(-1)]);
      throw new SyntaxError('the pager is away');
    };
    const crm = () => Promise.reject(new RangeError('ada@example.org'));
    const started = boot({ handlers: { crm, mail: () => undefined }, onAbandoned: { erase } });
    const [id] = await enqueue(started, 'crm');
    await makeAll(started);
    const { subject, operation } = ERASE;
    const expected = { entryId: id, subject, operation, handler: 'crm', attempts: 3, error: 'RangeError' };
    expect(told).toEqual([expected]);
    expect(await started.effects.requeue([id!])).toEqual([id]);
    await enqueue(started, 'mail');
    await makeAll(started);
    expect(told).toEqual([expected, expected]);
    expect(seen).toEqual(Array(2).fill(['abandoned', 'effect_abandoned crm']));
    expect(await started.effects.statusCounts()).toMatchObject({ abandoned: 1, succeeded: 1 });
  });

  it('I31, I32 an audit log grows at its end only: the ends of calls, what people decided, and the completion last', async () => {
    let broken = true;
    const mail: Call = (_, { attempt }) => {
      if (attempt === 1) throw new Error('away');
      return alreadyAbsent();
    };
    const billing: Call = () => {
      if (broken) throw new NonRetryableEffectError('an open invoice');
    };
    const started = boot({ handlers: { crm: () => undefined, mail, billing } });
    const [, , id] = await enqueue(started, 'crm', 'mail', 'billing');
    expect(await auditLog()).toEqual([]);
    await makeAll(started);
    const before = await started.effects.auditLog(ERASE);
    expect((await auditLog()).sort()).toEqual([
      'effect_abandoned billing',
      'effect_succeeded crm',
      'effect_succeeded mail',
    ]);
    expect(await auditLog()).toHaveLength(3);
    expect((await auditLog()).at(-1)).toBe('effect_succeeded mail');
    broken = false;
    await started.effects.requeue([id!]);
    await makeAll(started);
    expect((await started.effects.auditLog(ERASE)).slice(0, 3)).toEqual(before);
    expect((await auditLog()).slice(3)).toEqual([
      'effect_requeued billing',
      'effect_succeeded billing',
      'operation_completed',
    ]);
  });

  it.each(['the table', 'a sink'])('I32 what is refused or rolled back leaves no trace in %s', async (place) => {
    const appended: AuditEvent[] = [];
    const sink = fixture.withSink({ append: async (events) => void appended.push(...events) });
    const started = boot({ handlers: { crm: () => undefined } }, place === 'a sink' ? sink : fixture.storage);
    const { effects } = started;
    const calls = [{ handler: 'crm', ref: 'ada' }];
    const twice = effects.enqueue({ ...ERASE, calls: [...calls, ...calls] });
    await expect(twice).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const rolledBack = fixture.inTransaction(async (transaction) => {
      await effects.enqueue({ ...ERASE, calls }, { transaction });
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await makeAll(started);
    expect([await auditLog(), appended, await fixture.rows()]).toEqual([[], [], []]);
    await enqueue(started, 'crm');
    await makeAll(started);
    expect(place === 'a sink' ? appended.map(({ type }) => type) : await auditLog()).toHaveLength(2);
  });

  it('I34 by its key a call takes effect once: tried again, taken over from a dead process, requeued', async () => {
    const effectsOf = new Map<string, number>();
    const keys: string[] = [];
    const crm = async (_: never, { idempotencyKey, attempt }: EffectContext) => {
      keys.push(idempotencyKey);
      if (!effectsOf.has(idempotencyKey)) effectsOf.set(idempotencyKey, effectsOf.size + 1);
      if (keys.length < 4) throw new Error(`the answer ${attempt} was lost`);
    };
    const started = boot({ handlers: { crm } });
    const [id] = await enqueue(started, 'crm');
    await started.runner.runOnce();
    fixture.clock.advance(LONG_MS);
    // A process that dies in the call.
    const handlers = [{ name: 'crm', leaseMs: LONG_MS, attempts: 3 }];
    expect(await fixture.storage.claims.claim({ nodeId: 'dead', handlers, limit: 1 })).toHaveLength(1);
    fixture.clock.advance(LONG_MS);
    await makeAll(started);
    expect(await rowOf(id)).toMatchObject({ status: 'abandoned' });
    await started.effects.requeue([id!]);
    await makeAll(started);
    expect(await rowOf(id)).toMatchObject({ status: 'succeeded' });
    expect([new Set(keys), effectsOf.size]).toEqual([new Set([id]), 1]);
    const [other] = await enqueue(started, 'crm');
    await makeAll(started);
    expect([effectsOf.size, keys.at(-1)]).toEqual([2, other]);
  });

  it.each<[string, () => unknown, number]>([
    ['NonRetryableEffectError', () => Promise.reject(new NonRetryableEffectError('for good')), 1],
    ['RetryAfterError', () => Promise.reject(new RetryAfterError('1s')), 3],
    ['TypeError', () => Promise.reject(new TypeError('fetch failed')), 3],
    [
      'Error',
      () => {
        throw 'away';
      },
      3,
    ],
    ['EffectTimeoutError', () => new Promise(() => {}), 3],
  ])('I35 %s: abandoned at once only where trying again cannot help', async (error, call, attempts) => {
    let calls = 0;
    const crm = () => {
      calls++;
      return call();
    };
    const started = boot({ handlers: { crm }, policy: { timeoutMs: 20 } });
    const [id] = await enqueue(started, 'crm');
    await makeAll(started);
    expect(await rowOf(id)).toMatchObject({ status: 'abandoned', attempts, lastError: error });
    expect(calls).toBe(attempts);
  });

  it('I36 calls share nothing: what ends one of a handler does not touch the others', async () => {
    const contexts: EffectContext[] = [];
    const first = gate();
    const crm = async (ref: string, context: EffectContext) => {
      contexts.push(context);
      if (ref === 'ends') return first.opened;
      return new Promise((_resolve, reject) =>
        context.signal.addEventListener('abort', () => {
          reject(context.signal.reason as Error);
          first.open();
        }),
      );
    };
    const started = boot({ handlers: { crm }, policy: { timeoutMs: 200 } });
    const calls = ['hangs', 'ends'].map((ref) => ({ handler: 'crm', ref }));
    const [hangs, ends] = await started.effects.enqueue({ ...ERASE, calls });
    await started.runner.runOnce();
    expect(new Set(contexts.map(({ signal }) => signal)).size).toBe(2);
    expect(contexts.map(({ idempotencyKey, signal }) => [idempotencyKey, signal.aborted])).toEqual([
      [hangs, true],
      [ends, false],
    ]);
    expect([(await rowOf(hangs))?.status, (await rowOf(ends))?.status]).toEqual(['failed', 'succeeded']);
  });
});
