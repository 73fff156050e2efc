import { type INestApplicationContext, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DurableModule, WorkflowClient } from '../../lib/index.js';
import { throughput } from '../lives.js';
import { preciseNow, serve } from '../serve.js';
import type { Address } from '../server.js';
import { dataSourceOptions } from '../transport/storage.js';
import { BenchSteps, begun, FirstSteps, idleSteps, stepTimes, WORKFLOWS } from './steps.js';

export interface AppConfig {
  address: Address;
  role: 'engine' | 'worker' | 'client' | 'idle';
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

async function boot({ address, role }: AppConfig): Promise<INestApplicationContext> {
  const engine = role === 'engine' || role === 'idle';
  const worker = role === 'worker' || role === 'idle';

  @Module({
    imports: [
      TypeOrmModule.forRoot(dataSourceOptions(address)),
      DurableModule.forRoot({
        ...(!engine && { engine: false }),
        ...(worker ? {} : { worker: false }),
        migrate: false,
        // Its events are measured by themselves.
        outbox: false,
      }),
    ],
    providers: PROVIDERS[role](),
  })
  class BenchApp {}

  const app = await NestFactory.createApplicationContext(BenchApp, { logger: ['error', 'warn'] });
  return app.enableShutdownHooks();
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
  stop: () => app.close(),
});
