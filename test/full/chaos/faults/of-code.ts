import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, lasting, oneOf } from '../arena.js';
import { blocking, deadly, oversized } from '../kinds/bad-code.js';

/** What the app's own code does to its processes. */
export const ofCode: readonly Fault[] = [
  {
    // Code that forgets its COMMIT, over and over.
    name: 'leaked-begin',
    strike: async ({ fleet, random }) => {
      for (let n = 0; n < 8; n++) {
        const able = fleet.engines.filter((program) => program.obeys);
        if (able.length > 0)
          await random
            .pick(able)
            .tell({ do: 'leak' })
            .catch(() => undefined);
        await pause(random.whole(50, 300));
      }
    },
  },
  {
    name: 'pool-exhausted',
    victims: oneOf(({ engines }) => engines),
    strike: async ({ random }, [victim]) =>
      void (await victim!.tell({ do: 'hold', ms: random.whole(1_000, 5_000) }).catch(() => undefined)),
  },
  {
    name: 'deadly-step',
    strike: async (arena) => {
      arena.begin(deadly);
      await lasting(arena, 2_000, 4_000);
    },
  },
  {
    name: 'blocked-loop',
    strike: async (arena) => {
      arena.begin(blocking);
      await lasting(arena, 4_000, 6_000);
    },
  },
  {
    name: 'oversized',
    victims: () => [],
    strike: async (arena) => {
      arena.begin(oversized);
      await lasting(arena, 500, 2_000);
    },
  },
];
