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
import { DurableModule, WorkflowClient } from '../../lib/index.js';
import { DurableDashboardModule, type DashboardOptions } from '../../lib/dashboard/index.js';
import { throughput } from '../lives.js';
import { preciseNow, serve } from '../serve.js';
import type { Address } from '../server.js';
import { dataSourceOptions } from '../transport/storage.js';
import { BenchSteps, begun, FirstSteps, idleSteps, stepTimes, WORKFLOWS } from './steps.js';

export interface AppConfig {
  address: Address;
  role: 'engine' | 'worker' | 'client' | 'idle';
  /** With the dashboard, and what it shows of outbox and effects. */
  dashboard?: boolean;
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
};

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

async function boot({ address, role, dashboard = false }: AppConfig): Promise<INestApplicationContext> {
  const engine = role === 'engine' || role === 'idle';
  const worker = role === 'worker' || role === 'idle';

  @Module({
    imports: [
      TypeOrmModule.forRoot(dataSourceOptions(address)),
      DurableModule.forRoot({
        ...(!engine && { engine: false }),
        ...(worker ? {} : { worker: false }),
        migrate: dashboard,
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
  },
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
  sequence: async ({ steps }: { steps: number }) => {
    await workflows().startAndWait('bench.sequence', { steps }, { id: nextId() });
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
  stop: () => app.close(),
});
