import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import type { MikroOrmEntityManager } from '../../../lib/sql/mikro-orm-pools.js';
import { sql } from '../../../lib/sql/statement.js';
import { macrotask } from '../../../lib/core/time.js';
import { describeDatabases } from '../../support/backends.js';
import { openMikroOrm } from '../../support/open-mikro-orm.js';

/** A way to a server that ends connections in the midst of their sign-in, while it is told to. */
async function startCuttingProxy(target: { host: string; port: number }) {
  const way = { cuts: 0, cutting: false, port: 0, close: () => void server.close() };
  const server = createServer((inside) => {
    const outside = connect(target.port, target.host);
    const end = () => [inside, outside].forEach((socket) => socket.destroy());
    for (const socket of [inside, outside]) socket.on('error', end).on('close', end);
    outside.on('data', (chunk) => void inside.write(chunk));
    inside.on('data', (chunk: Buffer) => {
      if (!way.cutting || !chunk.toString('latin1').includes('SET NAMES')) return void outside.write(chunk);
      way.cuts++;
      end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  way.port = (server.address() as AddressInfo).port;
  return way;
}

describeDatabases(
  'a connection that is closed while it signs in',
  (at) => {
    it('fails who asked for it, and nobody else', async () => {
      const backend = await at.open();
      const way = await startCuttingProxy(backend);
      const orm = await openMikroOrm({ ...backend, host: '127.0.0.1', port: way.port }, {});
      const executor = mikroOrmExecutor(orm.handle as object);
      // Its 7 reaches MariaDB by another driver.
      const signsIn = (orm.handle as { em: MikroOrmEntityManager }).em.getConnection('write').getKnex !== undefined;
      const unheard: unknown[] = [];
      const hear = (error: unknown) => void unheard.push(error);
      process.on('unhandledRejection', hear);
      way.cutting = true;
      // Another connection than the one that the ORM has.
      if (signsIn) await executor.transaction(() => expect(executor.run(sql`SELECT 1`)).rejects.toThrow());
      for (let turn = 0; turn < 5; turn++) await macrotask();
      process.off('unhandledRejection', hear);
      expect([way.cuts > 0, unheard]).toEqual([signsIn, []]);
      way.cutting = false;
      expect((await executor.run(sql`SELECT 1 AS one`)).rows).toEqual([{ one: 1 }]);
      await orm.close();
      way.close();
      await backend.close();
    });
  },
  { only: ({ db, orm }) => db === 'mariadb' && orm === 'mikro-orm' },
);
