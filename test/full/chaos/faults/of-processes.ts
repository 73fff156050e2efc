import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, lasting, oneOf } from '../arena.js';
import { LEASE_MS } from '../lease.js';

/** Rather one that plays workflows. */
const ratherAnEngine = oneOf(({ engines, programs }) => [...engines, ...programs]);

const SHUTDOWN_MS = 20_000;

export const ofProcesses: readonly Fault[] = [
  {
    name: 'kill',
    victims: ratherAnEngine,
    strike: async (arena, [victim]) => {
      await victim!.kill();
      await lasting(arena, 0, 1_500);
      arena.fleet.launch(victim!);
    },
  },
  {
    name: 'kill-both-engines',
    victims: ({ fleet }) => fleet.engines,
    strike: async (arena, victims) => {
      await Promise.all(victims.map((victim) => victim.kill()));
      await lasting(arena, 0, 1_000);
      for (const victim of victims) arena.fleet.launch(victim);
    },
  },
  {
    // It does not know that it was away: what it does next must find that others have taken over.
    name: 'freeze',
    victims: ratherAnEngine,
    strike: async ({ random }, [victim]) => {
      victim!.freeze();
      await pause(random.whole(LEASE_MS * 1.5, LEASE_MS * 2.5));
      victim!.thaw();
    },
  },
  {
    // Its transactions and their locks stay with it. Nobody would do what the only worker in Python does.
    name: 'frozen',
    victims: oneOf(({ engines, nodes }) => [...engines, ...nodes]),
    strike: async (_, [victim]) => victim!.freeze(),
    end: ([victim]) => victim!.thaw(),
  },
  {
    name: 'stutter',
    victims: oneOf(({ nodes }) => nodes),
    strike: async ({ random }, [victim]) => {
      for (let n = 0; n < 6; n++) {
        victim!.freeze();
        await pause(random.whole(50, 700));
        victim!.thaw();
        await pause(random.whole(10, 200));
      }
    },
  },
  {
    name: 'deploy',
    victims: oneOf(({ engines }) => engines),
    strike: async ({ fleet }, [victim]) => {
      await victim!.stop(SHUTDOWN_MS);
      fleet.upgrade(victim!);
      fleet.launch(victim!);
    },
  },
  {
    name: 'clock',
    victims: oneOf(({ engines }) => engines),
    strike: async (arena, [victim]) => {
      const { fleet, random } = arena;
      const skew = random.whole(60_000, 900_000) * (random.chance(0.5) ? 1 : -1);
      await victim!.stop(SHUTDOWN_MS);
      fleet.launch(victim!, { CHAOS_SKEW_MS: String(skew) });
      await lasting(arena, 3_000, 6_000);
      await victim!.stop(SHUTDOWN_MS);
      fleet.launch(victim!);
    },
  },
];
