import { SqlOutboxWriter } from '../../../lib/outbox/events.sql.js';
import { Outbox } from '../../../lib/outbox/outbox.js';
import { createNotifier, type Notifier } from '../../../lib/sql/notifier.js';
import { backends, type OpenBackend, chosen } from '../../support/backends.js';
import { type TrueEvent, TruthfulWriters } from '../../support/outbox-truth.js';
import { RelayChaos } from '../../support/relay-chaos.js';
import { type RelayPrograms, relayPrograms } from '../../support/relay-program.js';
import { RelayHouse } from '../../support/relays.js';
import { sized } from '../../support/tiers.js';
import { until } from '../../support/until.js';

const EVENTS = sized(20_000, 1_500);
const LOAD = { writers: 12, channels: 60, perTransaction: 6, events: 3 };

interface Published extends Record<string, unknown> {
  channel: string;
  event: unknown;
  mutation_id: string;
}

/** What was published, in the order in which it was, against what had committed. */
function judged(published: readonly Published[], truth: ReadonlyMap<string, TrueEvent>) {
  const numbers = new Map<string, number>();
  const last = new Map<string, TrueEvent & { number: number }>();
  const account = { extra: 0, renumbered: 0, inversions: 0 };
  for (const { channel, event, mutation_id: id } of published) {
    const number = Number(event);
    const known = truth.get(id);
    if (known?.channel !== channel) account.extra++;
    if ((numbers.get(id) ?? number) !== number) account.renumbered++;
    if (!known || numbers.has(id)) continue;
    numbers.set(id, number);
    const before = last.get(channel) ?? { v: 0, place: 0, number: 0 };
    const isBehind = known.v > before.v || (known.v === before.v && known.place > before.place);
    if (!isBehind || number <= before.number) account.inversions++;
    last.set(channel, { ...known, number });
  }
  return { ...account, lost: truth.size - numbers.size };
}

// The order is the databases' and ours; both ORMs write alike in the specs of writers.
for (const at of chosen(
  'oracle',
  backends.filter(({ orm }) => orm === 'typeorm'),
))
  describe(`an outbox while everything about it fails [${at.db}]`, () => {
    let house: RelayHouse;
    let programs: RelayPrograms;
    let notifier: Notifier;
    let chaos: RelayChaos;
    beforeAll(async () => {
      house = await RelayHouse.open(at);
      programs = await relayPrograms(house.backend);
      notifier = createNotifier(house.db, 'durable', () => undefined);
      chaos = new RelayChaos(house.backend, () =>
        programs.start({ leaseMs: 1_200, eventMs: 0, batchSize: 5, crashes: 1_000, begun: false }),
      );
    });
    afterAll(async () => {
      await chaos?.sweep();
      await notifier?.stop();
      await house?.close();
    });

    it(`2, 7, 9: loses none of ${EVENTS} events, and publishes the first of each in the order of commits`, async () => {
      const outbox = new Outbox(new SqlOutboxWriter(house.db, house.tables, notifier, 'commit'), { payloadBytes: 1e6 });
      const writers = new TruthfulWriters(house.backend, outbox, { ...LOAD, inserts: at.db === 'postgres' });
      await writers.prepare();
      await Promise.all([chaos.join(), chaos.join(), chaos.join()]);
      const from = performance.now();
      let raging = true;
      const rage = chaos.run(4, EVENTS / 25).finally(() => (raging = false));
      const isEnough = () => writers.committed >= EVENTS && writers.rolledBack > 20 && writers.cut > 10;
      await Promise.all([rage, writers.run(() => raging || !isEnough())]);
      const wroteMs = performance.now() - from;
      await until('all is published', async () => (await house.pending()) === 0, { withinMs: 180_000, everyMs: 100 });
      const ms = performance.now() - from;
      await until('the shards of the dead are taken over', () => chaos.isTakenOver());
      const crashed = await chaos.end();

      const truth = await writers.truth();
      const published = await house.backend.query<Published>(
        "SELECT channel, event, mutation_id FROM published WHERE phase = 'published' ORDER BY id",
      );
      const { failures, rolledBack, cut } = writers;
      process.stdout.write(
        `outbox on ${at.db}: ${truth.size} events, ${published.length - truth.size} twice, ${rolledBack} transactions ` +
          `rolled back, ${cut} cut; written in ${Math.round(wroteMs)} ms, published in ${Math.round(ms)} ms\n`,
      );
      expect(judged(published, truth)).toEqual({ extra: 0, renumbered: 0, inversions: 0, lost: 0 });
      expect({ failures, crashed }).toEqual({ failures: [], crashed: [] });
      expect(truth.size).toBeGreaterThanOrEqual(EVENTS);
      expect(rolledBack).toBeGreaterThan(20);
      expect(cut).toBeGreaterThan(10);
      expect(chaos.done).toEqual({ kill: 4, join: 4, stop: 4, leave: 4 });
      expect(chaos.noticed).toBeGreaterThan(0);
      await expectNothingLeft(house.backend);
    });
  });

/** By the database's word: all shards free, no node, nothing about any channel, and of the events the newest. */
async function expectNothingLeft(backend: OpenBackend): Promise<void> {
  const rowsOf = (table: string) => backend.query(`SELECT * FROM durable_outbox${table}`);
  expect((await rowsOf('_shards')).filter(({ owner }) => owner !== null)).toEqual([]);
  expect(await rowsOf('_dead')).toEqual([]);
  expect(await rowsOf('_channels')).toEqual([]);
  const left = await rowsOf('');
  expect(left.filter(({ processed }) => Number(processed) === 0)).toEqual([]);
  const [row] = await backend.query('SELECT MAX(event) AS newest FROM published');
  expect(Math.max(...left.map((event) => Number(event['sequence_id'])))).toBe(Number(row?.['newest']));
}
