import { ConfigurationError, UnknownWorkflowError } from '../errors.js';
import type { Retry, WorkflowRunner } from './workflow-context.js';

export interface WorkflowDefinition {
  name: string;
  version: number;
  runner: WorkflowRunner;
  /** For steps that say nothing themselves. */
  retry?: Retry;
}

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

  has(name: string): boolean {
    return this.byName.has(name);
  }

  all(): WorkflowDefinition[] {
    return [...this.byName.values()].flatMap((versions) => [...versions.values()]);
  }
}

const classOf = (runner: WorkflowRunner): string => runner.constructor.name;
