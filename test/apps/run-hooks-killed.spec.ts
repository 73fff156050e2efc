import type { EntityManager } from 'typeorm';
import { DurableModule, type EndedRun, OnRunEnded, Workflow, WorkflowClient } from '../../lib/index.js';
import { type OwnPrograms, ownPrograms } from '../support/compiled.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { startProgram } from '../support/programs.js';
import { sized } from '../support/tiers.js';
import { until } from '../support/until.js';

/** Leases of the dead are ended by the test, and hooks have time on a busy machine. */
const OUTBOX = { leaseDuration: '10m', heartbeatTimeout: '10m', publishTimeout: '60s', pollInterval: '50ms' } as const;

/** Ends a run, and dies in its hook: before the hook writes anything, or after it has written. */
const PROGRAM = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule, OnRunEnded, Workflow, WorkflowClient } from 'nest-durable';

const { db: type, host, port, user: username, password, database } = JSON.parse(process.env.DATABASE);
class Done {
  async run() {}
}
Workflow('done')(Done);
class Hooks {
  async ended({ workflowId }, tx) {
    if (process.env.WRITES) await tx.query("INSERT INTO heard (run) VALUES ('" + workflowId + "')");
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  }
}
OnRunEnded()(Hooks.prototype, 'ended', Object.getOwnPropertyDescriptor(Hooks.prototype, 'ended'));
class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type, host, port, username, password, database }),
    DurableModule.forRoot({ migrate: true, outbox: ${JSON.stringify(OUTBOX)} }),
  ],
  providers: [Done, Hooks],
})(App);
const app = await NestFactory.createApplicationContext(App, { logger: ['error'] });
await app.get(WorkflowClient).start(Done, undefined, { id: process.env.RUN });
`;

@Workflow('done')
class Done {
  async run(): Promise<void> {}
}

class Hooks {
  @OnRunEnded()
  async ended({ workflowId }: EndedRun, tx: EntityManager): Promise<void> {
    await tx.query(`INSERT INTO heard (run) VALUES ('${workflowId}')`);
  }
}

describeDatabases(
  'A hook whose process is killed',
  (at) => {
    let programs: OwnPrograms;
    let file: string;
    beforeAll(() => {
      programs = ownPrograms();
      file = programs.write('hooks.js', PROGRAM);
    });
    afterAll(() => programs.close());

    // That it dies before it writes shows less, in the time of another process.
    const lives = [
      ['after', '1'],
      ['before', ''],
    ].slice(0, sized(2, 1)) as [string, string][];

    it('is called by another process, and its writes take effect once', async () => {
      const database = await createDatabase(at.db);
      await database.query('CREATE TABLE heard (run varchar(191) NOT NULL)');
      const { query: _, close: __, ...address } = database;
      for (const [run, WRITES] of lives) {
        const env = { DATABASE: JSON.stringify(address), RUN: run, WRITES };
        const { signal, output } = await startProgram(file, [], env).ended;
        expect([signal, output]).toEqual(['SIGKILL', '']);
        await database.query('UPDATE durable_outbox_shards SET lease_until = 0');
        await database.query('DELETE FROM durable_outbox_nodes');
      }
      expect(await database.query('SELECT run FROM heard')).toEqual([]);
      const app = await bootApp({
        imports: [ormModule('typeorm', database), DurableModule.forRoot({ outbox: OUTBOX })],
        providers: [Done, Hooks],
      });
      await app.get(WorkflowClient).start(Done, undefined, { id: 'own' });
      await until('all are heard', async () => (await database.query('SELECT run FROM heard')).length > lives.length);
      const heard = await database.query('SELECT run FROM heard ORDER BY run');
      expect(heard.map(({ run }) => run)).toEqual([...lives.map(([run]) => run), 'own']);
      await app.close();
      await database.close();
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
