import type { OperatorActs } from '../acts/operator-acts.js';
import { checkPages } from './check.providers.js';
import type { DurableSettings } from './durable-options.js';
import type { EffectsRole } from './effects.providers.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import type { RemoteStepDirectory } from '../engine/model/remote-step-directory.js';
import type { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import type { WorkflowSchedules } from '../engine/schedules/workflow-schedules.js';
import { Operator } from '../operator/operator.js';
import type { OutboxRole } from './outbox-role.js';
import { refusing } from './refusing-port.js';
import type { Storage } from './storage.providers.js';
import type { Telemetry } from '../telemetry/telemetry.js';

/** What operators see and do, on the storage of this process. */
export function createOperator(
  settings: DurableSettings,
  storage: Storage,
  client: WorkflowClient,
  scheduling: WorkflowSchedules,
  acts: OperatorActs,
  { parts: { operations } }: OutboxRole,
  { parts: { effects: calls, rules: effectRules } }: EffectsRole,
  workflows: WorkflowRegistry,
  remoteSteps: RemoteStepDirectory,
  telemetry: Telemetry,
): Operator {
  const { engine, source, clock, outbox, effects } = storage;
  const page = checkPages({ settings, storage, workflows, remoteSteps, effectRules });
  const off = (what: string) => `This app has no ${what}: its module sets \`${what}: false\``;
  return new Operator({
    client,
    scheduling,
    acts,
    engine,
    source,
    namespace: settings.namespace,
    clock,
    outbox: { operations, insight: outbox?.relay.insight ?? refusing(off('outbox')), isOn: !!outbox },
    effects: {
      effects: calls,
      insight: effects?.insight ?? refusing(off('effects')),
      audit: effects?.audit ?? refusing(off('effects')),
      isOn: !!effects,
    },
    // What the code traces was traced when it was played.
    check: (cursor) => telemetry.quietly(() => page(cursor)),
  });
}
