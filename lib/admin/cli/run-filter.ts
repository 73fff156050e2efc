import type { Command } from 'commander';
import { countOf, timeOf } from './operator-command.js';
import { attributesOf } from '../../engine/insight/attribute-text.js';
import type { RunsFilter } from '../../engine/insight/list-options.js';
import { WAITS_FOR, type WaitsFor } from '../../engine/model/run-insight.js';
import type { RunReason, RunStatus } from '../../engine/model/run.js';

export interface RunFilterFlags {
  idPrefix?: string;
  workflow?: string;
  workflowVersion?: string;
  status?: string[];
  runReason?: string[];
  blocked?: boolean;
  waitsFor?: string[];
  attribute?: string[];
  createdAfter?: string;
  createdBefore?: string;
  endedAfter?: string;
  endedBefore?: string;
  parent?: string;
  schedule?: string;
}

/** Adds the filters of `list`. */
export const withRunFilter = (command: Command): Command =>
  command
    .option('--id-prefix <text>', 'runs whose ids begin with this text')
    .option('--workflow <name>', 'runs of this workflow')
    .option('--workflow-version <version>', 'runs of this version')
    .option('--status <status...>', 'runs with one of these statuses')
    .option('--run-reason <reason...>', 'runs that are blocked, or have not begun, for one of these reasons')
    .option('--blocked', 'blocked runs')
    .option('--waits-for <what...>', `runs that wait for one of these: ${WAITS_FOR.join(', ')}`)
    .option('--attribute <name=value...>', 'runs with these attributes; also name>value, <, >= and <=')
    .option('--created-after <time>', 'runs that were created at this time or later')
    .option('--created-before <time>', 'runs that were created before this time')
    .option('--ended-after <time>', 'runs that ended at this time or later')
    .option('--ended-before <time>', 'runs that ended before this time')
    .option('--parent <id>', 'children of this run')
    .option('--schedule <id>', 'runs of this schedule');

/** @throws InvalidArgumentError */
export function runFilterOf(flags: RunFilterFlags): RunsFilter {
  const { idPrefix, workflow, workflowVersion, status, runReason, blocked, waitsFor, attribute, parent, schedule } =
    flags;
  const version = countOf('--workflow-version', workflowVersion, 2 ** 31 - 1);
  const times = {
    createdAfter: timeOf('--created-after', flags.createdAfter),
    createdBefore: timeOf('--created-before', flags.createdBefore),
    endedAfter: timeOf('--ended-after', flags.endedAfter),
    endedBefore: timeOf('--ended-before', flags.endedBefore),
  };
  const given = Object.entries(times).filter(([, time]) => time !== undefined);
  return {
    ...(idPrefix !== undefined && { idPrefix }),
    ...(workflow !== undefined && { workflow }),
    ...(version !== undefined && { version }),
    ...(status !== undefined && { status: status as RunStatus[] }),
    ...(runReason !== undefined && { reason: runReason as RunReason[] }),
    ...(blocked && { blocked }),
    ...(waitsFor !== undefined && { waitsFor: waitsFor as WaitsFor[] }),
    ...(parent !== undefined && { parent }),
    ...(schedule !== undefined && { schedule }),
    ...(attribute !== undefined && { attributes: attributesOf(attribute) }),
    ...Object.fromEntries(given),
  };
}
