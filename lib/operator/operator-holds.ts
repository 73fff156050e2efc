import { type ActedBy, requiredOperator } from '../acts/act.js';
import type { HoldOptions, HoldTarget } from '../engine/client/client-holds.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import type { Hold } from '../holds/hold.js';
import type { Questions } from './questions.js';

export interface HoldReceipt {
  /** False: no process that is remembered serves it, and none of its runs, tasks or calls waits. */
  known: boolean;
}

interface Ports {
  client: WorkflowClient;
  questions: Questions;
  isKnown: (target: HoldTarget) => Promise<boolean>;
}

/** What operators hold. */
export class OperatorHolds {
  constructor(private readonly ports: Ports) {}

  /** @throws QuestionTimeoutError */
  list(): Promise<Hold[]> {
    return this.ports.questions.ask('holds.list', () => this.ports.client.holds());
  }

  /**
   * Nothing new of it is begun, until it is lifted. A name that nobody has used yet may be held, too: then the answer says
   * that it is not `known`, since it may be misspelt. @throws InvalidArgumentError, ScheduleNotFoundError
   */
  async hold(target: HoldTarget, options: HoldOptions): Promise<HoldReceipt> {
    await this.ports.client.hold(target, { ...options, ...requiredOperator(options ?? {}) });
    return { known: await this.isKnown(target) };
  }

  private async isKnown(target: HoldTarget): Promise<boolean> {
    try {
      return await this.ports.questions.ask('holds.known', () => this.ports.isKnown(target));
    } catch {
      // The hold is there: that it could not be looked up must not look like a failure.
      return true;
    }
  }

  /** Returns false if there was no hold. @throws InvalidArgumentError, ScheduleNotFoundError */
  async lift(target: HoldTarget, by: ActedBy): Promise<boolean> {
    return this.ports.client.lift(target, requiredOperator(by ?? {}));
  }
}
