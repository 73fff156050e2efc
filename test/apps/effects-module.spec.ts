import { randomUUID } from 'node:crypto';
import { Injectable, type Type } from '@nestjs/common';
import {
  type AbandonedEffect,
  alreadyAbsent,
  ConfigurationError,
  Effect,
  type EffectContext,
  type EffectOptions,
  EffectRunner,
  Effects,
  type EffectsModuleOptions,
  NonRetryableEffectError,
  OnAbandoned,
  OnOperationComplete,
  RetryAfterError,
  scheduleUntil,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSignal,
} from '../../lib/index.js';
import { describeEffectsPlaces, type EffectsPlace } from '../support/effects-app.js';
import { until } from '../support/until.js';

const FAST: EffectOptions = { attempts: 3, backoff: { delay: '20ms', maxDelay: '40ms' } };
const SETTINGS: EffectsModuleOptions = { pollInterval: '20ms', shutdownTimeout: '1s' };

type Behaviour = (context: EffectContext, ref: unknown) => unknown;

/** What is outside, as a test wants it to be: by handler and subject. */
const world = new Map<string, Behaviour>();
const called: string[] = [];
const abandoned: AbandonedEffect[] = [];
let onComplete: (subject: string, tx: unknown) => unknown = () => undefined;

const outside = (handler: string, ref: unknown, context: EffectContext): unknown => {
  called.push(`${handler} ${context.subject} ${context.attempt} ${context.idempotencyKey}`);
  return (world.get(`${handler} ${context.subject}`) ?? (() => undefined))(context, ref);
};
const timesCalled = (handler: string, subject: string): number =>
  called.filter((call) => call.startsWith(`${handler} ${subject} `)).length;

@Injectable()
class Services {
  @Effect('crm', FAST)
  crm(ref: string, context: EffectContext): unknown {
    return outside('crm', ref, context);
  }

  @Effect('mail', FAST)
  async mail(ref: { list: string }, context: EffectContext): Promise<unknown> {
    return outside('mail', ref, context);
  }

  @Effect('billing', { ...FAST, timeout: '10s' })
  billing(ref: number, context: EffectContext): unknown {
    return outside('billing', ref, context);
  }
}

@Injectable()
class Listeners {
  @OnOperationComplete(['erase', 'rectify'])
  async completed(subject: string, tx: unknown, operation: string): Promise<void> {
    await place.note(tx, `${operation} ${subject}`);
    await onComplete(subject, tx);
  }

  @OnAbandoned('erase')
  abandoned(entry: AbandonedEffect): void {
    abandoned.push(entry);
  }
}

@Injectable()
class MoreListeners {
  @OnAbandoned('erase')
  alsoAbandoned(): void {
    throw new Error('this one cannot');
  }
}

const erased = new WorkflowSignal<{ subject: string }>('erased');

@Workflow('erasure')
class Erasure {
  async run(ctx: WorkflowContext, key: string): Promise<unknown> {
    return ctx.waitForSignal('erased', erased, { key });
  }
}

@Workflow('leaving')
class Leaving {
  async run(ctx: WorkflowContext, subject: string): Promise<string[]> {
    return ctx.effects({ operation: 'rectify', subject, calls: calls('crm', 'mail') });
  }
}

/** The refs of two calls, and whether they are the same. */
const REFS: [what: string, refs: [unknown, unknown], isTwice: boolean][] = [
  ['maps', [new Map([['a', 1]]), new Map([['b', 2]])], false],
  ['sets within objects', [{ of: new Set(['a']) }, { of: new Set(['b']) }], false],
  ['numbers without JSON', [Number.NaN, Number.POSITIVE_INFINITY], false],
  ['big numbers', [12n, 13n], false],
  ['a number and a big one', [12, 12n], false],
  [
    'objects with their fields in another order',
    [
      { a: 1, b: [2n] },
      { b: [2n], a: 1 },
    ],
    true,
  ],
  ['maps that are equal', [new Map([['a', 1]]), new Map([['a', 1]])], true],
];

