import type { Overview } from '../../operator/overview.js';
import { textOf } from './table.js';

/** A line for each thing that needs somebody, with the command that shows it. */
export function overviewLines(overview: Overview): string[] {
  const { blocked, compensationFailed, due, unserved, outbox, effects, lateSchedules, lost, draining } = overview;
  const lines = [
    ...blocked.map(
      ({ workflow, version, reason, runs }) =>
        `${textOf(runs)} runs of ${workflow}@${version} are blocked: ${reason} (runs list --blocked --workflow ${workflow})`,
    ),
    ...some(compensationFailed, 'runs could not undo their steps (runs list --status compensation_failed)'),
    ...due.map(
      ({ workflow, version, since }) => `Runs of ${workflow}@${version} are due since ${textOf(since)} (nodes)`,
    ),
    ...unserved.map(
      ({ group, step, waiting, since }) =>
        `${waiting} tasks of ${step} wait in queue ${group} since ${textOf(since)}, and nobody serves it (queues)`,
    ),
    ...outbox.flatMap(({ name, blocked: channels, dead }) => [
      ...some(channels, `channels of ${name} stand still (outbox standing)`),
      ...some(dead, `dead letters of ${name} (outbox dead)`),
    ]),
    ...some(effects.abandoned, 'calls are abandoned (effects abandoned)'),
    ...effects.unclaimed.map(({ handler }) => `Nobody makes the calls of ${handler} (effects counts)`),
    ...lateSchedules.map(
      ({ id, since }) => `Schedule ${id} should have fired at ${textOf(since)} (schedules show ${id})`,
    ),
    ...lost.map(({ id, seenAt }) => `Process ${id} ended at ${textOf(seenAt)} without signing off (nodes --ended)`),
    ...draining.map(
      ({ id, since, actor, reason }) =>
        `Process ${id} drains since ${textOf(since)}, by ${actor}: ${reason} (nodes resume ${id})`,
    ),
  ];
  return lines;
}

const some = (count: Overview['failed'], text: string): string[] => (count === 0 ? [] : [`${textOf(count)} ${text}`]);
