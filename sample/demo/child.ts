import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that the demo starts, kills and starts again. */
export class Child {
  private static readonly all = new Set<Child>();
  private process: ChildProcess | undefined;
  private complaints = '';
  private ending = false;

  constructor(
    readonly name: string,
    private readonly file: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly onCrash: (error: Error) => void,
  ) {
    Child.all.add(this);
  }

  /** Resolves to the first message it sends, once it serves. */
  async start(): Promise<unknown> {
    const child = fork(fileURLToPath(new URL(this.file, import.meta.url)), {
      env: { ...process.env, ...this.env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.process = child;
    this.ending = false;
    child.stderr?.on(
      'data',
      (text: Buffer) => (this.complaints = `${this.complaints}${text.toString()}`.slice(-4_000)),
    );
    const crashed = once(child, 'exit').then(([code, signal]) => {
      const error = new Error(`${this.name} ended with ${signal ?? code}\n${this.complaints}`);
      if (!this.ending) this.onCrash(error);
      throw error;
    });
    crashed.catch(() => undefined);
    const [message] = (await Promise.race([once(child, 'message'), crashed])) as unknown[];
    return message;
  }

  get pid(): number {
    return this.process?.pid ?? 0;
  }

  /** SIGKILL: it gets no chance to tidy up. */
  async kill(): Promise<void> {
    const child = this.process;
    this.ending = true;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Tells it to tidy up and end. */
  async stop(): Promise<void> {
    const child = this.process;
    this.ending = true;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (child.connected) child.disconnect();
    await ended;
  }

  static async stopAll(): Promise<void> {
    // The database, which came first, goes last.
    for (const child of [...Child.all].reverse()) await child.stop();
  }
}
