import { QuestionTimeoutError } from '../../../lib/core/errors.js';
import { MinuteCounts } from '../../../lib/core/metrics.js';
import { Telemetry } from '../../../lib/core/telemetry.js';
import { ManualClock } from '../../../lib/core/time.js';
import { MINUTE_MS, type NodeLoad } from '../../../lib/engine/nodes.js';
import { memoryBackend } from '../../../lib/memory-backend.js';
import { Sampler, type SamplerPorts } from '../../../lib/operate/sampler.js';
import { lastSamples, samplesOf } from '../../../lib/operate/samples.js';

const LOAD: NodeLoad = {
  steps: 1,
  residents: 2,
  eventLoopP99Ms: 3,
  pool: null,
  errors: 0,
  notifications: 'polling',
};

const TASK = { stepId: 's', runId: 'r', group: 'g', attempt: 1 };

describe('the counts of a minute', () => {
  it('are by kind and name, and begin anew once they are taken', () => {
    const telemetry = new Telemetry();
    const counts = new MinuteCounts(telemetry);
    telemetry.emit('run.left', { runId: 'r', workflow: 'order', status: 'completed' });
    telemetry.emit('run.left', { runId: 'r', workflow: 'order', status: 'suspended' });
    telemetry.emit('run.left', { runId: 'r', workflow: 'order', status: 'suspended', reason: 'exhausted' });
    telemetry.emit('task.completed', { ...TASK, name: 'charge', durationMs: 12.4 });
    telemetry.emit('task.completed', { ...TASK, name: 'charge', durationMs: 7.4 });
    telemetry.emit('task.failed', { ...TASK, name: 'refund', durationMs: 1, error: { message: 'no' } });
    telemetry.emit('tasks.dispatched', { group: 'g', count: 4 });
    telemetry.emit('outbox.delivered', { destination: 'broker', events: 5 });
    telemetry.emit('loop.error', { loop: 'claims', error: new Error('no') });
    expect(counts.take()).toEqual({
      'run.completed order': 1,
      'run.blocked order': 1,
      'step.completed charge': 2,
      'step.ms charge': 19,
      'step.failed refund': 1,
      'group.in g': 4,
      'group.out g': 3,
      'outbox.delivered broker': 5,
      'error claims': 1,
    });
    expect(counts.take()).toEqual({});
    counts.stop();
    telemetry.emit('loop.error', { loop: 'claims', error: new Error('no') });
    expect(counts.take()).toEqual({});
  });

  it('are at most 200, and the rest is one', () => {
    const telemetry = new Telemetry();
    const counts = new MinuteCounts(telemetry);
    for (let n = 0; n < 300; n++)
      telemetry.emit('task.failed', { ...TASK, name: `s${n}`, durationMs: 1, error: { message: '' } });
    telemetry.emit('task.failed', { ...TASK, name: 's0', durationMs: 1, error: { message: '' } });
    const taken = counts.take();
    expect(Object.keys(taken)).toHaveLength(201);
    expect(taken).toMatchObject({ 'step.failed s0': 2, 'step.failed other': 101 });
  });
});

