import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HandlerFault } from '../../lib/conformance/effect-handler.js';

/** A service with accounts that can be deleted: `DELETE /accounts/<id>`, and `POST /mails` with an idempotency key. */
export interface ServiceStandIn {
  readonly url: string;
  readonly accounts: Set<string>;
  /** What has taken effect, in order. */
  readonly done: string[];
  fault(kind: HandlerFault): void;
  asked(): Promise<void>;
  close(): Promise<void>;
}

const STATUS: Partial<Record<HandlerFault, number>> = { away: 503, refusing: 422 };

export async function serviceStandIn(): Promise<ServiceStandIn> {
  const accounts = new Set<string>();
  const keys = new Set<string>();
  const done: string[] = [];
  let kind: HandlerFault = 'none';
  let waiting: (() => void)[] = [];

  const remove = (id: string): number => {
    if (!accounts.delete(id)) return 404;
    done.push(id);
    return 204;
  };
  const mail = (to: string, key: string): number => {
    if (!keys.has(key)) done.push(to);
    keys.add(key);
    return 202;
  };
  const answer = ({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void => {
    for (const tell of waiting.splice(0)) tell();
    if (kind === 'silent') return;
    const name = decodeURIComponent(url.split('/').at(-1) ?? '');
    const works = () => (method === 'DELETE' ? remove(name) : mail(name, String(headers['idempotency-key'])));
    response.writeHead(STATUS[kind] ?? works()).end();
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts,
    done,
    fault: (next) => void (kind = next),
    asked: () => new Promise((resolve) => (waiting = [...waiting, resolve])),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
