import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../core/time.js';
import { checkedOperation, type OperationRules } from '../effects/effects.js';
import {
  type EffectErasure,
  type EffectRemoval,
  type EffectSettlements,
  type EffectStorage,
  type EffectStore,
  type EndedCursor,
  EntryIds,
  type ErasedEffects,
  type NewEffect,
  type PurgeEnded,
  type WhoseEffects,
} from '../effects/entries.js';
import { type ErasedOutside, NOTHING_OUTSIDE, type OutgoingErasure, sumOutside } from '../engine/erasure.js';
import type { EffectCompletions } from '../engine/signals.js';
import {
  type CallsInSight,
  type CheckedOperation,
  MOST_CALLS,
  type RunOperation,
  type StepEffects,
  type StepEvents,
} from '../engine/step.js';
import type { OutgoingStory } from '../engine/story.js';
import type { Purging } from '../engine/upkeep.js';
import {
  checkedEvent,
  type ErasedEvents,
  type EraseEvents,
  type EventLimits,
  type OutboxWriter,
  type WrittenEvent,
} from '../outbox/events.js';
import type { OutboxStorage, RelayStorage } from '../outbox/storage.js';
import type { RetentionSettings } from './slice-options.js';
import type { Storage } from './storage.providers.js';

/** The target of events of executed or replayed code; empty if the app has no outbox. */
export const eventsOf = (outbox: OutboxStorage | undefined, limits: EventLimits): { events?: StepEvents } =>
  outbox ? { events: outboxStepEvents(outbox.writer, limits) } : {};

/** Adapts the outbox to the engine: the target of `ctx.publish`. */
export const outboxStepEvents = (writer: Pick<OutboxWriter, 'writeIn'>, limits: EventLimits): StepEvents => ({
  check: (event, context) => checkedEvent(event, limits, randomUUID, context),
  // The engine passes only events that `check` returned.
  write: (events, tx) => writer.writeIn(tx, events as readonly WrittenEvent[]),
});

interface OperationToWrite extends CheckedOperation {
  readonly effects: readonly NewEffect[];
}

/** The target of effect calls of executed or replayed code; empty if the app has no effects. */
export const callsOf = (
  effects: Pick<EffectStorage, 'store'> | undefined,
  rules: OperationRules,
  clock: Clock,
): { effects?: StepEffects } => (effects ? { effects: effectsOfSteps(effects.store, rules, clock) } : {});

/** Adapts effects to the engine: the target of `ctx.effects`. */
export function effectsOfSteps(
  store: Pick<EffectStore, 'writeIn'>,
  rules: OperationRules,
  clock: Clock = systemClock,
): StepEffects {
  const ids = new EntryIds(clock);
  // The engine passes only operations that `check` returned.
  const of = (operations: readonly RunOperation[]) =>
    operations.flatMap(({ runId, operation }) =>
      (operation as OperationToWrite).effects.map((effect) => ({ ...effect, runId })),
    );
  return {
    check: (given, context): OperationToWrite => {
      const { operation, subject } = given ?? {};
      const effects = checkedOperation(given, rules, context).map((effect) => ({ entryId: ids.next(), ...effect }));
      const size = effects.reduce((sum, { ref, payload }) => sum + ref.length + (payload?.length ?? 0), 0);
      return { operation, subject, entryIds: effects.map(({ entryId }) => entryId), size, effects };
    },
    write: (operations, tx) => store.writeIn(tx, of(operations)),
  };
}

/** The same settlements; a completion also notifies waiting runs in its transaction. */
export function tellingRuns(
  { settlements, insight }: Pick<EffectStorage, 'settlements' | 'insight'>,
  completions: Pick<EffectCompletions, 'complete'>,
): EffectSettlements {
  return {
    settle: async (claimed, settlement, onCompletion) => {
      if (settlement.status !== 'succeeded') return settlements.settle(claimed, settlement, onCompletion);
      return settlements.settle(claimed, settlement, async (group, handle, tx) => {
        await completions.complete(group, tx, () => insight.isComplete(group, tx));
        await onCompletion?.(group, handle, tx);
      });
    },
  };
}

