import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { Observable } from 'rxjs';
import { InvalidArgumentError, NonRetryablePublishError, RetryAfterError } from '../../lib/errors.js';
import { type AblyMessage, ablyPublisher } from '../../lib/outbox/publishers/ably-publisher.js';
import { clientProxyPublisher } from '../../lib/outbox/publishers/client-proxy-publisher.js';
import { webhookPublisher } from '../../lib/outbox/publishers/webhook-publisher.js';
import { verifyWebhook } from '../../lib/outbox/publishers/webhook-signature.js';
import { ManualClock } from '../../lib/testing/manual-clock.js';
import { anEvent, delivery } from '../support/outbox-events.js';
import { until } from '../support/until.js';

interface Received {
  path: string;
  headers: Record<string, string | undefined>;
  body: string;
  ended: boolean;
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** An HTTP server that answers as it is told, and keeps what it was sent. */
async function receiver(answer: (response: ServerResponse, request: Received) => void) {
  const received: Received[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const entry: Received = { path: request.url!, headers: request.headers as never, body: '', ended: false };
    request.on('close', () => (entry.ended = true)).on('error', () => undefined);
    for await (const chunk of request) entry.body += String(chunk);
    received.push(entry);
    response.on('close', () => (entry.ended = true));
    answer(response, entry);
  };
  const server: Server = createServer((request, response) => void handle(request, response).catch(() => undefined));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1`, received };
}

const answering = (status: number, headers: Record<string, string> = {}) =>
  receiver((response) => response.writeHead(status, headers).end('some words'));

const thrown = async (work: Promise<void> | void): Promise<Error> => {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was not refused');
};

describe('webhooks', () => {
  const clock = new ManualClock();
  const to = (url: string, secret: string | string[] = 's3cret') => webhookPublisher({ url, secret, clock });

  it('are signed, and carry the events and their key', async () => {
    const { url, received } = await answering(204);
    const event = anEvent('9007199254740993', { data: { text: 'Grüße 😀' }, headers: { id: 123 }, rejected: true });
    await webhookPublisher({ url, secret: 's3cret', clock, headers: { authorization: 'Bearer x' } }).publish(
      [event],
      delivery({ idempotencyKey: 'größe 1/9007199254740993' }),
    );
    const [{ path, headers, body }] = received as [Received];
    expect(path).toBe('/hook?a=1');
    expect(JSON.parse(body)).toEqual({ events: [event] });
    expect(headers).toMatchObject({ authorization: 'Bearer x', 'content-type': 'application/json' });
    expect(decodeURI(headers['idempotency-key']!)).toBe('größe 1/9007199254740993');
    const timestamp = headers['x-durable-timestamp']!;
    const signature = headers['x-durable-signature']!;
    expect(Number(timestamp)).toBe(Math.floor(clock.now() / 1_000));
    const signed = { secret: 's3cret', timestamp, signature, body, clock };
    expect(verifyWebhook(signed)).toBe(true);
    expect(verifyWebhook({ ...signed, secret: 'other' })).toBe(false);
    expect(verifyWebhook({ ...signed, body: `${body} ` })).toBe(false);
    expect(verifyWebhook({ ...signed, timestamp: String(Number(timestamp) + 1) })).toBe(false);
    expect(verifyWebhook({ ...signed, timestamp: 'NaN' })).toBe(false);
    const later = new ManualClock(clock.now() + 302_000);
    expect(verifyWebhook({ ...signed, clock: later })).toBe(false);
    expect(verifyWebhook({ ...signed, clock: later, tolerance: '10m' })).toBe(true);
  });

  it('are verified by either secret while one takes the place of the other', async () => {
    const { url, received } = await answering(200);
    await to(url, ['new', 'old']).publish([anEvent('1')], delivery());
    const [{ headers, body }] = received as [Received];
    const signed = {
      timestamp: headers['x-durable-timestamp']!,
      signature: headers['x-durable-signature']!,
      ...{ body, clock },
    };
    expect(['new', 'old', 'older'].map((secret) => verifyWebhook({ ...signed, secret }))).toEqual([true, true, false]);
  });

  it('have another key when the batch has grown since the last try', async () => {
    const { url, received } = await answering(200);
    const context = delivery({ idempotencyKey: 'a/1' });
    for (const ids of [['1'], ['1', '2'], ['1', '2'], ['1', '2', '3']])
      await to(url).publish(
        ids.map((id) => anEvent(id)),
        context,
      );
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['a/1', 'a/1..2', 'a/1..2', 'a/1..3']);
  });

  it.each([
    [429, '7', 7_000],
    [503, '0', 1_000],
    [503, '999999', 3_600_000],
    [429, new Date(clock.now() + 90_000).toUTCString(), 90_000],
  ])('wait after %i as long as "Retry-After: %s" says', async (status, header, delay) => {
    const { url } = await answering(status, { 'retry-after': header });
    const error = await thrown(to(url).publish([anEvent('1')], delivery()));
    expect(error).toBeInstanceOf(RetryAfterError);
    expect((error as RetryAfterError).delay).toBe(delay);
  });

  it.each([400, 401, 404, 409, 410, 422])('are refused for good with %i', async (status) => {
    const { url } = await answering(status, { 'retry-after': '5' });
    const error = await thrown(to(url).publish([anEvent('1')], delivery()));
    expect(error).toBeInstanceOf(NonRetryablePublishError);
    expect(error.message).toContain(`status ${status}`);
    expect(error.message).not.toContain('a=1');
  });

  it.each([302, 408, 425, 429, 500, 502, 503])('are tried again after %i', async (status) => {
    const { url, received } = await answering(status, { location: '/elsewhere', 'retry-after': 'soon' });
    const error = await thrown(to(url).publish([anEvent('1')], delivery()));
    expect(error).not.toBeInstanceOf(NonRetryablePublishError);
    expect(error).not.toBeInstanceOf(RetryAfterError);
    expect(received).toHaveLength(1);
  });

  it('end when their time is over', async () => {
    const { url, received } = await receiver(() => undefined);
    const timeout = new AbortController();
    const publishing = thrown(to(url).publish([anEvent('1')], delivery({ signal: timeout.signal })));
    await until('it has come', () => received.length === 1);
    timeout.abort(new Error('over'));
    expect((await publishing).message).toBe('over');
    await until('the connection is gone', () => received[0]?.ended);
  });

  it('are tried again when nobody is there', async () => {
    const server = createTcpServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await thrown(to(`http://127.0.0.1:${port}/`).publish([anEvent('1')], delivery()));
    expect(error).not.toBeInstanceOf(NonRetryablePublishError);
  });

  it.each([
    ['no URL', { url: 'partner', secret: 'x' }],
    ['another protocol', { url: 'ftp://partner.example', secret: 'x' }],
    ['a password in the URL', { url: 'https://me:secret@partner.example', secret: 'x' }],
    ['no secret', { url: 'https://partner.example', secret: '' }],
    ['no secrets', { url: 'https://partner.example', secret: [] }],
  ])('refuse %s at once', (_, options) => expect(() => webhookPublisher(options)).toThrow(InvalidArgumentError));
});

