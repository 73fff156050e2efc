import { Injectable } from '@nestjs/common';
import {
  Effect,
  type EffectContext,
  type EventPublisher,
  NonRetryableEffectError,
  OutboxPublisher,
  type OutboxEvent,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  type WorkflowContext,
  WorkflowSignal,
} from '../../lib/index.js';

/** What an erasure must leave nowhere. */
export const SECRET = 'sEcReT-of-a-person';

export const told = new WorkflowSignal<{ note: string }>('told');
export const asked = new WorkflowSignal<{ note: string }>('asked');

export interface Life {
  id: string;
  note: string;
  /** Waits for signals before it ends. */
  waits?: boolean;
  fails?: boolean;
}

const RETRY = { attempts: 2, backoff: { delay: 1, maxDelay: 1 } };

/** Leaves something of its input in every place that a run can write to. */
@Workflow('erasure.life')
export class PersonLife {
  async run(ctx: WorkflowContext, { id, note, waits, fails }: Life): Promise<unknown> {
    ctx.setStatus(`works on ${note}`);
    ctx.setAttributes({ about: note });
    ctx.log.info(`began with ${note}`, { note });
    const first = await ctx.step(
      'once more',
      ({ attempt, log }) => {
        log.warn(`tries ${note}`);
        if (attempt === 1) throw new Error(`not yet, ${note}`);
        return { note };
      },
      { retry: RETRY },
    );
    await ctx.remote('erasure.remote', { id, note, first }, { retry: RETRY });
    await ctx.executeChild('erasure.child', { note });
    await ctx.publish({ channel: `person.${id}`, name: 'noted', data: { note }, headers: { note } });
    await ctx.publish('refused', { channel: `refused.${id}`, name: 'refused', data: { note } });
    await ctx.effects({
      operation: 'noted',
      subject: `${note} of ${id}`,
      calls: [{ handler: 'erasure.crm', ref: { note }, payload: { note } }],
    });
    if (waits) {
      await ctx.waitForSignal('own', told);
      await ctx.waitForSignal('by key', asked, { key: `key-${id}` });
    }
    if (fails) throw new Error(`failed with ${note}`);
    return { done: note };
  }
}

@Workflow('erasure.child')
export class PersonChild {
  async run(ctx: WorkflowContext, { note }: { note: string }): Promise<string> {
    ctx.log.info(note);
    return ctx.step('echo', () => `child of ${note}`);
  }
}

/** Of another life than the person's. */
@Workflow('erasure.parent')
export class Aggregate {
  async run(ctx: WorkflowContext, { note }: { note: string }): Promise<string> {
    await ctx.executeChild(
      'erasure.child',
      { note },
      { id: `${ctx.workflowId}-child`, attributes: { customer: note } },
    );
    return 'one person more';
  }
}

@Injectable()
@Worker()
export class PersonSteps {
  @RemoteStep('erasure.remote')
  remote({ note }: { note: string }, { attempt, log }: StepContext): string {
    log.info(`remotely ${note}`);
    if (attempt === 1) throw new Error(`not there, ${note}`);
    return `there ${note}`;
  }

  @Effect('erasure.crm', { attempts: 1, backoff: { delay: 1, maxDelay: 1 } })
  crm(_ref: unknown, { payload }: EffectContext): void {
    const { note } = (payload ?? {}) as { note?: string };
    if (note?.startsWith('abandoned')) throw new NonRetryableEffectError(note);
  }
}

@OutboxPublisher({ name: 'broker', attempts: 1, onPoison: 'park' })
export class PersonBroker implements EventPublisher {
  async publish(events: readonly OutboxEvent[]): Promise<void> {
    const refused = events.find(({ name }) => name === 'refused');
    if (refused) throw new Error(`refuses ${JSON.stringify(refused.data)}`);
  }
}
