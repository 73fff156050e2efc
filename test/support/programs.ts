import { type ChildProcess, spawn } from 'node:child_process';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Standard output and errors, as they came. */
  output: string;
}

export interface Program {
  process: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  ended: Promise<Ended>;
}

/** Starts a program with this Node, in an environment without what Jest adds to it. */
export function startProgram(file: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Program {
  const { NODE_ENV: _, NODE_OPTIONS: __, JEST_WORKER_ID: ___, ...inherited } = process.env;
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, output }));
  });
  return { process: child, output: () => output, ended };
}

export const runProgram = (file: string, args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> =>
  startProgram(file, args, env).ended;
