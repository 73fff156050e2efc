import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Connections made so far. */
  readonly connections: number;
  /** What is connected now stays connected, and nothing goes through any more: a cable that was pulled. */
  blackHole(): void;
  /** The same, and no side hears that the other one has closed its end. */
  sever(): void;
  /** Ends what is connected now. New connections work. */
  cut(): void;
  /** From now on whoever connects is turned away at once, as by a server that is starting; false ends it. */
  refuse(refusing: boolean): void;
  /** From now on whoever connects hears nothing, as of a server that is overwhelmed; false ends it, and them. */
  silence(silent: boolean): void;
  close(): Promise<void>;
}

/** A way to a server that a test can break in the middle. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>();
  const severed = new WeakSet<[Socket, Socket]>();
  let connections = 0;
  let refused = false;
  let silent = false;
  const unheard = new Set<Socket>();
  const server = createServer((inside) => {
    if (refused) return void inside.on('error', () => undefined).destroy();
    connections++;
    if (silent) return void unheard.add(inside.on('error', () => undefined));
    const outside = connect(target.port, target.host);
    const pair: [Socket, Socket] = [inside, outside];
    pairs.add(pair);
    inside.pipe(outside).pipe(inside);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (severed.has(pair)) return;
        pairs.delete(pair);
        for (const end of pair) end.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  const blackHole = () => {
    for (const [inside, outside] of pairs) {
      inside.unpipe(outside);
      outside.unpipe(inside);
      inside.resume();
      outside.resume();
    }
  };
  const silence = (on: boolean) => {
    silent = on;
    if (on) return;
    for (const socket of unheard) socket.destroy();
    unheard.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    blackHole,
    sever: () => {
      blackHole();
      for (const pair of pairs) severed.add(pair);
    },
    cut,
    refuse: (refusing) => void (refused = refusing),
    silence,
    close: async () => {
      silence(false);
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
