import { type INestApplicationContext, Injectable } from '@nestjs/common';
import {
  type AbandonedEffect,
  DurableModule,
  Effect,
  type EffectContext,
  Effects,
  OnAbandoned,
  OnOperationComplete,
} from '../../lib/index.js';
import { type OwnPrograms, ownPrograms } from '../support/compiled.js';
import { backends, chosen } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { type Program, startProgram } from '../support/programs.js';
import { until } from '../support/until.js';

const TRIES = { attempts: 3, backoff: { delay: '20ms' } } as const;
/** Who lives must keep what it has though it stands still for a moment; of the dead nothing more is to be heard. */
const OPTIONS = {
  still: { ...TRIES, leaseDuration: '6s' },
  deadly: { ...TRIES, leaseDuration: '2s' },
} as const;
/** Processes begin, and leases run out. */
const PATIENT = { withinMs: 60_000 };

/** Calls the outside: stands still in the midst of it, or dies of it. */
const PROGRAM = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule, Effect } from 'nest-durable';

const { db: type, host, port, user: username, password, database } = JSON.parse(process.env.DATABASE);
class Services {
  still(ref, { attempt }) {
    console.log('CALLED still ' + attempt);
    return new Promise(() => {});
  }
  deadly(ref, { attempt }) {
    console.log('CALLED deadly ' + attempt);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  }
}
for (const [name, options] of Object.entries(${JSON.stringify(OPTIONS)}))
  Effect(name, options)(Services.prototype, name, Object.getOwnPropertyDescriptor(Services.prototype, name));
class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type, host, port, username, password, database }),
    DurableModule.forRoot({ engine: false, worker: false, outbox: false, effects: { pollInterval: '50ms' } }),
  ],
  providers: [Services],
})(App);
await NestFactory.createApplicationContext(App, { logger: ['error'] });
console.log('STARTED');
`;

const called: [unknown, number][] = [];
const completed: string[] = [];
const abandoned: AbandonedEffect[] = [];

@Injectable()
class Services {
  @Effect('still', OPTIONS.still)
  still(ref: unknown, { attempt }: EffectContext): void {
    called.push([ref, attempt]);
  }

  @Effect('deadly', OPTIONS.deadly)
  deadly(ref: unknown, { attempt }: EffectContext): void {
    called.push([ref, attempt]);
  }

  @OnOperationComplete('erase')
  completed(subject: string): void {
    completed.push(subject);
  }

  @OnAbandoned('erase')
  abandoned(entry: AbandonedEffect): void {
    abandoned.push(entry);
  }
}

for (const { db } of chosen(
  'calls whose processes are killed',
  backends.filter(({ orm }) => orm === 'typeorm'),
))
  describe(`calls whose processes are killed [${db}]`, () => {
    let database: FreshDatabase;
    let programs: OwnPrograms;
    let file: string;
    const started: Program[] = [];
    const apps: INestApplicationContext[] = [];

    beforeAll(async () => {
      database = await createDatabase(db);
      programs = ownPrograms();
      file = programs.write('effect-program.mjs', PROGRAM);
    });
    afterEach(async () => {
      for (const program of started) program.process.kill('SIGKILL');
      await Promise.all(started.splice(0).map(({ ended }) => ended));
      await Promise.all(apps.splice(0).map((app) => app.close()));
      for (const list of [called, completed, abandoned]) list.length = 0;
    });
    afterAll(async () => {
      programs?.close();
      await database?.close();
    });

    const boot = async (run: boolean) => {
      const durable = DurableModule.forRoot({
        engine: false,
        worker: false,
        outbox: false,
        effects: { run, pollInterval: '50ms' },
      });
      const app = await bootApp({ imports: [ormModule('typeorm', database), durable], providers: [Services] });
      apps.push(app);
      return app.get(Effects);
    };
    const start = () => {
      const { host, port, user, password, database: name } = database;
      const DATABASE = JSON.stringify({ db, host, port, user, password, database: name });
      const program = startProgram(file, [], { DATABASE });
      started.push(program);
      return program;
    };
    const enqueue = (effects: Effects, ref: keyof typeof OPTIONS) =>
      effects.enqueue({ operation: 'erase', subject: `${ref} of ${db}`, calls: [{ handler: ref, ref }] });

    it('are made again after their leases, and the attempts are counted', async () => {
      const effects = await boot(false);
      await enqueue(effects, 'still');
      const program = start();
      await until('it calls', () => program.output().includes('CALLED still 1'), PATIENT);
      // For longer than a lease: the living keep what they have.
      await boot(true);
      const renewed = async () => {
        const [row] = await database.query<{ lease_until: string | number }>('SELECT lease_until FROM durable_effects');
        return Number(row?.lease_until);
      };
      const first = await renewed();
      await until('it was renewed beyond its lease', async () => (await renewed()) > first + 6_000, PATIENT);
      expect(called).toEqual([]);
      program.process.kill('SIGKILL');
      await program.ended;
      await until('it is complete', () => completed.length > 0, PATIENT);
      expect([called, completed]).toEqual([[['still', 2]], [`still of ${db}`]]);
      await until('it is settled', async () => (await effects.statusCounts()).succeeded === 1);
    }, 240_000);

    it('are abandoned without another call when they have killed as many as there are attempts', async () => {
      const effects = await boot(false);
      const [entryId] = await enqueue(effects, 'deadly');
      for (let attempt = 1; attempt <= TRIES.attempts; attempt++) {
        const program = start();
        expect(await program.ended).toMatchObject({
          signal: 'SIGKILL',
          output: expect.stringContaining(`CALLED deadly ${attempt}`) as string,
        });
      }
      await boot(true);
      await until('it was told', () => abandoned.length > 0, PATIENT);
      expect(called).toEqual([]);
      const told = { entryId, handler: 'deadly', operation: 'erase', subject: `deadly of ${db}`, attempts: 3 };
      expect(abandoned).toEqual([{ ...told, error: 'EffectAttemptsExhaustedError' }]);
      expect(await effects.listAbandoned()).toMatchObject([{ entryId, attempts: 3 }]);
    }, 240_000);
  });
