import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  Effects,
  type HoldTarget,
  Operator,
  OperatorActs,
  WorkflowClient,
  WorkflowSchedules,
} from '../../../lib/index.js';
import { runCli } from '../../../lib/cli/cli.js';
import { type OwnPrograms, ownPrograms } from '../../support/compiled.js';
import { backends, chosen } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { bootApp, ormModule } from '../../support/nest-app.js';
import { type Program, startProgram } from '../../support/programs.js';
import { until } from '../../support/until.js';

/** One process of the fleet: it plays runs, runs steps and makes calls. */
const PROGRAM = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule, Effect, RemoteStep, Worker, Workflow } from 'nest-durable';

const { db: type, host, port, user: username, password, database } = JSON.parse(process.env.DATABASE);
const on = (type, name, decorate) =>
  decorate(type.prototype, name, Object.getOwnPropertyDescriptor(type.prototype, name));
class Other {
  run(ctx) {
    return ctx.remote('other-step', null, { group: 'others' });
  }
}
class Order {
  async run(ctx, steps) {
    for (let n = 0; n < steps; n++) await ctx.step('count', () => new Promise((done) => setTimeout(done, 100)));
    return steps;
  }
}
class Invoice {
  run(ctx) {
    return ctx.remote('charge', null, { group: 'billing' });
  }
}
class Billing {
  charge() {
    return 'paid';
  }
}
class Others {
  step() {}
}
class Mails {
  mail() {}
  other() {}
}
Workflow('other')(Other);
Workflow('order')(Order);
Workflow('invoice')(Invoice);
on(Billing, 'charge', RemoteStep('charge'));
Worker({ group: 'billing' })(Billing);
on(Others, 'step', RemoteStep('other-step'));
Worker({ group: 'others' })(Others);
on(Mails, 'mail', Effect('mail'));
on(Mails, 'other', Effect('other-mail'));
class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type, host, port, username, password, database }),
    DurableModule.forRoot({ outbox: false }),
  ],
  providers: [Other, Order, Invoice, Billing, Others, Mails],
})(App);
await NestFactory.createApplicationContext(App, { logger: ['error'] });
console.log('STARTED');
`;

const BY = { actor: 'ada', reason: 'a test' };
/** Every process has looked at the holds by then, unless it stands still: a second, and some more. */
const WITHIN_MS = 2_000;
/** Work that is begun again and again, and what takes long, says no more without a pause. */
const PACED = { everyMs: 200 };
/** Of 100 ms each: a run that does not end before its hold is heard of, though one process stands still for seconds. */
const MANY_STEPS = 80;

for (const { db } of chosen(
  'holds',
  backends.filter(({ orm }) => orm === 'typeorm'),
))
  describe(`a fleet of two processes heeds holds [${db}]`, () => {
    let database: FreshDatabase;
    let own: OwnPrograms;
    let app: INestApplicationContext;
    let workflows: WorkflowClient;
    let programs: Program[] = [];
    let runs = 0;

    beforeAll(async () => {
      database = await createDatabase(db);
      own = ownPrograms();
      const file = own.write('held-program.mjs', PROGRAM);
      const client = { engine: false, worker: false, outbox: false } as const;
      const effects = { run: false, remoteHandlers: ['mail', 'other-mail'] };
      app = await bootApp({
        imports: [ormModule('typeorm', database), DurableModule.forRoot({ migrate: true, ...client, effects })],
      });
      workflows = app.get(WorkflowClient);
      const { host, port, user, password, database: name } = database;
      const DATABASE = JSON.stringify({ db, host, port, user, password, database: name });
      programs = [1, 2].map(() => startProgram(file, [], { DATABASE }));
      for (const program of programs) await until('it has started', () => program.output().includes('STARTED'));
    });
    afterAll(async () => {
      for (const program of programs) program.process.kill('SIGKILL');
      await Promise.all(programs.map(({ ended }) => ended));
      own?.close();
      await app?.close();
      await database?.close();
    });

    const start = async (workflow: string, input: unknown = null) =>
      (await workflows.start(workflow, input, { id: `${workflow}-${++runs}` })).id;
    /** Whatever could be claimed before it has been: each process looks for all of its work at once. */
    const otherWork = () => workflows.startAndWait('other', null, { timeout: '120s' });
    const statusOf = async (id: string) => (await workflows.getStatus(id)).status;
    /**
     * Begins new work again and again, until what begins {@link WITHIN_MS} after the hold is left alone by all processes
     * while they do other work. Returns all of it.
     */
    const bites = async <T>(begin: () => Promise<T>, isLeftAlone: (work: T) => Promise<boolean>): Promise<T[]> => {
      const held = Date.now();
      const all: T[] = [];
      const more = async () => {
        all.push(await begin());
        await otherWork();
      };
      await until(
        'it is left alone',
        async () => {
          for (let n = 0; n < 5; n++) await more();
          const leftAlone = await Promise.all(all.slice(-5).map(isLeftAlone));
          return Date.now() - held > WITHIN_MS && leftAlone.every(Boolean);
        },
        PACED,
      );
      return all;
    };

    it('of a workflow: its runs may be started, and wait; all others go on', async () => {
      await workflows.hold({ workflow: 'order' }, BY);
      const waiting = await bites(
        () => start('order', 0),
        async (id) => (await statusOf(id)) === 'pending',
      );
      const { text, waitingFor } = await workflows.explain(waiting.at(-1)!);
      expect(text).toContain('- workflow "order", which ada holds since ');
      expect(waitingFor[0]).toMatchObject({ kind: 'hold', what: 'workflow', name: 'order', ...BY, until: null });
      expect(await workflows.lift({ workflow: 'order' }, BY)).toBe(true);
      for (const id of waiting) expect(await workflows.result(id, { timeout: '120s' })).toBe(0);
    });

    it('of a workflow with runs in memory: they record their running step and leave, and go on later', async () => {
      const id = await start('order', MANY_STEPS);
      await until('it plays', async () => (await workflows.getStatus(id, { history: true })).history!.length > 2);
      await workflows.hold({ workflow: 'order' }, BY);
      const began = Date.now();
      await until('it has left', async () => (await statusOf(id)) === 'suspended');
      const { history: before } = await workflows.getStatus(id, { history: true });
      expect(before!.every(({ status }) => status === 'completed')).toBe(true);
      // No process claims it again: neither one that has not heard of the hold yet, nor later, when all know of it.
      await until(
        'every process knows',
        async () => {
          await otherWork();
          return Date.now() - began > WITHIN_MS;
        },
        PACED,
      );
      expect(await statusOf(id)).toBe('suspended');
      expect((await workflows.getStatus(id, { history: true })).history).toEqual(before);
      await workflows.lift({ workflow: 'order' }, BY);
      expect(await workflows.result(id, { timeout: '120s' })).toBe(MANY_STEPS);
    });

    it('of a group: its tasks wait, and so do their runs', async () => {
      await workflows.hold({ group: 'billing' }, BY);
      const waiting = await bites(
        () => start('invoice'),
        async (id) => (await workflows.explain(id)).waitingFor.some((wait) => wait.kind === 'task' && !wait.claimedBy),
      );
      expect((await workflows.explain(waiting.at(-1)!)).text).toContain('- group "billing", which ada holds since ');
      await workflows.lift({ group: 'billing' }, BY);
      for (const id of waiting) expect(await workflows.result(id, { timeout: '120s' })).toBe('paid');
    });

    it('of an effect: its calls wait', async () => {
      const effects = app.get(Effects);
      await workflows.hold({ effect: 'mail' }, BY);
      const enqueue = async () => {
        const calls = ['mail', 'other-mail'].map((handler) => ({ handler, ref: 1 }));
        const [mail, other] = await effects.enqueue({ operation: 'o', subject: `${++runs}`, calls });
        await until('the other call was made', async () => (await attemptsOf(other)) > 0);
        return mail;
      };
      const attemptsOf = async (id: string | undefined) => {
        const [row] = await database.query(`SELECT attempts FROM durable_effects WHERE entry_id = '${id}'`);
        return Number(row!['attempts']);
      };
      const waiting = await bites(enqueue, async (id) => (await attemptsOf(id)) === 0);
      await workflows.lift({ effect: 'mail' }, BY);
      for (const id of waiting) await until('it was made', async () => (await attemptsOf(id)) > 0);
    });

    it('until they end by themselves', async () => {
      const ids = await Promise.all([1, 2, 3].map(() => start('order', MANY_STEPS)));
      await until('they play', async () => (await statusOf(ids[0]!)) === 'running');
      const endsIn = (ms: number) => workflows.hold({ workflow: 'order' }, { ...BY, until: new Date(Date.now() + ms) });
      await endsIn(3_600_000);
      await until('they have left', async () => (await statusOf(ids[0]!)) === 'suspended');
      await endsIn(1_000);
      for (const id of ids) expect(await workflows.result(id, { timeout: '120s' })).toBe(MANY_STEPS);
      expect(await workflows.holds()).toEqual([]);
      expect(await workflows.lift({ workflow: 'order' }, BY)).toBe(false);
    });

    it('of a schedule: it is paused, and says why', async () => {
      const schedules = app.get(WorkflowSchedules);
      await schedules.create('other', { id: 'often', every: '1s' });
      const fired = async () => (await schedules.get('often')).lastFiredAt;
      await until('it fires', fired, PACED);
      await workflows.hold({ schedule: 'often' }, BY);
      const last = await fired();
      expect(await schedules.get('often')).toMatchObject({ paused: true, nextAt: undefined });
      expect(await workflows.holds()).toMatchObject([{ kind: 'schedule', name: 'often', ...BY }]);
      await otherWork();
      expect(await fired()).toEqual(last);
      await schedules.resume('often');
      expect(await workflows.holds()).toEqual([]);
      await workflows.hold({ schedule: 'often' }, { ...BY, until: new Date(Date.now() + 1_000) });
      const held = await fired();
      await until('it fires again', async () => (await fired())! > held!, PACED);
      expect((await schedules.get('often')).paused).toBe(false);
      await schedules.delete('often');
    });

    it('each with its record, and from the command line', async () => {
      const lines: string[] = [];
      const url = `${db}://${database.user}:${database.password}@${database.host}:${database.port}/${database.database}`;
      const call = (...args: string[]) =>
        runCli([...args, '--url', url], { env: {}, out: (line) => lines.push(line), err: (line) => lines.push(line) });
      const by = ['--actor', 'bob', '--reason', 'a flood'];
      expect(await call('holds', 'add', '--group', 'billing', '--until', '2100-01-01T00:00:00Z', ...by)).toBe(0);
      expect(await call('holds')).toBe(0);
      expect(await call('holds', 'lift', '--group', 'billing', ...by)).toBe(0);
      expect(await call('holds', 'lift', '--group', 'billing', ...by)).toBe(1);
      expect(await call('holds', 'add', ...by)).toBe(2);
      expect(await call('holds', 'add', '--group', 'biling', ...by)).toBe(0);
      expect(await call('holds', 'lift', '--group', 'biling', ...by)).toBe(0);
      expect(lines.map((line) => line.replace(/20\d\d-[^ ]+Z/, 'then').replaceAll(/ +/g, ' '))).toEqual([
        'Held group:billing',
        'KIND NAME SINCE UNTIL ACTOR REASON',
        'group billing then 2100-01-01T00:00:00.000Z bob a flood',
        'Lifted the hold of group:billing',
        'group:billing: there was no hold',
        expect.stringContaining('exactly one of --workflow, --group, --effect and --schedule'),
        'Held group:biling',
        'No process serves group:biling, and nothing of it waits: is that its name?',
        'Lifted the hold of group:biling',
      ]);
      const known = async (target: HoldTarget) => {
        const { known: is } = await app.get(Operator).holds.hold(target, BY);
        await workflows.lift(target, BY);
        return is;
      };
      expect(await known({ workflow: 'order' })).toBe(true);
      expect(await known({ workflow: 'ordr' })).toBe(false);
      expect(await known({ effect: 'mail' })).toBe(true);
      expect(await known({ effect: 'toString' })).toBe(false);
      const { acts } = await app.get(OperatorActs).list({ kind: 'hold', target: 'group:billing', actor: 'bob' });
      expect(acts.map(({ action, outcome }) => [action, outcome])).toEqual([
        ['lift', 'missing'],
        ['lift', 'lifted'],
        ['hold', 'held'],
      ]);
      await expect(workflows.hold({ workflow: 'order', group: 'x' }, BY)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
      await expect(workflows.hold({ workflow: 'order' }, { actor: 'ada' } as never)).rejects.toThrow('reason');
      await expect(workflows.hold({ schedule: 'nothing' }, BY)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
      await expect(workflows.hold({ group: 'x' }, { ...BY, until: new Date(0) })).rejects.toThrow('until');
      expect(await workflows.holds()).toEqual([]);
    });
  });
