import { execFileSync } from 'node:child_process';
import { installedProgram } from '../../test/support/servers/installed-program.mjs';
import { startRedis } from '../../test/support/servers/redis.mjs';
import { type Cost, costOf } from '../cost.js';
import { dropDatabase, type Server, startServer, tidy } from '../server.js';
import type { ServerName, Subject } from './catalog.js';

/** Where a subject keeps what it must not forget. */
export interface Store {
  /** What its processes open. */
  config: object;
  pid: number;
  costOf<T>(work: () => Promise<T>): Promise<{ answer: T; cost?: Cost }>;
  tidy(): Promise<void>;
  drop(): Promise<void>;
}

/** Each is started once, when it is first asked for. */
export class Servers {
  private readonly databases = new Map<Exclude<ServerName, 'redis'>, Server>();
  private redis: Awaited<ReturnType<typeof startRedis>> | undefined;
  private count = 0;

  /** `bin`: the binaries of another PostgreSQL than the embedded one. */
  constructor(private readonly bin: string | undefined) {}

  /** @throws with the reason where this machine has no such server. */
  async storeFor({ server: name, database, bus }: Subject): Promise<Store> {
    if (name === 'redis') return this.redisStore();
    const server = await this.serverOf(name);
    const address = await server[database](`peer_${++this.count}`);
    return {
      config: { address, ...(bus && { redis: (await this.startedRedis()).address }) },
      pid: server.pid,
      costOf: (work) => costOf(address, work),
      tidy: () => tidy(address),
      drop: () => dropDatabase(address),
    };
  }

  /** Of those that have been started. */
  versions(): string[] {
    const databases = [...this.databases].map(([name, { version }]) =>
      name === 'postgres' ? version : `${name} ${version}`,
    );
    return this.redis ? [...databases, redisVersion()] : databases;
  }

  async stop(): Promise<void> {
    for (const server of this.databases.values()) await server.stop();
    await this.redis?.stop();
  }

  private async serverOf(name: Exclude<ServerName, 'redis'>): Promise<Server> {
    const running = this.databases.get(name) ?? (await startServer(name, this.bin));
    this.databases.set(name, running);
    return running;
  }

  /** It flushes each write, as the databases do. */
  private async redisStore(): Promise<Store> {
    const { address, pid } = await this.startedRedis();
    return {
      config: { redis: address },
      pid,
      costOf: async (work) => ({ answer: await work() }),
      tidy: async () => {},
      drop: async () => {},
    };
  }

  private async startedRedis() {
    this.redis ??= await startRedis(redisProgram(), ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']);
    const { host, port, pid } = this.redis;
    return { address: { host, port }, pid };
  }
}

function redisProgram(): string {
  const program = installedProgram('redis-server');
  if ('reason' in program) throw new Error(program.reason);
  return program.path;
}

const redisVersion = (): string => {
  const [, version = ''] = /v=(\S+)/.exec(execFileSync(redisProgram(), ['--version'], { encoding: 'utf8' })) ?? [];
  return `Redis ${version}`;
};
