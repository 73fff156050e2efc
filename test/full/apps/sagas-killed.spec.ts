import { setTimeout as pause } from 'node:timers/promises';
import { type OwnPrograms, ownPrograms } from '../../support/compiled.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { type Program, startProgram } from '../../support/programs.js';
import { servers } from '../../support/test-servers.js';
import { until } from '../../support/until.js';

const SAGAS = 60;
const LIMIT = 4;
const KILLS = 8;

/**
 * Plays sagas, at most four at once, and writes into a ledger before it does anything. Every second one fails at its
 * end, with a child that is still at work.
 */
const PLAYER = `
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule, NonRetryableStepError, RemoteStep, Worker, Workflow, WorkflowClient } from 'nest-durable';
import pg from 'pg';

const url = process.argv[2];
const ledger = new pg.Pool({ connectionString: url, max: 5 });
const effect = async (saga, what) => {
  await ledger.query('INSERT INTO ledger (saga, what, pid) VALUES ($1, $2, $3)', [saga, what, process.pid]);
  await pause(5 + Math.random() * 40);
  return saga;
};

class Cars {
  rent(saga) { return effect(saga, 'car'); }
  giveBack(saga) { return effect(saga, 'undo car'); }
}
for (const [method, name] of [['rent', 'car.rent'], ['giveBack', 'car.return']])
  RemoteStep(name)(Cars.prototype, method, Object.getOwnPropertyDescriptor(Cars.prototype, method));
Worker()(Cars);

class Insurance {
  async run(ctx, saga) {
    await ctx.step('insure', () => effect(saga, 'insurance'), { compensate: () => effect(saga, 'undo insurance') });
    await ctx.sleep('until the journey', '1h');
  }
}
Workflow('insurance')(Insurance);

class Hotel {
  run(ctx, saga) { return ctx.step('book', () => effect(saga, 'hotel')); }
}
Workflow('hotel')(Hotel);

class Trip {
  async run(ctx, n) {
    const saga = 'trip-' + n;
    await ctx.step('flight', () => effect(saga, 'flight'), { compensate: () => effect(saga, 'undo flight') });
    await ctx.remote(Cars, { compensate: 'car.return' }).rent(saga);
    await ctx.executeChild(Hotel, saga);
    if (n % 2) await ctx.startChild(Insurance, saga, { id: 'insurance-' + n });
    await ctx.sleep('a moment', 20);
    await ctx.step('train', () => effect(saga, 'train'), { compensate: () => effect(saga, 'undo train') });
    if (n % 2) throw new NonRetryableStepError('no guide', 'NO_GUIDE');
    return ctx.step('tickets', () => effect(saga, 'tickets'));
  }
}
Workflow('trip', { concurrency: { limit: ${LIMIT} } })(Trip);

class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url, poolSize: 10 }),
    DurableModule.forRoot({ engine: { nodeLease: '4s', crashCap: 1000 }, worker: { leaseDuration: '4s', maxClaims: 1000 } }),
  ],
  providers: [Cars, Insurance, Hotel, Trip],
})(App);
const app = await NestFactory.createApplicationContext(App, { logger: ['error'] });
const client = app.get(WorkflowClient);
for (let n = 0; n < ${SAGAS}; n++) await client.start(Trip, n, { id: 'trip-' + n });
process.on('SIGTERM', () => void app.close().then(() => ledger.end()));
console.log('ready');
`;

interface Entry extends Record<string, unknown> {
  id: number;
  saga: string;
  what: string;
}

const onPostgres = servers.some(({ db }) => db === 'postgres') ? describe : describe.skip;

