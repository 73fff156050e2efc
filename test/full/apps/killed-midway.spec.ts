import { describeDatabases } from '../../support/backends.js';
import { type OwnPrograms, ownPrograms } from '../../support/compiled.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { type Program, startProgram } from '../../support/programs.js';
import { until } from '../../support/until.js';

/** Starts the run if it is the first, and plays and works as it is told. Leases of tasks are longer than the test. */
const PROGRAM = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule, RemoteStep, Worker, Workflow, WorkflowClient } from 'nest-durable';

const { db: type, host, port, user: username, password, database } = JSON.parse(process.env.DATABASE);
const { ROLES: roles, STEPS: steps } = process.env;
class Counting {
  async run(ctx) {
    let n = 0;
    for (let i = 0; i < Number(steps); i++) n = await ctx.remote('count', n);
    return n;
  }
}
Workflow('counting')(Counting);
class Counter {
  count(n) {
    return n + 1;
  }
}
RemoteStep('count')(Counter.prototype, 'count', Object.getOwnPropertyDescriptor(Counter.prototype, 'count'));
Worker()(Counter);
class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type, host, port, username, password, database }),
    DurableModule.forRoot({
      ...(!roles.includes('engine') && { engine: false }),
      worker: roles.includes('worker') && { leaseDuration: '1h' },
      outbox: false,
      migrate: true,
    }),
  ],
  providers: [...(roles.includes('engine') ? [Counting] : []), ...(roles.includes('worker') ? [Counter] : [])],
})(App);
const app = await NestFactory.createApplicationContext(App, { logger: ['error'] });
if (process.env.START) await app.get(WorkflowClient).start('counting', undefined, { id: 'counting' });
`;

/** Between processes, a worker of MySQL or MariaDB polls for each step. */
const stepsOf = (db: string, processes: readonly string[]) =>
  db === 'postgres' || processes.length === 1 ? 4_000 : 1_000;

describeDatabases(
  'processes that are killed by SIGKILL in the middle of thousands of steps',
  (at) => {
    let database: FreshDatabase;
    let programs: OwnPrograms;
    const started: Program[] = [];

    beforeEach(async () => {
      database = await createDatabase(at.db);
      programs = ownPrograms();
    });
    afterEach(async () => {
      for (const program of started.splice(0)) {
        program.process.kill('SIGKILL');
        await program.ended;
      }
      programs.close();
      await database.close();
    });

    const boot = (ROLES: string, more: Record<string, string>) => {
      const { host, port, user, password, database: name, db } = database;
      const DATABASE = JSON.stringify({ db, host, port, user, password, database: name });
      const program = startProgram(programs.write('counting.mjs', PROGRAM), [], { DATABASE, ROLES, ...more });
      started.push(program);
    };
    const one = async (query: string) => Number(Object.values((await database.query(query))[0] as object)[0]);
    const settled = () => one('SELECT COUNT(*) FROM durable_steps WHERE settled IS NOT NULL').catch(() => 0);

    it.each([
      ['one process', ['engine worker']],
      ['an engine and a worker', ['engine', 'worker']],
    ])('%s: others do each step that is left, once and in order', async (_, processes) => {
      const steps = stepsOf(at.db, processes);
      const STEPS = String(steps);
      for (const [i, roles] of processes.entries()) boot(roles, { STEPS, ...(i === 0 && { START: 'true' }) });
      await until('a part is done', async () => (await settled()) > steps / 10);
      for (const program of started) program.process.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      expect(await settled()).toBeLessThan(steps);
      for (const roles of processes) boot(roles, { STEPS });
      const status = async () => (await database.query(`SELECT status, output FROM durable_runs`))[0];
      await until('the run has ended', async () => (await status())?.['status'] === 'completed');
      expect((await status())?.['output']).toBe(STEPS);
      const outputs = await database.query('SELECT output FROM durable_steps ORDER BY settled');
      expect(outputs.map(({ output }) => Number(output))).toEqual(Array.from({ length: steps }, (__, i) => i + 1));
      for (const table of ['tasks', 'results'])
        expect(await one(`SELECT COUNT(*) FROM durable_transport_${table}`)).toBe(0);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
