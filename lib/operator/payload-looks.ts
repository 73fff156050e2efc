import { operatorOf } from '../acts/act.js';
import { ownRun } from '../engine/client/own-run.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import type {
  ErrorView,
  RecomputedInputs,
  WorkflowAttempt,
  WorkflowLogLine,
} from '../engine/insight/workflow-status.js';
import { type RecordedHistory, recordedHistory } from '../engine/insight/recorded-history.js';
import type { EngineStorage } from '../engine/model/engine-storage.js';
import type { ComparableRun } from './run-comparison.js';

/** What a run was given, and what came of it. */
export interface RunPayloads {
  workflow: string;
  input: unknown;
  output: unknown;
  /** The error with which it failed, or that blocks it. */
  error: ErrorView | null;
}

/** A look at one step. */
export interface StepLook {
  seq: number;
  /** Whom the act log names. */
  actor?: string;
  /** If its input was not kept: as today's code asks for it. That reads and replays the whole history. */
  inputs?: 'replay';
}

/** What a step was given, and what came of it. */
export interface StepPayloads extends RunPayloads {
  /** The name of the step. */
  step: string;
  attempts: WorkflowAttempt[];
  logs: WorkflowLogLine[];
  /** Whether `input` was kept, or asked for again by today's code. */
  recomputed: boolean;
  /** If the history was replayed for it: whether today's code fits, and where it parts. From there on no step has an input. */
  replayed?: RecomputedInputs;
}

interface Ports {
  client: WorkflowClient;
  storage: Pick<EngineStorage, 'acts' | 'catalog' | 'steps'>;
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
  async ofStep(id: string, { seq, actor, inputs }: StepLook): Promise<StepPayloads> {
    const { workflow, step, recomputed } = await this.ports.client.history.step(id, seq, inputs ? { inputs } : {});
    await this.record(id, actor, { of: 'step', seq, name: step.name, ...(inputs && { inputs }) });
    const { name, input, output, error, attempts, logs } = step;
    const isRecomputed = recomputed !== undefined && input !== undefined;
    const replayed = recomputed && { replayed: recomputed };
    return { workflow, step: name, input, output, error, attempts, logs, recomputed: isRecomputed, ...replayed };
  }

  /** A run with its whole history, as it is stored. */
  async ofHistory(id: string, actor: string | undefined): Promise<RecordedHistory> {
    const { storage, namespace } = this.ports;
    await ownRun(storage.catalog, namespace, id);
    const history = await recordedHistory(storage, id);
    await this.record(id, actor, { of: 'history' });
    return history;
  }

  /** A run and its first steps, which are decoded when they are looked at. */
  async ofSteps(id: string, most: number, actor: string | undefined): Promise<ComparableRun> {
    const { client, storage, namespace } = this.ports;
    const run = await client.getStatus(id);
    const steps = await client.history.stored(await ownRun(storage.catalog, namespace, id), most);
    await this.record(id, actor, { of: 'history' });
    return { run, steps };
  }

  private async record(id: string, actor: string | undefined, details: Record<string, unknown>): Promise<void> {
    const by = actor === undefined ? undefined : operatorOf({ actor });
    if (!by) return;
    const { storage, namespace } = this.ports;
    const look = { ...by, action: 'look', kind: 'run', target: id, namespace, details, outcome: 'shown' } as const;
    await storage.acts.within(undefined, (tx) => storage.acts.record([look], tx));
  }
}
