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
    // Programs of others that lock the same rows the other way round.
    name: 'deadlocks',
    victims: () => [],
    strike: async ({ server, random }) => {
      const connection = await server.connect('admin');
      for (let n = 0; n < 12; n++) {
        const from = await connection.query<{ id: string }>(
          'SELECT id FROM durable_runs WHERE finished_at IS NULL ORDER BY id DESC LIMIT 20',
        );
        await connection.query('BEGIN');
        for (const { id } of from) {
          const touched = connection.query('UPDATE durable_runs SET priority = priority WHERE id = ?', [id]);
          // It may be the one that is given up.
          if (
            !(await touched.then(
              () => true,
              () => false,
            ))
          )
            break;
        }
        await connection.query('ROLLBACK');
        await pause(random.whole(20, 150));
      }
      await connection.end();
    },
  },
];
