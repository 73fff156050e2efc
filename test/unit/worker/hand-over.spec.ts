import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOTHING_HELD } from '../../../lib/acts/holds.js';
import { taskOf } from '../../../lib/conformance/transport.js';
import type { AcceptTask } from '../../../lib/engine/tasks.js';
import { memoryBackend } from '../../../lib/memory-backend.js';
import type { HandlerOptions, StepHandler } from '../../../lib/worker/handlers.js';
import type { WorkerOptions } from '../../../lib/worker/worker.js';
import { until } from '../../support/until.js';
import { deferred, workerHarness } from './worker-harness.js';

describe('tasks of an engine of the same process', () => {
  let at: ReturnType<typeof workerHarness>;
  let accept: AcceptTask;
  const begun: number[] = [];
  let release: ReturnType<typeof deferred<undefined>>;

  afterEach(async () => {
    release.resolve(undefined);
    await at.worker.stop();
  });

  /** A worker that has found nothing to claim, whose handlers end when they are released. */
  async function idle(options: Partial<WorkerOptions> = {}, how: HandlerOptions = {}, see?: StepHandler) {
    at = workerHarness({ pollMs: 3_600_000, ...options });
    begun.length = 0;
    release = deferred<undefined>();
    const pays: StepHandler = async (_, { seq }) => {
      begun.push(seq);
      await release.promise;
      return seq;
    };
    at.handle('pay', pays, how);
    if (see) at.handle('see', see);
    const onOffers = at.transport.onOffers.bind(at.transport);
    at.transport.onOffers = (given) => onOffers((accept = given));
    at.worker.start();
    await until('it has looked', () => isAccepted());
  }

  const pay = (seq: number, fields = {}) => taskOf(seq, { name: 'pay', ...fields });

  function isAccepted(fields = {}): boolean {
    const acceptance = accept(pay(99, fields), at.clock.now());
    acceptance?.end();
    return acceptance !== undefined;
  }

  /** As the commit of an engine does it. Returns the marks of those that were accepted. */
  async function commit(...seqs: number[]) {
    const tasks = seqs.map((seq) => pay(seq));
    const end = at.transport.offer(tasks, at.clock.now())!;
    await at.transport.dispatch(tasks);
    end();
    return at.transport.tasksOf(tasks.map(({ stepId }) => stepId)).map(({ claimedBy }) => claimedBy);
  }

  it('begin with the commit, without a claim, and are answered like others', async () => {
    await idle();
    const claims = countingClaims(at.transport);
    const [mark] = await commit(1);
    expect(mark).toMatch(/^w1#[a-z0-9]+\.[a-z0-9]+\.[0-9a-f]+$/);
    expect(begun).toEqual([1]);
    release.resolve(undefined);
    const [answer] = await until('the answer', () => at.answered(1));
    const startedAt = at.clock.now();
    expect(answer).toMatchObject({
      seq: 1,
      status: 'completed',
      output: '1',
      startedAt,
      by: { worker: 'w1', attempt: 1 },
    });
    expect([claims.count, at.eventsOf('task.claimed')]).toEqual([0, [expect.objectContaining({ waitedMs: 0 })]]);
  });

  it('fill half of the slots; the others are left to whoever claims first', async () => {
    await idle({ concurrency: 5 });
    const marks = await commit(1, 2, 3, 4, 5);
    expect(marks.map((mark) => mark !== null)).toEqual([true, true, true, false, false]);
  });

  it('are not accepted before others that wait in their group', async () => {
    await idle({ concurrency: 1 });
    await at.transport.dispatch([pay(1), pay(2)]);
    await until('the first has begun', () => begun.length === 1);
    expect(isAccepted()).toBe(false);
    release.resolve(undefined);
    await until('both answers', () => at.answered(2));
    await until('nothing waits', () => isAccepted());
  });

  it('that do not begin after all give their slot to a claimed one that waits for it', async () => {
    await idle({}, { concurrencyClass: { name: 'Limited', concurrency: 1 } });
    at.handle('other', () => 1);
    const rows = at.transport as unknown as { tasks: Map<string, object> };
    const claim = at.transport.claim.bind(at.transport);
    let held: ReturnType<typeof accept>;
    at.transport.claim = async (request) => {
      held ??= accept(pay(2), at.clock.now());
      return claim(request);
    };
    // Nobody is told of the first one: it is found by a look at all groups.
    rows.tasks.set('run:1', { ...pay(1), createdAt: 0 });
    at.clock.advance(1_000);
    await at.transport.dispatch([taskOf(3, { name: 'other' })]);
    await until('both are claimed', () => at.eventsOf('task.claimed').length === 2);
    expect([begun, held !== undefined]).toEqual([[], true]);
    held?.end();
    await until('it has begun', () => begun.includes(1));
  });

  it('do not exceed the slots together with what is claimed meanwhile, which others may have', async () => {
    await idle({ concurrency: 1, pollMs: 5 });
    const rows = at.transport as unknown as { tasks: Map<string, object> };
    const claim = at.transport.claim.bind(at.transport);
    at.transport.claim = async (request) => {
      const claimed = await claim(request);
      if (claimed.length > 0 && begun.length === 0) await commit(2);
      return claimed;
    };
    // Nobody is told of it: it is found by a poll.
    rows.tasks.set('run:1', { ...pay(1), createdAt: 0 });
    await until('it is given back', () => at.eventsOf('task.released').length > 0);
    expect([begun, at.eventsOf('task.released').map(({ reason }) => reason)]).toEqual([[2], ['busy']]);
    release.resolve(undefined);
    await until('both answers', () => at.answered(2));
  });

  it('begin outside of what surrounds their commit', async () => {
    const surrounding = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    await idle({}, {}, () => void seen.push(surrounding.getStore()));
    const task = taskOf(1, { name: 'see' });
    await surrounding.run('a run', async () => {
      const end = at.transport.offer([task], at.clock.now())!;
      await at.transport.dispatch([task]);
      end();
    });
    await until('it is answered', () => at.answered(1));
    expect(seen).toEqual([undefined]);
  });

  it('are not handed over where a commit is stored later than it is told of', () => {
    // Nothing is written before the first change.
    const file = join(tmpdir(), `nest-durable-${randomUUID()}`);
    const backends = [memoryBackend(), memoryBackend({ file })];
    const offers = backends.map(({ engine }) => engine.dispatcher.offer?.([pay(1)], 0) !== undefined);
    expect(offers).toEqual([true, false]);
  });

  it('are not accepted with a priority, in a held group, in another group, by another name, or at the end', async () => {
    let isHeld = false;
    await idle({ held: { ...NOTHING_HELD, isHeld: () => isHeld } });
    const refused = [{ priority: 1 }, { group: 'other' }, { name: 'other', group: 'pay' }];
    expect(refused.map(isAccepted)).toEqual([false, false, false]);
    isHeld = true;
    expect(isAccepted()).toBe(false);
    isHeld = false;
    expect(isAccepted()).toBe(true);
    const stopped = at.worker.stop();
    expect(isAccepted()).toBe(false);
    await stopped;
  });

  it('keep their slot until their commit has ended, however it does', async () => {
    await idle({ concurrency: 1 });
    const acceptance = accept(pay(1), at.clock.now())!;
    expect(isAccepted()).toBe(false);
    acceptance.end();
    acceptance.end();
    expect(isAccepted()).toBe(true);
    const second = accept(pay(2), at.clock.now())!;
    expect([isAccepted(), second.claimedBy === acceptance.claimedBy]).toEqual([false, false]);
    second.end();
  });

  it('whose commit had no reply begin if their row is there with the same mark, and not otherwise', async () => {
    await idle();
    const [written, missing] = [pay(1), pay(2)];
    const [there, gone] = [accept(written, at.clock.now())!, accept(missing, at.clock.now())!];
    const rows = at.transport as unknown as { tasks: Map<string, object> };
    rows.tasks.set(written.stepId, { ...written, claimedBy: there.claimedBy, claimedAt: 5, createdAt: 5 });
    for (const acceptance of [there, gone]) acceptance.end();
    for (const acceptance of [there, gone]) acceptance.begin();
    await until('it has begun', () => begun.includes(1));
    release.resolve(undefined);
    await until('its answer', async () => (await at.answers()).some(({ seq }) => seq === 1));
    expect(begun).not.toContain(2);
  });

  it('that are committed after their lease, or after the end has begun, are given back', async () => {
    await idle({ leaseMs: 1_000 });
    const late = pay(1);
    const end = at.transport.offer([late], at.clock.now())!;
    at.clock.advance(1_000);
    await at.transport.dispatch([late]);
    end();
    await until('it is given back', () => at.eventsOf('task.released')[0]?.['reason'] === 'late');
    await until('it is claimed again', () => isAccepted());
    const last = pay(2);
    release.resolve(undefined);
    const endLast = at.transport.offer([last], at.clock.now())!;
    const stopped = at.worker.stop();
    await at.transport.dispatch([last]);
    endLast();
    await stopped;
    expect(at.eventsOf('task.released').map(({ reason }) => reason)).toEqual(['late', 'shutdown']);
    expect(at.transport.tasksOf([last.stepId])[0]).toMatchObject({ attempt: 1, claimedBy: null });
  });
});

/** Counts the claims of a transport. */
function countingClaims(transport: { claim(...args: never[]): unknown }) {
  const counted = { count: 0 };
  const claim = transport.claim.bind(transport);
  transport.claim = (...args) => {
    counted.count++;
    return claim(...args);
  };
  return counted;
}
