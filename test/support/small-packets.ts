import { type Backend, backendOf, type OrmName } from './backends.js';
import { type House, openSqlHouse } from './processes.js';
import { findInstallation } from './servers/mysql-installation.mjs';
import { startMysql } from './servers/mysql.mjs';

const ORMS: readonly OrmName[] = ['typeorm', 'mikro-orm'];

export interface SmallPackets {
  house: House;
  at: Backend;
}

/**
 * A describe block on a MySQL and a MariaDB of its own whose `max_allowed_packet` is 1 MiB, for each ORM: on
 * MariaDB they come with drivers of their own.
 */
export function describeSmallPackets(title: string, body: (on: () => SmallPackets) => void): void {
  for (const db of ['mysql', 'mariadb'] as const) {
    const installation = findInstallation(db);
    const describeIt = 'reason' in installation ? describe.skip : describe;
    describeIt(`${title} [${db}, packets of 1 MiB]`, () => {
      let server: Awaited<ReturnType<typeof startMysql>>;
      beforeAll(async () => {
        if (!('reason' in installation))
          server = await startMysql(installation, { flags: ['--max-allowed-packet=1M'] });
      });
      afterAll(() => server?.stop());
      const pairs = ORMS.map((orm) => backendOf(orm, db));
      describe.each(pairs)('$orm', ({ orm }) => {
        let opened: SmallPackets & { close(): Promise<void> };
        beforeAll(async () => {
          const at = backendOf(orm, db, server.address);
          opened = { at, ...(await openSqlHouse(at)) };
        });
        afterEach(() => opened.house.close());
        afterAll(() => opened.close());
        body(() => opened);
      });
    });
  }
}
