import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ProgramOptions } from './app/main.js';
import type { Command } from './app/commands.js';
import type { OrmName } from './chaos-arguments.js';
import { ChaosProxy } from './chaos-proxy.js';
import { APP, type ChaosServer } from './chaos-server.js';
import { ChildProgram, type Refusal } from './child-program.js';
import { monotonicMs } from './clock.js';
import { KILLED_BY_STEP, OUT_OF_REACH } from './exit-codes.js';
import { LEASE_MS } from './lease.js';
import type { Random } from './random.js';

const MAIN = fileURLToPath(new URL('app/main.js', import.meta.url));
/** Python is not compiled: it stays where the sources are. */
const SOURCES = process.cwd();
const PYTHON = '/usr/bin/python3';

/** Errors that another try would not change. */
const FINAL = new Set([
  'WORKFLOW_ID_CONFLICT',
  'INVALID_ARGUMENT',
  'UNKNOWN_WORKFLOW',
  'CONFIGURATION',
  'PAYLOAD_TOO_LARGE',
]);

const STARTED_MS = 60_000;

type Specification = Pick<ProgramOptions, 'role' | 'orm'> & { name: string; pool: number };

/** The processes of the app, each with a way to the database of its own. */
export class Fleet {
  readonly programs: ChildProgram[] = [];
  /** Deaths that nobody asked for. */
  readonly deaths: string[] = [];
  private readonly builds = new Map<string, 1 | 2>();
  private isOver = false;

  constructor(
    private readonly server: ChaosServer,
    private readonly folder: string,
    private readonly random: Random,
    /** Of all programs. Default: some have the one, some the other. */
    private readonly orm?: OrmName,
  ) {}

  async start(): Promise<void> {
    // MikroORM's connector for MariaDB leaves a rejection to nobody when a connection is lost while it signs in.
    const second = this.server.db === 'mariadb' ? 'typeorm' : 'mikro-orm';
    const specifications: Specification[] = [
      { name: 'alpha', role: 'all', orm: this.orm ?? 'typeorm', pool: 8 },
      { name: 'beta', role: 'all', orm: this.orm ?? second, pool: 3 },
      { name: 'gamma', role: 'worker', orm: this.orm ?? 'typeorm', pool: 4 },
    ];
    for (const each of specifications) this.programs.push(await this.node(each));
    const reason = this.lacksPython();
    if (reason === undefined) this.programs.push(await this.python());
    else if (process.env['DURABLE_TEST_REQUIRE_ALL'])
      throw new Error(`DURABLE_TEST_REQUIRE_ALL asks for all: ${reason}`);
    else process.stderr.write(`NOT TESTED with Python on ${this.server.db}: ${reason}\n`);
    // The first makes the tables.
    for (const program of this.programs) this.launch(program);
    const late = await this.absent(STARTED_MS);
    if (late.length > 0) throw new Error(`${late.join(', ')} did not start; see ${this.folder}`);
  }

  /** Those that do not serve within the time. */
  async absent(withinMs: number): Promise<string[]> {
    const until = monotonicMs() + withinMs;
    for (;;) {
      const absent = this.nodes.filter((program) => !program.obeys).map(({ name }) => name);
      if (absent.length === 0 || monotonicMs() > until) return absent;
      await pause(50);
    }
  }

  get hasPython(): boolean {
    return this.programs.some(({ name }) => name === 'python');
  }

  get nodes(): ChildProgram[] {
    return this.programs.filter(({ name }) => name !== 'python');
  }

  /** Those that play workflows. */
  get engines(): ChildProgram[] {
    return this.programs.filter(({ name }) => name === 'alpha' || name === 'beta');
  }

  launch(program: ChildProgram, env: NodeJS.ProcessEnv = {}): void {
    const options = this.options.get(program.name);
    const build = this.builds.get(program.name) ?? 1;
    program.start({ ...(options && { CHAOS_PROGRAM: JSON.stringify({ ...options, build }) }), ...env });
  }

  /** From its next start on it has the second build. */
  upgrade(program: ChildProgram): void {
    this.builds.set(program.name, 2);
  }

