import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import type { Command } from './app/commands.js';
import type { ChaosProxy } from './chaos-proxy.js';

export interface Launch {
  command: string;
  args: string[];
  /** Where it writes what it prints; kept over restarts. */
  log: string;
  env: NodeJS.ProcessEnv;
  /** Whether it sends messages: a program of Node. */
  speaks: boolean;
}

export interface Refusal extends Error {
  code?: string;
}

interface Reply {
  id?: number;
  answer?: unknown;
  error?: string;
  code?: string;
}

interface Pending {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Longer than any fault: who has no answer by then asks another program. */
const ANSWER_MS = 10_000;

/** A process of the app, which faults kill, freeze and start again. */
export class ChildProgram {
  private child: ChildProcess | undefined;
  private expected = false;
  private nextId = 0;
  private readonly pending = new Map<number, Pending>();
  private isReady = false;

  constructor(
    readonly name: string,
    readonly proxy: ChaosProxy,
    private readonly launch: Launch,
    /** It ended, and nobody had ended it. */
    private readonly onDeath: (program: ChildProgram, how: string) => void,
  ) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Whether it takes commands. */
  get obeys(): boolean {
    return this.launch.speaks && this.isAlive && this.isReady;
  }

  /** Does not wait until it serves: the database may be away. `env` is kept for this start alone. */
  start(env: NodeJS.ProcessEnv = {}): void {
    const { command, args, log, speaks } = this.launch;
    const out = openSync(log, 'a');
    const child = spawn(command, args, {
      env: { ...process.env, ...this.launch.env, ...env },
      stdio: speaks ? ['ignore', out, out, 'ipc'] : ['ignore', out, out],
    });
    this.child = child;
    this.expected = false;
    this.isReady = false;
    child.on('message', (message) => this.hear(message as Reply & { ready?: boolean }));
    child.on('error', () => undefined);
    child.on('exit', (code, signal) => {
      for (const { reject } of this.pending.values()) reject(new Error(`${this.name} is gone`));
      this.pending.clear();
      if (!this.expected) this.onDeath(this, String(signal ?? code));
    });
  }

  /** @throws Error when it refuses, dies, or does not answer; what it was told may have been done all the same. */
  tell(command: Command): Promise<unknown> {
    if (!this.obeys) return Promise.reject(new Error(`${this.name} is not there`));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => settle.reject(new Error(`${this.name} does not answer`)), ANSWER_MS);
      const over = () => {
        clearTimeout(late);
        this.pending.delete(id);
      };
      const settle: Pending = {
        resolve: (answer) => {
          over();
          resolve(answer);
        },
        reject: (error) => {
          over();
          reject(error);
        },
      };
      this.pending.set(id, settle);
      this.child?.send({ id, command }, (error) => error && settle.reject(error));
    });
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** SIGTERM; returns how it ended: `0` when it did so in time. */
  async stop(withinMs: number): Promise<string> {
    const late = setTimeout(() => this.child?.kill('SIGKILL'), withinMs);
    return this.end('SIGTERM').finally(() => clearTimeout(late));
  }

  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  private async end(signal: NodeJS.Signals): Promise<string> {
    const { child } = this;
    this.expected = true;
    if (!child || !this.isAlive) return 'gone';
    const gone = once(child, 'exit');
    child.kill(signal);
    const [code, by] = (await gone) as [number | null, string | null];
    return String(by ?? code);
  }

  private hear({ ready, id, answer, error, code }: Reply & { ready?: boolean }): void {
    if (ready) this.isReady = true;
    const asked = this.pending.get(id ?? -1);
    if (error === undefined) return asked?.resolve(answer);
    asked?.reject(Object.assign(new Error(error), { code }));
  }
}
