import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { DatabaseName } from './test-servers.js';

/**
 * Where a connection is lost: before the server hears of the COMMIT, or of the BEGIN, or before the client hears of the
 * success of the COMMIT. `as conflict`: it is not lost, and the client hears of a conflict in place of the success, as where servers take over from
 * each other.
 */
export type Cut = 'before begin' | 'before commit' | 'after commit' | 'as conflict';

export interface CommitCutter {
  port: number;
  /** How many connections were cut. */
  readonly cuts: number;
  /** The next connection that sends BEGIN, or `marker` and then COMMIT, is lost there. */
  arm(cut: Cut): void;
  close(): Promise<void>;
}

/** ErrorResponse and ReadyForQuery. */
const POSTGRES_CONFLICT = (() => {
  const fields = Buffer.from('SERROR\0VERROR\0C40001\0Mconflict\0\0', 'latin1');
  const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
  return Buffer.concat([head, fields, Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]);
})();

/** ERR, the first packet of the answer. */
const MYSQL_CONFLICT = (() => {
  const error = Buffer.concat([Buffer.from([0xff, 1213 & 0xff, 1213 >> 8]), Buffer.from('#40001conflict', 'latin1')]);
  return Buffer.concat([Buffer.from([error.length, 0, 0, 1]), error]);
})();

/** A way to a server on which a COMMIT can be lost; the rest goes through as it is. */
export async function startCommitCutter(
  target: { host: string; port: number; db?: DatabaseName },
  marker: string,
): Promise<CommitCutter> {
  const sockets = new Set<Socket>();
  let armed: Cut | undefined;
  let cuts = 0;
  const join = (inside: Socket) => {
    const outside = connect(target.port, target.host);
    let marked = false;
    let losing = false;
    let lying = false;
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
      if (armed === 'before begin' && /begin|start transaction/i.test(text)) {
        armed = undefined;
        cuts++;
        return end();
      }
      marked ||= armed !== undefined && text.includes(marker);
      if (marked && /commit/i.test(text)) {
        const cut = armed;
        [armed, marked] = [undefined, false];
        cuts++;
        if (cut === 'before commit') return end();
        losing = cut === 'after commit';
        lying = cut === 'as conflict';
      }
      outside.write(chunk);
    });
    outside.on('data', (chunk: Buffer) => {
      if (losing) return end();
      inside.write(lying ? (target.db === 'postgres' ? POSTGRES_CONFLICT : MYSQL_CONFLICT) : chunk);
      lying = false;
    });
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
