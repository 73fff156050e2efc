import { RetryAfterError } from '../../../lib/core/run-errors.js';
import { ManualClock } from '../../../lib/core/time.js';
import { describeDatabases } from '../../support/backends.js';
import { channelsUpTo, policyOf, RelayHouse } from '../../support/relays.js';
import { until } from '../../support/until.js';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describeDatabases('a publisher that is slow, throttled or stuck', (at) => {
  let house: RelayHouse;
  beforeAll(async () => {
    house = await RelayHouse.open(at);
  });
  afterEach(() => house.empty());
  afterAll(() => house?.close());

  it('is called again when it said so, for that channel alone, however often', async () => {
    await house.write(['slow', 'other'], 2);
    const calls: number[] = [];
    const deliver = (events: readonly { channel: string }[]) => {
      if (events[0]?.channel !== 'slow') return;
      calls.push(performance.now());
      if (calls.length < 5) throw new RetryAfterError(200);
    };
    // Its attempts do not count: it said what to do.
    await house.start({ deliver, options: { policy: policyOf({ attempts: 2, backoff: { delay: 1 } }) } });
    await until('it is delivered', () => house.firsts('slow').length === 2);
    expect(house.log.map(({ channel }) => channel)).toEqual(['other', 'other', 'slow', 'slow']);
    const gaps = calls.slice(1).map((time, i) => time - calls[i]!);
    for (const gap of gaps.slice(0, 3)) expect(gap).toBeGreaterThanOrEqual(190);
    expect(house.disordered).toEqual([]);
  });

  it('is aborted after the timeout, and its channel tried again, while others go on', async () => {
    await house.write(['stuck', 'other'], 1);
    const reasons: unknown[] = [];
    const deliver = async (events: readonly { channel: string }[], { signal }: { signal: AbortSignal }) => {
      if (events[0]?.channel !== 'stuck' || reasons.length > 0) return;
      await new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          resolve();
        }),
      );
      // Too late to count.
      await pause(50);
    };
    await house.start({ deliver, options: { publishTimeoutMs: 200 } });
    await until('it is tried again', () => house.firsts('stuck').length === 1);
    expect(house.log[0]).toMatchObject({ channel: 'other' });
    expect(reasons).toEqual([expect.objectContaining({ code: 'PUBLISH_TIMEOUT' })]);
    await until('all is acknowledged', async () => (await house.pending()) === 0);
  });

  it('has no more channels at once than it may, and nothing is begun that could outlast the lease', async () => {
    await house.write(channelsUpTo(40), 2);
    const elapsed = new ManualClock();
    const [leaseMs, publishTimeoutMs] = [60_000, 20_000];
    let underway = 0;
    let most = 0;
    let leaseFrom = 0;
    let least = Number.POSITIVE_INFINITY;
    const around = (name: string, call: () => unknown) => {
      // Nothing is renewed from the second on.
      if (name === 'acquire') leaseFrom = elapsed.now();
      return name === 'renew' && leaseFrom > 0 ? new Promise(() => {}) : call();
    };
    const left = () => leaseFrom + leaseMs - elapsed.now();
    const deliver = async () => {
      most = Math.max(most, ++underway);
      least = Math.min(least, left());
      // By that clock each call begins a second after the one before it.
      elapsed.advance(1_000);
      await pause(5);
      underway--;
    };
    const options = { concurrency: 4, leaseMs, publishTimeoutMs, elapsed };
    const cut = await house.start({ around, deliver, options, batchSize: 1 });
    await until('it has stopped by itself', () => left() < publishTimeoutMs && underway === 0);
    await until('that is acknowledged', async () => (await house.pending()) === 80 - house.log.length);
    expect(most).toBe(4);
    expect(house.log).toHaveLength(41);
    await cut.deadLetter();
    await house.start();
    await until('another one has taken over', async () => (await house.pending()) === 0);
    expect(least).toBe(publishTimeoutMs);
    expect(house.repeated).toBe(0);
    expect(house.disordered).toEqual([]);
  });

  it('that throws what is no error is treated like any other', async () => {
    await house.write(['a'], 1);
    let calls = 0;
    const deliver = () => {
      if (calls++ === 0) throw undefined;
    };
    const failures: string[] = [];
    await house.start({ deliver, observer: { failed: ({ error }) => void failures.push(error) } });
    await until('it is delivered', () => house.firsts('a').length === 1);
    expect(failures).toEqual(['Error: Thrown: undefined']);
  });

  it('is stopped cleanly: what is under way ends, and all shards are free at once', async () => {
    await house.write(channelsUpTo(20), 3);
    const deliver = () => pause(60);
    const { relay } = await house.start({ deliver, options: { concurrency: 5 } });
    await until('it publishes', () => house.log.length > 0);
    await relay.stop();
    const delivered = house.log.length;
    expect([...(await house.owners()).keys()]).toEqual(['null']);
    expect(await house.backend.query('SELECT id FROM durable_outbox_nodes')).toEqual([]);
    expect(await house.pending()).toBe(60 - delivered);
    const second = house.boot();
    expect(await second.relay.runOnce()).toBe(60 - delivered);
    expect(await second.relay.runOnce()).toBe(0);
    expect(house.repeated).toBe(0);
    expect(house.disordered).toEqual([]);
    expect([...(await house.owners()).keys()]).toEqual(['null']);
  });
});
