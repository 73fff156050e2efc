import { DataSource } from 'typeorm';
import { outboxRolesSql } from '../../../lib/outbox/script.sql.js';
import { requireOutbox } from '../../../lib/outbox/schema.sql.js';
import { SqlEventPruning } from '../../../lib/outbox/channels.sql.js';
import type { OutboxEvent } from '../../../lib/outbox/events.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { describeDatabases } from '../../support/backends.js';
import { channelsUpTo, policyOf, RelayHouse } from '../../support/relays.js';
import { until } from '../../support/until.js';

const CHANNELS = channelsUpTo(10);

// Rights are the database's, whichever ORM asks.
describeDatabases(
  'a relay with the least of rights',
  (at) => {
    let house: RelayHouse;
    let source: DataSource;
    let db: SqlExecutor;
    let role = '';

    beforeAll(async () => {
      house = await RelayHouse.open(at);
      const { host, port, database, query } = house.backend;
      const isPostgres = at.db === 'postgres';
      role = `relay_${database.slice(-8)}`;
      await query(
        isPostgres ? `CREATE ROLE ${role} LOGIN PASSWORD 'secret'` : `CREATE USER '${role}'@'%' IDENTIFIED BY 'secret'`,
      );
      const names = { table: 'durable_outbox', nodesTable: 'durable_outbox_nodes' };
      const script = outboxRolesSql(at.db, { relay: role }, { ...names, schema: isPostgres ? 'public' : database });
      for (const statement of script.split(/;\n(?=\n|$)/).filter((text) => text.trim())) await query(statement);
      source = await new DataSource({
        type: at.db,
        host,
        port,
        database,
        username: role,
        password: 'secret',
      }).initialize();
      db = typeOrmExecutor(source);
    });
    afterEach(() => house.empty());
    afterAll(async () => {
      await source?.destroy();
      if (at.db === 'postgres') await house.backend.query(`DROP OWNED BY ${role}`);
      await house.backend.query(at.db === 'postgres' ? `DROP ROLE ${role}` : `DROP USER '${role}'@'%'`);
      await house.close();
    });

    const of = { broken: true };
    const refuse = (events: readonly OutboxEvent[]) => {
      if (of.broken && events.some(({ name }) => name === 'poison')) throw new Error('refused');
    };

    it.each(['block', 'park', 'park-channel'] as const)(
      'delivers, tries again, and does what people ask for where events are poison: %s',
      async (onPoison) => {
        of.broken = true;
        await requireOutbox(db, house.tables);
        await house.write(CHANNELS, 2);
        await house.write(['sick'], 1, 'poison');
        await house.write(['sick'], 1);
        const policy = policyOf({ onPoison, attempts: 2 });
        const boot = { db, deliver: refuse, options: { policy }, checkTimeoutMs: 30_000 };
        const { storage, errors, relay } = await house.start(boot);
        const letters = storage.deadLetters;
        const noted = async () =>
          onPoison === 'block'
            ? (await letters.standing('broker', 5)).length === 1
            : (await letters.list({ destination: 'broker', limit: 5 })).length === (onPoison === 'park' ? 1 : 2);
        await until('all else is delivered, and the poison noted', async () => {
          return CHANNELS.every((channel) => house.firsts(channel).length === 2) && (await noted());
        });
        await letters.lag('broker', 10, 100);
        of.broken = false;
        await (onPoison === 'block' ? letters.retry('broker', 'sick') : letters.requeue('broker', 'sick'));
        await until('the rest is delivered', () => house.firsts('sick').length === 2);
        await until('all is acknowledged', async () => (await house.pending()) === 0);
        await storage.acknowledgements.tidy([1, 2, 3]);
        await relay.stop();
        expect(errors).toEqual([]);
        expect([...(await house.owners()).keys()]).toEqual(['null']);
      },
    );

    const itOfMysql = at.db === 'postgres' ? it.skip : it;
    itOfMysql('says once that it cannot have numbers jump, and takes shards all the same', async () => {
      await house.backend.query(
        `INSERT INTO durable_outbox_era (id, server) VALUES (0, 'another') ON DUPLICATE KEY UPDATE server = 'another'`,
      );
      const stays: string[] = [];
      const observer = { numbersStay: (why: string) => void stays.push(why) };
      const { relay, nodeId, errors } = await house.start({ db, observer, checkTimeoutMs: 30_000 });
      await until('it has all shards', async () => (await house.owners()).get(nodeId) === 64);
      await relay.runOnce();
      expect([stays, errors]).toEqual([['denied'], []]);
    });

    it('serves several destinations, takes over from the dead, and prunes', async () => {
      await house.write(CHANNELS, 2);
      const patient = { db, checkTimeoutMs: 30_000 };
      const options = { policy: policyOf({ attempts: 1_000 }) };
      const dying = await house.start({ ...patient, options, deliver: () => new Promise(() => undefined) });
      await until('it has all shards', async () => (await house.owners()).get(dying.nodeId) === 64);
      await dying.deadLetter();
      // First, so that it is known before the other one has delivered anything.
      const second = await house.start({ ...patient, destination: 'second' });
      const relays = [second, await house.start(patient)];
      await until('all is delivered to both', async () => {
        return house.log.length >= 2 * 2 * CHANNELS.length && (await house.pending()) === 0;
      });
      await new SqlEventPruning(db, house.tables).prune({ retainMs: 0, after: '0', limit: 100 });
      await second.relay.stop();
      await second.storage.destinations.forget('second');
      expect(relays.flatMap(({ errors }) => errors)).toEqual([]);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
