import { setTimeout as pause } from 'node:timers/promises';
import { type Arena, type Fault, lasting } from '../arena.js';
import { monotonicMs } from '../clock.js';

/** For so long it may find by itself that there is room again. */
const RECOVERY_MS = 5_000;

/** A server may end when it cannot write, and not start before it can. */
async function revive({ server }: Arena): Promise<void> {
  const until = monotonicMs() + RECOVERY_MS;
  while (monotonicMs() < until) {
    const answers = await server.query('SELECT 1').then(
      () => true,
      () => false,
    );
    if (answers) return;
    await pause(100);
  }
  const startAgain = await server.end('crash');
  await startAgain();
}

export const ofDisk: readonly Fault[] = [
  {
    name: 'disk-full',
    lacks: ({ server }) => server.disk.reason,
    strike: async (arena) => {
      const { disk } = arena.server;
      disk.fill();
      await lasting(arena, 1_000, 2_500);
      disk.free();
      await revive(arena);
    },
  },
];
