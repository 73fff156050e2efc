import { type Held, Intake, NOTHING_HELD } from '../../../lib/acts/holds.js';
import { ManualClock } from '../../../lib/core/time.js';
import { Telemetry } from '../../../lib/core/telemetry.js';
import { RetryAfterError } from '../../../lib/core/run-errors.js';
import type { Body } from '../../support/engine-parts.js';
import { claimOne, report } from '../../support/by-hand.js';
import { describeHouses } from '../../support/processes.js';
import { gate } from '../../support/gate.js';
import { until } from '../../support/until.js';

const retry = { attempts: 3, backoff: { delay: 20, factor: 1 } };

describeHouses('the attempts of a remote step', (house) => {
  it('have one number for handlers, history and log lines; one whose worker died is lost', async () => {
    const calls: number[] = [];
    const dying = gate();
    const app = await house().boot({ workflows: { order: (ctx) => ctx.remote('charge', null, { retry }) } });
    const dead = await house().boot({ engine: false });
    const died = (_: never, { attempt }: { attempt: number }) => {
      calls.push(attempt);
      dying.open();
      return new Promise(() => {});
    };
    dead.serve({ charge: died }, { workerId: 'dead' });
    const { id } = await app.client.start('order');
    await dying.opened;
    dead.kill();
    await house().bury(dead);
    app.serve(
      {
        charge: (_, { attempt, log }) => {
          calls.push(attempt);
          log.info(`call ${attempt}`);
          if (calls.length < 4) throw new Error(`declined ${attempt}`);
          return attempt;
        },
      },
      { workerId: 'alive' },
    );
    expect(await app.client.result(id)).toBe(4);
    expect(calls).toEqual([1, 2, 3, 4]);
    const { history } = await app.client.getStatus(id, { history: true });
    const [step] = history!;
    expect(step).toMatchObject({ status: 'completed', failures: 2, worker: 'alive' });
    expect(step!.attempts).toMatchObject([
      { attempt: 1, outcome: 'lost', worker: 'dead', error: { code: 'WORKER_LOST' } },
      { attempt: 2, outcome: 'failed', worker: 'alive', error: { message: 'declined 2' } },
      { attempt: 3, outcome: 'failed', worker: 'alive', error: { message: 'declined 3' } },
      { attempt: 4, outcome: 'completed', worker: 'alive', error: null },
    ]);
    // In memory they are not stored; elsewhere they follow the result.
    if (house().kind !== 'sql') return;
    await until('all lines are stored', async () => {
      const [{ logs } = step!] = (await app.client.getStatus(id, { history: true })).history!;
      return logs.length === 3 && logs.map(({ attempt }) => attempt).join() === '2,3,4';
    });
  });

  it('are held since their claim, however often the lease was renewed', async () => {
    const app = await house().boot({ workflows: { order: (ctx) => ctx.remote('charge') } });
    const { id } = await app.client.start('order');
    const { claim } = await claimOne(app, 'charge');
    const seen = async () => (await app.client.explain(id)).waitingFor[0];
    const first = { kind: 'task', claimedBy: 'by hand', claimedAt: claim.claimedAt };
    expect(await seen()).toMatchObject({ ...first, renewedAt: claim.claimedAt });
    let renewed = claim;
    await until('the lease is renewed later', async () => {
      [renewed] = (await app.storage.source.extend([renewed])) as [typeof claim];
      return renewed.claimedAt > claim.claimedAt;
    });
    const [since, at] = [claim.claimedAt, renewed.claimedAt].map((ms) => new Date(ms).toISOString());
    expect(await seen()).toMatchObject({
      ...first,
      renewedAt: renewed.claimedAt,
      text: expect.stringContaining(`claimed by worker "by hand" since ${since}, its lease renewed at ${at}`) as string,
    });
    await app.storage.source.release([renewed]);
    expect(await seen()).toMatchObject({ claimedBy: null, claimedAt: null, renewedAt: null });
  });

  it('end as a crash loop when as many in a row were lost, and failures do not count', async () => {
    const app = await house().boot({
      workflows: { order: (ctx) => ctx.remote('charge', null, { retry: { ...retry, attempts: 5 } }) },
    });
    const { id } = await app.client.start('order');
    const serve = async (workerId: string, run: (attempt: number) => unknown, held: Held = NOTHING_HELD) => {
      let begin!: (attempt: number) => void;
      const called = new Promise<number>((resolve) => (begin = resolve));
      const process = await house().boot({ engine: false });
      process.serve(
        { charge: (_: never, { attempt }: { attempt: number }) => (begin(attempt), run(attempt)) },
        { workerId, maxClaims: 3, held },
      );
      return { process, called };
    };
    const dies = async (name: string) => {
      const { process, called } = await serve(name, () => new Promise(() => {}));
      const attempt = await called;
      process.kill();
      await house().bury(process);
      return attempt;
    };
    expect([await dies('a'), await dies('b')]).toEqual([1, 2]);
    const drained = gate();
    const intake = new Intake(NOTHING_HELD);
    const fails = async (attempt: number) => {
      await drained.opened;
      throw new Error(`no ${attempt}`);
    };
    const failing = await serve('fails', fails, intake);
    expect(await failing.called).toBe(3);
    // It ends this attempt, and takes no other.
    intake.drain(true);
    drained.open();
    await until('it has failed', async () => (await app.storage.catalog.step(id, 0))?.failures === 1);
    expect([await dies('c'), await dies('d'), await dies('e')]).toEqual([4, 5, 6]);
    await serve('last', () => 'never');
    await expect(app.client.result(id)).rejects.toMatchObject({ code: 'crash_loop' });
    const { history } = await app.client.getStatus(id, { history: true });
    expect(history![0]!.attempts.map(({ outcome, worker }) => `${outcome} ${worker}`)).toEqual([
      'lost a',
      'lost b',
      'failed fails',
      'lost c',
      'lost d',
      'lost e',
      'failed last',
    ]);
  });
});

