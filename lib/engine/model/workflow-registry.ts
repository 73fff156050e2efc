import { UnknownWorkflowError } from '../../errors/code-errors.js';
import { ConfigurationError } from '../../errors/setup-errors.js';
import type { StandardSchema } from '../../protocol/standard-schema.js';
import type { DeclaredSchedule } from './schedule-spec.js';
import type { KeyedLimits } from './limit-requests.js';
import type { ClassOf, WorkflowRunner } from './workflow-context.js';
import type { OnExhausted, Retry } from './step-options.js';

/** The declared options of a workflow. */
export interface WorkflowTraits {
  /** For steps without a `retry` of their own. */
  retry?: Retry;
  /** For steps without an `onExhausted` of their own. */
  onExhausted?: OnExhausted;
  keepInputs?: boolean;
  /** How long a run may take, in ms. */
  timeoutMs?: number;
  limits?: WorkflowLimits;
  /** Of its input. */
  input?: StandardSchema;
  schedules?: readonly DeclaredSchedule[];
}

/** Limits how many runs of a workflow run at once, and how many begin per time; in total, or per key. */
export type WorkflowLimits = KeyedLimits;

export interface WorkflowDefinition extends WorkflowTraits {
  name: string;
  version: number;
  runner: WorkflowRunner;
}

/** The data of a workflow that is needed to start it. */
export interface KnownWorkflow extends WorkflowTraits {
  name: string;
  version: number;
}

/** Returns the workflow of a class or a name, with the schema of this version. @throws UnknownWorkflowError */
export type WorkflowLookup = (workflow: string | ClassOf<unknown>, version?: number) => KnownWorkflow;

/** The workflows that this process can play. Filled at startup. */
export class WorkflowRegistry {
  private readonly byName = new Map<string, Map<number, WorkflowDefinition>>();

  /** @throws ConfigurationError if this name and version are registered already. */
  register(definition: WorkflowDefinition): void {
    const { name, version, runner } = definition;
    const versions = this.byName.get(name) ?? new Map<number, WorkflowDefinition>();
    const other = versions.get(version);
    if (other) {
      throw new ConfigurationError(
        `Workflow "${name}" version ${version} is declared by ${classOf(other.runner)} and by ${classOf(runner)}: ` +
          `rename one, or give it another version`,
      );
    }
    this.byName.set(name, versions.set(version, definition));
  }

  find(name: string, version: number): WorkflowDefinition | undefined {
    return this.byName.get(name)?.get(version);
  }

  /** The highest version of `name`. @throws UnknownWorkflowError */
  latest(name: string): WorkflowDefinition {
    const versions = this.byName.get(name);
    if (!versions) throw new UnknownWorkflowError(name);
    return versions.get(Math.max(...versions.keys()))!;
  }

  /** In ascending order. */
  versionsOf(name: string): number[] {
    return [...(this.byName.get(name)?.keys() ?? [])].sort((a, b) => a - b);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  all(): WorkflowDefinition[] {
    return [...this.byName.values()].flatMap((versions) => [...versions.values()]);
  }
}

const classOf = (runner: WorkflowRunner): string => runner.constructor.name;
