// @ts-check
import { freePort, privateFolder, startProcess } from './server.mjs';
import { connect } from 'node:net';

/**
 * A NATS of our own, without any configuration file, that keeps nothing.
 *
 * @param {string} program The path of `nats-server`.
 * @returns {Promise<{ host: string, port: number, stop: () => Promise<void>, crash: () => Promise<() => Promise<void>> }>}
 * `crash` ends it in the middle of its work, and returns what starts it again at the same port.
 */
export async function startNats(program) {
  const folder = privateFolder('nats');
  const [host, port] = ['127.0.0.1', await freePort()];
  const launch = () =>
    startProcess({
      command: program,
      args: ['--addr', host, '--port', String(port)],
      folder,
      stopSignal: 'SIGKILL',
      probe: () => greeted(host, port),
    });
  let server = await launch();
  return {
    host,
    port,
    stop: () => server.stop(),
    crash: async () => {
      await server.end();
      return async () => void (server = await launch());
    },
  };
}

/** It greets whoever connects. @param {string} host @param {number} port @returns {Promise<void>} */
function greeted(host, port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