const clock = new ManualClock();

describeHouses(
  'an attempt that asks to be repeated later',
  (house) => {
    const options = { retry: { attempts: 1, deferrals: 2 } };
    const deferring = () => {
      const calls: number[] = [];
      const work = ({ attempt }: { attempt: number }) => {
        calls.push(attempt);
        if (attempt === 1) throw new RetryAfterError('1h', 'busy');
        if (attempt === 2) throw new RetryAfterError(new Date(clock.now() + 60_000), 'busy');
        return attempt;
      };
      return { calls, work };
    };
    const kinds = {
      local:
        (work: (step: { attempt: number }) => unknown): Body =>
        (ctx) =>
          ctx.step('near', work, options),
      remote: (): Body => (ctx) => ctx.remote('far', null, options),
      undoing:
        (work: (step: { attempt: number }) => unknown): Body =>
        async (ctx) => {
          await ctx.step('near', () => 1, { ...options, compensate: (_, step) => void work(step) });
          ctx.fail('over');
        },
    };

    it.each(['local', 'remote', 'undoing'] as const)('waits that long, and does not count (%s)', async (kind) => {
      const { calls, work } = deferring();
      const app = await house().boot({ workflows: { order: kinds[kind](work) } });
      const told: (string | number)[] = [];
      app.telemetry.on('step.ended', ({ attempt, error }) => told.push(`ended ${attempt} ${error?.code ?? 'well'}`));
      app.telemetry.on('step.deferred', ({ attempt, retryInMs }) => told.push(attempt, retryInMs));
      const far = (_: unknown, step: { attempt: number }) => work(step);
      const telemetry = new Telemetry();
      app.serve({ far }, { leaseMs: 9_000_000, clock, telemetry });
      telemetry.on('task.failed', ({ attempt }) => told.push(`failed ${attempt}`));
      telemetry.on('task.completed', ({ attempt }) => told.push(`ended ${attempt} well`));
      telemetry.on('task.deferred', ({ attempt, retryInMs }) => told.push(attempt, retryInMs));
      const { id } = await app.client.start('order');
      const seq = kind === 'undoing' ? -1 : 0;
      const deferred = (n: number) =>
        until(`it was deferred ${n} times`, async () => {
          const step = await app.storage.catalog.step(id, seq);
          return step?.deferrals === n ? step : undefined;
        });
      expect((await deferred(1)).wakeAt).toBe(clock.now() + 3_600_000);
      clock.advance(3_600_000);
      await app.engine.heartbeat.beat();
      app.timers.fire();
      app.engine.wake();
      expect((await deferred(2)).wakeAt! - clock.now()).toBeLessThanOrEqual(60_000);
      clock.advance(60_000);
      await app.engine.heartbeat.beat();
      app.timers.fire();
      app.engine.wake();
      await app.client.result(id).catch(() => undefined);
      expect(calls).toEqual([1, 2, 3]);
      // Undoing a step is no attempt of it.
      const ends = [1, 3_600_000, 2, 60_000, 'ended 3 well'];
      expect(told).toEqual(kind === 'undoing' ? ['ended 1 well'] : ends);
      const { history } = await app.client.getStatus(id, { history: true });
      const step = history!.find((one) => one.seq === seq)!;
      expect(step).toMatchObject({ status: 'completed', failures: 0 });
      expect(step.attempts).toMatchObject([
        { attempt: 1, outcome: 'deferred', error: { code: 'RETRY_AFTER', message: 'busy' } },
        { attempt: 2, outcome: 'deferred', backedOffMs: 3_600_000 },
        { attempt: 3, outcome: 'completed', backedOffMs: 60_000 },
      ]);
    });

    it.each(['local', 'remote'] as const)('fails with a code when it asks too often (%s)', async (kind) => {
      const work = () => {
        throw new RetryAfterError(0);
      };
      const app = await house().boot({ workflows: { order: kinds[kind](work) } });
      app.serve({ far: work });
      const { id } = await app.client.start('order');
      const ended = app.client.result(id).catch((error: unknown) => error);
      await until('it has ended', async () => {
        app.timers.fire();
        return (await app.client.getStatus(id)).status === 'failed';
      });
      expect(await ended).toMatchObject({ code: 'TOO_MANY_DEFERRALS' });
      const { history } = await app.client.getStatus(id, { history: true });
      expect(history![0]!.attempts.map(({ outcome }) => outcome)).toEqual(['deferred', 'deferred', 'failed']);
    });

    it.each([
      ['60000.5', 60_001],
      ['1e999', 366 * 86_400_000],
    ])('waits as a worker in another language asks (%s ms)', async (retryAfterMs, waited) => {
      const app = await house().boot({ workflows: { order: kinds.remote() } });
      const { id } = await app.client.start('order');
      await report(app, await claimOne(app), {
        status: 'failed',
        output: null,
        error: `{"message":"busy","retryAfterMs":${retryAfterMs}}`,
      });
      const step = await until('it was deferred', async () => {
        const found = await app.storage.catalog.step(id, 0);
        return found?.deferrals === 1 ? found : undefined;
      });
      expect(step).toMatchObject({ failures: 0, attempt: 1, wakeAt: clock.now() + waited });
      await app.client.cancel(id);
    });

    it.each(['-1', '"5"', 'null'])(
      'of another language, but for no time (%s), fails as usual',
      async (retryAfterMs) => {
        const app = await house().boot({ workflows: { order: kinds.remote() } });
        const { id } = await app.client.start('order');
        const error = `{"message":"busy","code":"BUSY","retryAfterMs":${retryAfterMs}}`;
        await report(app, await claimOne(app), { status: 'failed', output: null, error });
        await expect(app.client.result(id)).rejects.toMatchObject({ code: 'BUSY' });
      },
    );

    it.each(['local', 'remote'] as const)('for too long, or for no time, fails as usual (%s)', async (kind) => {
      for (const delay of ['367d', new Date(Number.NaN), -1] as const) {
        const work = () => {
          throw new RetryAfterError(delay);
        };
        const app = await house().boot({ workflows: { order: kinds[kind](work) } });
        const worker = app.serve({ far: work });
        const { id } = await app.client.start('order');
        await expect(app.client.result(id)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
        await worker.stop();
        await app.stop();
      }
    });
  },
  { clock },
);

describeHouses(
  'an attempt of a remote step',
  (house) => {
    it('that is over in time has the number that its worker saw, and names it; explain names it before', async () => {
      const [dying, hanging] = [gate(), gate()];
      const calls: number[] = [];
      const app = await house().boot({
        workflows: {
          order: (ctx) => ctx.remote('charge', null, { retry: { attempts: 2, backoff: { delay: 0 } }, timeout: '12s' }),
        },
      });
      const dead = await house().boot({ engine: false });
      dead.serve({ charge: () => (dying.open(), new Promise(() => {})) }, { workerId: 'dead' });
      const { id } = await app.client.start('order');
      await dying.opened;
      dead.kill();
      await house().bury(dead);
      const charge = (_: never, { attempt }: { attempt: number }) => {
        if (calls.push(attempt) > 1) return 'done';
        hanging.open();
        return new Promise(() => {});
      };
      app.serve({ charge }, { workerId: 'alive', shutdownTimeoutMs: 0 });
      await hanging.opened;
      const { text, waitingFor } = await app.client.explain(id);
      expect(text).toContain('attempt 2, claimed by worker "alive"');
      expect(waitingFor).toMatchObject([{ kind: 'task', attempt: 2, claimedBy: 'alive' }]);
      const before = (await app.client.getStatus(id, { history: true })).history![0]!;
      expect(before.attempts).toMatchObject([{ attempt: 1, outcome: 'lost', worker: 'dead' }]);
      clock.advance(12_000);
      app.timers.fire();
      expect(await app.client.result(id)).toBe('done');
      expect(calls).toEqual([2, 3]);
      const { history } = await app.client.getStatus(id, { history: true });
      expect(history![0]!.attempts).toMatchObject([
        { attempt: 1, outcome: 'lost', worker: 'dead' },
        { attempt: 2, outcome: 'failed', worker: 'alive', error: { code: 'STEP_TIMEOUT' } },
        { attempt: 3, outcome: 'completed', worker: 'alive' },
      ]);
    });
  },
  { clock },
);

describeHouses(
  'the times of an attempt',
  (house) => {
    const policy = { attempts: 2, backoff: { delay: 700 } };

    it('of a remote step tell how long it backed off, waited and ran', async () => {
      const app = await house().boot({ workflows: { order: (ctx) => ctx.remote('far', null, { retry: policy }) } });
      const { id } = await app.client.start('order');
      const report = async (ranMs: number, output: string | null) => {
        const groups = [{ group: 'far', limit: 1 }];
        const task = await until('a task', async () => {
          const [found] = await app.storage.source.claim({
            workerId: 'w',
            groups,
            names: ['far'],
            limit: 1,
            leaseMs: 9e6,
          });
          return found;
        });
        clock.advance(ranMs);
        app.timers.fire();
        const { claim, runId, seq, attempt } = task;
        const status = output === null ? ('failed' as const) : ('completed' as const);
        const outcome = { status, output, error: output === null ? '{"message":"no"}' : null };
        const startedAt = claim.claimedAt;
        await app.storage.source.report([{ claim, runId, seq, attempt, ...outcome, startedAt }]);
        app.engine.collector.lookAgain();
      };
      await until('it is asked', async () => (await app.storage.dispatcher.holders([`${id}:0`])).length === 1);
      clock.advance(50);
      await report(200, null);
      await until('it has failed', async () => (await app.storage.catalog.step(id, 0))?.failures === 1);
      clock.advance(700);
      app.timers.fire();
      await until('it is asked again', async () => (await app.storage.dispatcher.holders([`${id}:0`])).length === 1);
      clock.advance(30);
      await report(100, '"done"');
      expect(await app.client.result(id)).toBe('done');
      const [step] = (await app.client.getStatus(id, { history: true })).history!;
      expect(step!.attempts.map(({ backedOffMs, waitedMs, ranMs }) => [backedOffMs, waitedMs, ranMs])).toEqual([
        [0, 50, 200],
        [700, 30, 100],
      ]);
      expect(step!.askedAt).toEqual(step!.attempts[1]!.askedAt);
    });

    it('of a local step name the process, and how long it backed off and ran', async () => {
      const app = await house().boot({
        nodeId: 'node-1',
        workflows: {
          order: (ctx) =>
            ctx.step(
              'near',
              ({ attempt }) => {
                clock.advance(40 * attempt);
                if (attempt === 1) throw new Error('no');
                return attempt;
              },
              { retry: policy },
            ),
        },
      });
      const { id } = await app.client.start('order');
      await until('it has failed', async () => (await app.storage.catalog.step(id, 0))?.failures === 1);
      clock.advance(700);
      app.timers.fire();
      expect(await app.client.result(id)).toBe(2);
      const [step] = (await app.client.getStatus(id, { history: true })).history!;
      expect(step).toMatchObject({ failures: 1, worker: 'node-1' });
      const told = step!.attempts.map(({ outcome, worker, backedOffMs, waitedMs, ranMs }) => [
        ...[outcome, worker],
        ...[backedOffMs, waitedMs, ranMs],
      ]);
      expect(told).toEqual([
        ['failed', 'node-1', 0, 0, 40],
        ['completed', 'node-1', 700, 0, 80],
      ]);
    });
  },
  { clock },
);
