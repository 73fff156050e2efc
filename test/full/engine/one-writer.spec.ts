import { createServer, type AddressInfo, connect } from 'node:net';
import { UnsupportedServerError } from '../../../lib/core/errors.js';
import { requireOneWriter } from '../../../lib/engine/nodes.js';
import { Presence } from '../../../lib/nest/presence.js';
import { checkServer } from '../../../lib/sql/servers.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf, type OpenStorage, sqlStorage, sqlStorageOn } from '../../support/engine-storage.js';
import { describeWithGalera } from '../../support/galera-nodes.js';
import { RelayHouse } from '../../support/relays.js';
import { replicaOf, splitReads } from '../../support/split-reads.js';
import { thrownBy } from '../../support/thrown-by.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('has servers of its own, and makes tables on each');

const fail = (error: unknown): never => {
  throw error;
};

const EVERY_MS = 20;
const node = (id: string) => ({ id, namespace: '', roles: 'engine' });

describeDatabases(
  'a process in a cluster that takes writes on each server',
  (at) => {
    let backend: OpenBackend;
    let storage: OpenStorage;
    beforeEach(async () => {
      backend = await at.open();
      storage = await sqlStorage(backend);
    });
    afterEach(async () => {
      await storage.close();
      await backend.close();
    });

    /** What another process has written through another server; `n` grows with each beat. */
    const beat = async (n: number, leaseMs = 60_000) => {
      if (n === 0) await storage.roster.beat(node('other'), leaseMs);
      const change = `server = 'elsewhere:3306', expires_at = expires_at + ?`;
      await backend.query(`UPDATE durable_nodes SET ${change} WHERE id = 'other'`, [n]);
    };

    it('sees none where all beat through one server', async () => {
      await storage.roster.beat(node('other'), 60_000);
      await expect(storage.roster.elsewhere()).resolves.toEqual([]);
      expect((await storage.roster.pulse(node('own'), 60_000)).elsewhere).toEqual([]);
    });

    it('does not start while another goes on writing through another server', async () => {
      await beat(0);
      let over = false;
      const beats = (async () => {
        while (!over) await beat(1);
      })();
      const error = await thrownBy(requireOneWriter(storage.roster, EVERY_MS)).finally(() => (over = true));
      await beats;
      expect(error).toBeInstanceOf(UnsupportedServerError);
      expect(error.message).toContain('writes through elsewhere:3306');
    });

    it('does not start without an engine either, and then is not signed in', async () => {
      await beat(0);
      let over = false;
      const beats = (async () => {
        while (!over) await beat(1);
      })();
      const presence = new Presence(
        storage.roster,
        { ...node('worker'), roles: 'worker' },
        { draining: fail, error: fail },
      );
      const error = await thrownBy(presence.start()).finally(() => (over = true));
      await beats;
      expect(error).toBeInstanceOf(UnsupportedServerError);
      expect((await storage.roster.nodes()).nodes.map(({ id }) => id)).toEqual(['other']);
    });

    it('signs off where its start fails behind its first beat, and only there', async () => {
      const refusing = Object.assign(Object.create(storage.roster) as typeof storage.roster, {
        strikeOff: () => Promise.reject(new Error('no')),
      });
      const worker = { ...node('worker'), roles: 'worker' };
      const presence = new Presence(refusing, worker, { draining: () => undefined, error: fail });
      await expect(presence.start()).rejects.toThrow('no');
      expect((await storage.roster.nodes()).nodes.filter(({ leftAt }) => leftAt === null)).toHaveLength(1);
      await presence.stop();
      expect((await storage.roster.nodes()).nodes.filter(({ leftAt }) => leftAt === null)).toEqual([]);
      const unlisted = Object.assign(Object.create(storage.roster) as typeof storage.roster, {
        beat: () => Promise.reject(new Error('no')),
        leave: () => Promise.reject(new Error('it was never listed')),
      });
      const other = new Presence(unlisted, worker, { draining: fail, error: fail });
      await expect(other.start()).rejects.toThrow('no');
      await other.stop();
    });

    it('starts once the other has moved, or is heard of no more', async () => {
      await beat(0);
      const start = requireOneWriter(storage.roster, EVERY_MS);
      await storage.roster.beat(node('other'), 60_000);
      await start;
      await beat(0, 200);
      await requireOneWriter(storage.roster, EVERY_MS);
    });

    it('hears of it with its beats', async () => {
      await beat(0);
      const { elsewhere } = await storage.roster.pulse(node('own'), 60_000);
      expect(elsewhere).toEqual([expect.objectContaining({ nodeId: 'other', server: 'elsewhere:3306' })]);
      expect(elsewhere[0]?.expiresAt).toBeGreaterThan(Date.now());
    });

    it('sees none behind a proxy that sends reads to replicas', async () => {
      const executor = executorOf(backend);
      const split = await sqlStorageOn(splitReads(executor, [replicaOf(executor, 'r1'), replicaOf(executor, 'r2')]));
      try {
        await split.roster.beat(node('other'), 60_000);
        expect((await split.roster.pulse(node('own'), 60_000)).elsewhere).toEqual([]);
        await expect(split.roster.elsewhere()).resolves.toEqual([]);
        await beat(0);
        expect((await split.roster.pulse(node('own'), 60_000)).elsewhere).toHaveLength(1);
        await expect(split.roster.elsewhere()).resolves.toHaveLength(1);
      } finally {
        await split.close();
      }
    });
  },
  { only: ({ db }) => db !== 'postgres' },
);

