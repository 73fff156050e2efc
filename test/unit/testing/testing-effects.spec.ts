import { Injectable } from '@nestjs/common';
import {
  type AbandonedEffect,
  Effect,
  type EffectContext,
  EffectRunner,
  Effects,
  NonRetryableEffectError,
  OnAbandoned,
  OnOperationComplete,
  OnOutboxMessage,
  Outbox,
  type OutboxEvent,
  OutboxRelay,
  scheduleUntil,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSignal,
} from '../../../lib/index.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';

const erased = new WorkflowSignal<string>('tested.erased');
const seen: string[] = [];
let failures = 0;

@Injectable()
class Services {
  @Effect('crm')
  crm(ref: string, { attempt }: EffectContext): unknown {
    seen.push(`${ref} ${attempt}`);
    if (ref === 'refused') throw new NonRetryableEffectError('no');
    if (ref === 'later' && seen.length === 1) return scheduleUntil(Date.UTC(2026, 0, 2));
    if (failures-- > 0) throw new Error('not yet');
    return undefined;
  }

  @OnAbandoned('erase')
  abandoned({ error }: AbandonedEffect): void {
    seen.push(`abandoned: ${error}`);
  }
}

@Injectable()
class Completions {
  constructor(private readonly client: WorkflowClient) {}

  @OnOperationComplete('erase')
  async completed(subject: string, transaction: unknown): Promise<void> {
    await this.client.signal(erased, subject, { key: subject, transaction });
  }
}

@Workflow('tested.erasure')
class Erasure {
  constructor(private readonly effects: Effects) {}

  async run(ctx: WorkflowContext, ref: string): Promise<string | null> {
    await ctx.transaction('erase', (transaction) =>
      this.effects.enqueue({ operation: 'erase', subject: ref, calls: [{ handler: 'crm', ref }] }, { transaction }),
    );
    const by = await ctx.waitForSignal('erased', erased, { key: ref, timeout: '30d' });
    return by && `${by} at ${ctx.now().toISOString()}`;
  }
}

@Workflow('tested.leaving')
class Leaving {
  async run(ctx: WorkflowContext, subject: string): Promise<unknown> {
    const before = await ctx.step('before', () => 'asked for');
    const ids = await ctx.effects({ operation: 'leave', subject, calls: [{ handler: 'crm', ref: subject }] });
    return { before, calls: ids.length, at: ctx.now().toISOString() };
  }
}

@Injectable()
class Starter {
  static failures = 0;

  constructor(private readonly client: WorkflowClient) {}

  @OnOutboxMessage('requests')
  async erase({ data }: OutboxEvent<{ ref: string }>): Promise<void> {
    if (Starter.failures-- > 0) throw new Error('not yet');
    await this.client.start(Erasure, data.ref, { id: data.ref });
  }
}

describe('createTestingDurable with effects and events', () => {
  let durable: TestingDurable;
  beforeEach(async () => {
    seen.length = 0;
    failures = 0;
    Starter.failures = 0;
    durable = await createTestingDurable({
      workflows: [Erasure, Leaving],
      providers: [Services, Completions, Starter],
    });
  });
  afterEach(() => durable.close());

  it('makes calls when the test waits for them, and hears how they end', async () => {
    const { id } = await durable.client.start(Erasure, 'ada');
    await durable.drain();
    expect(seen).toEqual(['ada 1']);
    expect(await durable.client.getStatus(id)).toMatchObject({ output: 'ada at 2026-01-01T00:00:00.000Z' });
  });

  it('tries again when the clock is turned, each time at the moment at which it is due', async () => {
    failures = 2;
    const { id } = await durable.client.start(Erasure, 'bob');
    await durable.clock.advance('29s');
    expect(seen).toEqual(['bob 1']);
    await durable.clock.advance('1s');
    expect(seen).toEqual(['bob 1', 'bob 2']);
    await durable.clock.advance('1h');
    expect(await durable.client.getStatus(id)).toMatchObject({ output: 'bob at 2026-01-01T00:01:30.000Z' });
    expect(await durable.get(Effects).statusCounts()).toMatchObject({ succeeded: 1, failed: 0 });
  });

  it('calls again what was scheduled, and tells what was abandoned', async () => {
    const later = await durable.client.start(Erasure, 'later');
    await durable.drain();
    const refused = await durable.client.start(Erasure, 'refused');
    await durable.clock.advance('23h');
    expect(seen).toEqual(['later 1', 'refused 1', 'abandoned: NonRetryableEffectError']);
    await durable.clock.advance('2h');
    expect(await durable.client.getStatus(later.id)).toMatchObject({ output: 'later at 2026-01-02T00:00:00.000Z' });
    await durable.clock.advance('40d');
    expect(await durable.client.getStatus(refused.id)).toMatchObject({ status: 'completed', output: null });
  });

  it('lets a workflow wait for its calls', async () => {
    failures = 1;
    const { id } = await durable.client.start(Leaving, 'ada');
    await durable.clock.advance('29s');
    expect(await durable.client.getStatus(id)).toMatchObject({ output: null, finishedAt: null });
    await durable.clock.advance('1s');
    const output = { before: 'asked for', calls: 1, at: '2026-01-01T00:00:30.000Z' };
    expect(await durable.client.getStatus(id)).toMatchObject({ status: 'completed', output });
    expect(seen).toEqual(['ada 1', 'ada 2']);
    const unknown = await durable.client.start(Erasure, 'bob');
    await durable.drain();
    expect(await durable.client.getStatus(unknown.id)).toMatchObject({ status: 'completed' });
  });

  it('fits its history, also where it asks for calls next', async () => {
    failures = 1;
    const { id } = await durable.client.start(Leaving, 'ada');
    await durable.drain();
    const waits = await durable.history(id);
    expect(await durable.replay(waits)).toMatchObject({ verdict: 'fits', then: 'waits' });
    const before = { ...waits, steps: waits.steps.filter(({ seq }) => seq < 1) };
    expect(await durable.replay(before)).toMatchObject({ verdict: 'fits', then: 'waits' });
    await durable.clock.advance('1h');
    expect(await durable.replay(await durable.history(id))).toMatchObject({ verdict: 'fits', then: 'completed' });
    expect(seen).toEqual(['ada 1', 'ada 2']);
  });

  it('ends the same wherever the process of a call dies', async () => {
    const explored = await durable.exploreCrashes((client) => client.start(Leaving, 'ada', { id: 'explored' }), {
      same: ({ status, output }, undisturbed) => {
        expect([status, undisturbed.status]).toEqual(['completed', 'completed']);
        expect(output).toMatchObject({ before: 'asked for', calls: 1 });
      },
    });
    expect(explored.crashes).toBe(2 * explored.writes);
    // A call whose process died is made again after its lease; one that was settled never.
    expect(new Set(seen)).toEqual(new Set(['ada 1', 'ada 2']));
  });

  it('publishes events, tries them again, and plays what they begin', async () => {
    Starter.failures = 1;
    await durable.get(Outbox).publish({ channel: 'requests', name: 'erase', data: { ref: 'eve' } });
    await durable.drain();
    await expect(durable.client.getStatus('eve')).rejects.toThrow();
    await durable.clock.advance('1s');
    expect(await durable.client.getStatus('eve')).toMatchObject({ output: 'eve at 2026-01-01T00:00:01.000Z' });
    expect([await durable.get(OutboxRelay).runOnce(), await durable.get(EffectRunner).runOnce()]).toEqual([0, 0]);
  });
});
