import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { DatabaseName } from './test-servers.js';

export interface RollbackRefuser {
  port: number;
  /** While it is true the server answers to ROLLBACK that it takes no statements, and goes on with the transaction. */
  refusing: boolean;
  readonly refused: number;
  close(): Promise<void>;
}

/** An error, and that the session still stands in its transaction. */
function refusalOfPostgres(): Buffer {
  const fields = Buffer.from('SERROR\0VERROR\0CXX000\0Mno ROLLBACK\0\0', 'latin1');
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, fields, Buffer.from('Z\0\0\0\x05T', 'latin1')]);
}

/** 1047 with SQLSTATE 08S01, as a node of Galera answers while it is alone. */
function refusalOfMysql(): Buffer {
  const message = Buffer.concat([
    Buffer.from([0xff, 0x17, 0x04]),
    Buffer.from('#08S01WSREP has not yet prepared node for application use', 'latin1'),
  ]);
  return Buffer.concat([Buffer.from([message.length, 0, 0, 1]), message]);
}

/** A way to a server that can be told to refuse ROLLBACK. */
export async function startRollbackRefuser(target: {
  db: DatabaseName;
  host: string;
  port: number;
}): Promise<RollbackRefuser> {
  const refusal = target.db === 'postgres' ? refusalOfPostgres() : refusalOfMysql();
  const sockets = new Set<Socket>();
  const refuser = { refusing: false, refused: 0 };
  const server = createServer((inside) => {
    const outside = connect(target.port, target.host);
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        inside.destroy();
        outside.destroy();
      });
    }
    inside.on('data', (chunk: Buffer) => {
      if (!refuser.refusing || !/rollback/i.test(chunk.toString('latin1'))) return void outside.write(chunk);
      refuser.refused++;
      inside.write(refusal);
    });
    outside.on('data', (chunk: Buffer) => void inside.write(chunk));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return Object.assign(refuser, {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
