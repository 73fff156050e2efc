import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { pathWithNode } from '../../support/node-programs.mjs';
import type { DatabaseName } from '../../support/test-servers.js';
import { RunningProcess } from './running-process.js';
import { ROOT } from '../../support/root.mjs';

const QUIET = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

const run = promisify(execFile);

/** A process that has signed in, as `nest-durable nodes -o json` prints it. */
interface SignedIn {
  id: string;
  alive: boolean;
  lost: boolean;
}

/** One of the apps beside this file, in a folder and with a database of its own. */
export class Stack {
  private readonly processes: RunningProcess[] = [];

  private constructor(
    readonly folder: string,
    readonly database: FreshDatabase,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /**
   * Copies the app, installs what its lock file says, and then the packed package on top of that, as its author did.
   *
   * @param options `node`: the major version that it needs; default: the one that runs the tests. `copies`: files of this
   * project that its author has copied, and where they are in the app.
   */
  static async install(
    app: string,
    on: DatabaseName,
    { node, copies = {} }: { node?: number; copies?: Record<string, string> } = {},
  ): Promise<Stack> {
    const folder = join(ROOT, '.cache/stacks', app);
    const database = await createDatabase(on);
    const stack = new Stack(folder, database, {
      ...withoutOurs(process.env),
      PATH: pathWithNode(node),
      DATABASE_URL: database.url,
    });
    layOut(app, folder);
    for (const [from, to] of Object.entries(copies)) cpSync(join(ROOT, from), join(folder, to));
    await stack.installDependencies();
    return stack;
  }

  /** Runs a command to its end. @throws Error with all that it printed if it fails. */
  run(command: string, ...args: string[]): Promise<string> {
    return this.runIn(this.folder, command, ...args);
  }

  /** As `run`, in another folder. */
  async runIn(cwd: string, command: string, ...args: string[]): Promise<string> {
    try {
      const { stdout } = await run(command, args, { cwd, env: this.env, maxBuffer: 1e8 });
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
    }
  }

  /** Starts a program of the app; by default one of Node. It gets a free PORT. */
  async start(args: readonly string[], env: NodeJS.ProcessEnv = {}, command = 'node'): Promise<RunningProcess> {
    const started = await RunningProcess.start(command, args, { cwd: this.folder, env: { ...this.env, ...env } });
    this.processes.push(started);
    return started;
  }

  /** How many processes have signed off, by the package's own command. @throws Error if one is alive, or was lost. */
  async signedOff(): Promise<number> {
    const printed = await this.run('npx', '--no-install', 'nest-durable', 'nodes', '--ended', '-o', 'json');
    const nodes = JSON.parse(printed) as SignedIn[];
    const wrong = nodes.filter(({ alive, lost }) => alive || lost);
    if (wrong.length > 0) throw new Error(`Not signed off: ${JSON.stringify(wrong)}`);
    return nodes.length;
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill()));
    await this.database.close();
  }

  private async installDependencies(): Promise<void> {
    const lock = createHash('sha256')
      .update(readFileSync(join(this.folder, 'package-lock.json')))
      .digest('hex');
    const stamp = join(this.folder, 'node_modules/.installed');
    if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) await this.run('npm', 'ci', ...QUIET);
    const packed = process.env['DURABLE_STACKS_PACKAGE'];
    if (!packed)
      throw new Error('DURABLE_STACKS_PACKAGE is not set: use `npm run test:stacks`, which packs the package');
    await this.run('npm', 'install', '--no-save', ...QUIET, packed);
    writeFileSync(stamp, lock);
  }
}

/** Everything of the app, beside the packages that an earlier run has installed. */
function layOut(app: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name !== 'node_modules') rmSync(join(folder, name), { recursive: true });
  }
  cpSync(join(ROOT, 'test/full/stacks/apps', app), folder, { recursive: true });
}

/** Without what Jest and the npm that runs it have added. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = /^(npm_|NODE_ENV$|NODE_OPTIONS$|JEST_|DURABLE_|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}
