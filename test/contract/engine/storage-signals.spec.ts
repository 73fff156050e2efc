import { ManualClock } from '../../../lib/core/time.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { describeStorage } from '../../support/storage-cases.js';
import { channelOf, deliver, given, running, send, signalTo, waiting } from '../conformance/fixtures.js';
import {
  keptSignalsConformance,
  leftSignalsConformance,
  refusedSignalsConformance,
} from '../conformance/left-signals.js';
import { mailboxConformance, oldSignalsConformance, signalWaitsConformance } from '../conformance/signals.js';

describeStorage([
  ...mailboxConformance,
  ...oldSignalsConformance,
  ...keptSignalsConformance,
  ...refusedSignalsConformance,
  ...leftSignalsConformance,
  ...signalWaitsConformance,
]);

describeDatabases('a channel of signals', (at) => {
  const clock = new ManualClock();
  let backend: OpenBackend;
  let storage: OpenStorage;
  beforeAll(async () => {
    backend = await at.open();
    storage = await sqlStorage(backend, { clock });
  });
  afterAll(async () => {
    await storage?.close();
    await backend?.close();
  });

  it('is delivered by one transaction at a time: the others pass it by', async () => {
    const fixture = { storage, clock };
    const [a] = await running(fixture, 'a');
    await waiting(fixture, a!, 0, ['x']);
    await send(fixture, signalTo('x', 1));
    await deliver(fixture);
    expect(await given(fixture)).toEqual({ 'a:0': '1@1' });
    await waiting(fixture, a!, 1, ['x'], { after: 1 });
    await send(fixture, signalTo('x', 2));
    await storage.executor!.transaction(async (tx) => {
      const { channels } = tablesWithPrefix('durable');
      // Where it can, only against those who would lock it: who does not fails at once, and waits for nobody.
      const lock = raw(at.db === 'postgres' ? 'FOR KEY SHARE' : 'FOR UPDATE');
      await tx.run(sql`SELECT channel FROM ${channels} WHERE channel = ${channelOf('x')} ${lock}`);
      expect(await deliver(fixture)).toMatchObject({ left: 'elsewhere', answers: [] });
      expect(await given(fixture)).toEqual({});
    });
    await deliver(fixture);
    expect(await given(fixture)).toEqual({ 'a:1': '2@2' });
  });
});
