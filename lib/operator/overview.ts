import { QuestionTimeoutError } from '../errors/database-errors.js';
import type { UnclaimedEffects } from '../effects/effect-storage.js';
import type { DurableNode } from '../engine/nodes/node-views.js';
import type { FleetInsight } from '../engine/model/fleet-insight.js';
import type { BlockReason } from '../engine/model/run.js';
import type { Hold } from '../holds/hold.js';
import type { OperatorEffects } from './operator-effects.js';
import type { DestinationInSight, OperatorOutbox } from './operator-outbox.js';
import type { LateSchedule } from './operator-schedules.js';
import { stopwatch } from '../time/clock.js';
import { type Count, countOf, MOST_COUNTED, type Questions } from './questions.js';
import { type DueRuns, dueRuns, unservedTasks, type WaitingGroup, type WaitingPorts } from './waiting-work.js';

export interface BlockedKind {
  workflow: string;
  version: number;
  reason: BlockReason;
  runs: Count;
}

/** What needs somebody. An empty list: nothing of that kind does. */
export interface Overview {
  /** Blocked runs by what they have in common, most first. */
  blocked: BlockedKind[];
  /** Runs that could not undo their steps. */
  compensationFailed: Count;
  failed: Count;
  /** Runs that have been due for 30 s, and that no process has taken; the longest first, without held workflows. */
  due: DueRuns[];
  /** Groups whose tasks wait for 30 s, while no process serves them; of up to 100 groups, without held ones. */
  unserved: WaitingGroup[];
  /** Publishers and consumers with blocked channels or dead letters. */
  outbox: Pick<DestinationInSight, 'name' | 'blocked' | 'blockedSince' | 'dead'>[];
  effects: { abandoned: Count; /** Handlers whose calls nobody has made for 5 min. */ unclaimed: UnclaimedEffects[] };
  /** Schedules that should have fired more than a minute ago. */
  lateSchedules: LateSchedule[];
  holds: Hold[];
  /** Processes that ended within the last hour without signing off: they were killed, or lost their database. */
  lost: Pick<DurableNode, 'id' | 'host' | 'roles' | 'seenAt'>[];
  /** Processes that begin nothing new until they are resumed. */
  draining: (Pick<DurableNode, 'id' | 'host' | 'roles'> & NonNullable<DurableNode['draining']>)[];
  /** Parts that could not be answered in time: they are empty here, and say nothing. */
  unanswered: (keyof Overview)[];
}

/** Undefined parts: the app has no outbox or effects. */
export interface OverviewPorts extends WaitingPorts {
  fleet: FleetInsight;
  outbox: OperatorOutbox | undefined;
  effects: OperatorEffects | undefined;
  late: () => Promise<LateSchedule[]>;
  now: () => number;
}

const WAITS_MS = 30_000;
const LOST_MS = 3_600_000;

/** Each part is asked on its own, one after the other: one connection at a time, and one slow part leaves the others. */
export const overviewParts = (
  ports: OverviewPorts,
): { [Part in Exclude<keyof Overview, 'unanswered'>]: () => Promise<Overview[Part]> } => {
  const { fleet, namespace, outbox, effects } = ports;
  const counted = async (status: 'failed' | 'compensation_failed'): Promise<Count> => {
    const { byStatus } = await fleet.counts({ namespace, status: [status], limit: 1 }, MOST_COUNTED);
    const found = byStatus.find((one) => one.status === status);
    return found ? countOf(found) : 0;
  };
  return {
    blocked: async () => {
      const kinds = await fleet.blocked(namespace, MOST_COUNTED);
      return kinds.map(({ count, more, ...kind }) => ({ ...kind, runs: countOf({ count, more }) }));
    },
    compensationFailed: () => counted('compensation_failed'),
    failed: () => counted('failed'),
    due: () => dueRuns(ports, WAITS_MS),
    unserved: () => unservedTasks(ports, WAITS_MS),
    outbox: async () => {
      const all = (await outbox?.destinations()) ?? [];
      return all
        .filter(({ blocked, dead }) => blocked !== 0 || dead !== 0)
        .map(({ name, blocked, blockedSince, dead }) => ({ name, blocked, blockedSince, dead }));
    },
    effects: async () => {
      if (!effects) return { abandoned: 0, unclaimed: [] };
      return { abandoned: await effects.count('abandoned'), unclaimed: await effects.unclaimed() };
    },
    lateSchedules: ports.late,
    holds: ports.holds,
    lost: async () => {
      const since = ports.now() - LOST_MS;
      const nodes = (await ports.nodes()).filter(({ lost, seenAt }) => lost && seenAt.getTime() >= since);
      return nodes.map(({ id, host, roles, seenAt }) => ({ id, host, roles, seenAt }));
    },
    draining: async () =>
      (await ports.nodes()).flatMap(({ id, host, roles, draining }) =>
        draining ? [{ id, host, roles, ...draining }] : [],
      ),
  };
};

const nothing = (): Overview => ({
  blocked: [],
  compensationFailed: 0,
  failed: 0,
  due: [],
  unserved: [],
  outbox: [],
  effects: { abandoned: 0, unclaimed: [] },
  lateSchedules: [],
  holds: [],
  lost: [],
  draining: [],
  unanswered: [],
});

/** A part that takes longer leaves time for the others. */
const PART = 0.4;

/** Answers what can be answered in time, all together. @throws any error but that of a part that took too long */
export async function overviewOf(parts: ReturnType<typeof overviewParts>, questions: Questions): Promise<Overview> {
  const overview = nothing();
  const end = stopwatch.now() + questions.mostMs;
  for (const part of Object.keys(parts) as (keyof typeof parts)[]) {
    try {
      const mostMs = Math.max(1, Math.min(PART * questions.mostMs, end - stopwatch.now()));
      Object.assign(overview, { [part]: await questions.ask<unknown>(`overview: ${part}`, parts[part], mostMs) });
    } catch (error) {
      if (!(error instanceof QuestionTimeoutError)) throw error;
      overview.unanswered.push(part);
    }
  }
  return overview;
}