describeWithGalera('Galera', ({ on, address }) => {
  it('is accepted with one writer, the outbox included', async () => {
    const house = await RelayHouse.open(on(0));
    const storage = await sqlStorage(house.backend);
    try {
      await storage.roster.beat(node('other'), 60_000);
      await expect(requireOneWriter(storage.roster, EVERY_MS)).resolves.toBeUndefined();
      await house.start();
      await house.write(['a', 'b'], 5);
      await until('all are delivered', () => house.log.length === 10);
    } finally {
      await storage.close();
      await house.close();
    }
  });

  /** What one node has created comes to the other a moment later. */
  const onTheOther = (backend: OpenBackend): Promise<unknown> =>
    until('the other node has the database', () =>
      backend.another({ orm: { port: address(1).port } }).catch(() => undefined),
    );

  it('is refused where processes write to different nodes, until they all write to one', async () => {
    const backend = await on(0).open();
    const first = await sqlStorage(backend);
    const handle = await onTheOther(backend);
    const second = await sqlStorage({ orm: 'typeorm', handle });
    try {
      await first.roster.beat(node('other'), 60_000);
      await until('it is there', async () => (await second.roster.elsewhere()).length === 1);
      let over = false;
      const beats = (async () => {
        while (!over) await first.roster.beat(node('other'), 60_000);
      })();
      const error = await thrownBy(requireOneWriter(second.roster, EVERY_MS)).finally(() => (over = true));
      await beats;
      const [there, here] = [address(0).port, address(1).port];
      expect(error).toBeInstanceOf(UnsupportedServerError);
      expect(error.message).toMatch(new RegExp(`"other" writes through .*:${there}, this process through .*:${here}`));
      const start = requireOneWriter(second.roster, EVERY_MS);
      await second.roster.beat(node('other'), 60_000);
      await start;
    } finally {
      await first.close();
      await second.close();
      await backend.close();
    }
  });

  it('is accepted where only lone reads are spread over its nodes', async () => {
    const backend = await on(0).open();
    try {
      const handle = await onTheOther(backend);
      const [writer, reader] = [executorOf(backend), executorOf({ orm: 'typeorm', handle })];
      await expect(checkServer(splitReads(writer, [writer, reader]), {})).resolves.toBeUndefined();
    } finally {
      await backend.close();
    }
  });

  it('is refused where connections are spread over its nodes', async () => {
    let n = 0;
    const spreading = createServer((inside) => {
      const { port } = address(n++ % 2 === 0 ? 0 : 1);
      const outside = connect(port, '127.0.0.1');
      inside.pipe(outside).pipe(inside);
      for (const [end, other] of [[inside, outside] as const, [outside, inside] as const])
        end.on('error', () => undefined).on('close', () => other.destroy());
    });
    const backend = await on(0).open();
    try {
      await new Promise<void>((resolve) => spreading.listen(0, '127.0.0.1', resolve));
      await onTheOther(backend);
      const handle = await backend.another({ orm: { port: (spreading.address() as AddressInfo).port } });
      const error = await thrownBy(checkServer(executorOf({ orm: 'typeorm', handle }), {}));
      expect(error).toBeInstanceOf(UnsupportedServerError);
      expect(error.message).toContain('one of several nodes of a Galera cluster');
    } finally {
      await backend.close();
      spreading.close();
    }
  });
});
