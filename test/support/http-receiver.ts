import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface Received {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | undefined>;
  body: Buffer;
  /** It was answered, or its connection is gone. */
  ended: boolean;
}

export interface HttpReceiver {
  port: number;
  received: Received[];
  /** How many connections have been made. */
  readonly connections: number;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: Received) => void;

/** An HTTP server that answers as it is told, and keeps what it was sent. */
export async function startHttpReceiver(answer: Answer): Promise<HttpReceiver> {
  const received: Received[] = [];
  let connections = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const entry: Received = {
      method,
      path: url,
      headers: headers as never,
      body: Buffer.concat(chunks),
      ended: false,
    };
    response.on('close', () => (entry.ended = true));
    received.push(entry);
    answer(response, entry);
  };
  const server = createServer((request, response) => void handle(request, response).catch(() => undefined));
  server.on('connection', () => connections++);
  // Longer than any pause between two requests of a test.
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    get connections() {
      return connections;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
