// @ts-check
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { freePort, privateFolder, startProcess } from './server.mjs';

/** Nothing is kept. */
const FORGETFUL = ['--save', '', '--appendonly', 'no'];

/**
 * A Redis of our own, without any configuration file, that keeps everything in memory.
 *
 * @param {string} program The path of `redis-server`.
 * @param {string[]} [keeping] How it keeps what is written.
 * @returns {Promise<{ host: string, port: number, pid: number, stop: () => Promise<void>, crash: () => Promise<() => Promise<void>> }>}
 * `crash` ends it in the middle of its work, and returns what starts it again, empty, at the same port.
 */
export async function startRedis(program, keeping = FORGETFUL) {
  const folder = privateFolder('redis', keeping === FORGETFUL ? undefined : tmpdir());
  const port = await freePort();
  const host = '127.0.0.1';
  const launch = () =>
    startProcess({
      command: program,
      args: ['--port', String(port), '--bind', host, '--dir', folder, ...keeping],
      folder,
      stopSignal: 'SIGKILL',
      probe: () => ping(host, port),
    });
  let server = await launch();
  return {
    host,
    port,
    pid: server.pid,
    stop: () => server.stop(),
    crash: async () => {
      await server.end();
      return async () => void (server = await launch());
    },
  };
}

/** @type {(host: string, port: number) => Promise<void>} */
async function ping(host, port) {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data');
    if (!String(answer).startsWith('+PONG')) throw new Error(String(answer));
  } finally {
    socket.destroy();
  }
}
