import { ManualClock } from '../../../lib/core/time.js';
import { givingUp } from '../../../lib/engine/control.js';
import {
  answerTo,
  channelOf,
  deliver,
  expire,
  given,
  record,
  running,
  send,
  signalTo,
  waitOf,
} from '../../contract/conformance/fixtures.js';
import { backends } from '../../support/backends.js';
import { crowd, numbersTable } from '../../support/crowded-tables.js';
import { executorOf, sqlStorageOn } from '../../support/engine-storage.js';
import { explained } from '../../support/explaining-executor.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const GROWING = ['runs', 'steps', 'signals', 'signal_waits', 'signal_channels'].map((name) => `durable_${name}`);
const SMALL = new Set(['durable_transport_results', 'durable_nodes']);

describe('no statement about signals reads a whole table', () => {
  const onTypeOrm = backends.filter(({ orm }) => orm === 'typeorm');
  it.each(onTypeOrm)('on $db', async (at) => {
    const backend = await at.open();
    const plain = await sqlStorageOn(executorOf(backend));
    await numbersTable(backend.query, 20_000);
    await crowd(backend.query, 20_000);
    for (const table of GROWING)
      await backend.query(backend.db === 'postgres' ? `ANALYZE ${table}` : `ANALYZE TABLE ${table}`);
    const clock = new ManualClock();
    const [a, b] = await running({ storage: plain, clock }, 'a', 'b');
    const watched = explained(executorOf(backend), SMALL);
    const storage = await sqlStorageOn(watched.executor);
    const fixture = { storage, clock };
    await send(fixture, signalTo('x', 1, { dedupId: 'd' }), signalTo('a', 2, { addressed: 'run' }));
    await deliver(fixture);
    const since = Number.MAX_SAFE_INTEGER;
    const waits = ['x', 'y'].map((key, seq) => waitOf(a!, seq, channelOf(key), { since }));
    await record(fixture, a!, { waits });
    await deliver(fixture, channelOf('x'), channelOf('y'));
    expect((await expire(fixture, 'a:1')).expired).toEqual(['a:1']);
    const receives = [{ channel: channelOf('x'), position: 1, how: 'kept' }] as const;
    await record(fixture, a!, { receives, unwaits: ['a:1'] });
    await record(fixture, b!, { waits: [waitOf(b!, 0, channelOf('x'))] });
    expect(await given(fixture)).toEqual({ 'a:0': '1@1' });
    await record(fixture, b!, { receives: [{ channel: channelOf('x'), position: 1, how: 'left' }] });
    await storage.control.close('b', 'cancelled', givingUp(storage));
    const place = JSON.stringify({ position: 1, channel: channelOf('x'), payload: '' });
    await storage.store.settleUnowned('', [answerTo('b', 0, { output: place })], async () => undefined);
    const old = { namespace: '', olderThanMs: 10, limit: 10 };
    await storage.signalRemoval.purgeOfKeys(old);
    await storage.signalRemoval.purgeOfRuns(old);
    const scans = watched.scans.filter(({ text }) => text.includes('durable_signal'));
    await storage.close();
    await plain.close();
    await backend.close();
    expect(scans).toEqual([]);
  });
});
