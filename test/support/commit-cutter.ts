import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Where a connection is lost: before the server hears of the COMMIT, or before the client hears of its success. */
export type Cut = 'before commit' | 'after commit';

export interface CommitCutter {
  port: number;
  /** How many connections were cut. */
  readonly cuts: number;
  /** The next connection that sends `marker`, and then COMMIT, is lost there. */
  arm(cut: Cut): void;
  close(): Promise<void>;
}

/** A way to a server on which a COMMIT can be lost; the rest goes through as it is. */
export async function startCommitCutter(target: { host: string; port: number }, marker: string): Promise<CommitCutter> {
  const sockets = new Set<Socket>();
  let armed: Cut | undefined;
  let cuts = 0;
  const join = (inside: Socket) => {
    const outside = connect(target.port, target.host);
    let marked = false;
    let losing = false;
    const end = () => {
      inside.destroy();
      outside.destroy();
    };
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    inside.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      marked ||= armed !== undefined && text.includes(marker);
      if (marked && /commit/i.test(text)) {
        const cut = armed;
        [armed, marked] = [undefined, false];
        cuts++;
        if (cut === 'before commit') return end();
        losing = true;
      }
      outside.write(chunk);
    });
    outside.on('data', (chunk: Buffer) => (losing ? end() : void inside.write(chunk)));
  };
  const server = createServer(join);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    arm: (cut) => (armed = cut),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
