import type { EffectStorage } from '../effects/effect-storage.js';
import { type CallsInSight, MOST_CALLS } from '../engine/model/outgoing.js';
import type { OutgoingStory } from '../engine/model/story.js';
import type { RelayStorage } from '../outbox/relay/relay-storage.js';

interface Slices {
  effects: Pick<EffectStorage, 'story'> | undefined;
  outbox: { relay: Pick<RelayStorage, 'deadLetterStory'> } | undefined;
}

/** What the slices that hold calls and events tell of the engine's runs. */
export const storyOfOutgoing = ({ effects, outbox }: Slices): OutgoingStory => ({
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
