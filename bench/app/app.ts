import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CanActivate,
  Injectable,
  type INestApplicationContext,
  Module,
  type LogLevel,
  type Provider,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import {
  DurableMetrics,
  DurableModule,
  type ListOptions,
  memoryBackend,
  redisWake,
  WorkflowClient,
} from '../../lib/index.js';
import { DurableDashboardModule, type DashboardOptions } from '../../lib/dashboard/index.js';
import { type Spell, spell, throughput } from '../lives.js';
import { EchoSteps, go, GROWTH_WORKFLOWS, wentOn } from '../growth/workflows.js';
import { cpuMs, memory, preciseNow, serve } from '../serve.js';
import type { Address } from '../server.js';
import { dataSourceOptions } from '../transport/storage.js';
import { tellNobody } from './tell-nobody.js';
import { BenchSteps, begun, FirstSteps, idleSteps, type Sequence, stepTimes, WORKFLOWS } from './steps.js';

export interface AppConfig {
  address: Address;
  /** `alone` plays workflows and runs their steps. */
  role: 'engine' | 'worker' | 'client' | 'idle' | 'alone';
  /** With the dashboard, and what it shows of outbox and effects. */
  dashboard?: boolean;
  /** Default: the database; `memory` is used by nobody else. */
  backend?: 'memory';
  /** Whether somebody listens: metrics are counted. */
  metrics?: boolean;
  /** Default: its own. */
  sessions?: 'app';
  /** By which processes wake each other. Default: the database alone. */
  redis?: { host: string; port: number };
  /** Default: those of the module. */
  engine?: { maxResident?: number; residency: '1s' | '1h' };
}

export interface RunsAtOnce {
  workflow: string;
  runs: number;
  atOnce: number;
  steps: number;
}

export interface Starts {
  workflow: string;
  count: number;
}

/** When the commit was answered, by the run's id. */
export type Commits = Record<string, number>;

export interface Begin {
  workflow: string;
  input?: unknown;
}

export interface BeginMany extends Begin {
  count: number;
}

const STEPS = [BenchSteps, FirstSteps, EchoSteps];
const PROVIDERS: Record<AppConfig['role'], () => Provider[]> = {
  engine: () => [...WORKFLOWS, ...GROWTH_WORKFLOWS],
  worker: () => STEPS,
  client: () => [],
  idle: () => [...WORKFLOWS, idleSteps(20)],
  alone: () => [...WORKFLOWS, ...GROWTH_WORKFLOWS, ...STEPS],
};
const PLAYS: readonly AppConfig['role'][] = ['engine', 'idle', 'alone'];
const WORKS: readonly AppConfig['role'][] = ['worker', 'idle', 'alone'];

/** Of the dashboard's API. */
let url: string | undefined;

/** In production the dashboard is closed without a guard. */
@Injectable()
class Anybody implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

const DASHBOARD = { guards: [Anybody], access: () => ({ actor: 'bench', may: 'all' }) } satisfies DashboardOptions;