interface ErasingSlices {
  effects: Pick<EffectStorage, 'erasure'> | undefined;
  /** The app's own audit sink keeps its events. */
  hasOwnAudit: boolean;
  outbox: Pick<OutboxStorage, 'erasure' | 'relay'> | undefined;
}

/** Calls per transaction, and events per page. */
const LIMIT = 500;
const PAGE = 2_000;

/** Erases calls and events of the engine's runs in the slices that hold them. */
export const erasureOfOutgoing = ({ effects, hasOwnAudit, outbox }: ErasingSlices): OutgoingErasure => {
  const calls = (whose: WhoseEffects, discards: boolean) =>
    effects ? effectsErased(effects.erasure, whose, discards, hasOwnAudit) : Promise.resolve(NOTHING_OUTSIDE);
  const events = (channels: readonly Channel[], discards: boolean) =>
    outbox ? eventsErased(outbox, channels, discards) : Promise.resolve(NOTHING_OUTSIDE);
  return {
    effectsOf: (runIds, discards) => calls({ runIds }, discards),
    effectsFor: (groups, discards) => calls({ groups }, discards),
    eventsIn: (channels, discards) =>
      events(
        channels.map((channel) => ({ channel })),
        discards,
      ),
    eventsOf: async (published, discards) => {
      const runOf = new Map(published.flatMap(({ runId, ids }) => ids.map((id) => [id, runId] as const)));
      const mutationIds = [...runOf.keys()];
      const channels = [...new Set(published.flatMap((one) => one.channels))].sort();
      const erased = await events(
        channels.map((channel) => ({ channel, mutationIds })),
        discards,
      );
      const kept = erased.kept.map(({ id, ...item }) => ({ ...item, id, runId: runOf.get(id)! }));
      return { ...erased, kept };
    },
  };
};

async function effectsErased(
  erasure: EffectErasure,
  whose: WhoseEffects,
  discards: boolean,
  hasOwnAudit: boolean,
): Promise<ErasedOutside> {
  const request = { whose, discards, limit: LIMIT };
  let [effects, auditEvents] = [0, 0];
  for (let after: string | undefined = ''; after !== undefined;) {
    const erased: ErasedEffects = await erasure.erase({ ...request, after });
    effects += erased.effects;
    auditEvents += erased.auditEvents;
    after = erased.next;
  }
  const kept = (await erasure.kept(request)).map(({ entryId: id, runId, isAbandoned, handler }) => ({
    kind: 'effect' as const,
    id,
    ...(runId !== null && { runId }),
    why: isAbandoned
      ? `The call of "${handler}" was abandoned: requeue it, or ${discards ? 'end the run that waits for it' : 'erase it with discard: true'}`
      : `The call of "${handler}" is still to be made; it is erased once it has succeeded`,
  }));
  const audit = { kind: 'audit' as const, id: '', why: "Events of these calls are in the app's own audit sink" };
  return { ...NOTHING_OUTSIDE, effects, auditEvents, kept: hasOwnAudit && effects > 0 ? [...kept, audit] : kept };
}

type Channel = Pick<EraseEvents, 'channel' | 'mutationIds'>;

async function eventsErased(
  { erasure, relay }: Pick<OutboxStorage, 'erasure' | 'relay'>,
  channels: readonly Channel[],
  discards: boolean,
): Promise<ErasedOutside> {
  const destinations = (await relay.destinations.known()).map(({ name }) => name);
  let sum = NOTHING_OUTSIDE;
  for (const channel of channels) {
    const events = await allPages((after) => erasure.erase({ ...channel, after, limit: PAGE }));
    const why = 'It is still to be published; its data is erased, or deleted, once every destination has it';
    const kept = events.kept.map(({ mutationId: id }) => ({ kind: 'event' as const, id, why }));
    sum = sumOutside(sum, { ...NOTHING_OUTSIDE, events: events.erased, kept });
    for (const destination of destinations) {
      const dead = await allPages((after) =>
        erasure.eraseDead({ ...channel, destination, discards, after, limit: PAGE }),
      );
      const because = `A dead letter of "${destination}": requeue it, or erase it with discard: true`;
      const left = dead.kept.map(({ mutationId: id }) => ({ kind: 'dead-letter' as const, id, why: because }));
      sum = sumOutside(sum, { ...NOTHING_OUTSIDE, deadLetters: dead.erased, kept: left });
    }
  }
  await erasure.forgetErrors(
    destinations,
    channels.map(({ channel }) => channel),
  );
  return sum;
}