@Workflow('crm of refs')
class CrmOfRefs {
  async run(ctx: WorkflowContext, { of, n }: { of: string; n: number }): Promise<unknown> {
    return ctx.effects({ operation: 'rectify', subject: of, calls: crmOf(n) });
  }
}

const crmOf = (n: number) => REFS[n]![1].map((ref) => ({ handler: 'crm', ref }));

let place: EffectsPlace;
let subject: string;

const calls = (...handlers: string[]) => handlers.map((handler) => ({ handler, ref: `${handler}-7` }));

describeEffectsPlaces('an app with effects', (placed) => {
  const boot = (effects: EffectsModuleOptions = {}, providers: Type[] = [Services, Listeners]) =>
    place.boot({ engine: false, worker: false, effects: { ...SETTINGS, ...effects } }, providers);
  const completions = async (operation = 'erase') =>
    (await place.notes()).filter((note) => note === `${operation} ${subject}`).length;
  const completed = () => until('it is complete', async () => (await completions()) > 0);

  beforeEach(() => {
    place = placed();
    subject = randomUUID();
    onComplete = () => undefined;
    world.clear();
    abandoned.length = 0;
    called.length = 0;
  });

  it('makes what commits happen, however often it fails, and completes it once', async () => {
    const keys = new Set<string>();
    world.set(`crm ${subject}`, ({ attempt, idempotencyKey }) => {
      keys.add(idempotencyKey);
      if (attempt < 3) throw new Error(`for ${subject} not now`);
    });
    world.set(`mail ${subject}`, ({ attempt }) => {
      if (attempt === 1) throw new RetryAfterError(30);
    });
    world.set(`billing ${subject}`, () => alreadyAbsent());
    const app = await boot();
    const effects = app.get(Effects);
    const ids = await place.inTransaction(app, ({ handle: transaction }) =>
      effects.enqueue({ operation: 'erase', subject, calls: calls('crm', 'mail', 'billing') }, { transaction }),
    );
    await completed();
    const tries = ['crm', 'mail', 'billing'].map((handler) => timesCalled(handler, subject));
    expect([tries, [...keys]]).toEqual([[3, 2, 1], [ids[0]]]);
    const recorded = await effects.auditLog({ operation: 'erase', subject });
    const succeeded = recorded.slice(0, -1);
    expect(succeeded.map(({ type }) => type)).toEqual(Array(3).fill('effect_succeeded'));
    // Which was the first depends on the connections, not on who was called more often.
    expect(succeeded.map(({ entryId }) => entryId).sort()).toEqual([...ids].sort());
    expect(recorded.at(-1)).toMatchObject({ type: 'operation_completed', entryId: null });
    expect(JSON.stringify(recorded)).not.toContain('not now');
    expect(await completions()).toBe(1);
  });

  it('does nothing of what rolls back', async () => {
    const app = await boot();
    const enqueue = async (transaction?: unknown) => {
      await app.get(Effects).enqueue({ operation: 'erase', subject, calls: calls('crm') }, { transaction });
      throw new Error('changed my mind');
    };
    if (place.orm) await expect(place.inTransaction(app, ({ handle }) => enqueue(handle))).rejects.toThrow(/changed/);
    await app.get(Effects).enqueue({ operation: 'rectify', subject, calls: calls('crm') });
    await until('the other is complete', async () => (await completions('rectify')) === 1);
    expect(timesCalled('crm', subject)).toBe(1);
  });

  it('leaves the last call in flight when the completion throws, and all that it wrote undone', async () => {
    let throws = 1;
    onComplete = () => {
      if (throws-- > 0) throw new Error('not yet');
    };
    const effects = (await boot()).get(Effects);
    await effects.enqueue({ operation: 'erase', subject, calls: calls('crm') });
    await until('it was settled in vain', () => throws === 0);
    // As long as its lease holds, nobody calls again.
    await place.expireLeases();
    await until('it is complete', async () => (await effects.auditLog({ operation: 'erase', subject })).length === 2);
    expect(throws).toBe(-1);
    expect(timesCalled('crm', subject)).toBe(2);
    // In memory nothing is rolled back.
    expect(await completions()).toBe(place.orm ? 1 : 2);
  });

  it('abandons loudly and once, blocks the completion, and completes after somebody has requeued it', async () => {
    let broken = true;
    world.set(`mail ${subject}`, () => {
      if (broken) throw new NonRetryableEffectError(`${subject} is unknown`);
    });
    const effects = (await boot({}, [Services, Listeners, MoreListeners])).get(Effects);
    const [, mail] = await effects.enqueue({ operation: 'erase', subject, calls: calls('crm', 'mail') });
    await until('it was told', () => abandoned.length > 0);
    const told = { entryId: mail, subject, handler: 'mail', operation: 'erase', attempts: 1 };
    expect(abandoned).toEqual([{ ...told, error: 'NonRetryableEffectError' }]);
    const [listed] = (await effects.listAbandoned()).filter((entry) => entry.subject === subject);
    expect(listed).toMatchObject({ entryId: mail, ref: 'mail-7', status: 'abandoned', attempts: 1 });
    await until('the other one is done', () => timesCalled('crm', subject) === 1);
    expect(await completions()).toBe(0);
    broken = false;
    expect(await effects.requeue([mail!, 'nobody'])).toEqual([mail]);
    await completed();
    expect([abandoned.length, timesCalled('mail', subject), timesCalled('crm', subject)]).toEqual([1, 2, 1]);
    expect(called.at(-1)).toBe(`mail ${subject} 1 ${mail}`);
  });

  it('abandons what has had all its tries', async () => {
    world.set(`crm ${subject}`, () => Promise.reject(new RangeError('no')));
    const effects = (await boot()).get(Effects);
    await effects.enqueue({ operation: 'erase', subject, calls: calls('crm') });
    await until('it was told', () => abandoned.length > 0);
    expect(abandoned).toMatchObject([{ attempts: 3, error: 'RangeError' }]);
    expect(timesCalled('crm', subject)).toBe(3);
  });

  it('calls again at the time that a handler has named, and is not complete before', async () => {
    let doneAt = Number.POSITIVE_INFINITY;
    world.set(`billing ${subject}`, () =>
      Date.now() < doneAt ? scheduleUntil(Math.min(doneAt, Date.now() + 50)) : null,
    );
    const effects = (await boot()).get(Effects);
    const [id] = await effects.enqueue({ operation: 'erase', subject, calls: calls('billing') });
    const scheduled = await until('it is scheduled', async () =>
      (await effects.listScheduled()).find(({ entryId }) => entryId === id),
    );
    expect(scheduled).toMatchObject({ status: 'scheduled', attempts: 0, handler: 'billing' });
    await until('it was called more often than it may fail', () => timesCalled('billing', subject) > 4);
    expect(await completions()).toBe(0);
    doneAt = 0;
    await completed();
  });

  it('ends calls that take too long, as the module says in place of the decorator', async () => {
    const reasons: unknown[] = [];
    world.set(`billing ${subject}`, ({ signal }) => {
      signal.addEventListener('abort', () => reasons.push((signal.reason as { code?: unknown }).code));
      return new Promise(() => {});
    });
    const effects = (await boot({ handlers: { billing: { timeout: 30, attempts: 2 } } })).get(Effects);
    await effects.enqueue({ operation: 'erase', subject, calls: calls('billing') });
    await until('it was told', () => abandoned.length > 0);
    expect(abandoned).toMatchObject([{ attempts: 2, error: 'EffectTimeoutError' }]);
    expect(reasons).toEqual(['EFFECT_TIMEOUT', 'EFFECT_TIMEOUT']);
  });

  it('refuses handlers that nobody knows before anything is written, unless another process has them', async () => {
    const operation = { operation: 'erase', subject, calls: calls('crm', 'elsewhere') };
    const app = await boot({ run: false });
    const before = await app.get(Effects).statusCounts();
    await expect(app.get(Effects).enqueue(operation)).rejects.toMatchObject({ code: 'UNKNOWN_EFFECT_HANDLER' });
    expect(await app.get(Effects).statusCounts()).toEqual(before);
    for (const remoteHandlers of [['elsewhere'], 'any'] as const) {
      const effects = (await boot({ run: false, remoteHandlers })).get(Effects);
      expect(await effects.enqueue(operation)).toHaveLength(2);
    }
  });

  it('leaves calls to the processes that have their handlers, and shows those that wait', async () => {
    @Injectable()
    class NewServices {
      @Effect('elsewhere', FAST)
      elsewhere(ref: string, context: EffectContext): unknown {
        return outside('elsewhere', ref, context);
      }
    }
    const old = await boot({ remoteHandlers: ['elsewhere'] });
    const effects = old.get(Effects);
    const [id] = await effects.enqueue({ operation: 'erase', subject, calls: calls('elsewhere', 'crm') });
    await until('its own call is made', () => timesCalled('crm', subject) === 1);
    expect(await old.get(EffectRunner).runOnce()).toBe(0);
    const unclaimed = await until('it is shown', async () =>
      (await effects.listUnclaimed({ olderThan: '50ms' })).find(({ handler }) => handler === 'elsewhere'),
    );
    expect(unclaimed.ageMs).toBeGreaterThanOrEqual(50);
    expect(called.some((call) => call.startsWith('elsewhere'))).toBe(false);
    await boot({}, [NewServices, Listeners]);
    await completed();
    expect(called.filter((call) => call.endsWith(id!))).toEqual([`elsewhere ${subject} 1 ${id}`]);
  });

  it('tells refs apart as they are stored, and refuses what cannot be, by whichever way they come', async () => {
    const app = await place.boot({ worker: false, engine: { pollInterval: '20ms' }, effects: SETTINGS }, [
      ...[Services, Listeners, CrmOfRefs],
    ]);
    const [effects, client] = [app.get(Effects), app.get(WorkflowClient)];
    for (const [n, [what, , isTwice]] of REFS.entries()) {
      const of = `${subject}-${n}`;
      const enqueued = await effects.enqueue({ operation: 'erase', subject: of, calls: crmOf(n) }).catch(String);
      const { id } = await client.start(CrmOfRefs, { of, n }, { id: `refs-${of}` });
      const asked = await until(`${what} are asked for`, async () => {
        const { reason, reasonDetail, status } = await client.getStatus(id);
        return reason === 'programming_error' ? reasonDetail : status === 'completed' && 'completed';
      });
      const same: unknown = expect.stringMatching(/each handler and ref once/);
      const each = [expect.any(String), expect.any(String)];
      expect([enqueued, asked]).toEqual(isTwice ? [same, same] : [each, 'completed']);
    }
    const refused = effects.enqueue({ operation: 'erase', subject, calls: [{ handler: 'crm', ref: [() => 1] }] });
    await expect(refused).rejects.toMatchObject({ code: 'NOT_SERIALIZABLE' });
  });

  it('makes calls when told to, where the process makes none by itself', async () => {
    const app = await boot({ run: false });
    await app.get(Effects).enqueue({ operation: 'erase', subject, calls: calls('crm', 'mail') });
    const runner = app.get(EffectRunner);
    while (timesCalled('mail', subject) === 0) expect(await runner.runOnce()).toBeGreaterThan(0);
    while ((await runner.runOnce()) > 0);
    expect(await completions()).toBe(1);
  });

  it('tells a workflow in the transaction that completes the operation', async () => {
    const app = await place.boot({ worker: false, engine: { pollInterval: '20ms' }, effects: SETTINGS }, [
      Services,
      Listeners,
      Erasure,
    ]);
    const client = app.get(WorkflowClient);
    let tries = 0;
    onComplete = async (of, transaction) => {
      const payload = { subject: `${of} at ${++tries}` };
      await client.signal(erased, payload, { key: of, id: `erased-${of}-${tries}`, transaction });
      // In memory nothing is rolled back.
      if (tries === 1 && place.orm) throw new Error('not yet');
    };
    const { id } = await client.start(Erasure, subject, { id: `erasure-${subject}` });
    await app.get(Effects).enqueue({ operation: 'erase', subject, calls: calls('crm') });
    await until('it was settled', () => tries === 1);
    if (place.orm) await place.expireLeases();
    expect(await client.result(id)).toEqual({ subject: `${subject} at ${place.orm ? 2 : 1}` });
  });

  it('lets a workflow wait for its calls', async () => {
    world.set(`mail ${subject}`, ({ attempt }) => {
      if (attempt < 3) throw new Error('not yet');
    });
    const app = await place.boot({ worker: false, engine: { pollInterval: '20ms' }, effects: SETTINGS }, [
      ...[Services, Listeners, Leaving],
    ]);
    const ids = await app.get(WorkflowClient).startAndWait(Leaving, subject, { id: `leaving-${subject}` });
    const keys = called.filter((call) => call.includes(` ${subject} `)).map((call) => call.split(' ').at(-1));
    expect([...new Set(keys)].sort()).toEqual([...ids].sort());
    expect([timesCalled('crm', subject), timesCalled('mail', subject)]).toEqual([1, 3]);
    expect(await completions('rectify')).toBe(1);
  });

  it('keeps an abandoned call as long as a workflow waits for it', async () => {
    world.set(`mail ${subject}`, () => {
      throw new NonRetryableEffectError('no such list');
    });
    const app = await place.boot({ worker: false, engine: { pollInterval: '20ms' }, effects: SETTINGS }, [
      ...[Services, Listeners, Leaving],
    ]);
    const [client, effects] = [app.get(WorkflowClient), app.get(Effects)];
    const { id } = await client.start(Leaving, subject, { id: `leaving-${subject}` });
    const theirs = async () => (await effects.listAbandoned()).filter((entry) => entry.subject === subject);
    await until('it is abandoned', async () => (await theirs()).length === 1);
    await effects.purge({ olderThan: 0, status: 'abandoned' });
    const by = { actor: 'ada', reason: 'a request' };
    const group = { operation: 'rectify', subject };
    expect(await client.erase({ effects: [group] }, { ...by, discard: true })).toMatchObject({
      complete: false,
      kept: [{ kind: 'effect', why: expect.stringMatching(/end the run/) as string }],
    });
    world.clear();
    await effects.requeue((await theirs()).map(({ entryId }) => entryId));
    expect(await client.result(id)).toHaveLength(2);
  });

  it('keeps events where the app wants them, before anything changes', async () => {
    const kept: string[] = [];
    let away = 2;
    const audit = {
      append: async (events: readonly { type: string; eventId: string }[]) => {
        if (away-- > 0) throw new Error('the log is away');
        kept.push(...events.map(({ type }) => type));
      },
    };
    const effects = (await boot({ audit })).get(Effects);
    await effects.enqueue({ operation: 'erase', subject, calls: calls('crm') });
    for (const left of [1, 0]) {
      await until('it was settled in vain', () => away === left);
      await place.expireLeases();
    }
    await until('all is kept', () => kept.length >= 2);
    expect(kept).toEqual(['effect_succeeded', 'operation_completed']);
    expect(timesCalled('crm', subject)).toBe(3);
    expect(await effects.auditLog({ operation: 'erase', subject })).toEqual([]);
  });

  it('can be turned off', async () => {
    const app = await place.boot({ engine: false, worker: false, effects: false }, [Services, Listeners]);
    const enqueuing = app.get(Effects).enqueue({ operation: 'erase', subject, calls: [] });
    expect(await enqueuing).toEqual([]);
    await expect(app.get(Effects).statusCounts()).rejects.toThrow(/effects: false/);
    await expect(app.get(Effects).enqueue({ operation: 'erase', subject, calls: calls('crm') })).rejects.toThrow(
      ConfigurationError,
    );
  });
});
