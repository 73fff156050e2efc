import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { Observable } from 'rxjs';
import { InvalidArgumentError, NonRetryablePublishError } from '../../../lib/core/errors.js';
import { RetryAfterError } from '../../../lib/core/run-errors.js';
import { ManualClock } from '../../../lib/core/time.js';
import { clientProxyPublisher, verifyWebhook, webhookPublisher } from '../../../lib/outbox/publishers.js';
import { type Answer, type Received, startHttpReceiver } from '../../support/http-receiver.js';
import { anEvent, delivery } from '../../support/outbox-events.js';
import { thrownBy } from '../../support/thrown-by.js';
import { until } from '../../support/until.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function receiver(answer: Answer) {
  const { port, received, close } = await startHttpReceiver(answer);
  closers.push(close);
  return { url: `http://127.0.0.1:${port}/hook?a=1`, received };
}

const answering = (status: number, headers: Record<string, string> = {}) =>
  receiver((response) => response.writeHead(status, headers).end('some words'));

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
    const [{ path, headers, body: bytes }] = received as [Received];
    const body = bytes.toString();
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

  it('have a key of at most 255 characters, however long that of a batch would be', async () => {
    const { url, received } = await answering(204);
    const batch = [anEvent('1'), anEvent('9007199254740993')];
    for (const idempotencyKey of ['wpisy/Łódź:1', '投稿:1', 'x'.repeat(250), 'ż'.repeat(180)])
      await to(url).publish(batch, delivery({ idempotencyKey }));
    const [polish, chinese, ...long] = (received as Received[]).map(({ headers }) => headers['idempotency-key']!);
    expect(decodeURI(polish!)).toBe('wpisy/Łódź:1..9007199254740993');
    expect(decodeURI(chinese!)).toBe('投稿:1..9007199254740993');
    for (const key of long) expect(key).toMatch(/^sha256-[0-9a-f]{64}$/);
  });

  it('have the headers of the app, and no others in place of their own', async () => {
    const { url, received } = await answering(200);
    const headers = {
      'X-Tenant': 'größe'.normalize('NFC'),
      'Content-Type': 'text/plain',
      'X-Durable-Signature': 'v1=00',
    };
    await webhookPublisher({ url, secret: 's3cret', clock, headers }).publish([anEvent('1')], delivery());
    const [request] = received as [Received];
    expect(request.headers).toMatchObject({ 'x-tenant': 'größe', 'content-type': 'application/json' });
    expect(request.headers['x-durable-signature']).toMatch(/^v1=[0-9a-f]{64}$/);
  });

  it('are verified as they came: their bytes, by the headers that a server was given', async () => {
    const { url, received } = await answering(200);
    await to(url).publish([anEvent('1', { data: 'Grüße 😀' })], delivery());
    const [{ headers, body }] = received as [Received];
    const { 'x-durable-timestamp': timestamp, 'x-durable-signature': signature } = headers;
    const signed = { secret: 's3cret', timestamp, signature, body, clock };
    expect(verifyWebhook(signed)).toBe(true);
    expect(verifyWebhook({ ...signed, body: body.subarray(1) })).toBe(false);
    expect(verifyWebhook({ ...signed, timestamp: undefined })).toBe(false);
    expect(verifyWebhook({ ...signed, signature: undefined })).toBe(false);
    expect(verifyWebhook({ ...signed, signature: [signature!, signature!] })).toBe(false);
    for (const signature of ['', 'v1', 'v1=', 'v1=,', `v2=${headers['x-durable-signature']?.slice(3)}`])
      expect(verifyWebhook({ ...signed, signature })).toBe(false);
    expect(verifyWebhook({ ...signed, secret: ['next', 's3cret'] })).toBe(true);
    expect(verifyWebhook({ ...signed, secret: ['next', 'other'] })).toBe(false);
    expect(() => verifyWebhook({ ...signed, secret: '' })).toThrow(InvalidArgumentError);
    expect(() => verifyWebhook({ ...signed, body: undefined })).toThrow('rawBody');
    expect(() => verifyWebhook({ ...signed, body: JSON.parse(body.toString()) as never })).toThrow('rawBody');
    expect(() => verifyWebhook({ ...signed, secret: undefined as never })).toThrow(InvalidArgumentError);
  });

  it('are verified by either secret while one takes the place of the other', async () => {
    const { url, received } = await answering(200);
    await to(url, ['new', 'old']).publish([anEvent('1')], delivery());
    const [{ headers, body: bytes }] = received as [Received];
    const body = bytes.toString();
    const signed = {
      timestamp: headers['x-durable-timestamp']!,
      signature: headers['x-durable-signature']!,
      body,
      clock,
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
    const error = await thrownBy(to(url).publish([anEvent('1')], delivery()));
    expect(error).toBeInstanceOf(RetryAfterError);
    expect((error as RetryAfterError).delay).toBe(delay);
  });

  it.each([400, 403, 404, 409, 410, 422])('are refused for good with %i', async (status) => {
    const { url } = await answering(status, { 'retry-after': '5' });
    const error = await thrownBy(to(url).publish([anEvent('1')], delivery()));
    expect(error).toBeInstanceOf(NonRetryablePublishError);
    expect(error.message).toContain(`status ${status}`);
    expect(error.message).not.toContain('a=1');
  });

  it.each([302, 401, 408, 425, 429, 500, 502, 503])('are tried again after %i', async (status) => {
    const { url, received } = await answering(status, { location: '/elsewhere', 'retry-after': 'soon' });
    const error = await thrownBy(to(url).publish([anEvent('1')], delivery()));
    expect(error).not.toBeInstanceOf(NonRetryablePublishError);
    expect(error).not.toBeInstanceOf(RetryAfterError);
    expect(received).toHaveLength(1);
  });

  it('end when their time is over', async () => {
    const { url, received } = await receiver(() => undefined);
    const timeout = new AbortController();
    const publishing = thrownBy(to(url).publish([anEvent('1')], delivery({ signal: timeout.signal })));
    await until('it has come', () => received.length === 1);
    timeout.abort(new Error('over'));
    expect((await publishing).message).toBe('over');
    await until('the connection is gone', () => received[0]?.ended);
  });

  it('are tried again when nobody is there', async () => {
    const server = createTcpServer((socket) => void socket.on('error', () => undefined).resume());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // The near end of a connection: nobody listens there, and nobody else gets that port meanwhile.
    const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(near, 'connect');
    closers.push(async () => {
      near.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    const port = near.localPort;
    const error = await thrownBy(to(`http://127.0.0.1:${port}/?token=1`).publish([anEvent('1')], delivery()));
    expect(error).not.toBeInstanceOf(NonRetryablePublishError);
    // An outage must not count against the event.
    expect(error).toBeInstanceOf(RetryAfterError);
    expect(error.message).toBe(`http://127.0.0.1:${port} could not be reached: ECONNREFUSED`);
  });

  it('are tried again when the connection breaks before the answer, and not when it breaks within', async () => {
    const broken = await receiver((response) => void response.socket?.destroy());
    const error = await thrownBy(to(broken.url).publish([anEvent('1')], delivery()));
    expect(error).not.toBeInstanceOf(RetryAfterError);
    expect(error.message).toMatch(/^http:.* could not be reached: /);
    const halved = await receiver((response) => {
      response.writeHead(200, { 'content-length': '100000' });
      response.write('x', () => response.socket?.destroy());
    });
    for (let time = 0; time < 20; time++) await to(halved.url).publish([anEvent('1')], delivery());
    expect(halved.received).toHaveLength(20);
  });

  it.each([
    ['no URL', { url: 'partner', secret: 'x' }],
    ['another protocol', { url: 'ftp://partner.example', secret: 'x' }],
    ['a password in the URL', { url: 'https://me:secret@partner.example', secret: 'x' }],
    ['no secret', { url: 'https://partner.example', secret: '' }],
    ['headers that cannot be sent', { url: 'https://partner.example', secret: 'x', headers: { 'a b': 'c' } }],
    ['no secrets', { url: 'https://partner.example', secret: [] }],
  ])('refuse %s at once', (_, options) => expect(() => webhookPublisher(options)).toThrow(InvalidArgumentError));

  it('say what they refuse without saying secrets', async () => {
    const url = 'https://partner.example/hook';
    for (const options of [
      { url: 'https://me:hidden@partner.example', secret: 'x' },
      { url: 'ftp://me:hidden@partner.example', secret: 'x' },
      { url: 'https://me:hidden@partner.example:99999', secret: 'x' },
      { url, secret: ['hidden', ''] },
      { url, secret: 'x', headers: { authorization: 'hidden\nx' } },
      { url, secret: 'x', headers: { authorization: 'hidden 😀' } },
    ]) {
      const { message } = await thrownBy(Promise.resolve().then(() => webhookPublisher(options)));
      expect(message).not.toContain('hidden');
    }
  });
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
    expect((await thrownBy(clientProxyPublisher(broker.client).publish(events, delivery()))).message).toBe('- no');
    expect(broker.lines).toHaveLength(2);
  });

  it('stop when their time is over, and begin nothing after it', async () => {
    const broker = await lineBroker(() => undefined);
    const timeout = new AbortController();
    const context = delivery({ signal: timeout.signal });
    const publishing = thrownBy(clientProxyPublisher(broker.client).publish(events, context));
    await until('the first has come', () => broker.lines.length === 1);
    timeout.abort(new Error('over'));
    expect((await publishing).message).toBe('over');
    expect(broker.subscribed()).toBe(0);
    await thrownBy(clientProxyPublisher(broker.client).publish(events, context));
    expect(broker.lines).toHaveLength(1);
  });
});