/** What a client of `@nestjs/microservices` is to us, over a real connection: lines of JSON, each acknowledged. */
async function lineBroker(acknowledge: (line: string, socket: Socket) => void) {
  const lines: { pattern: unknown; data: unknown }[] = [];
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined).setEncoding('utf8');
    let rest = '';
    socket.on('data', (chunk) => {
      const parts = (rest + String(chunk)).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        lines.push(JSON.parse(line) as never);
        acknowledge(line, socket);
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  closers.push(async () => {
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  let subscribed = 0;
  const emit = (pattern: unknown, data: unknown) =>
    new Observable<never>((subscriber) => {
      subscribed++;
      const answered = (chunk: Buffer) =>
        chunk.toString().startsWith('+') ? subscriber.complete() : subscriber.error(new Error(chunk.toString()));
      socket.once('data', answered);
      socket.write(`${JSON.stringify({ pattern, data })}\n`);
      return () => {
        subscribed--;
        socket.off('data', answered);
      };
    });
  return { lines, client: { emit }, subscribed: () => subscribed };
}

describe('clients of @nestjs/microservices', () => {
  const events = ['1', '2', '3'].map((id) => anEvent(id, { name: `posts.${id}`, headers: { by: 'me' } }));

  it('emit one event after another, under its name, with all that it is', async () => {
    const open: string[] = [];
    const broker = await lineBroker((line, socket) => {
      open.push(line);
      setImmediate(() => {
        expect(open.splice(0)).toHaveLength(1);
        socket.write('+');
      });
    });
    await clientProxyPublisher(broker.client).publish(events, delivery());
    expect(broker.lines).toEqual(events.map((event) => ({ pattern: event.name, data: event })));
    expect(broker.subscribed()).toBe(0);
  });

  it('emit what the app makes of them', async () => {
    const broker = await lineBroker((_, socket) => socket.write('+'));
    const options = { pattern: () => ({ cmd: 'x' }), payload: ({ data }: { data: unknown }) => data };
    await clientProxyPublisher(broker.client, options).publish(events.slice(0, 1), delivery());
    expect(broker.lines).toEqual([{ pattern: { cmd: 'x' }, data: { n: 1 } }]);
  });

  it('stop at the first that fails', async () => {
    const broker = await lineBroker((line, socket) => socket.write(line.includes('posts.2') ? '- no' : '+'));
    expect((await thrown(clientProxyPublisher(broker.client).publish(events, delivery()))).message).toBe('- no');
    expect(broker.lines).toHaveLength(2);
  });

  it('stop when their time is over, and begin nothing after it', async () => {
    const broker = await lineBroker(() => undefined);
    const timeout = new AbortController();
    const context = delivery({ signal: timeout.signal });
    const publishing = thrown(clientProxyPublisher(broker.client).publish(events, context));
    await until('the first has come', () => broker.lines.length === 1);
    timeout.abort(new Error('over'));
    expect((await publishing).message).toBe('over');
    expect(broker.subscribed()).toBe(0);
    await thrown(clientProxyPublisher(broker.client).publish(events, context));
    expect(broker.lines).toHaveLength(1);
  });
});

/** The REST interface that the library speaks, and as much of the library as is used. */
const restClient = (url: string) => ({
  channels: {
    get: (name: string) => ({
      publish: async (message: AblyMessage) => {
        const path = `/channels/${encodeURIComponent(name)}/messages`;
        const response = await fetch(new URL(path, url), { method: 'POST', body: JSON.stringify(message) });
        if (!response.ok) throw Object.assign(new Error('refused'), { statusCode: response.status, code: 40_000 });
      },
    }),
  },
});

describe('Ably', () => {
  it('gets one message for each event, with its number, its mutation and its rejection', async () => {
    const { url, received } = await answering(201);
    const events = [
      anEvent('41', { channel: 'posts:1', headers: { author: 'socrates', pages: [1, 5] } }),
      anEvent('42', { channel: 'posts:1', rejected: true, data: null }),
    ];
    await ablyPublisher(restClient(url)).publish(events, delivery());
    expect(received.map(({ path }) => path)).toEqual(Array(2).fill('/channels/posts%3A1/messages'));
    expect(received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        ...{ id: '41', name: 'edited', data: { n: 41 } },
        extras: {
          headers: { author: 'socrates', pages: [1, 5], 'x-ably-models-event-uuid': 'mutation-41' },
        },
      },
      {
        ...{ id: '42', name: 'edited', data: null },
        extras: { headers: { 'x-ably-models-event-uuid': 'mutation-42', 'x-ably-models-reject': 'true' } },
      },
    ]);
  });

  it('is tried again when it could not, and not when it would not', async () => {
    for (const [status, lasting] of [
      [400, true],
      [403, true],
      [429, false],
      [500, false],
    ] as const) {
      const { url, received } = await answering(status);
      const error = await thrown(ablyPublisher(restClient(url)).publish([anEvent('1'), anEvent('2')], delivery()));
      expect([status, error instanceof NonRetryablePublishError]).toEqual([status, lasting]);
      expect(error.cause).toMatchObject({ code: 40_000 });
      expect(received).toHaveLength(1);
    }
  });

  it('is not waited for when the time is over', async () => {
    const { url, received } = await receiver(() => undefined);
    const timeout = new AbortController();
    const publishing = thrown(
      ablyPublisher(restClient(url)).publish([anEvent('1')], delivery({ signal: timeout.signal })),
    );
    await until('it has come', () => received.length === 1);
    timeout.abort(new Error('over'));
    expect((await publishing).message).toBe('over');
  });
});