onPostgres('Sagas whose processes are killed', () => {
  let programs: OwnPrograms;
  let file: string;
  let database: FreshDatabase;
  const players: Program[] = [];

  beforeAll(async () => {
    programs = ownPrograms();
    database = await createDatabase('postgres');
    await database.query('CREATE TABLE ledger (id serial PRIMARY KEY, saga text, what text, pid int)');
    file = programs.write('player.mjs', PLAYER);
  });
  afterAll(async () => {
    for (const { process } of players) process.kill('SIGKILL');
    await Promise.all(players.map(({ ended }) => ended));
    await database.close();
    programs.close();
  });

  const play = () => {
    const player = startProgram(file, [database.url]);
    players.push(player);
    return player;
  };
  const effects = async () => Number((await database.query<{ n: string }>('SELECT count(*) AS n FROM ledger'))[0]!.n);
  const unfinished = async () =>
    (await database.query(`SELECT id FROM durable_runs WHERE status NOT IN ('completed', 'failed', 'cancelled')`))
      .length;

  it('undo in order, lose no place in their line and leave nothing behind', async () => {
    const before = performance.now();
    let alive = [play(), play()];
    const bothPlay = () =>
      until('both play', () => alive.every((player) => player.output().includes('ready'))).catch(() =>
        Promise.reject(new Error(alive.map((player) => player.output()).join())),
      );
    await bothPlay();
    let kills = 0;
    while (kills < KILLS && (await unfinished()) > 0) {
      const seen = await effects();
      await until('something goes on', async () => (await effects()) >= seen + 5 || (await unfinished()) === 0);
      // Anywhere in what follows.
      await pause(Math.random() * 300);
      const [dying, survivor] = alive;
      dying!.process.kill('SIGKILL');
      await dying!.ended;
      kills++;
      alive = [survivor!, play()];
    }
    await until('all have ended', async () => (await unfinished()) === 0, { everyMs: 100 }).catch(
      async (error: Error) => {
        const left = await database.query(
          `SELECT id, status, reason, owner, limiter, turn FROM durable_runs WHERE status NOT IN ('completed', 'failed', 'cancelled')`,
        );
        throw new Error(`${error.message}: ${JSON.stringify(left)}`);
      },
    );
    const ledger = await database.query<Entry>('SELECT id, saga, what FROM ledger ORDER BY id');
    const ended = new Map(
      (await database.query<{ id: string; status: string }>('SELECT id, status FROM durable_runs')).map((run) => [
        run.id,
        run.status,
      ]),
    );
    // What was cancelled before it had completed is not undone.
    const completed = `SELECT run_id FROM durable_steps WHERE name = 'insure' AND status = 'completed' AND seq >= 0`;
    const insured = new Set((await database.query<{ run_id: string }>(completed)).map(({ run_id: id }) => id));
    const twice = ledger.length - new Set(ledger.map(({ saga, what }) => `${saga} ${what}`)).size;
    process.stdout.write(
      `${SAGAS} sagas, ${kills} kills: ${ledger.length} effects, ${twice} of them again, most at once ` +
        `${mostAtOnce(ledger)} of ${LIMIT}, ${((performance.now() - before) / 1_000).toFixed(1)} s\n`,
    );
    expect(kills).toBe(KILLS);
    expect(mostAtOnce(ledger)).toBeLessThanOrEqual(LIMIT);
    for (let n = 0; n < SAGAS; n++) {
      const own = ledger.filter(({ saga }) => saga === `trip-${n}`).map(({ what }) => what);
      const trip = own.filter((what) => !what.endsWith('insurance'));
      // What was cut off was begun again, and nothing began before the last thing had ended for good.
      const order = trip.filter((what, i) => what !== trip[i - 1]);
      const there = ['flight', 'car', 'hotel', 'train'];
      expect([n, ended.get(`trip-${n}`), order]).toEqual(
        n % 2
          ? [n, 'failed', [...there, 'undo train', 'undo car', 'undo flight']]
          : [n, 'completed', [...there, 'tickets']],
      );
      if (n % 2 === 0) continue;
      expect(ended.get(`insurance-${n}`)).toBe('cancelled');
      expect([n, own.includes('undo insurance')]).toEqual([n, insured.has(`insurance-${n}`)]);
    }
    for (const table of ['limiter_entries', 'transport_tasks', 'run_dependencies'])
      expect(await database.query(`SELECT * FROM durable_${table}`)).toEqual([]);
    expect(await database.query('SELECT id FROM durable_runs WHERE owner IS NOT NULL OR turn IS NOT NULL')).toEqual([]);
    // Whoever is told before it has begun ends at once.
    await bothPlay();
    for (const { process } of alive) process.kill('SIGTERM');
    for (const { ended: end } of alive) expect(await end).toMatchObject({ code: 0 });
  });
});

/** How many sagas were between their first and their last effect at the same time. */
function mostAtOnce(ledger: readonly Entry[]): number {
  const [first, last] = [new Map<string, number>(), new Map<string, number>()];
  for (const { saga, what, id } of ledger) {
    // The child is not in the line.
    if (what.endsWith('insurance')) continue;
    if (!first.has(saga)) first.set(saga, id);
    last.set(saga, id);
  }
  const inside = (id: number) => [...first].filter(([saga, from]) => from <= id && id <= last.get(saga)!).length;
  return Math.max(...ledger.map(({ id }) => inside(id)));
}
