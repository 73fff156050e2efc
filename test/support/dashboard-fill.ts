import type { INestApplication } from '@nestjs/common';
import {
  Effect,
  Effects,
  type EventPublisher,
  NonRetryableEffectError,
  NonRetryablePublishError,
  Outbox,
  type OutboxEvent,
  OutboxOperations,
  OutboxPublisher,
  RetryAfterError,
  scheduleUntil,
  Workflow,
  type WorkflowContext,
  WorkflowClient,
  type WorkflowRunner,
  WorkflowSchedules,
} from '../../lib/index.js';
import { Operator } from '../../lib/operate/operator.js';
import { until } from './until.js';

/** Refuses events that are called `poison`. */
@OutboxPublisher({ name: 'search', attempts: 1 })
export class Search implements EventPublisher {
  async publish(events: readonly OutboxEvent[]): Promise<void> {
    if (events.some(({ name }) => name === 'poison')) throw new NonRetryablePublishError('the index refused it');
  }
}

export class Calls {
  @Effect('crm.forget')
  forget(): never {
    throw new NonRetryableEffectError('the CRM refused it');
  }

  @Effect('crm.later')
  later() {
    return scheduleUntil(new Date(Date.now() + 86_400_000));
  }
}

@Workflow('nightly')
export class Nightly implements WorkflowRunner<undefined, string> {
  async run(ctx: WorkflowContext): Promise<string> {
    return ctx.step('count', (step) => {
      step.log.info('counted', { rows: 3 });
      return 'counted';
    });
  }
}

/** Waits for calls that are made a day later. */
@Workflow('forgetful')
export class Forgetful implements WorkflowRunner<undefined, void> {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.effects('tell', { operation: 'erase', subject: 'u3', calls: [{ handler: 'crm.later', ref: 'c3' }] });
  }
}

/** Its local step fails, and has its next attempt in an hour. */
@Workflow('patient')
export class Patient implements WorkflowRunner<undefined, string> {
  static mended = false;

  async run(ctx: WorkflowContext): Promise<string> {
    return ctx.step(
      'dial',
      () => {
        if (!Patient.mended) throw new RetryAfterError('1h');
        return 'dialled';
      },
      { retry: { attempts: 5 } },
    );
  }
}

/** Its step is for a worker that never runs. */
@Workflow('unserved')
export class Unserved implements WorkflowRunner<undefined, unknown> {
  run(ctx: WorkflowContext): Promise<unknown> {
    return ctx.remote('reports.write', undefined, { group: 'reports' });
  }
}

export const FILL = [Search, Calls, Forgetful, Nightly, Patient, Unserved];

const BY = { actor: 'eve', reason: 'a test' };

/**
 * Two channels that stand still, a dead letter, abandoned and scheduled calls, schedules, a hold, and a signal that the
 * run `listens` does not take.
 */
export async function fillDashboard(app: INestApplication): Promise<void> {
  const outbox = app.get(Outbox);
  const operations = app.get(OutboxOperations);
  for (const channel of ['posts:1', 'posts:2', 'posts:3'])
    await outbox.publish({ channel, name: 'poison', data: {}, mutationId: channel });
  await until('three channels stand still', async () => (await operations.standing()).length === 3);
  await operations.skip('posts:3', BY);
  const calls = [
    { handler: 'crm.forget', ref: 'c1' },
    { handler: 'crm.later', ref: 'c2' },
  ];
  const effects = app.get(Effects);
  await effects.enqueue({ operation: 'erase', subject: 'u1', calls });
  await until('a call is abandoned, another one waits', async () => {
    const counts = await effects.statusCounts();
    return counts.abandoned === 1 && counts.scheduled === 1;
  });
  const schedules = app.get(WorkflowSchedules);
  await schedules.create(Nightly, { id: 'nightly', cron: '0 3 * * *', timeZone: 'Europe/Berlin' });
  await schedules.create(Nightly, { id: 'hourly', every: '1h', paused: true });
  await app.get(Operator).holds.hold({ group: 'reports' }, BY);
  const client = app.get(WorkflowClient);
  await client.start('approval', undefined, { id: 'listens' });
  await client.signal('unheard', 'hello', { workflowId: 'listens' });
}
