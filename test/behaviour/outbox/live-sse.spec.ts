import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Headers,
  type INestApplication,
  Inject,
  Injectable,
  Param,
  Res,
  Sse,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type Observable, tap } from 'rxjs';
import { type ChannelMessage, OutboxFeed } from '../../../lib/outbox/channels.js';
import { channelsInMemory } from '../../support/channels-in-memory.js';
import { until } from '../../support/until.js';

/** Events that were told to readers that began at the beginning. */
let told = 0;
/** Those of these readers, by their channels. */
const responses = new Map<string, { writableNeedDrain: boolean }>();

@Injectable()
class OwnPosts implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params, headers } = context
      .switchToHttp()
      .getRequest<{ params: { id: string }; headers: Record<string, string> }>();
    return params.id === headers['authorization'];
  }
}

@Controller('posts')
@UseGuards(OwnPosts)
class Posts {
  constructor(@Inject(OutboxFeed) private readonly feed: OutboxFeed) {}

  @Sse(':id/events')
  events(
    @Param('id') id: string,
    @Headers('last-event-id') after: string | undefined,
    @Res({ passthrough: true }) response: { writableNeedDrain: boolean; once(event: 'drain', f: () => void): unknown },
  ): Observable<ChannelMessage> {
    if (after === '0') responses.set(id, response);
    return this.feed
      .channel(`posts:${id}`, { after, response })
      .pipe(tap(({ type }) => void (type === 'event' && after === '0' && told++)));
  }
}

interface Message {
  type: string;
  id: string;
  data: unknown;
}

/** One connection of a browser's `EventSource`. */
class Connection {
  readonly messages: Message[] = [];
  ended = false;
  private rest: string[] = [];

  constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => this.read(chunk));
    response.on('close', () => (this.ended = true)).on('error', () => undefined);
  }

  get numbers(): string[] {
    return this.messages.filter(({ type }) => type === 'event').map(({ id }) => id);
  }

  private read(chunk: string): void {
    this.rest.push(chunk);
    if (!chunk.includes('\n')) return;
    const blocks = this.rest.join('').split('\n\n');
    this.rest = [blocks.pop() ?? ''];
    for (const block of blocks) {
      const [, type, id, data] = /event: (.*)\nid: (.*)\ndata: (.*)/.exec(block) ?? [];
      if (type !== undefined) this.messages.push({ type, id: id!, data: JSON.parse(data!) as unknown });
    }
  }
}

describe('streams to browsers', () => {
  const channels = channelsInMemory();
  const feed = new OutboxFeed(channels.reader, { onError: () => undefined, pollMs: 5, heartbeatMs: 200 });
  const open: Connection[] = [];
  let app: INestApplication;
  let port: number;

  beforeAll(async () => {
    const providers = [{ provide: OutboxFeed, useValue: feed }];
    app = (await Test.createTestingModule({ controllers: [Posts], providers }).compile()).createNestApplication({
      logger: false,
    });
    await app.listen(0, '127.0.0.1');
    ({ port } = (app.getHttpServer() as { address(): AddressInfo }).address());
    feed.start();
  });
  afterEach(() => {
    for (const { response } of open.splice(0)) response.destroy();
  });
  afterAll(async () => {
    await feed.stop();
    await app.close();
  });

  function connect(id: string, headers: Record<string, string> = {}): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const options = { headers: { authorization: id, ...headers }, agent: false as const };
      get(`http://127.0.0.1:${port}/posts/${id}/events`, options, (response) => {
        const connection = new Connection(response);
        open.push(connection);
        resolve(connection);
      }).on('error', reject);
    });
  }

  it('scenario 20: carry the events of a channel with their numbers', async () => {
    const connection = await connect('1');
    await until('it says where it stands', () => connection.messages.length > 0);
    expect(connection.response.headers['content-type']).toContain('text/event-stream');
    expect(connection.messages[0]).toEqual({ type: 'heartbeat', id: '0', data: { sequenceId: '0' } });
    const number = await channels.write('posts:1', { data: { text: 'two\nlines' } });
    await channels.write('posts:2');
    await until('it has come', () => connection.numbers.length === 1);
    expect(connection.messages.find(({ type }) => type === 'event')).toMatchObject({
      id: number,
      data: { sequenceId: number, channel: 'posts:1', data: { text: 'two\nlines' } },
    });
  });

  it('scenario 20: go on after Last-Event-ID, which a heartbeat does not change', async () => {
    const first = await connect('3', { 'last-event-id': '0' });
    const numbers = [await channels.write('posts:3'), await channels.write('posts:3')];
    await until('both have come', () => first.numbers.length === 2);
    await until('and a heartbeat', () => first.messages.at(-1)?.type === 'heartbeat');
    first.response.destroy();
    numbers.push(await channels.write('posts:3'));
    const second = await connect('3', { 'last-event-id': first.messages.at(-1)!.id });
    await until('the rest has come', () => second.numbers.length === 1);
    expect([...first.numbers, ...second.numbers]).toEqual(numbers);
  });

  it('scenario 20: are refused by the guard of their route', async () => {
    const { response } = await connect('4', { authorization: 'somebody else' });
    expect(response.statusCode).toBe(403);
  });

  it('scenario 20: a browser that does not read holds nothing up, and costs no memory', async () => {
    const slow = await connect('5', { 'last-event-id': '0' });
    await until('it says where it stands', () => slow.messages.length > 0);
    slow.response.pause();
    const before = told;
    const numbers: string[] = [];
    const data = 'x'.repeat(50_000);
    for (let n = 0; n < 600; n++) numbers.push(await channels.write('posts:5', { data }));
    const fast = await connect('5', { 'last-event-id': numbers[500]! });
    await until('the fast one has its events', () => fast.numbers.length === 99);
    let [last, quiet] = [told, 0];
    // The system takes a little more now and then, until its own buffers are full.
    await until('its connection is full', () => {
      quiet = told === last && responses.get('5')!.writableNeedDrain ? quiet + 1 : 0;
      last = told;
      return quiet === 15;
    });
    expect(told - before).toBeLessThan(450);
    slow.response.resume();
    await until('the slow one has all', () => slow.numbers.length === 600);
    expect(slow.numbers).toEqual(numbers);
    expect(slow.messages.filter(({ type }) => type === 'reset')).toEqual([]);
  });

  it('end with the process', async () => {
    const connection = await connect('6');
    await until('it says where it stands', () => connection.messages.length > 0);
    await feed.stop();
    await until('it has ended', () => connection.ended);
    expect(connection.response.complete).toBe(true);
    feed.start();
  });
});
