import type { INestApplicationContext } from '@nestjs/common';
import { DurableEvents, DurableModule, DurableNodes, Workflow, WorkflowClient } from '../../../lib/index.js';
import { describeDatabases } from '../../support/backends.js';
import { type OwnPrograms, ownPrograms } from '../../support/compiled.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { lockWaiter, serverShowingLocks } from '../../support/lock-waiters.js';
import { bootApp, ormModule } from '../../support/nest-app.js';
import type { RunningServer } from '../../support/servers/server.mjs';
import { until } from '../../support/until.js';
import { type Program, startProgram } from '../../support/programs.js';

/** Three of its sessions want the same row: one has it, and does nothing more; the others stand in line. */
const PROGRAM = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule, Workflow } from 'nest-durable';

const { db: type, host, port, user: username, password, database } = JSON.parse(process.env.DATABASE);
class Holding {
  run(ctx) {
    return ctx.transaction('hold', async (tx) => {
      await tx.query("SELECT id FROM durable_runs WHERE id = 'target' FOR UPDATE");
      await new Promise(() => {});
    });
  }
}
Workflow('holding')(Holding);
class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type, host, port, username, password, database }),
    DurableModule.forRoot({ engine: { pollInterval: '50ms' }, worker: false, outbox: false }),
  ],
  providers: [Holding],
})(App);
await NestFactory.createApplicationContext(App, { logger: ['error'] });
`;

@Workflow('target')
class Target {
  async run(): Promise<void> {}
}

describeDatabases('locks of a process that stands still', (at) => {
  let server: RunningServer | undefined;
  let database: FreshDatabase;
  let programs: OwnPrograms;
  let app: INestApplicationContext;
  let program: Program | undefined;

  beforeAll(async () => {
    server = await serverShowingLocks(at.db);
    database = server ? await createDatabase(at.db, server.address) : await createDatabase(at.db);
    programs = ownPrograms();
    const options = { engine: false, worker: false, outbox: false, migrate: true } as const;
    app = await bootApp({
      imports: [ormModule(at.orm, database), DurableModule.forRoot(options)],
      providers: [Target],
    });
  });
  afterAll(async () => {
    program?.process.kill('SIGKILL');
    await app?.close();
    programs?.close();
    await database?.close();
    await server?.stop();
  });

  it('are broken for those who wait, with the next ones of its sessions that get them', async () => {
    const client = app.get(WorkflowClient);
    await client.start('target', undefined, { id: 'target', delay: '1h' });
    for (const id of ['holding-1', 'holding-2', 'holding-3']) await client.start('holding', undefined, { id });
    const { host, port, user, password, database: name, db } = database;
    const DATABASE = JSON.stringify({ db, host, port, user, password, database: name });
    program = startProgram(programs.write('holding.mjs', PROGRAM), [], { DATABASE });
    await lockWaiter(database);
    const pid = program.process.pid!;
    const node = await until('its heartbeat has told of its sessions', async () => {
      const nodes = await app.get(DurableNodes).list();
      return nodes.find((each) => each.pid === pid && (each.load?.sessions ?? []).length > 3);
    });
    process.kill(pid, 'SIGSTOP');
    // As if it had not been heard of for a minute, with a short lease.
    await database.query(
      'UPDATE durable_nodes SET seen_at = seen_at - 60000, expires_at = seen_at - 59000 WHERE pid = ?',
      [pid],
    );
    const ended: { nodeId: string }[] = [];
    app
      .get(DurableEvents)
      .on('connection.ended')
      .subscribe((event) => ended.push(event));
    expect(await client.cancel('target')).toBe(true);
    // The first one by the server, which waits for 20 s for its next statement, and would for each of the others.
    expect(ended.length).toBeGreaterThan(0);
    expect(new Set(ended.map(({ nodeId }) => nodeId))).toEqual(new Set([node.id]));
  });
});