async function boot(config: AppConfig): Promise<INestApplicationContext> {
  const { address, role, dashboard = false, backend, sessions, redis, engine } = config;
  bus = redis && new Redis(redis);

  @Module({
    imports: [
      ...(backend ? [] : [TypeOrmModule.forRoot(dataSourceOptions(address))]),
      DurableModule.forRoot({
        ...(PLAYS.includes(role) ? engine && { engine } : { engine: false }),
        ...(sessions && { sessions }),
        ...(bus && { wake: redisWake(bus) }),
        ...(!WORKS.includes(role) && { worker: false }),
        ...(backend ? { backend: memoryBackend() } : { migrate: dashboard }),
        // Its events are measured by themselves.
        outbox: dashboard && { relay: false },
      }),
      ...(dashboard ? [DurableDashboardModule.forRoot(DASHBOARD)] : []),
    ],
    providers: PROVIDERS[role](),
  })
  class BenchApp {}

  const quiet = { logger: ['error', 'warn'] satisfies LogLevel[] };
  if (!dashboard) return (await NestFactory.createApplicationContext(BenchApp, quiet)).enableShutdownHooks();
  const served = (await NestFactory.create(BenchApp, quiet)).enableShutdownHooks();
  await served.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${((served.getHttpServer() as Server).address() as AddressInfo).port}/durable/api`;
  return served;
}

let app: INestApplicationContext;
let bus: Redis | undefined;
const workflows = () => app.get(WorkflowClient);
let count = 0;
const nextId = () => `bench-${process.pid}-${++count}`;

/** The app's own transaction, with a run in it. */
async function startInTransaction(workflow: string): Promise<{ id: string; committed: number }> {
  const id = nextId();
  await app
    .get(DataSource)
    .transaction((transaction) => workflows().start(workflow, null, { id, transaction, version: 1 }));
  return { id, committed: preciseNow() };
}

serve({
  open: async (config: AppConfig) => {
    app = await boot(config);
    if (config.metrics) app.get(DurableMetrics).start();
  },
  cpu: cpuMs,
  runsAtOnce: ({ workflow, runs, atOnce, steps }: RunsAtOnce) =>
    throughput(
      () =>
        workflows()
          .startAndWait(workflow, { steps }, { id: nextId() })
          .then(() => undefined),
      {
        lives: runs,
        inFlight: atOnce,
      },
    ),
  load: ({ kind, ...during }: Spell & { kind: 'local' | 'remote' }) =>
    spell(() => workflows().startAndWait(`bench.${kind}`, { steps: 10 }, { id: nextId() }), during),
  sequence: async (asked: Sequence) => {
    await workflows().startAndWait('bench.sequence', asked, { id: nextId() });
    return stepTimes;
  },
  /** One after the other, each once the one before has ended. */
  starts: async ({ workflow, count: starts }: Starts) => {
    const commits: Commits = {};
    for (let i = 0; i < starts; i++) {
      const { id, committed } = await startInTransaction(workflow);
      commits[id] = committed;
      await workflows().result(id);
    }
    return commits;
  },
  /** Resolves with the milliseconds until it has ended. */
  run: async ({ workflow, input }: Begin) => {
    const began = performance.now();
    await workflows().startAndWait(workflow, input, { id: nextId(), timeout: '30m' });
    return performance.now() - began;
  },
  begin: async ({ workflow, input }: Begin) => (await workflows().start(workflow, input, { id: nextId() })).id,
  beginMany: async ({ workflow, input, count: starts }: BeginMany) => {
    let left = starts;
    const one = async () => {
      while (left-- > 0) await workflows().start(workflow, input, { id: nextId() });
    };
    await Promise.all(Array.from({ length: 100 }, one));
  },
  go: (id: string) => workflows().signal(go, null, { workflowId: id }),
  result: (id: string) => workflows().result(id),
  /** When the run had gone on behind its first signal in this process, if it has. */
  wentOn: (id: string) => wentOn.get(id),
  /** The milliseconds of one page of runs. */
  list: async (options: ListOptions) => {
    const began = performance.now();
    await workflows().list(options);
    return performance.now() - began;
  },
  status: async (id: string) => {
    const began = performance.now();
    await workflows().getStatus(id);
    return performance.now() - began;
  },
  stepTimes: () => stepTimes,
  memory,
  begun: () => {
    const all = Object.fromEntries(begun);
    begun.clear();
    return all;
  },
  url: () => url,
  tellNobody,
  purge: (olderThan: number) => workflows().purge({ olderThan, actor: 'bench', reason: 'they are old' }),
  /** Of what earlier rounds left in memory: the garbage collector reads it again and again. */
  forget: () => workflows().purge({ olderThan: 0, actor: 'bench', reason: 'the next round' }),
  stop: async () => {
    await app.close();
    bus?.disconnect();
  },
});
