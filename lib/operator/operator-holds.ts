import { type ActedBy, requiredOperator } from '../acts/act.js';
import type { HoldOptions, HoldTarget } from '../engine/client/client-holds.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import type { Hold } from '../holds/hold.js';
import type { Questions } from './questions.js';

interface Ports {
  client: WorkflowClient;
  questions: Questions;
}

/** What operators hold. */
export class OperatorHolds {
  constructor(private readonly ports: Ports) {}

  /** @throws QuestionTimeoutError */
  list(): Promise<Hold[]> {
    return this.ports.questions.ask('holds.list', () => this.ports.client.holds());
  }

  /** Nothing new of it is begun, until it is lifted. @throws InvalidArgumentError, ScheduleNotFoundError */
  async hold(target: HoldTarget, options: HoldOptions): Promise<void> {
    return this.ports.client.hold(target, { ...options, ...requiredOperator(options ?? {}) });
  }

  /** Returns false if there was no hold. @throws InvalidArgumentError, ScheduleNotFoundError */
  async lift(target: HoldTarget, by: ActedBy): Promise<boolean> {
    return this.ports.client.lift(target, requiredOperator(by ?? {}));
  }
}