async function allPages(page: (after: string) => Promise<ErasedEvents>): Promise<Omit<ErasedEvents, 'next'>> {
  let erased = 0;
  const kept: ErasedEvents['kept'][number][] = [];
  for (let after: string | undefined = '0'; after !== undefined;) {
    const found: ErasedEvents = await page(after);
    erased += found.erased;
    kept.push(...found.kept);
    after = found.next;
  }
  return { erased, kept };
}

/** What retention deletes outside of the engine: samples, and what the app has turned on and limited. */
export function purgesOfSlices(
  { effectsMs, abandonedEffectsMs, effectAuditMs, deadLettersMs, actsMs, samplesMs }: RetentionSettings,
  { engine: { acts, samples }, effects, outbox, store }: Pick<Storage, 'engine' | 'effects' | 'outbox' | 'store'>,
): Purging[] {
  const removal = effects?.removal;
  const letters = outbox?.relay.deadLetterRemoval;
  return [
    ...purging('effects', effectsMs, removal && pages(removal, 'succeeded')),
    ...purging('abandoned-effects', abandonedEffectsMs, removal && pages(removal, 'abandoned')),
    ...purging('effect-audit', effectAuditMs, removal && ((ms, limit) => removal.purgeAudit(ms, limit))),
    ...purging('samples', samplesMs, (ms, limit) => samples.purge(ms, limit)),
    // Since its time is over: from then on it counts as gone.
    { what: 'store', purge: (limit) => store.entries.sweep(limit) },
    ...purging('acts', actsMs, (ms, limit) => acts.purge(ms, limit)),
    ...purging('dead-letters', deadLettersMs, letters && ((ms, limit) => letters.purge(ms, limit))),
  ];
}

function purging(
  what: string,
  keptMs: number | null,
  purge: ((olderThanMs: number, limit: number) => Promise<number>) | undefined,
): Purging[] {
  if (keptMs === null || !purge) return [];
  return [{ what, purge: (limit) => purge(keptMs, limit) }];
}

/** Goes on where the last call ended: calls that runs wait for stay, and must not hide those after them. */
function pages(removal: EffectRemoval, status: PurgeEnded['status']) {
  let after: EndedCursor | undefined;
  return async (olderThanMs: number, limit: number): Promise<number> => {
    const { purged, next } = await removal.purge({ status, olderThanMs, limit }, after);
    after = next;
    return purged;
  };
}

interface TellingSlices {
  effects: Pick<EffectStorage, 'story'> | undefined;
  outbox: { relay: Pick<RelayStorage, 'deadLetterStory'> } | undefined;
}

/** What the slices that hold calls and events tell of the engine's runs. */
export const storyOfOutgoing = ({ effects, outbox }: TellingSlices): OutgoingStory => ({
  ...(effects && {
    effects: async (query) =>
      (await effects.story.moments(query)).map(({ call, isErased, ...moment }) => ({ ...moment, ...call, isErased })),
    entries: (runIds, limit) => effects.story.entries(runIds, limit),
  }),
  ...(outbox && {
    deadLetters: async (published, query) =>
      (await outbox.relay.deadLetterStory.moments(published, query)).map(({ letter, ...moment }) => ({
        ...moment,
        ...letter,
      })),
  }),
});

/** Lets the engine explain what a step of `ctx.effects` waits for. */
export const callsInSight = ({ insight }: Pick<EffectStorage, 'insight'>): CallsInSight => ({
  open: async (group) => {
    const calls = await insight.listOpen(group, MOST_CALLS);
    return calls.map(({ handler, status, attempts, nextAttemptAt }) => ({ handler, status, attempts, nextAttemptAt }));
  },
});
