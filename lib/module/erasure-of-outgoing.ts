import type { EffectErasure, ErasedEffects, WhoseEffects } from '../effects/effect-erasure.js';
import type { EffectStorage } from '../effects/effect-storage.js';
import {
  type ErasedOutside,
  NOTHING_OUTSIDE,
  type OutgoingErasure,
  sumOutside,
} from '../engine/model/outgoing-erasure.js';
import type { OutboxStorage } from '../outbox/compose/outbox-storage.js';
import type { EraseEvents, ErasedEvents } from '../outbox/erasure/event-erasure.js';

interface Slices {
  effects: Pick<EffectStorage, 'erasure'> | undefined;
  /** The app's own audit sink keeps its events. */
  hasOwnAudit: boolean;
  outbox: Pick<OutboxStorage, 'erasure' | 'relay'> | undefined;
}

/** Calls per transaction, and events per page. */
const LIMIT = 500;
const PAGE = 2_000;

/** Erases calls and events of the engine's runs in the slices that hold them. */
export const erasureOfOutgoing = ({ effects, hasOwnAudit, outbox }: Slices): OutgoingErasure => {
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
