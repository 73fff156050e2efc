import { iso } from './explain-servers.js';
import type { Hold, HoldKind } from '../../holds/hold.js';
import type { CallInSight } from '../model/outgoing.js';
import type { RunSurroundings } from '../model/run-insight.js';
import type { RunRecord } from '../model/run.js';

/** A hold that keeps a run from going on; times are epoch ms. */
export interface HeldUpBy {
  kind: 'hold';
  text: string;
  /** What is held: the run's workflow, or the group or the effect that a step of it waits for. */
  what: HoldKind;
  name: string;
  actor: string;
  reason: string;
  since: number;
  until: number | null;
}

interface Around {
  run: RunRecord;
  surroundings: Pick<RunSurroundings, 'tasks'>;
  calls: ReadonlyMap<number, readonly CallInSight[]>;
  holds: readonly Hold[];
}

/** The holds that concern a run: of its workflow, of the groups of its tasks, and of the effects it waits for. */
export function holdsOf({ run, surroundings, calls, holds }: Around): HeldUpBy[] {
  const groups = surroundings.tasks.map(({ group }) => group);
  const handlers = [...calls.values()].flat().map(({ handler }) => handler);
  const concerns: Record<HoldKind, readonly string[]> = {
    workflow: [run.workflow],
    group: groups,
    effect: handlers,
    schedule: [],
  };
  return holds.filter(({ kind, name }) => concerns[kind].includes(name)).map(heldUpBy);
}

function heldUpBy({ kind: what, name, actor, reason, since, until }: Hold): HeldUpBy {
  const end = until === undefined ? 'until somebody lifts it' : `until ${iso(until.getTime())}`;
  const text = `${what} "${name}", which ${actor} holds since ${iso(since.getTime())}, ${end}: ${reason}`;
  return { kind: 'hold', text, what, name, actor, reason, since: since.getTime(), until: until?.getTime() ?? null };
}
