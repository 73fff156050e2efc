import { ConfigurationError, UnknownWorkflowError } from '../../errors.js';
import type { DeclaredSchedule } from './schedule-spec.js';
import type { KeyedLimits } from './limit-requests.js';
import type { ClassOf, Retry, WorkflowRunner } from './workflow-context.js';

/** What is declared of a workflow besides its code. */
export interface WorkflowTraits {
  /** For steps that say nothing themselves. */
  retry?: Retry;
  /** How long a run may take, in ms. */
  timeoutMs?: number;
  limits?: WorkflowLimits;
  schedules?: readonly DeclaredSchedule[];
}

/** How many runs of a workflow at once, and how many may begin in a time; in all, or for each key. */
export type WorkflowLimits = KeyedLimits;

export interface WorkflowDefinition extends WorkflowTraits {
  name: string;
  version: number;
  runner: WorkflowRunner;
}

/** What is known of a workflow by whoever starts it. */
export interface KnownWorkflow extends WorkflowTraits {
  name: string;
  version: number;
}

/** The workflow that a class or a name stands for. @throws UnknownWorkflowError */
export type WorkflowLookup = (workflow: string | ClassOf<unknown>) => KnownWorkflow;

/** Which workflows this process can play. Filled at boot. */
export class WorkflowRegistry {
  private readonly byName = new Map<string, Map<number, WorkflowDefinition>>();

  /** @throws ConfigurationError when the name is taken in this version. */
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
