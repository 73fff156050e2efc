import { setTimeout as pause } from 'node:timers/promises';
import { type Arena, type Fault, lasting, onPostgres } from '../arena.js';
import type { Witness } from '../chaos-server.js';

const away = (how: 'fast' | 'crash') => async (arena: Arena) => {
  const startAgain = await arena.server.end(how);
  await lasting(arena, 0, 1_500);
  await startAgain();
};

/** Sessions of the app. */
async function endSessions({ server, random }: Arena, share: number): Promise<void> {
  const connection = await server.connect('admin');
  const sessions = await (onPostgres({ server })
    ? connection.query<{ id: number }>(`SELECT pid AS id FROM pg_stat_activity WHERE usename = 'chaos'`)
    : connection.query<{ id: number }>(`SELECT id FROM information_schema.processlist WHERE user = 'chaos'`));
  for (const { id } of sessions) {
    const text = onPostgres({ server }) ? `SELECT pg_terminate_backend(${id})` : `KILL ${id}`;
    // Others may have been faster.
    if (random.chance(share)) await connection.query(text).catch(() => undefined);
  }
  await connection.end();
}

/** A setting for new sessions, for a while: those that are open are ended. */
async function setting(arena: Arena, [on, off]: readonly [string, string], leastMs: number, mostMs: number) {
  await arena.server.query(on);
  await endSessions(arena, 1);
  await lasting(arena, leastMs, mostMs);
  await arena.server.query(off);
  await endSessions(arena, 1);
}

const ofApp = (name: string, value: string): readonly [string, string] => [
  `ALTER ROLE chaos SET ${name} = ${value}`,
  `ALTER ROLE chaos RESET ${name}`,
];

const ofAll = (name: string, on: string, off: string): readonly [string, string] => [
  `SET GLOBAL ${name} = ${on}`,
  `SET GLOBAL ${name} = ${off}`,
];

/** Connections until the server takes no more of the app. */
async function takeConnections({ server }: Arena): Promise<Witness[]> {
  const taken: Witness[] = [];
  for (;;) {
    const connection = await server.connect('app').catch(() => undefined);
    if (!connection) return taken;
    taken.push(connection);
  }
}

export const ofServer: readonly Fault[] = [
  { name: 'restart', strike: away('fast') },
  { name: 'crash', strike: away('crash') },
  {
    name: 'read-only',
    strike: (arena) => {
      const change = onPostgres(arena) ? ofApp('default_transaction_read_only', 'on') : ofAll('read_only', '1', '0');
      return setting(arena, change, 1_000, 3_000);
    },
  },
  {
    name: 'session-kills',
    strike: async (arena) => {
      for (let n = 0; n < 15; n++) {
        await endSessions(arena, 0.3);
        await pause(arena.random.whole(50, 250));
      }
    },
  },
  {
    name: 'statement-timeout',
    lacks: ({ server }) => (server.db === 'mysql' ? 'MySQL stops nothing but SELECTs' : undefined),
    strike: (arena) => {
      const change = onPostgres(arena) ? ofApp('statement_timeout', '15') : ofAll('max_statement_time', '0.015', '0');
      return setting(arena, change, 1_500, 3_000);
    },
  },
  {
    // What an administrator may set for a role, and no statement may depend on.
    name: 'odd-settings',
    lacks: (arena) => (onPostgres(arena) ? undefined : 'only PostgreSQL has them'),
    strike: async (arena) => {
      const pairs = [ofApp('plan_cache_mode', 'force_generic_plan'), ofApp('array_nulls', 'off')];
      for (const [on] of pairs.slice(1)) await arena.server.query(on);
      await setting(arena, pairs[0]!, 2_000, 4_000);
      for (const [, off] of pairs.slice(1)) await arena.server.query(off);
      await endSessions(arena, 1);
    },
  },
  {
    name: 'no-connections',
    strike: async (arena) => {
      for (const { proxy } of arena.fleet.programs) proxy.cut();
      const taken = await takeConnections(arena);
      await lasting(arena, 1_000, 3_000);
      await Promise.all(taken.map((connection) => connection.end()));
    },
  },
];
