import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Reply, Request } from './serve.js';

/** A process of the benchmark, and the questions it answers. */
export interface BenchProcess {
  ask<Answer = void>(method: string, argument?: unknown): Promise<Answer>;
  /** Resolves once it has ended. */
  stop(): Promise<void>;
}

/** For a process that is asked to stop. */
const STOPPING_MS = 30_000;

/** A folder to write CPU profiles of all processes to; undefined: none are made. */
let profiles: string | undefined;
export const profileInto = (folder: string | undefined): void => void (profiles = folder);

/** Starts `script`, relative to this folder, and has it open what `config` says. `node`: default, the one of this process. */
export async function startProcess(
  script: string,
  config: object,
  node: string = process.execPath,
): Promise<BenchProcess> {
  const name = script.replaceAll('/', '-').replace('.js', '');
  const role = 'role' in config ? `-${String(config.role)}` : '';
  const profiling = profiles
    ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}${role}-${Date.now()}.cpuprofile`]
    : [];
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), {
    execPath: node,
    execArgv: ['--enable-source-maps', ...profiling],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply));
  void ended.then(() => {
    for (const [id, reply] of waiting) reply({ id, error: `${script} has ended` });
  });
  let count = 0;
  const ask = async <Answer>(method: string, argument?: unknown): Promise<Answer> => {
    const id = ++count;
    const reply = await new Promise<Reply>((resolve) => {
      waiting.set(id, resolve);
      child.send({ id, method, argument } satisfies Request);
    });
    waiting.delete(id);
    if (reply.error !== undefined) throw new Error(`${script}, ${method}: ${reply.error}`);
    return reply.value as Answer;
  };
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const patience = setTimeout(() => child.kill('SIGKILL'), STOPPING_MS);
    await ask('stop').catch(() => child.kill('SIGKILL'));
    await ended;
    clearTimeout(patience);
  };
  try {
    await ask('open', config);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return { ask, stop };
}
