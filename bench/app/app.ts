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
import { DataSource } from 'typeorm';
import { DurableMetrics, DurableModule, memoryBackend, WorkflowClient } from '../../lib/index.js';
import { DurableDashboardModule, type DashboardOptions } from '../../lib/dashboard/index.js';
import { throughput } from '../lives.js';
import { cpuMs, preciseNow, serve } from '../serve.js';
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

const PROVIDERS: Record<AppConfig['role'], () => Provider[]> = {
  engine: () => [...WORKFLOWS],
  worker: () => [BenchSteps, FirstSteps],
  client: () => [],
  idle: () => [...WORKFLOWS, idleSteps(20)],
  alone: () => [...WORKFLOWS, BenchSteps, FirstSteps],
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
  const { address, role, dashboard = false, backend, sessions } = config;

  @Module({
    imports: [
      ...(backend ? [] : [TypeOrmModule.forRoot(dataSourceOptions(address))]),
      DurableModule.forRoot({
        ...(!PLAYS.includes(role) && { engine: false }),
        ...(sessions && { sessions }),
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
  begun: () => {
    const all = Object.fromEntries(begun);
    begun.clear();
    return all;
  },
  url: () => url,
  tellNobody,
  /** Of what earlier rounds left in memory: the garbage collector reads it again and again. */
  forget: () => workflows().purge({ olderThan: 0, actor: 'bench', reason: 'the next round' }),
  stop: () => app.close(),
});
