import { operatorOf } from '../acts/act.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import type { ErrorView, WorkflowAttempt, WorkflowLogLine } from '../engine/insight/workflow-status.js';
import { type RecordedHistory, recordedHistory } from '../engine/insight/recorded-history.js';
import type { WorkflowRunStatus } from '../engine/insight/workflow-status.js';
import type { EngineStorage } from '../engine/model/engine-storage.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';

/** What a run was given, and what came of it. */
export interface RunPayloads {
  workflow: string;
  input: unknown;
  output: unknown;
  /** The error with which it failed, or that blocks it. */
  error: ErrorView | null;
}

/** What a step was given, and what came of it. */
export interface StepPayloads extends RunPayloads {
  /** The name of the step. */
  step: string;
  attempts: WorkflowAttempt[];
  logs: WorkflowLogLine[];
  /** Whether `input` was kept, or asked for again by today's code. */
  recomputed: boolean;
}

interface Ports {
  client: WorkflowClient;
  storage: Pick<EngineStorage, 'acts' | 'catalog' | 'unfinished'>;
  namespace: string;
}

/** Reads payloads; if somebody is named, the act log says who looked at what, before they get it. */
export class PayloadLooks {
  constructor(private readonly ports: Ports) {}

  async ofRun(id: string, actor: string | undefined): Promise<RunPayloads> {
    const { workflow, input, output, error, blockedBy } = await this.ports.client.getStatus(id);
    await this.record(id, actor, { of: 'run' });
    return { workflow, input, output, error: error ?? blockedBy };
  }

  /** @throws InvalidArgumentError if the run has no step there */
  async ofStep(id: string, seq: number, actor: string | undefined): Promise<StepPayloads> {
    const run = await this.ports.client.getStatus(id, { history: true, inputs: 'replay' });
    const step = run.history?.find((one) => one.seq === seq);
    if (!step) throw new InvalidArgumentError('seq', seq, 'the position of a step of the run');
    await this.record(id, actor, { of: 'step', seq, name: step.name });
    const { input, output, error, attempts, logs } = step;
    const recomputed = run.recomputed !== undefined && input !== undefined;
    return { workflow: run.workflow, step: step.name, input, output, error, attempts, logs, recomputed };
  }

  /** A run with its whole history, as it is stored. */
  async ofHistory(id: string, actor: string | undefined): Promise<RecordedHistory> {
    await this.ports.client.getStatus(id);
    const history = await recordedHistory(this.ports.storage, id);
    await this.record(id, actor, { of: 'history' });
    return history;
  }

  /** A run and its steps. */
  async ofAll(id: string, actor: string | undefined): Promise<WorkflowRunStatus> {
    const run = await this.ports.client.getStatus(id, { history: true });
    await this.record(id, actor, { of: 'history' });
    return run;
  }

  private async record(id: string, actor: string | undefined, details: Record<string, unknown>): Promise<void> {
    const by = actor === undefined ? undefined : operatorOf({ actor });
    if (!by) return;
    const { storage, namespace } = this.ports;
    const look = { ...by, action: 'look', kind: 'run', target: id, namespace, details, outcome: 'shown' } as const;
    await storage.acts.within(undefined, (tx) => storage.acts.record([look], tx));
  }
}
