import type { DataSource } from 'typeorm';
import { giveBackLostClients } from '../../../lib/sql/pools.js';
import { sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { type OpenBackend, describeDatabases } from '../../support/backends.js';
import { until } from '../../support/until.js';

interface Pool extends NodeJS.EventEmitter {
  readonly totalCount: number;
  connect(): Promise<NodeJS.EventEmitter & { query(text: string): Promise<unknown> }>;
}

describeDatabases(
  'lost connections of a watched pool',
  (at) => {
    let backend: OpenBackend;
    let pool: Pool;
    beforeAll(async () => {
      backend = await at.open({ poolMax: 2 });
      pool = (backend.handle as DataSource & { driver: { master: Pool } }).driver.master;
      giveBackLostClients(pool);
    });
    afterAll(() => backend.close());

    it('give their places back when nobody else does', async () => {
      const client = await pool.connect();
      client.on('error', () => undefined);
      const lost = client.query('SELECT pg_terminate_backend(pg_backend_pid())');
      await expect(lost).rejects.toThrow();
      await until('its room in the pool is free', () => pool.totalCount === 0);
    });

    it('are left to a transaction of ours, which says that the connection was lost', async () => {
      const executor = typeOrmExecutor(backend.handle as DataSource);
      const failing = executor.transaction(async (tx) => {
        const { rows } = await tx.run<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
        const released: unknown[] = [];
        pool.on('release', (_: unknown, client: unknown) => void released.push(client));
        // Another one that nobody gives back is lost after it: once the watch has done that, it has passed ours by.
        const other = await pool.connect();
        other.on('error', () => undefined);
        await backend.query(`SELECT pg_terminate_backend(${rows[0]!.pid})`);
        await expect(other.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
        await until('the place of the other is free', () => released.length > 0);
        expect(released).toEqual([other]);
        await tx.run(sql`SELECT 1`);
      });
      await expect(failing).rejects.toMatchObject({ name: 'DatabaseError', transient: true });
    });
  },
  { only: ({ db, orm }) => db === 'postgres' && orm === 'typeorm' },
);
