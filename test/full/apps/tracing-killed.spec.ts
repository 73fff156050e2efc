import { type OwnPrograms, ownPrograms } from '../../support/compiled.js';
import { describeDatabases } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { type Program, startProgram } from '../../support/programs.js';
import { until } from '../../support/until.js';

/** One of three processes of an app, which prints its spans. The first worker stands still in its handler. */
const PROGRAM = `
import 'reflect-metadata';
import { createServer } from 'node:http';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { DurableModule, Effect, RemoteStep, Worker, Workflow, WorkflowClient } from 'nest-durable';
import { OpenTelemetryModule } from 'nest-durable/otel';

const { ROLE: role, STILL, DATABASE } = process.env;
const { db: type, host, port, user: username, password, database } = JSON.parse(DATABASE);
const told = ({ name, spanContext, parentSpanContext }, { traceId, spanId }) =>
  console.log('SPAN ' + JSON.stringify({ name, traceId, spanId, parent: parentSpanContext?.spanId }));
const exporter = {
  export: (spans, done) => (spans.forEach((span) => told(span, span.spanContext())), done({ code: 0 })),
  shutdown: async () => {},
};
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
const tracer = trace.getTracer('app');
const mark = (name) => tracer.startSpan(name).end();
const on = (decorator, type, name) => decorator(type.prototype, name, Object.getOwnPropertyDescriptor(type.prototype, name));

class Steps {
  async pack() {
    console.log('CALLED pack');
    if (STILL) return new Promise(() => {});
    mark('in pack');
  }
}
on(RemoteStep('pack'), Steps, 'pack');
Worker({ leaseDuration: '2s' })(Steps);
class Services {
  async mail() {
    mark('in mail');
  }
}
on(Effect('mail'), Services, 'mail');
class Order {
  async run(ctx) {
    mark('code 1');
    await ctx.remote('pack', null);
    mark('code 2');
    await ctx.effects({ operation: 'mail', subject: 'one', calls: [{ handler: 'mail', ref: 1 }] });
    mark('code 3');
  }
}
Workflow('order')(Order);
class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type, host, port, username, password, database }),
    DurableModule.forRoot({
      migrate: true,
      outbox: false,
      engine: role === 'engine' && { pollInterval: '50ms', residency: '1ms' },
      worker: role === 'worker' && { pollInterval: '50ms' },
      effects: { run: role === 'effects', pollInterval: '50ms', remoteHandlers: ['mail'] },
    }),
    OpenTelemetryModule.forRoot(),
  ],
  providers: [...(role === 'engine' ? [Order] : role === 'worker' ? [Steps] : [Services])],
})(App);
const app = await NestFactory.createApplicationContext(App, { logger: ['error'] });
if (role === 'engine')
  createServer((_, response) =>
    tracer.startActiveSpan('POST /orders', async (span) => {
      await app.get(WorkflowClient).start(Order, null, { id: 'order-1' });
      span.end();
      response.end();
    }),
  ).listen(0, '127.0.0.1', function () {
    console.log('LISTENS ' + this.address().port + ' ');
  });
console.log('STARTED');
`;

interface Told {
  name: string;
  traceId: string;
  spanId: string;
  parent?: string;
}

describeDatabases(
  'The trace of three processes',
  ({ db }) => {
    let database: FreshDatabase;
    let programs: OwnPrograms;
    let file: string;
    const started: Program[] = [];

    beforeAll(async () => {
      database = await createDatabase(db);
      programs = ownPrograms();
      file = programs.write('traced-program.mjs', PROGRAM);
    });
    afterAll(async () => {
      for (const program of started) program.process.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      programs?.close();
      await database?.close();
    });

    const start = async (ROLE: string, env: NodeJS.ProcessEnv = {}) => {
      const { host, port, user, password, database: name } = database;
      const DATABASE = JSON.stringify({ db, host, port, user, password, database: name });
      const program = startProgram(file, [], { ROLE, DATABASE, ...env });
      started.push(program);
      await until(`${ROLE} has started: ${program.output()}`, () => program.output().includes('STARTED'));
      return program;
    };
    const told = (): Told[] =>
      started.flatMap((program) =>
        [...program.output().matchAll(/^SPAN (.*)$/gm)].map(([, text]) => JSON.parse(text!) as Told),
      );

    it('is one, without a missing parent, though a worker and the engine are killed', async () => {
      const engine = await start('engine');
      const worker = await start('worker', { STILL: 'yes' });
      const port = await until('it listens', () => /LISTENS (\d+) /.exec(engine.output())?.[1]);
      await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' });
      await until('the worker stands still', () => worker.output().includes('CALLED pack'));
      for (const program of [worker, engine]) {
        program.process.kill('SIGKILL');
        await program.ended;
      }
      await start('engine');
      await start('worker');
      await start('effects');
      await until('the run has ended', () => told().some(({ name }) => name === 'end order'));

      const names = told().map(({ name }) => name);
      expect(names.sort()).toEqual(
        [
          ...['POST /orders', 'start order', 'code 1', 'process pack', 'in pack', 'code 2'],
          ...['effect mail', 'in mail', 'code 3', 'end order'],
        ].sort(),
      );
      expect(new Set(told().map(({ traceId }) => traceId)).size).toBe(1);
      const ids = new Set(told().map(({ spanId }) => spanId));
      const orphans = told().filter(({ parent }) => parent === undefined || !ids.has(parent));
      expect(orphans.map(({ name }) => name)).toEqual(['POST /orders']);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