describe('samples', () => {
  const overview = {
    blocked: [{ workflow: 'order', version: 1, reason: 'exhausted', runs: { atLeast: 3 } }],
    due: [],
    outbox: [{ name: 'broker', blocked: 1, blockedSince: null, dead: 2 }],
    effects: { abandoned: 4, unclaimed: [] },
    lateSchedules: [],
    unanswered: [] as string[],
  };
  const sampling = async () => {
    const clock = new ManualClock();
    const { engine } = memoryBackend({ clock });
    const since = new Date(clock.now() - 5_000);
    const operator: SamplerPorts['operator'] = {
      overview: async () => overview as never,
      queues: async () => ({
        queues: [
          { group: 'g', waiting: 7, since, inHand: 0, lapsed: 0, servedBy: [], hold: undefined, perMinute: null },
        ],
      }),
      outbox: { waits: async () => ({ broker: 1_500 }) },
    };
    const telemetry = new Telemetry();
    const samplerOf = async (id: string, roles: string) => {
      const node = { id, namespace: '', roles };
      await engine.roster.beat(node, 5 * MINUTE_MS);
      const ports = { store: engine.samples, roster: engine.roster, operator, hasOutbox: true, telemetry, clock };
      return new Sampler({ ...ports, node, load: () => LOAD });
    };
    return { clock, engine, samplerOf, operator, telemetry };
  };

  it('tell of the fleet once, by the first engine of the namespace', async () => {
    const { clock, engine, samplerOf } = await sampling();
    const samplers = [
      await samplerOf('a', 'worker'),
      await samplerOf('c', 'engine'),
      await samplerOf('b', 'engine,worker'),
    ];
    for (const sampler of samplers) await sampler.write();
    const { samples, complete } = await samplesOf(engine.samples, '', clock.now(), {});
    expect(complete).toBe(true);
    expect(samples.map(({ node, fleet }) => [node, fleet !== undefined])).toEqual([
      ['a', false],
      ['b', true],
      ['c', false],
    ]);
    expect(samples[1]).toMatchObject({ counts: {}, load: { residents: 2 } });
    expect(samples[1]?.fleet).toEqual({
      blocked: 3,
      dueAgeMs: 0,
      queues: { g: { waiting: 7, ageMs: 5_000 } },
      outbox: { broker: { blocked: 1, dead: 2 } },
      abandonedEffects: 4,
      lateSchedules: 0,
      outboxLagMs: { broker: 1_500 },
    });
    await Promise.all(samplers.map((sampler) => sampler.stop()));
  });

  it('have a gap for what was not looked up in time, and keep the counts', async () => {
    const { clock, engine, samplerOf, operator } = await sampling();
    const sampler = await samplerOf('a', 'engine');
    operator.overview = async () => ({ ...overview, blocked: [], unanswered: ['blocked', 'outbox'] }) as never;
    operator.queues = () => Promise.reject(new QuestionTimeoutError('queues', 5_000));
    operator.outbox.waits = () => Promise.reject(new QuestionTimeoutError('outbox.waits', 5_000));
    await sampler.write();
    operator.overview = () => Promise.reject(new QuestionTimeoutError('overview', 5_000));
    clock.advance(MINUTE_MS);
    await sampler.write();
    const { samples } = await samplesOf(engine.samples, '', clock.now(), {});
    expect(samples.map(({ fleet }) => fleet)).toEqual([{ dueAgeMs: 0, abandonedEffects: 4, lateSchedules: 0 }, {}]);
    // What happens during the looks is of this minute.
    expect(samples.map(({ counts }) => counts)).toEqual([{ 'error samples': 2 }, { 'error samples': 3 }]);
    await sampler.stop();
  });

  it('keep what was counted for the next one when they cannot look or write', async () => {
    const { clock, engine, samplerOf, operator, telemetry } = await sampling();
    const sampler = await samplerOf('a', 'engine');
    telemetry.emit('outbox.delivered', { destination: 'the broker', events: 5 });
    const { overview: look } = operator;
    operator.overview = () => Promise.reject(new Error('the database is away'));
    await expect(sampler.write()).rejects.toThrow('is away');
    operator.overview = look;
    const { write } = engine.samples;
    engine.samples.write = () => Promise.reject(new Error('the disk is full'));
    await expect(sampler.write()).rejects.toThrow('is full');
    engine.samples.write = write.bind(engine.samples);
    telemetry.emit('outbox.delivered', { destination: 'the broker', events: 2 });
    await sampler.write();
    const { samples } = await samplesOf(engine.samples, '', clock.now(), {});
    expect(samples.map(({ counts }) => counts)).toEqual([{ 'outbox.delivered the broker': 7 }]);
    await sampler.stop();
  });

  it('of an hour that are too many are its last minutes, each of them whole', async () => {
    const clock = new ManualClock();
    const { engine } = memoryBackend({ clock });
    const from = clock.now() - (clock.now() % MINUTE_MS);
    for (let minute = 0; minute < 3; minute++) {
      for (let n = 0; n < 4_000; n++) await engine.samples.write({ namespace: '', node: `n${n}`, body: '{}' });
      clock.advance(MINUTE_MS);
    }
    const { samples, complete } = await lastSamples(engine.samples, '', from, clock.now());
    expect([samples.length, complete]).toEqual([8_000, false]);
    expect(samples[0]!.at.getTime()).toBe(from + MINUTE_MS);
    const last = await lastSamples(engine.samples, '', from + MINUTE_MS, clock.now());
    expect([last.samples.length, last.complete]).toEqual([8_000, true]);
  });

  it('are read by time, and a limit is told', async () => {
    const { clock, engine, samplerOf } = await sampling();
    const sampler = await samplerOf('a', 'worker');
    for (let n = 0; n < 3; n++) {
      await sampler.write();
      clock.advance(MINUTE_MS);
    }
    const { samples, complete } = await samplesOf(engine.samples, '', clock.now(), { limit: 2 });
    expect([samples.length, complete]).toEqual([2, false]);
    const after = { from: new Date(samples[1]!.at.getTime() + 1) };
    expect((await samplesOf(engine.samples, '', clock.now(), after)).samples).toHaveLength(1);
    await expect(samplesOf(engine.samples, '', 0, { from: new Date(Number.NaN) })).rejects.toThrow('a valid Date');
    await expect(samplesOf(engine.samples, '', 0, { limit: 10_001 })).rejects.toThrow('from 1 to 10000');
    await sampler.stop();
  });
});
