import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, lasting, onPostgres } from '../arena.js';

export const ofRows: readonly Fault[] = [
  {
    // A late delete of a foreign worker's, or an operator's hand.
    name: 'lost-tasks',
    strike: async ({ server }) => void (await server.query('DELETE FROM durable_transport_tasks')),
  },
  {
    name: 'old-snapshot',
    victims: () => [],
    strike: async (arena) => {
      const connection = await arena.server.connect('admin');
      const begin = onPostgres(arena)
        ? ['BEGIN ISOLATION LEVEL REPEATABLE READ']
        : ['SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START TRANSACTION WITH CONSISTENT SNAPSHOT'];
      for (const text of begin) await connection.query(text);
      await connection.query('SELECT count(*) FROM durable_runs');
      await lasting(arena, 2_000, 5_000);
      await connection.end();
    },
  },
  {
    name: 'locked-rows',
    strike: async ({ server, random }) => {
      const connection = await server.connect('admin');
      for (let n = 0; n < 3; n++) {
        await connection.query('BEGIN');
        await connection
          .query('SELECT id FROM durable_runs WHERE finished_at IS NULL FOR UPDATE')
          .catch(() => undefined);
        await pause(random.whole(200, 800));
        await connection.query('ROLLBACK');
        await pause(random.whole(50, 300));
      }
      await connection.end();
    },
  },
  {
    // Code of the app's that forgets its COMMIT, over and over.
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
];
