import type { OperatorActs } from '../acts/operator-acts.js';
import type { DurableSettings } from './durable-options.js';
import type { EffectsRole } from './effects.providers.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import type { WorkflowSchedules } from '../engine/schedules/workflow-schedules.js';
import { Operator } from '../operator/operator.js';
import type { OutboxRole } from './outbox-role.js';
import { refusing } from './refusing-port.js';
import type { Storage } from './storage.providers.js';

/** What operators see and do, on the storage of this process. */
export function createOperator(
  { namespace }: DurableSettings,
  { engine, source, clock, outbox, effects }: Storage,
  client: WorkflowClient,
  scheduling: WorkflowSchedules,
  acts: OperatorActs,
  { parts: { operations } }: OutboxRole,
  { parts: { effects: calls } }: EffectsRole,
): Operator {
  const off = (what: string) => `This app has no ${what}: its module sets \`${what}: false\``;
  return new Operator({
    client,
    scheduling,
    acts,
    engine,
    source,
    namespace,
    clock,
    outbox: { operations, insight: outbox?.relay.insight ?? refusing(off('outbox')), isOn: !!outbox },
    effects: { effects: calls, insight: effects?.insight ?? refusing(off('effects')), isOn: !!effects },
  });
}
