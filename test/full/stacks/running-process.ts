import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from '../../support/servers/server.mjs';
import { until } from '../../support/until.js';

/** What a program of an app is started with. */
export interface Surroundings {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** An answer over HTTP; `body` is undefined where there is none. */
export interface Answer {
  status: number;
  body: unknown;
}

/** A process of an app, and what it says over HTTP if it listens on its PORT. */
export class RunningProcess {
  private output = '';
  private readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly port: number,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (this.output += text.toString()));
    this.ended = new Promise((resolve) => child.once('close', () => resolve()));
  }

  static async start(command: string, args: readonly string[], { cwd, env }: Surroundings): Promise<RunningProcess> {
    const port = await freePort();
    const child = spawn(command, args, { cwd, env: { ...env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] });
    return new RunningProcess(child, port);
  }

  /** Resolves once it has printed that. @throws Error with all it has printed if it ends before. */
  async says(text: RegExp): Promise<void> {
    await until(`${text} in the output`, () => text.test(this.output) || this.hasEnded).catch(this.explained);
    if (!text.test(this.output)) throw new Error(`It ended before it said ${text}:\n${this.output}`);
  }

  /** Resolves once it answers over HTTP; Nest says that it has started a moment before. @throws Error as `says` does */
  async listens(): Promise<void> {
    const answers = async () => {
      const answer = await fetch(this.urlOf('/')).catch(() => undefined);
      return answer !== undefined || this.hasEnded;
    };
    await until('an answer over HTTP', answers, { everyMs: 50 }).catch(this.explained);
    if (this.hasEnded) throw new Error(`It ended before it listened:\n${this.output}`);
  }

  async get(path: string): Promise<Answer> {
    return this.answer(await fetch(this.urlOf(path)));
  }

  async post(path: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.answer(await fetch(this.urlOf(path), { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  /** Asks until the answer fits. */
  async getUntil(path: string, fits: (body: never) => boolean): Promise<unknown> {
    let last: Answer | undefined;
    const isThere = async () => {
      last = await this.get(path);
      return last.status === 200 && fits(last.body as never);
    };
    await until(`the answer of ${path}`, isThere, { everyMs: 50 }).catch((error: unknown) =>
      this.explained(new Error(`The last answer was ${JSON.stringify(last)}`, { cause: error })),
    );
    return last?.body;
  }

  /** What a deploy does: SIGTERM, and a while to end by itself. @throws Error if it does not. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await until('the end after SIGTERM', () => this.hasEnded).catch(this.explained);
    await this.ended;
    const { exitCode, signalCode } = this.child;
    // Nest ends its process by the signal that it has answered.
    if (signalCode !== 'SIGTERM' && exitCode !== 0)
      throw new Error(`It ended with ${signalCode ?? exitCode}:\n${this.output}`);
  }

  async kill(): Promise<void> {
    if (!this.hasEnded) this.child.kill('SIGKILL');
    await this.ended;
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private readonly explained = (error: unknown): never => {
    throw new Error(`${String(error)}\n${this.output}`, { cause: error });
  };

  private urlOf(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  private async answer(response: Response): Promise<Answer> {
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }
}
