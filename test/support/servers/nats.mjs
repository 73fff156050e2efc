// @ts-check
import { freePort, privateFolder, startProcess } from './server.mjs';
import { connect } from 'node:net';

/**
 * A NATS of our own, without any configuration file, that keeps nothing.
 *
 * @param {string} program The path of `nats-server`.
 * @returns {Promise<{ host: string, port: number, stop: () => Promise<void> }>}
 */
export async function startNats(program) {
  const folder = privateFolder('nats');
  const [host, port] = ['127.0.0.1', await freePort()];
  const server = await startProcess({
    command: program,
    args: ['--addr', host, '--port', String(port)],
    folder,
    stopSignal: 'SIGKILL',
    probe: () => greeted(host, port),
  });
  return { host, port, stop: () => server.stop() };
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
