import { randomUUID } from 'node:crypto';
import { type OutboxEvent, RUN_CHANNELS, type WrittenEvent } from './outbox-event.js';

/** What a hook wants to hear of runs. Without a list: of all. */
export interface RunWish {
  readonly on: 'ended' | 'blocked';
  readonly namespace: string;
  readonly workflows?: readonly string[];
  /** Final statuses, or reasons of blocked runs. */
  readonly states?: readonly string[];
}

/** An end or block of a run. `state`: its final status, or why it is blocked. */
export interface RunFact {
  readonly on: RunWish['on'];
  readonly runId: string;
  readonly namespace: string;
  readonly workflow: string;
  readonly state: string;
  /** The destinations of the hooks that wanted to hear of it when it was written. */
  readonly hooks: readonly string[];
}

type Fact = Omit<RunFact, 'hooks'>;

const isWished = (fact: Fact, { on, namespace, workflows, states }: RunWish): boolean =>
  fact.on === on &&
  fact.namespace === namespace &&
  (workflows?.includes(fact.workflow) ?? true) &&
  (states?.includes(fact.state) ?? true);

export const isWanted = (fact: Fact, wishes: readonly RunWish[]): boolean =>
  wishes.some((wish) => isWished(fact, wish));

/** The event of a fact. It holds no payload of the run. */
export const eventOfRun = ({ on, runId, namespace, workflow, state, hooks }: RunFact): WrittenEvent => ({
  mutationId: randomUUID(),
  channel: RUN_CHANNELS + runId,
  name: `run.${on}`,
  rejected: false,
  data: JSON.stringify({ namespace, workflow, state, hooks }),
  headers: null,
});

export function factOf({ channel, name, data }: OutboxEvent): RunFact {
  const on = name === 'run.blocked' ? 'blocked' : 'ended';
  return { on, runId: channel.slice(RUN_CHANNELS.length), ...(data as Omit<RunFact, 'on' | 'runId'>) };
}

/** What a destination has stored of its wishes: a list of {@link Declaration}s, as JSON. */
export interface StoredWishes {
  readonly name: string;
  readonly wants: string;
}

/** What processes of one version want. In a rolling deploy there are several. */
interface Declaration {
  readonly wishes: readonly RunWish[];
  /** When a process with it was last there, epoch ms. */
  readonly seenAt: number;
}

/** How often a process says that it is there; and after how long another version of a hook counts as gone. */
export const SAID_EVERY_MS = 60_000;
const GONE_AFTER_MS = 300_000;

/** The stored text after a process has declared `wishes`, a JSON list: beside it, other versions stay that are there. */
export function declared(stored: string | null, wishes: string, now: number): string {
  const isThere = (other: Declaration) => other.seenAt > now - GONE_AFTER_MS && JSON.stringify(other.wishes) !== wishes;
  return JSON.stringify([
    ...declarationsIn(stored).filter(isThere),
    { wishes: JSON.parse(wishes) as RunWish[], seenAt: now },
  ]);
}

/** Unreadable ones, of another version, count as none. */
function declarationsIn(stored: string | null): Declaration[] {
  try {
    const found = JSON.parse(stored ?? '[]') as Partial<Declaration>[];
    return found.flatMap(({ wishes, seenAt = 0 }) => (Array.isArray(wishes) ? [{ wishes, seenAt }] : []));
  } catch {
    return [];
  }
}

/** What any version of a hook wants. */
export interface HookWishes {
  readonly hook: string;
  readonly wishes: readonly RunWish[];
}

export const wishesIn = (stored: readonly StoredWishes[]): HookWishes[] =>
  stored.map(({ name, wants }) => ({ hook: name, wishes: declarationsIn(wants).flatMap(({ wishes }) => wishes) }));

/** The hooks that want to hear of a fact. */
export const hooksFor = (fact: Fact, all: readonly HookWishes[]): string[] =>
  all.flatMap(({ hook, wishes }) => (isWanted(fact, wishes) ? [hook] : []));
