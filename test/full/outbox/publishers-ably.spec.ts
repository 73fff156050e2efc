import { Realtime, Rest } from 'ably';
import { NonRetryablePublishError } from '../../../lib/core/errors.js';
import { RetryAfterError } from '../../../lib/core/run-errors.js';
import { ablyPublisher } from '../../../lib/outbox/publishers.js';
import { ManualClock } from '../../../lib/core/time.js';
import { type AblyRest, dataOf, KEY, messagesIn, type Mishap, startAblyRest } from '../../support/ably-rest.js';
import { describeDatabases } from '../../support/backends.js';
import { anEvent, delivery } from '../../support/outbox-events.js';
import { channelsUpTo, policyOf, RelayHouse } from '../../support/relays.js';
import { thrownBy } from '../../support/thrown-by.js';
import { until } from '../../support/until.js';

let service: AblyRest;
afterEach(() => service.close());

const open = async (mishap?: (nth: number) => Mishap | undefined) => (service = await startAblyRest(mishap));

/** The library, as an app makes it, told to ask the service of the test. */
const client = (useBinaryProtocol = false) =>
  new Rest({
    key: KEY,
    endpoint: '127.0.0.1',
    port: service.http.port,
    tls: false,
    useBinaryProtocol,
    httpRequestTimeout: 30_000,
    logLevel: 0,
  });

const refused = (status: number, code: number, headers: Record<string, string> = {}): Mishap => ({
  kind: 'refused',
  status,
  code,
  headers,
});

describe.each([
  ['JSON', false],
  ['its binary protocol', true],
])('Ably, spoken to in %s', (_, useBinaryProtocol) => {
  it('gets one message for each event, with its number, its mutation and its rejection', async () => {
    await open();
    const events = [
      anEvent('9007199254740993', { headers: { author: 'socrates', pages: [1, 5] } }),
      anEvent('9007199254740994', { rejected: true, data: null, headers: { 'x-ably-models-event-uuid': 'forged' } }),
    ];
    await ablyPublisher(client(useBinaryProtocol)).publish(events, delivery());
    expect(service.http.received.map((request) => messagesIn(request))).toEqual([
      [
        {
          id: '9007199254740993',
          name: 'edited',
          data: '{"n":9007199254740992}',
          encoding: 'json',
          extras: {
            headers: { author: 'socrates', pages: [1, 5], 'x-ably-models-event-uuid': 'mutation-9007199254740993' },
          },
        },
      ],
      [
        {
          id: '9007199254740994',
          name: 'edited',
          data: null,
          extras: {
            headers: { 'x-ably-models-event-uuid': 'mutation-9007199254740994', 'x-ably-models-reject': 'true' },
          },
        },
      ],
    ]);
    const authorization = `Basic ${Buffer.from(KEY).toString('base64')}`;
    for (const { headers } of service.http.received) expect(headers).toMatchObject({ authorization });
  });

  it('hands on everything that JSON holds', async () => {
    await open();
    const values = [
      null,
      '',
      'text "é" 😀',
      '{"a":1}',
      0,
      -1.5,
      true,
      false,
      [],
      [1, [null]],
      {},
      { 'a b': { c: [] } },
    ];
    const events = values.map((data, n) => anEvent(String(n + 1), { data }));
    await ablyPublisher(client(useBinaryProtocol)).publish(events, delivery());
    expect(service.channels.get('posts:1')?.map(dataOf)).toEqual(values);
  });
});

