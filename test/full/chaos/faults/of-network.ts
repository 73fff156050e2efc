import { setTimeout as pause } from 'node:timers/promises';
import { type Arena, type Fault, lasting, oneOf } from '../arena.js';
import type { Weather } from '../chaos-proxy.js';
import type { ChildProgram } from '../child-program.js';
import { LEASE_MS } from '../lease.js';

const under = async (weather: Weather, victims: readonly ChildProgram[], time: Promise<void>) => {
  for (const { proxy } of victims) proxy.set(weather);
  await time;
  for (const { proxy } of victims) proxy.set({});
};

const all = ({ fleet }: Arena) => fleet.programs;

export const ofNetwork: readonly Fault[] = [
  {
    name: 'cut',
    strike: async ({ random }, victims) => {
      for (let n = random.whole(1, 4); n > 0; n--) {
        for (const { proxy } of victims) proxy.cut();
        await pause(random.whole(50, 500));
      }
    },
    victims: all,
  },
  {
    name: 'lost-commits',
    victims: all,
    strike: (arena, victims) => under({ lostCommits: 0.2 }, victims, lasting(arena, 1_500, 3_500)),
  },
  {
    name: 'half-open',
    victims: oneOf(({ engines, nodes }) => [...engines, ...nodes]),
    strike: async (arena, [victim]) => {
      victim!.proxy.silence();
      await lasting(arena, LEASE_MS, LEASE_MS * 2);
      victim!.proxy.cut();
    },
  },
  {
    // The server hears nothing of what was open, nor of its end.
    name: 'silent',
    victims: oneOf(({ engines, nodes }) => [...engines, ...nodes]),
    strike: async (_, [victim]) => victim!.proxy.silence(),
    end: ([victim]) => victim!.proxy.cut(),
  },
  {
    name: 'partition',
    victims: oneOf(({ engines, programs }) => [...engines, ...programs]),
    strike: async (arena, [victim]) => {
      victim!.proxy.refuse(true);
      await lasting(arena, LEASE_MS, LEASE_MS * 2.5);
      victim!.proxy.refuse(false);
    },
  },
  {
    name: 'latency',
    victims: all,
    strike: (arena, victims) => under({ delayMs: 60 }, victims, lasting(arena, 2_000, 5_000)),
  },
  {
    name: 'resets',
    victims: all,
    strike: (arena, victims) => under({ delayMs: 5, resets: 0.01 }, victims, lasting(arena, 2_000, 4_000)),
  },
];
