import {
  Controller,
  Headers,
  HttpCode,
  HttpException,
  Module,
  Post,
  type RawBodyRequest,
  Req,
  Res,
  UnauthorizedException,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { OutboxEvent } from '../../../lib/outbox/events.js';
import { verifyWebhook, webhookPublisher } from '../../../lib/outbox/publishers.js';
import { describeDatabases } from '../../support/backends.js';
import { channelsUpTo, policyOf, RelayHouse } from '../../support/relays.js';
import { until } from '../../support/until.js';

const SECRET = 'shared';

/** Every fifth request meets one of these, in turn. */
const MISHAPS = ['throttled', 'failed', 'dropped', 'lost', 'unanswered'] as const;
type Mishap = (typeof MISHAPS)[number];

interface Partner {
  url: string;
  /** What it has made of requests: each event once. */
  events: OutboxEvent[];
  /** Of the tries of the same events, by key. */
  bodies: Map<string, Set<string>>;
  met: Set<Mishap>;
  refused: number;
  close(): Promise<void>;
}

/** An app of somebody else's, which verifies and takes webhooks as its own documentation says. */
async function partner(): Promise<Partner> {
  const seen = new Set<string>();
  const heard: Omit<Partner, 'url' | 'close'> = { events: [], bodies: new Map(), met: new Set(), refused: 0 };
  let requests = 0;

  @Controller()
  class Hooks {
    @Post('hook')
    @HttpCode(204)
    take(
      @Headers() headers: IncomingHttpHeaders,
      @Req() request: RawBodyRequest<IncomingMessage>,
      @Res({ passthrough: true }) response: ServerResponse,
    ): Promise<void> | void {
      const { 'x-durable-timestamp': timestamp, 'x-durable-signature': signature } = headers;
      if (!verifyWebhook({ secret: SECRET, timestamp, signature, body: request.rawBody })) {
        heard.refused++;
        throw new UnauthorizedException();
      }
      const nth = requests++;
      const mishap = nth % 5 === 2 ? MISHAPS[Math.floor(nth / 5) % MISHAPS.length] : undefined;
      if (mishap) heard.met.add(mishap);
      if (mishap === 'throttled') {
        response.setHeader('retry-after', '1');
        throw new HttpException('later', 429);
      }
      if (mishap === 'failed') throw new HttpException('no', 500);
      if (mishap === 'unanswered') return new Promise(() => undefined);
      if (mishap !== 'dropped') this.keep(String(headers['idempotency-key']), request.rawBody!.toString());
      if (mishap) response.socket?.destroy();
    }

    private keep(key: string, body: string): void {
      heard.bodies.set(key, (heard.bodies.get(key) ?? new Set()).add(body));
      for (const event of (JSON.parse(body) as { events: OutboxEvent[] }).events) {
        if (!seen.has(event.sequenceId)) heard.events.push(event);
        seen.add(event.sequenceId);
      }
    }
  }

  @Module({ controllers: [Hooks] })
  class PartnerModule {}

  const app = await NestFactory.create(PartnerModule, { logger: false, rawBody: true, forceCloseConnections: true });
  await app.listen(0, '127.0.0.1');
  return Object.assign(heard, { url: `${await app.getUrl()}/hook`, close: () => app.close() });
}

describeDatabases(
  'webhooks behind relays',
  (at) => {
    let house: RelayHouse;
    let receiver: Partner;
    beforeAll(async () => {
      house = await RelayHouse.open(at);
      receiver = await partner();
    });
    afterEach(() => house.empty());
    afterAll(async () => {
      await receiver?.close();
      await house?.close();
    });

    it('reach an app that verifies them, each event once and in order, whatever happens to requests', async () => {
      const channels = channelsUpTo(12);
      await house.write(channels, 15);
      const rows = await house.backend.query(
        'SELECT sequence_id AS id, channel FROM durable_outbox ORDER BY sequence_id',
      );
      const { publish } = webhookPublisher({ url: receiver.url, secret: [SECRET, 'next'] });
      const policy = policyOf({ attempts: 30, backoff: { delay: 10, factor: 1 } });
      const boot = { deliver: publish, options: { policy } };
      await Promise.all([house.start(boot), house.start(boot)]);
      await until('all is acknowledged', async () => (await house.pending()) === 0);
      for (const channel of channels)
        expect(
          receiver.events.filter((event) => event.channel === channel).map(({ sequenceId }) => sequenceId),
        ).toEqual(rows.filter((row) => row['channel'] === channel).map(({ id }) => String(id)));
      expect([...receiver.met].sort()).toEqual([...MISHAPS].sort());
      expect(receiver.refused).toBe(0);
      // One key never means two things.
      expect([...receiver.bodies].filter(([, bodies]) => bodies.size > 1)).toEqual([]);
    });

    it('are refused by it when they come from somebody else', async () => {
      const forged = webhookPublisher({ url: receiver.url, secret: 'guessed' });
      await house.write(['forged'], 1);
      const failures: string[] = [];
      const observer = { failed: ({ error }: { error: string }) => void failures.push(error) };
      await house.start({ deliver: forged.publish, observer });
      await until('it has failed', () => failures.length > 0);
      expect(failures[0]).toMatch(/answered with status 401/);
      expect(receiver.events.some(({ channel }) => channel === 'forged')).toBe(false);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