describe('Ably', () => {
  it('has channels of any name', async () => {
    await open();
    const names = ['a/b?c#d', '[?rewind=1]x', 'größe 😀', '%2F', '...'];
    for (const channel of names) await ablyPublisher(client()).publish([anEvent('1', { channel })], delivery());
    expect([...service.channels.keys()]).toEqual(names);
  });

  it('is published to without keeping anything of the channel', async () => {
    await open();
    const rest = client();
    for (const channel of channelsUpTo(20)) await ablyPublisher(rest).publish([anEvent('1', { channel })], delivery());
    expect(Object.keys(rest.channels.all)).toEqual([]);
    expect(service.http.connections).toBe(1);
  });

  it('is published to by a realtime client too, which need not be connected', async () => {
    await open();
    const options = { key: KEY, endpoint: '127.0.0.1', port: service.http.port, tls: false, autoConnect: false };
    await ablyPublisher(new Realtime(options)).publish([anEvent('1')], delivery());
    expect(service.channels.get('posts:1')).toHaveLength(1);
  });

  it.each([
    [400, 40009],
    [403, 40160],
    [404, 40400],
    [413, 40009],
  ])('refuses an event for good with %i', async (status, code) => {
    await open(() => refused(status, code));
    const error = await thrownBy(ablyPublisher(client()).publish([anEvent('1'), anEvent('2')], delivery()));
    expect(error).toBeInstanceOf(NonRetryablePublishError);
    expect(error.message).toBe(`Ably answered with status ${status}: refused with ${code}`);
    expect(service.http.received).toHaveLength(1);
  });

  it.each([
    [401, 40101],
    [408, 40800],
    [500, 50000],
    [502, 50200],
    [503, 50300],
  ])('is asked again after %i', async (status, code) => {
    await open(() => refused(status, code));
    const error = await thrownBy(ablyPublisher(client()).publish([anEvent('1'), anEvent('2')], delivery()));
    expect(error).not.toBeInstanceOf(NonRetryablePublishError);
    expect(error).not.toBeInstanceOf(RetryAfterError);
    expect(error.message).toContain(`status ${status}`);
    expect(service.http.received).toHaveLength(1);
  });

  const clock = new ManualClock();
  it.each([
    [429, '7', 7_000],
    [429, undefined, 6_000],
    [429, new Date(clock.now() + 90_000).toUTCString(), 90_000],
    [503, '30', 30_000],
  ])('is asked again after %i when "Retry-After: %s" says', async (status, header, delay) => {
    await open(() => refused(status, 42910, header ? { 'retry-after': header } : {}));
    const error = await thrownBy(ablyPublisher(client(), { clock }).publish([anEvent('1')], delivery()));
    expect(error).toBeInstanceOf(RetryAfterError);
    expect((error as RetryAfterError).delay).toBe(delay);
  });

  it('is asked again after an answer that is not its own', async () => {
    await open(() => ({ kind: 'page', status: 502, text: '<h1>Bad gateway</h1>' }));
    const error = await thrownBy(ablyPublisher(client()).publish([anEvent('1')], delivery()));
    expect(error).not.toBeInstanceOf(NonRetryablePublishError);
    expect(error.message).toContain('status 502');
  });

  it('is asked again when the connection breaks, or nobody is there', async () => {
    await open(() => ({ kind: 'dropped' }));
    const publisher = ablyPublisher(client());
    const broken = await thrownBy(publisher.publish([anEvent('1')], delivery()));
    expect(broken.message).toMatch(/^Ably could not be reached: /);
    await service.close();
    const absent = await thrownBy(publisher.publish([anEvent('1')], delivery()));
    expect(absent.message).toMatch(/^Ably could not be reached: .*ECONNREFUSED/);
    for (const error of [broken, absent]) expect(error).not.toBeInstanceOf(NonRetryablePublishError);
  });

  it('is asked again when the app has no token for it', async () => {
    await open();
    const rest = new Rest({
      endpoint: '127.0.0.1',
      port: service.http.port,
      tls: false,
      logLevel: 0,
      authCallback: (_, callback) => callback('the issuer is away', null),
    });
    const error = await thrownBy(ablyPublisher(rest).publish([anEvent('1')], delivery()));
    expect(error).not.toBeInstanceOf(NonRetryablePublishError);
    expect(error.message).toContain('the issuer is away');
    expect(service.http.received).toEqual([]);
  });

  it('is not waited for when the time is over, and gets nothing after it', async () => {
    await open(() => ({ kind: 'unanswered' }));
    const timeout = new AbortController();
    const context = delivery({ signal: timeout.signal });
    const publishing = thrownBy(ablyPublisher(client()).publish([anEvent('1'), anEvent('2')], context));
    await until('it has come', () => service.http.received.length === 1);
    timeout.abort(new Error('over'));
    expect((await publishing).message).toBe('over');
    expect((await thrownBy(ablyPublisher(client()).publish([anEvent('1')], context))).message).toBe('over');
    expect(service.http.received).toHaveLength(1);
  });
});

/** Every sixth request meets one of these, in turn. */
const MISHAPS: readonly Mishap[] = [
  refused(429, 42910, { 'retry-after': '1' }),
  refused(500, 50000),
  { kind: 'dropped' },
  refused(401, 40101),
  { kind: 'lost' },
];

describeDatabases(
  'Ably behind a relay',
  (at) => {
    let house: RelayHouse;
    beforeAll(async () => {
      house = await RelayHouse.open(at);
    });
    afterAll(() => house?.close());

    it('shows each event of each channel once and in order, whatever happens to requests', async () => {
      const met = new Map<string, number>();
      await open((nth) => {
        const mishap = nth % 6 === 3 ? MISHAPS[Math.floor(nth / 6) % MISHAPS.length] : undefined;
        if (mishap) met.set(mishap.kind, (met.get(mishap.kind) ?? 0) + 1);
        return mishap;
      });
      const channels = channelsUpTo(12);
      await house.write(channels, 15);
      const rows = await house.backend.query(
        'SELECT sequence_id AS id, channel FROM durable_outbox ORDER BY sequence_id',
      );
      const publisher = ablyPublisher(client());
      const policy = policyOf({ attempts: 30, backoff: { delay: 10, factor: 1 } });
      const boot = { deliver: publisher.publish, options: { policy } };
      await Promise.all([house.start(boot), house.start(boot)]);
      await until('all is acknowledged', async () => (await house.pending()) === 0);
      for (const channel of channels)
        expect(service.channels.get(channel)?.map(({ id }) => id)).toEqual(
          rows.filter((row) => row['channel'] === channel).map(({ id }) => String(id)),
        );
      expect([...met.keys()].sort()).toEqual(['dropped', 'lost', 'refused']);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);

it('may reject with what nobody can read', async () => {
  await open();
  const unreadable = {
    get message(): string {
      throw new Error('not to be read');
    },
  };
  const rejecting = { request: () => Promise.reject(unreadable as unknown as Error) };
  const error = await thrownBy(ablyPublisher(rejecting as never).publish([anEvent('1')], delivery()));
  expect((error as Error).message).toContain('Ably could not be reached');
});
