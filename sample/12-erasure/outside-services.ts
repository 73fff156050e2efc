import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

/** Requests that the newsletter answers with 503 before it works. */
const NEWSLETTER_IS_DOWN_FOR = 3;

/** Stands for three services on the internet: one works, one is down for a while, one refuses until somebody helps. */
@Injectable()
export class OutsideServices implements OnModuleInit, OnModuleDestroy {
  readonly people = new Map(['crm', 'newsletter', 'payments'].map((name) => [name, new Set<string>()]));
  /** The payments service keeps whoever has an open invoice. */
  hasOpenInvoice = true;
  private readonly servers = new Map<string, Server>();
  private down = NEWSLETTER_IS_DOWN_FOR;

  async onModuleInit(): Promise<void> {
    for (const name of this.people.keys()) {
      const server = createServer(({ url }, response) => {
        const id = decodeURIComponent(url?.split('/').at(-1) ?? '');
        response.writeHead(this.answer(name, id)).end();
      }).listen(0, '127.0.0.1');
      this.servers.set(name, server);
      await once(server, 'listening');
    }
  }

  async onModuleDestroy(): Promise<void> {
    for (const server of this.servers.values()) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  urlOf(name: string): string {
    return `http://127.0.0.1:${(this.servers.get(name)!.address() as AddressInfo).port}`;
  }

  private answer(name: string, id: string): number {
    if (name === 'newsletter' && this.down-- > 0) return 503;
    if (name === 'payments' && this.hasOpenInvoice) return 409;
    return this.people.get(name)?.delete(id) ? 204 : 404;
  }
}
