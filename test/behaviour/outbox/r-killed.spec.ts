import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backends, chosen } from '../../support/backends.js';
import type { Program } from '../../support/programs.js';
import { relayNodeOf, type RelayPrograms, relayPrograms } from '../../support/relay-program.js';
import { channelsUpTo, RelayHouse } from '../../support/relays.js';
import { until } from '../../support/until.js';

const CHANNELS = channelsUpTo(30);
/** A lease ends when a test says so. */
const LEASE_MS = 600_000;

interface Entry {
  node: string;
  channel: string;
  event: number;
  phase: string;
}

for (const at of chosen(
  'relays as processes',
  backends.filter(({ orm }) => orm === 'typeorm'),
))
  describe(`relays as processes that die or stand still [${at.db}]`, () => {
    let house: RelayHouse;
    let programs: RelayPrograms;
    const started: Program[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'r-killed-'));
    const longAfter = join(folder, 'long-after');
    beforeAll(async () => {
      house = await RelayHouse.open(at);
      programs = await relayPrograms(house.backend);
    });
    afterEach(async () => {
      for (const program of started.splice(0)) {
        program.process.kill('SIGKILL');
        await program.ended;
      }
      await house.backend.query('DELETE FROM published');
      await house.empty();
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true });
      await house?.close();
    });

    /** Two that share the shards; the clock of the first is put forward by a file. */
    const startTwo = async () => {
      const common = { leaseMs: LEASE_MS, heartbeatTimeoutMs: 1_500, eventMs: 5 };
      const two = [{ ...common, longAfter }, common].map((options) => programs.start(options)) as [Program, Program];
      started.push(...two);
      await until('they have started', () => two.every((program) => relayNodeOf(program) !== undefined));
      await until('both have shards', async () => {
        const owners = await house.owners();
        return two.every((program) => owners.has(relayNodeOf(program)!));
      });
      return two;
    };
    const entries = async (phase = 'published'): Promise<Entry[]> => {
      const rows = await house.backend.query(
        'SELECT node, channel, event, phase FROM published WHERE phase = ? ORDER BY id',
        [phase],
      );
      return rows.map((row) => ({ ...(row as unknown as Entry), event: Number(row['event']) }));
    };
    const drained = async () => (await house.pending()) === 0;

    /** All of them, and in each channel their first publications in the order of their numbers. */
    const expectAllInOrder = async (perChannel: number) => {
      const published = await entries();
      for (const channel of CHANNELS) {
        const firsts = [...new Set(published.filter((entry) => entry.channel === channel).map(({ event }) => event))];
        expect(firsts).toHaveLength(perChannel);
        expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
      }
    };

    it('one that is killed in the middle is followed once its lease is over, and nothing is lost', async () => {
      const [first, second] = await startTwo();
      for (let n = 0; n < 20; n++) await house.write(CHANNELS, 1);
      await until('it publishes', async () => (await entries()).some(({ node }) => node === String(first.process.pid)));
      first.process.kill('SIGKILL');
      await first.ended;
      await house.expireLeases(relayNodeOf(first));
      await until('all is delivered', drained);
      await expectAllInOrder(20);
      expect(second.process.exitCode).toBeNull();
    });

    it('one that stands still for longer than its lease finds that its shards are gone, and disturbs nobody', async () => {
      const [first] = await startTwo();
      for (let n = 0; n < 20; n++) await house.write(CHANNELS, 1);
      await until('it publishes', async () => (await entries()).some(({ node }) => node === String(first.process.pid)));
      first.process.kill('SIGSTOP');
      writeFileSync(longAfter, '');
      await house.expireLeases(relayNodeOf(first));
      const itsShards = async () => (await house.owners()).get(relayNodeOf(first) ?? '') ?? 0;
      const isTakenOver = async () => (await itsShards()) === 0 && (await drained());
      await until('all others take over', isTakenOver);
      const known = new Set((await entries()).map(({ event }) => event));
      const itsOwn = async () =>
        (await entries()).filter(({ node, event }) => node === String(first.process.pid) && known.has(event)).length;
      const before = await itsOwn();
      first.process.kill('SIGCONT');
      await until('it notices', () => first.output().includes('LOST'));
      await house.write(CHANNELS, 5);
      await until('all is delivered', drained);
      await expectAllInOrder(25);
      // What it had in its hands comes twice at most: the calls under way, and as many that it had given up before.
      expect((await itsOwn()) - before).toBeLessThanOrEqual(2 * 20);
      first.process.kill('SIGTERM');
      expect(await first.ended).toMatchObject({ code: 0 });
      const owners = await house.owners();
      expect([...owners.values()].reduce((sum, n) => sum + n, 0)).toBe(64);
      expect(owners.size).toBeLessThanOrEqual(2);
    });

    it('an event that kills its process is put aside after three, and all else is published', async () => {
      await house.write(CHANNELS, 2);
      await house.write(['deadly'], 1, 'deadly');
      await house.write(['deadly'], 1);
      for (let life = 0; life < 4; life++) {
        const program = programs.start({ leaseMs: LEASE_MS, eventMs: 2 });
        started.push(program);
        const isDead = () => program.process.signalCode !== null;
        await until('it dies, or all is delivered', async () => isDead() || (await drained()));
        if (isDead()) await house.expireLeases();
      }
      expect(await drained()).toBe(true);
      await expectAllInOrder(2);
      const begun = (await entries('begun')).filter(({ channel }) => channel === 'deadly');
      const [dead] = await house.backend.query('SELECT sequence_id, reason FROM durable_outbox_dead');
      expect(dead).toMatchObject({ reason: 'crashed' });
      expect(begun.filter(({ event }) => event === Number(dead!['sequence_id']))).toHaveLength(3);
      expect(started.map(({ process }) => process.signalCode)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL', null]);
    });
  });
