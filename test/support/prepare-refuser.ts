import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { DatabaseName } from './test-servers.js';

export interface PrepareRefuser {
  port: number;
  /** While it is true the server answers that it has no place for another prepared statement. */
  refusing: boolean;
  /** How many statements were to be prepared, refused or not. */
  asked: number;
  /** How many were closed, on the connection that was used last. */
  closed: number;
  close(): Promise<void>;
}

const COM_QUERY = 0x03;
const COM_STMT_PREPARE = 0x16;
const COM_STMT_CLOSE = 0x19;

/** Has the server itself answer so, in the order of its answers: drivers send statements before the last one is answered. */
function refused(db: DatabaseName): Buffer {
  const text = `SIGNAL SQLSTATE '42000' SET MYSQL_ERRNO = 1461, MESSAGE_TEXT = 'max_prepared_stmt_count'`;
  // MySQL also reads how many attributes a query has.
  const head = db === 'mysql' ? [COM_QUERY, 0, 1] : [COM_QUERY];
  const command = Buffer.concat([Buffer.from(head), Buffer.from(text, 'latin1')]);
  return Buffer.concat([Buffer.from([command.length, 0, 0, 0]), command]);
}

/** A way to a MySQL or MariaDB that can be told to refuse to prepare statements, as a server does that has too many. */
export async function startPrepareRefuser(target: {
  db: DatabaseName;
  host: string;
  port: number;
}): Promise<PrepareRefuser> {
  const sockets = new Set<Socket>();
  const refuser = { refusing: false, asked: 0, closed: 0 };
  const server = createServer((inside) => {
    const outside = connect(target.port, target.host);
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        inside.destroy();
        outside.destroy();
      });
    }
    const closed = new Set<number>();
    let rest = Buffer.alloc(0);
    inside.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readUIntLE(0, 3)) {
        const packet = rest.subarray(0, 4 + rest.readUIntLE(0, 3));
        rest = rest.subarray(packet.length);
        const command = packet[3] === 0 ? packet[4] : undefined;
        const isPrepare = command === COM_STMT_PREPARE;
        if (isPrepare) refuser.asked++;
        if (command === COM_STMT_CLOSE) closed.add(packet.readUInt32LE(5));
        refuser.closed = closed.size;
        outside.write(isPrepare && refuser.refusing ? refused(target.db) : packet);
      }
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