  /** Asks one program after the other until one has done it. @throws the answer, when it says that no other try would help. */
  async tell(
    command: Command,
    random: Random,
    isOver: () => boolean = () => false,
    without: readonly ChildProgram[] = [],
  ): Promise<unknown> {
    let last: unknown = new Error('nobody was asked');
    while (!isOver()) {
      const able = this.engines.filter((program) => program.obeys && !without.includes(program));
      try {
        if (able.length > 0) return await random.pick(able).tell(command);
      } catch (error) {
        if (FINAL.has((error as Refusal).code ?? '')) throw error;
        last = error;
      }
      await pause(150 + random.next() * 300);
    }
    throw last;
  }

  /** All run, and nothing stands between them and the database. */
  calm(): void {
    for (const program of this.programs) {
      program.proxy.calm();
      program.thaw();
      if (!program.isAlive) this.launch(program);
    }
  }

  /** Ends all as a deploy would. Returns those that did not end in time or not well. */
  async stop(): Promise<string[]> {
    this.isOver = true;
    const ends = await Promise.all(
      this.programs.map(async (program) => ({ name: program.name, how: await program.stop(20_000) })),
    );
    return ends
      .filter(({ how }) => how !== '0')
      .map(({ name, how }) => `${name} ended with ${how} when it was told to stop`);
  }

  /** However it went: nobody stays. */
  async kill(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.programs.map((program) => program.kill()));
    await Promise.all(this.programs.map(({ proxy }) => proxy.close()));
  }

  private readonly options = new Map<string, Omit<ProgramOptions, 'build'>>();

  private async node({ name, ...rest }: Specification): Promise<ChildProgram> {
    const { proxy, port } = await this.way(name);
    const at = { db: this.server.db, host: '127.0.0.1', port, ...APP };
    this.options.set(name, { ...rest, ...at });
    const args = ['--enable-source-maps', '--max-old-space-size=512', MAIN];
    return this.program(name, proxy, { command: process.execPath, args, env: {}, speaks: true });
  }

  private async python(): Promise<ChildProgram> {
    const { db } = this.server;
    const { proxy, port } = await this.way('python');
    const scheme = db === 'postgres' ? 'postgres' : 'mysql';
    const env = {
      CHAOS_PYTHON_WORKER: join(SOURCES, 'sample/05-python-worker'),
      DATABASE_URL: `${scheme}://${APP.user}:${APP.password}@127.0.0.1:${port}/${APP.database}`,
      DURABLE_LEASE_MS: String(LEASE_MS),
      DURABLE_POLL_MS: '100',
    };
    const args = ['-u', join(SOURCES, 'test/full/chaos/app/worker.py')];
    return this.program('python', proxy, { command: PYTHON, args, env, speaks: false });
  }

  private async way(name: string) {
    const proxy = new ChaosProxy(this.server.address, this.random.branch(`proxy of ${name}`));
    return { proxy, port: await proxy.listen() };
  }

  private program(
    name: string,
    proxy: ChaosProxy,
    { env, ...launch }: { command: string; args: string[]; env: NodeJS.ProcessEnv; speaks: boolean },
  ): ChildProgram {
    const own = { CHAOS_NAME: name, CHAOS_LEDGER: join(this.folder, `${name}.ledger.jsonl`) };
    const log = join(this.folder, `${name}.log`);
    return new ChildProgram(name, proxy, { ...launch, log, env: { ...env, ...own } }, (program, how) => {
      if (this.isOver) return;
      const isMeant = [KILLED_BY_STEP, OUT_OF_REACH].map(String).includes(how);
      if (!isMeant) this.deaths.push(`${program.name} ended by itself (${how}), see ${log}`);
      setTimeout(() => !this.isOver && !program.isAlive && this.launch(program), 1_000);
    });
  }

  private lacksPython(): string | undefined {
    const driver = this.server.db === 'postgres' ? 'psycopg2' : 'pymysql';
    const { status } = spawnSync(PYTHON, ['-c', `import ${driver}`]);
    return status === 0 ? undefined : `${PYTHON} has no ${driver}; run .ci/programs`;
  }
}
