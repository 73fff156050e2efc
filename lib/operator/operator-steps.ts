import { type ActedBy, requiredOperator } from '../acts/act.js';
import type { StepFailure } from '../engine/client/client-completions.js';
import type { StepResolution } from '../engine/client/client-edits.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import { stepIdOf } from '../protocol/step.js';

/** What operators do to the steps of runs, each of them with an actor and a reason. */
export class OperatorSteps {
  constructor(private readonly client: WorkflowClient) {}

  /** Answers a pending remote step in place of its worker. @throws as `WorkflowClient.completeStep` */
  async complete(runId: string, seq: number, output: unknown, by: ActedBy): Promise<void> {
    return this.client.completeStep(stepIdOf(runId, seq), output, requiredOperator(by ?? {}));
  }

  /** Fails an attempt of a pending remote step. @throws as `WorkflowClient.failStep` */
  async fail(runId: string, seq: number, error: Error | StepFailure, by: ActedBy): Promise<void> {
    return this.client.failStep(stepIdOf(runId, seq), error, requiredOperator(by ?? {}));
  }

  /** Makes the next attempt of a step due now. @throws as `WorkflowClient.runNow` */
  async now(runId: string, seq: number, by: ActedBy): Promise<void> {
    return this.client.runNow(runId, seq, requiredOperator(by ?? {}));
  }

  /** Gives a step that waits or has failed another outcome. @throws as `WorkflowClient.resolveStep` */
  async resolve(runId: string, seq: number, resolution: StepResolution, by: ActedBy): Promise<void> {
    return this.client.resolveStep(runId, seq, resolution, requiredOperator(by ?? {}));
  }
}
