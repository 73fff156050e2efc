import type { FleetInsight, SignalsWanted, WaitCursor } from '../engine/model/fleet-insight.js';
import { channelWanted } from '../engine/model/mailbox.js';
import { checkName, checkRunId } from '../engine/model/names.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import type { KnownOptions } from '../options/known-options.js';
import { checkedLimit, dateOf } from './questions.js';
import { PAGE_OPTIONS, type PageOptions } from './queues.js';

/** A step of a run that waits for a signal. One that waits for the first of several has a wait for each. */
export interface SignalWaitInSight {
  workflowId: string;
  workflow: string;
  /** The position of the step. */
  seq: number;
  step: string;
  /** The name of the signal; null if it was erased, or recorded by an old version. */
  name: string | null;
  /** Null: the signal must be sent to the run itself. */
  key: string | null;
  since: Date;
  deadline: Date | null;
}

export interface SignalWaitsPage {
  /** In no order that says anything. A page may be short. */
  waits: SignalWaitInSight[];
  /** For the next page. */
  cursor?: string;
}

export interface SignalWaitsOptions extends PageOptions {
  /** Of the signal; with `key` or `workflowId`. */
  name?: string;
  /** To which it is sent; with `name` or `workflowId`. */
  key?: string;
  /** The run that waits. */
  workflowId?: string;
}

export const SIGNAL_WAITS_OPTIONS = {
  ...PAGE_OPTIONS,
  name: true,
  key: true,
  workflowId: true,
} satisfies KnownOptions<SignalWaitsOptions>;

/** By its run, or by name and key: no index has one of these alone. */
export async function signalWaitsPage(
  fleet: Pick<FleetInsight, 'signalWaits'>,
  namespace: string,
  options: SignalWaitsOptions,
): Promise<SignalWaitsPage> {
  const { limit = 100, cursor } = options;
  const { name, key, run } = wantedIn(options);
  if (run === undefined && (name === undefined) !== (key === undefined))
    throw new InvalidArgumentError('name and key', name ?? key, 'both, or a run: no index has waits by one alone');
  const query = { namespace, run, channel: channelWanted(namespace, { name, key }), limit: checkedLimit(limit, 100) };
  const { waits, next } = await fleet.signalWaits({ ...query, after: cursorIn(cursor) });
  const isMeant = (wait: { name: string | null; key: string | null }) =>
    (name === undefined || wait.name === name) && (key === undefined || wait.key === key);
  return {
    waits: waits.filter(isMeant).map(({ runId: workflowId, since, deadline, ...wait }) => {
      const times = { since: new Date(since), deadline: dateOf(deadline) };
      return { workflowId, ...wait, ...times };
    }),
    ...(next && { cursor: `${next.channel} ${next.stepId}` }),
  };
}

/** Which signals somebody means. @throws InvalidArgumentError */
export function wantedIn({ name, key, workflowId }: Omit<SignalWaitsOptions, keyof PageOptions>): SignalsWanted {
  return {
    name: name === undefined ? undefined : checkName(name, 'The name of a signal'),
    key: key === undefined ? undefined : checkName(key, 'The key of a signal'),
    run: workflowId === undefined ? undefined : checkRunId(workflowId),
  };
}

/** @throws InvalidArgumentError */
function cursorIn(cursor: string | undefined): WaitCursor | undefined {
  if (cursor === undefined) return undefined;
  const [, channel, stepId] = /^([\w-]+) ([^\0]+)$/.exec(cursor) ?? [];
  if (channel === undefined || stepId === undefined)
    throw new InvalidArgumentError('cursor', cursor, 'the cursor of an answer');
  return { channel, stepId };
}
