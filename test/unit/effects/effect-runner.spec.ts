import { DatabaseError, NonRetryableEffectError } from '../../../lib/core/errors.js';
import { RetryAfterError } from '../../../lib/core/run-errors.js';
import type { TelemetryEvents } from '../../../lib/core/telemetry.js';
import { ManualClock } from '../../../lib/core/time.js';
import type { ClaimEffects, EffectStorage } from '../../../lib/effects/entries.js';
import { type HeldEffect, inMemoryEffectStorage, MemoryEffects } from '../../../lib/effects/entries.memory.js';
import {
  type AbandonedEffect,
  alreadyAbsent,
  type EffectContext,
  scheduleUntil,
} from '../../../lib/effects/handlers.js';
import { effectsOn, type RunnerSetup, type RunningEffects } from '../../support/effect-runners.js';
import { type Gate, gate } from '../../support/gate.js';
import { until } from '../../support/until.js';
import { throwUnreadable, UNREADABLE } from '../../support/unreadable.js';

describe('EffectRunner', () => {
  let clock: ManualClock;
  let tables: MemoryEffects;
  let storage: EffectStorage;
  const running: RunningEffects[] = [];

  const boot = (setup: RunnerSetup, on: EffectStorage = storage) => {
    const started = effectsOn(on, { ...setup, options: { elapsed: clock, ...setup.options } });
    running.push(started);
    return started;
  };
  const enqueue = (calls: { handler: string; ref: unknown; payload?: unknown }[], subject = 'ada') =>
    running[0]!.effects.enqueue({ operation: 'erase', subject, calls });
  const entry = (id: string | undefined): HeldEffect => tables.entries.get(String(id))!;
  const told = <Name extends keyof TelemetryEvents>({ telemetry }: RunningEffects, name: Name) => {
    const events: TelemetryEvents[Name][] = [];
    telemetry.on(name, (event) => events.push(event));
    return events;
  };

  beforeEach(() => {
    clock = new ManualClock();
    tables = new MemoryEffects(clock);
    storage = inMemoryEffectStorage(tables);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ runner }) => runner.stop()));
  });

  it('hands over what the call is about, and settles it', async () => {
    const seen: [unknown, Partial<EffectContext>][] = [];
    const { runner } = boot({ handlers: { crm: (ref, context) => void seen.push([ref, { ...context }]) } });
    const [id] = await enqueue([{ handler: 'crm', ref: { customer: 7 }, payload: new Date(0) }]);
    expect(await runner.runOnce()).toBe(1);
    const context = { idempotencyKey: id, attempt: 1, subject: 'ada', operation: 'erase', payload: new Date(0) };
    expect(seen).toEqual([[{ customer: 7 }, expect.objectContaining(context)]]);
    expect(entry(id)).toMatchObject({ status: 'succeeded', attempts: 1, payload: null });
    expect(await runner.runOnce()).toBe(0);
  });

  it('tries again with a growing wait that is no chance, and abandons after the last', async () => {
    const runs: number[] = [];
    const abandoned: AbandonedEffect[] = [];
    const crm = (_: never, { attempt }: EffectContext) => {
      runs.push(attempt);
      throw new RangeError('no e-mail of ada in here');
    };
    const setup = { handlers: { crm }, onAbandoned: { erase: (each: AbandonedEffect) => abandoned.push(each) } };
    const started = boot(setup);
    const failures = told(started, 'effects.failed');
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    await started.runner.runOnce();
    expect(entry(id)).toMatchObject({ status: 'failed', lastError: 'RangeError', dueAt: clock.now() + 30_000 });
    clock.advance(29_999);
    expect(await started.runner.runOnce()).toBe(0);
    clock.advance(1);
    expect(await started.runner.runOnce()).toBe(1);
    expect(entry(id)).toMatchObject({ status: 'failed', dueAt: clock.now() + 60_000 });
    expect(failures.map(({ retryInMs }) => retryInMs)).toEqual([30_000, 60_000]);
    expect(abandoned).toEqual([]);
    clock.advance(60_000);
    await started.runner.runOnce();
    expect(runs).toEqual([1, 2, 3]);
    expect(entry(id)).toMatchObject({ status: 'abandoned', lastError: 'RangeError' });
    const error = 'RangeError';
    expect(abandoned).toEqual([
      { entryId: id, subject: 'ada', handler: 'crm', operation: 'erase', attempts: 3, error },
    ]);
    clock.advance(86_400_000);
    expect(await started.runner.runOnce()).toBe(0);
  });

  it('waits when it stops for a claim under way, and gives back what that brings', async () => {
    const { claims } = storage;
    const [claimed, goes] = [gate(), gate()];
    const late = async (request: ClaimEffects) => {
      const found = await claims.claim(request);
      claimed.open();
      await goes.opened;
      return found;
    };
    const { runner } = boot(
      { handlers: { crm: () => undefined } },
      { ...storage, claims: Object.assign(Object.create(claims) as typeof claims, { claim: late }) },
    );
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    const once = runner.runOnce();
    await claimed.opened;
    const stopped = runner.stop().then(() => entry(id));
    setImmediate(() => goes.open());
    expect(await stopped).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await once).toBe(0);
  });

  class TheirNonRetryable extends Error {
    override name = 'NonRetryableEffectError';
  }
  class OursExtended extends NonRetryableEffectError {}

  it.each([new NonRetryableEffectError('no'), new TheirNonRetryable('no'), new OursExtended('no')])(
    'abandons at once when trying again would not help',
    async (error) => {
      const { runner } = boot({ handlers: { crm: () => Promise.reject(error) } });
      const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
      await runner.runOnce();
      expect(entry(id)).toMatchObject({ status: 'abandoned', attempts: 1, lastError: error.constructor.name });
    },
  );

  it('waits as long as it is asked to, and counts that as a try', async () => {
    const { runner } = boot({ handlers: { crm: () => Promise.reject(new RetryAfterError('5m')) } });
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    for (const attempts of [1, 2]) {
      await runner.runOnce();
      expect(entry(id)).toMatchObject({ status: 'failed', attempts, dueAt: clock.now() + 300_000 });
      clock.advance(300_000);
    }
    await runner.runOnce();
    expect(entry(id)).toMatchObject({ status: 'abandoned', attempts: 3, lastError: 'RetryAfterError' });
  });

  it('waits with backoff when it is asked for a time that is none', async () => {
    const error = new RetryAfterError('soon' as never);
    const { runner } = boot({ handlers: { crm: () => Promise.reject(error) } });
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    await runner.runOnce();
    expect(entry(id)).toMatchObject({ status: 'failed', dueAt: clock.now() + 30_000 });
  });

  it('takes what was gone for a success, and a later time for what it is', async () => {
    const until = clock.now() + 86_400_000;
    const handlers = {
      gone: () => alreadyAbsent(),
      later: () => scheduleUntil(until),
      past: () => scheduleUntil(new Date(0)),
    };
    const { runner } = boot({ handlers });
    const [gone, later, past] = await enqueue(Object.keys(handlers).map((handler) => ({ handler, ref: 1 })));
    expect(await runner.runOnce()).toBe(3);
    expect(entry(gone)).toMatchObject({ status: 'succeeded' });
    expect(entry(later)).toMatchObject({ status: 'scheduled', dueAt: until, attempts: 0 });
    expect(entry(past)).toMatchObject({ status: 'scheduled', dueAt: clock.now() + 30_000, attempts: 0 });
    const trail = await storage.audit.read({ operation: 'erase', subject: 'ada' });
    expect(trail.find(({ entryId }) => entryId === gone)?.details).toMatchObject({ already_absent: true });
    expect(trail.filter(({ type }) => type === 'effect_scheduled')).toHaveLength(2);
  });

  it('ends a call that takes too long, and hears no more of it', async () => {
    let signal: AbortSignal | undefined;
    const late = gate();
    const crm = async (_: never, context: EffectContext) => {
      ({ signal } = context);
      await late.opened;
      throw new NonRetryableEffectError('too late to count');
    };
    const { runner } = boot({ handlers: { crm }, policy: { timeoutMs: 5 } });
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    await runner.runOnce();
    expect(signal).toMatchObject({ aborted: true, reason: { code: 'EFFECT_TIMEOUT' } });
    late.open();
    await late.opened;
    expect(entry(id)).toMatchObject({ status: 'failed', lastError: 'EffectTimeoutError' });
  });

  const hostile = Object.defineProperty({}, 'constructor', {
    get: () => {
      throw new Error('nobody may know');
    },
  });
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();

  it.each<[string, unknown]>([
    ['that throws when it is looked at', hostile],
    ['that nobody can look at', revoked],
  ])('tries again after something was thrown %s', async (_, thrown) => {
    const { runner } = boot({
      handlers: {
        crm: () => {
          throw thrown;
        },
      },
    });
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    expect(await runner.runOnce()).toBe(1);
    expect(entry(id)).toMatchObject({ status: 'failed', lastError: 'Error' });
  });

  it('fails what it cannot read, as another version may', async () => {
    const { runner } = boot({ handlers: { crm: () => undefined } });
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    tables.change(entry(id), { ref: 'no JSON' });
    await runner.runOnce();
    expect(entry(id)).toMatchObject({ status: 'failed', lastError: 'UnreadablePayloadError' });
  });

  it('settles each call as it ends, whatever becomes of the others', async () => {
    const slow = gate();
    const handlers = {
      slow: () => slow.opened,
      throws: () => {
        throw undefined;
      },
      fast: () => 'done',
    };
    const { runner } = boot({ handlers });
    const [first, second, third] = await enqueue(Object.keys(handlers).map((handler) => ({ handler, ref: 1 })));
    const run = runner.runOnce();
    await until('the others are settled', () => entry(third).status === 'succeeded' && entry(second).lastError);
    expect(entry(first).status).toBe('in_flight');
    expect(entry(second)).toMatchObject({ status: 'failed', lastError: 'Error' });
    slow.open();
    expect(await run).toBe(3);
    expect(entry(first).status).toBe('succeeded');
  });

  it.each(Object.keys(UNREADABLE))('counts what cannot be read as a failure, also of a listener: %s', async (kind) => {
    let [completions, abandonments] = [0, 0];
    const erase = () => (completions++, throwUnreadable(kind));
    const onAbandoned = { erase: () => (abandonments++, throwUnreadable(kind)) };
    const handlers = { throws: () => throwUnreadable(kind), fine: () => 'done' };
    const started = boot({ handlers, onComplete: { erase }, onAbandoned });
    const failures = [told(started, 'effects.settle-failed'), told(started, 'effects.listener-failed')];
    const [id] = await enqueue([{ handler: 'throws', ref: 1 }]);
    const [fine] = await enqueue([{ handler: 'fine', ref: 1 }], 'bob');
    for (let attempt = 1; attempt <= 3; attempt++) {
      await started.runner.runOnce();
      expect(entry(id)).toMatchObject({ attempts: attempt, status: attempt < 3 ? 'failed' : 'abandoned' });
      clock.advance(120_000);
    }
    expect(entry(fine).status).toBe('in_flight');
    expect([completions, abandonments]).toEqual([1, 1]);
    expect(failures.map(({ length }) => length)).toEqual([1, 1]);
  });

  it('tells of a completion while it settles, and makes the call again after its lease when that throws', async () => {
    const completed: string[] = [];
    let calls = 0;
    const erase = (subject: string) => {
      if (completed.push(subject) === 1) throw new Error('not now');
    };
    const started = boot({ handlers: { crm: () => calls++ }, onComplete: { erase } });
    const failures = told(started, 'effects.settle-failed');
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    await enqueue([{ handler: 'crm', ref: 1 }], 'bob');
    expect(await started.runner.runOnce()).toBe(2);
    expect(failures).toEqual([expect.objectContaining({ entryId: id, error: 'Error' })]);
    expect(entry(id)).toMatchObject({ status: 'in_flight', attempts: 1 });
    expect(completed).toEqual(['ada', 'bob']);
    expect(await started.runner.runOnce()).toBe(0);
    clock.advance(300_000);
    expect(await started.runner.runOnce()).toBe(1);
    expect(entry(id)).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect([calls, completed]).toEqual([3, ['ada', 'bob', 'ada']]);
  });

  it('does not call again what has killed all its processes', async () => {
    let calls = 0;
    const { runner } = boot({ handlers: { crm: () => calls++ } });
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    tables.change(entry(id), { status: 'in_flight', attempts: 3, token: 'of the dead', dueAt: clock.now() - 1 });
    expect(await runner.runOnce()).toBe(1);
    expect(calls).toBe(0);
    expect(entry(id)).toMatchObject({ status: 'abandoned', lastError: 'EffectAttemptsExhaustedError' });
  });

  it('renews its leases in time, and gives up a call whose lease was lost', async () => {
    const reasons: unknown[] = [];
    const held = gate();
    const crm = (_: never, { signal }: EffectContext) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return held.opened;
    };
    const started = boot({ handlers: { crm }, policy: { leaseMs: 60 } });
    const lost = told(started, 'effects.lease-lost');
    const [mine, theirs] = await enqueue([1, 2].map((ref) => ({ handler: 'crm', ref })));
    const run = started.runner.runOnce();
    await until('both are claimed', () => entry(mine).status === 'in_flight' && entry(theirs).status === 'in_flight');
    clock.advance(59);
    await until('the lease was renewed', () => entry(mine).dueAt === clock.now() + 60);
    tables.change(entry(theirs), { token: 'somebody else' });
    await until('it was given up', () => lost.length > 0);
    expect(reasons).toEqual([expect.objectContaining({ message: expect.stringContaining('lease') as string })]);
    held.open();
    expect(await run).toBe(2);
    expect(lost).toEqual([expect.objectContaining({ entryId: theirs, attempt: 1 })]);
    expect([entry(mine).status, entry(theirs).status]).toEqual(['succeeded', 'in_flight']);
  });

  it('gives up a call whose lease may be over because the storage does not answer', async () => {
    const reasons: unknown[] = [];
    const crm = (_: never, { signal }: EffectContext) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(void reasons.push(signal.reason))));
    const silence = gate();
    const claims = Object.assign(Object.create(storage.claims) as EffectStorage['claims'], {
      extend: () => {
        clock.advance(60);
        return silence.opened.then(() => []);
      },
    });
    const started = boot({ handlers: { crm }, policy: { leaseMs: 60 } }, { ...storage, claims });
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    expect(await started.runner.runOnce()).toBe(1);
    expect(reasons).toEqual([expect.objectContaining({ message: expect.stringContaining('lease') as string })]);
    expect(entry(id).status).toBe('in_flight');
    silence.open();
  });

  it('writes nothing of a call whose lease went to somebody else unnoticed', async () => {
    const started = boot({ handlers: { crm: (id: string) => tables.change(entry(id), { token: 'x' }) } });
    const lost = told(started, 'effects.lease-lost');
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    tables.change(entry(id), { ref: JSON.stringify(id) });
    await started.runner.runOnce();
    expect(lost).toHaveLength(1);
    expect(entry(id)).toMatchObject({ status: 'in_flight', token: 'x' });
    expect(await storage.audit.read({ operation: 'erase', subject: 'ada' })).toEqual([]);
  });

  it('tells of an abandonment once it is durable, whatever the listener makes of it', async () => {
    const seen: string[] = [];
    const erase = ({ entryId }: AbandonedEffect) => {
      seen.push(entry(entryId).status);
      return Promise.reject(new SyntaxError('secret'));
    };
    const started = boot({ handlers: { crm: () => Promise.reject(new OursExtended('no')) }, onAbandoned: { erase } });
    const failures = told(started, 'effects.listener-failed');
    await enqueue([1, 2].map((ref) => ({ handler: 'crm', ref })));
    expect(await started.runner.runOnce()).toBe(2);
    expect(seen).toEqual(['abandoned', 'abandoned']);
    expect(failures.map(({ error }) => error)).toEqual(['SyntaxError', 'SyntaxError']);
  });

  it('waits for a database that is away, and tells of an abandonment whose answer was lost once', async () => {
    const abandoned: string[] = [];
    let answers = 0;
    const flaky: EffectStorage = {
      ...storage,
      settlements: {
        settle: async (...args) => {
          if (++answers === 1) throw new DatabaseError('away', true);
          const settled = await storage.settlements.settle(...args);
          if (answers === 2) throw new DatabaseError('gone behind the commit', true);
          return settled;
        },
      },
    };
    const erase = ({ entryId }: AbandonedEffect) => abandoned.push(entryId);
    const handlers = { crm: () => Promise.reject(new OursExtended('no')) };
    const started = boot({ handlers, onAbandoned: { erase } }, flaky);
    const lost = told(started, 'effects.lease-lost');
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    await started.runner.runOnce();
    expect([answers, abandoned, lost]).toEqual([3, [id], []]);
  });

  it('settles a success whatever the database said of the first try, and calls once', async () => {
    let calls = 0;
    let tries = 0;
    const flaky: EffectStorage = {
      ...storage,
      settlements: {
        settle: async (...args) => {
          if (++tries === 1) throw new DatabaseError('a code that is on no list', false);
          return storage.settlements.settle(...args);
        },
      },
    };
    const started = boot({ handlers: { crm: () => calls++ } }, flaky);
    const failures = told(started, 'effects.settle-failed');
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    await started.runner.runOnce();
    expect([tries, calls, failures, entry(id).status]).toEqual([2, 1, [], 'succeeded']);
  });

  it('makes no call whose claim was answered after its lease: it is given back, and made once', async () => {
    let calls = 0;
    const [claimed, goes] = [gate(), gate()];
    const late: EffectStorage = {
      ...storage,
      claims: Object.assign(Object.create(storage.claims) as EffectStorage['claims'], {
        claim: async (request: Parameters<EffectStorage['claims']['claim']>[0]) => {
          const claims = await storage.claims.claim(request);
          claimed.open();
          await goes.opened;
          return claims;
        },
      }),
    };
    const { runner } = boot({ handlers: { crm: () => calls++ } }, late);
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    const run = runner.runOnce();
    await claimed.opened;
    clock.advance(300_000);
    goes.open();
    expect(await run).toBe(0);
    expect([calls, entry(id).attempts]).toEqual([0, 0]);
    expect([await runner.runOnce(), calls]).toEqual([1, 1]);
  });

  it('gives back the attempts of claims that it never called, though others had taken over by then', async () => {
    let calls = 0;
    const setup = { handlers: { crm: () => calls++ }, policy: { attempts: 3 } };
    const { runner } = boot(setup);
    /** It stands still from its claim on, until it thaws. */
    const freeze = async (): Promise<Gate> => {
      const [claimed, thaws] = [gate(), gate()];
      const claim: EffectStorage['claims']['claim'] = async (request) => {
        const taken = await storage.claims.claim(request);
        claimed.open();
        await thaws.opened;
        return taken;
      };
      const claims = Object.assign(Object.create(storage.claims) as EffectStorage['claims'], { claim });
      void boot(setup, { ...storage, claims }).runner.runOnce();
      await claimed.opened;
      clock.advance(300_000);
      return thaws;
    };
    const [id] = await enqueue([{ handler: 'crm', ref: 1 }]);
    let frozen = await freeze();
    for (let others = 1; others <= 5; others++) {
      const before = frozen;
      frozen = await freeze();
      expect(entry(id).attempts).toBe(2);
      before.open();
      await until('it has given its attempt back', () => entry(id).attempts === 1);
    }
    frozen.open();
    await until('nobody has it', () => entry(id).attempts === 0);
    expect(await runner.runOnce()).toBe(1);
    expect([calls, entry(id).status, entry(id).attempts]).toEqual([1, 'succeeded', 1]);
  });

  it('takes no more than it may run at once, and claims for nobody else', async () => {
    const held = gate();
    let most = 0;
    let now = 0;
    const crm = async () => {
      most = Math.max(most, ++now);
      await held.opened;
      now--;
    };
    const { runner } = boot({ handlers: { crm }, options: { concurrency: 2 } });
    await enqueue([1, 2, 3].map((ref) => ({ handler: 'crm', ref })));
    const [foreign] = await enqueue([{ handler: 'elsewhere', ref: 1 }], 'bob');
    const runs = [runner.runOnce(), runner.runOnce(), runner.runOnce()];
    await until('two of them run', () => now === 2);
    held.open();
    expect(await Promise.all(runs)).toEqual([2, 1, 0]);
    expect(most).toBe(2);
    expect(entry(foreign).status).toBe('pending');
  });

  it('makes calls as they come, once started, and goes on when the database fails', async () => {
    let failures = 0;
    const flaky: EffectStorage = { ...storage, claims: Object.create(storage.claims) as EffectStorage['claims'] };
    flaky.claims.claim = async (request) => {
      if (++failures <= 2) throw new DatabaseError('away', true);
      return storage.claims.claim(request);
    };
    const started = boot({ handlers: { crm: () => undefined }, options: { concurrency: 2 } }, flaky);
    const errors = told(started, 'loop.error');
    started.runner.start();
    started.runner.start();
    const ids = await enqueue([1, 2, 3, 4, 5].map((ref) => ({ handler: 'crm', ref })));
    await until('all are done', () => ids.every((id) => entry(id).status === 'succeeded'));
    expect(errors).toHaveLength(2);
  });

  it('gives back what it claimed while it stops, but for what has had all its attempts', async () => {
    const asked = gate();
    const slow: EffectStorage = { ...storage, claims: Object.create(storage.claims) as EffectStorage['claims'] };
    slow.claims.claim = async (request) => {
      const claimed = await storage.claims.claim(request);
      asked.open();
      await stopping.opened;
      return claimed;
    };
    const stopping = gate();
    let calls = 0;
    const { runner } = boot({ handlers: { crm: () => calls++ } }, slow);
    const [fresh, exhausted] = await enqueue([1, 2].map((ref) => ({ handler: 'crm', ref })));
    tables.change(entry(exhausted), { status: 'in_flight', attempts: 3, token: 'of the dead', dueAt: clock.now() - 1 });
    runner.start();
    await asked.opened;
    const stopped = runner.stop();
    stopping.open();
    await stopped;
    expect(calls).toBe(0);
    expect(entry(fresh)).toMatchObject({ status: 'pending', attempts: 0, dueAt: null });
    expect(entry(exhausted)).toMatchObject({ status: 'in_flight', attempts: 3 });
  });

  it('lets calls end when it stops, gives back those that fail from then on, and leaves the others', async () => {
    const begun: string[] = [];
    const handlers = {
      heeds: (_: never, { signal }: EffectContext) => {
        begun.push('heeds');
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
      ends: (_: never, { signal }: EffectContext) => {
        begun.push('ends');
        return new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      refuses: (_: never, { signal }: EffectContext) => {
        begun.push('refuses');
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new OursExtended('no'))),
        );
      },
      ignores: () => {
        begun.push('ignores');
        return new Promise(() => {});
      },
    };
    const { runner } = boot({ handlers, options: { shutdownTimeoutMs: 20 } });
    const ids = await enqueue(Object.keys(handlers).map((handler) => ({ handler, ref: 1 })));
    runner.start();
    await until('all run', () => begun.length === 4);
    await runner.stop();
    expect(ids.map((id) => entry(id).status)).toEqual(['pending', 'succeeded', 'pending', 'in_flight']);
    for (const id of [ids[0], ids[2]]) expect(entry(id)).toMatchObject({ attempts: 0, dueAt: null });
    expect(await runner.runOnce()).toBe(0);
  });
});
