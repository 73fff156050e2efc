import type { INestApplicationContext, Type } from '@nestjs/common';
import {
  DurableModule,
  type DurableModuleOptions,
  RemoteStep,
  type StepContext,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { describeDatabases } from '../support/backends.js';
import { type OwnPrograms, ownPrograms } from '../support/compiled.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { type Program, startProgram } from '../support/programs.js';

/** Plays runs, or works: in either case it dies in the middle of a step. */
const PROGRAM = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule, RemoteStep, Worker, Workflow } from 'nest-durable';

const { db: type, host, port, user: username, password, database } = JSON.parse(process.env.DATABASE);
const isEngine = process.env.ROLE === 'engine';
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};
class Order {
  async run(ctx) {
    await ctx.step('reserve', () => 'by ' + process.pid);
    return ctx.step('pay', die);
  }
}
Workflow('order')(Order);
class Payments {
  charge() {
    return die();
  }
}
RemoteStep('charge')(Payments.prototype, 'charge', Object.getOwnPropertyDescriptor(Payments.prototype, 'charge'));
Worker()(Payments);
class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type, host, port, username, password, database }),
    DurableModule.forRoot({ ...(isEngine ? { worker: false } : { engine: false, worker: { leaseDuration: '1h' } }), outbox: false }),
  ],
  providers: [isEngine ? Order : Payments],
})(App);
await NestFactory.createApplicationContext(App, { logger: ['error'] });
`;

const ran: string[] = [];

@Workflow('order')
class Order {
  async run(ctx: WorkflowContext): Promise<string[]> {
    const reserved = await ctx.step('reserve', () => {
      ran.push('reserve');
      return 'by this process';
    });
    const paid = await ctx.step('pay', () => {
      ran.push('pay');
      return 'paid';
    });
    return [reserved, paid];
  }
}

@Workflow('charging')
class Charging {
  run(ctx: WorkflowContext): Promise<string> {
    return ctx.remote<string>('charge', 7);
  }
}

@Worker()
class Payments {
  @RemoteStep('charge')
  async charge(amount: number, { attempt }: StepContext): Promise<string> {
    ran.push(`charge ${attempt}`);
    return `charged ${amount}`;
  }
}

describeDatabases(
  'a process that is killed by SIGKILL',
  (at) => {
    let database: FreshDatabase;
    let programs: OwnPrograms;
    let file: string;
    const apps: INestApplicationContext[] = [];
    const started: Program[] = [];

    beforeAll(async () => {
      database = await createDatabase(at.db);
      programs = ownPrograms();
      file = programs.write('deadly.mjs', PROGRAM);
    });
    afterEach(async () => {
      ran.length = 0;
      for (const program of started.splice(0)) program.process.kill('SIGKILL');
      await Promise.all(apps.splice(0).map((app) => app.close()));
    });
    afterAll(async () => {
      programs?.close();
      await database?.close();
    });

    const boot = async (options: DurableModuleOptions, providers: Type[] = []) => {
      const imports = [ormModule(at.orm, database), DurableModule.forRoot({ outbox: false, ...options })];
      const app = await bootApp({ imports, providers });
      apps.push(app);
      return app.get(WorkflowClient);
    };
    /** A process that takes its first piece of work, and dies of it. */
    const lifeOf = async (role: 'engine' | 'worker') => {
      const { host, port, user, password, database: name, db } = database;
      const DATABASE = JSON.stringify({ db, host, port, user, password, database: name });
      const program = startProgram(file, [], { DATABASE, ROLE: role });
      started.push(program);
      const { signal, output } = await program.ended;
      expect([signal, output]).toEqual(['SIGKILL', '']);
      return program.process.pid!;
    };

    it('an engine is followed by another, which goes on behind the last step that was recorded', async () => {
      const client = await boot({ engine: false, worker: false, migrate: true });
      const { id } = await client.start('order', undefined, { id: 'order' });
      const pid = await lifeOf('engine');
      // As if it had not been heard of for as long as its lease.
      await database.query('UPDATE durable_nodes SET expires_at = 0 WHERE pid = ?', [pid]);
      await boot({ engine: { pollInterval: '50ms' }, worker: false }, [Order]);
      expect(await client.result(id)).toEqual([`by ${pid}`, 'paid']);
      expect(ran).toEqual(['pay']);
    });

    it('a worker is followed by another, whose attempt is the next one', async () => {
      const client = await boot({ engine: { pollInterval: '50ms' }, worker: false, migrate: true }, [Charging]);
      const { id } = await client.start(Charging, undefined, { id: 'charging' });
      const pid = await lifeOf('worker');
      // Its task is held for an hour, but the server has none of its sessions any more.
      const claimedAt = '(SELECT MAX(claimed_at) FROM durable_transport_tasks)';
      await database.query(`UPDATE durable_nodes SET expires_at = ${claimedAt} WHERE pid = ?`, [pid]);
      await boot({ engine: false, worker: { pollInterval: '50ms' } }, [Payments]);
      expect(await client.result(id)).toBe('charged 7');
      expect(ran).toEqual(['charge 2']);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
