import type { Command } from 'commander';
import { countOf, timeOf } from './operator-command.js';
import { attributeOf } from '../../engine/insight/attribute-text.js';
import type { ListOptions } from '../../engine/insight/workflow-status.js';
import type { RunStatus } from '../../engine/model/run.js';

export interface RunFilterFlags {
  workflow?: string;
  workflowVersion?: string;
  status?: string[];
  blocked?: boolean;
  attribute?: string[];
  createdAfter?: string;
  createdBefore?: string;
  parent?: string;
  schedule?: string;
}

/** Adds the filters of `list`. */
export const withRunFilter = (command: Command): Command =>
  command
    .option('--workflow <name>', 'runs of this workflow')
    .option('--workflow-version <version>', 'runs of this version')
    .option('--status <status...>', 'runs with one of these statuses')
    .option('--blocked', 'blocked runs')
    .option('--attribute <name=value...>', 'runs with these attributes')
    .option('--created-after <time>', 'runs that were created at this time or later')
    .option('--created-before <time>', 'runs that were created before this time')
    .option('--parent <id>', 'children of this run')
    .option('--schedule <id>', 'runs of this schedule');

export type RunFilter = Omit<ListOptions, 'order' | 'limit' | 'cursor'>;

/** @throws InvalidArgumentError */
export function runFilterOf(flags: RunFilterFlags): RunFilter {
  const { workflow, workflowVersion, status, blocked, attribute, parent, schedule } = flags;
  const version = countOf('--workflow-version', workflowVersion, 2 ** 31 - 1);
  const createdAfter = timeOf('--created-after', flags.createdAfter);
  const createdBefore = timeOf('--created-before', flags.createdBefore);
  return {
    ...(workflow !== undefined && { workflow }),
    ...(version !== undefined && { version }),
    ...(status !== undefined && { status: status as RunStatus[] }),
    ...(blocked && { blocked }),
    ...(parent !== undefined && { parent }),
    ...(schedule !== undefined && { schedule }),
    ...(attribute !== undefined && { attributes: Object.fromEntries(attribute.map(attributeOf)) }),
    ...(createdAfter && { createdAfter }),
    ...(createdBefore && { createdBefore }),
  };
}
