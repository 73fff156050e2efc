import { MikroORM } from '@mikro-orm/core';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DurableModule, type DurableModuleOptions, memoryBackend, type MemoryBackend } from '../../lib/index.js';
import { stateOf } from '../../lib/memory-backend.js';
import { type AppTransaction, inAppTransaction, write } from './app-transactions.js';
import { describeDatabases, type OrmName } from './backends.js';
import { createDatabase, type FreshDatabase } from './fresh-database.js';
import { bootApp, ormModule } from './nest-app.js';

/** Where apps of a test keep their effects: a database, or memory that they share. */
export interface EffectsPlace {
  readonly orm: OrmName | undefined;
  boot(options: DurableModuleOptions, providers: Type[]): Promise<INestApplicationContext>;
  /** As the app itself opens one; in memory it only has a handle to leave out. */
  inTransaction<T>(app: INestApplicationContext, work: (tx: Partial<AppTransaction>) => Promise<T>): Promise<T>;
  /** Writes `text` into the app's table `completed`, with what a listener was given. */
  note(handle: unknown, text: string): Promise<void>;
  /** What was committed of it. */
  notes(): Promise<string[]>;
  /** Ends the leases of all calls in flight at once, so that nobody waits for them. */
  expireLeases(): Promise<void>;
  query(text: string): Promise<Record<string, unknown>[]>;
}

interface OpenPlace extends EffectsPlace {
  closeApps(): Promise<void>;
  close(): Promise<void>;
}

async function onDatabase(orm: OrmName, database: FreshDatabase): Promise<OpenPlace> {
  await database.query('CREATE TABLE completed (note VARCHAR(100))');
  const apps: INestApplicationContext[] = [];
  const handleOf = (app: INestApplicationContext): unknown =>
    orm === 'typeorm' ? app.get(getDataSourceToken() as never) : app.get(MikroORM);
  return {
    orm,
    boot: async (options, providers) => {
      const imports = [ormModule(orm, database), DurableModule.forRoot({ outbox: false, ...options })];
      const app = await bootApp({ imports, providers });
      apps.push(app);
      return app;
    },
    inTransaction: (app, work) => inAppTransaction(orm, handleOf(app), work),
    note: async (handle, text) => void (await write(orm, handle, `INSERT INTO completed VALUES ('${text}')`)),
    notes: async () => (await database.query('SELECT note FROM completed')).map(({ note }) => String(note)),
    expireLeases: async () =>
      void (await database.query('UPDATE durable_effects SET lease_until = 0 WHERE claim_token IS NOT NULL')),
    query: (text) => database.query(text),
    closeApps: async () => void (await Promise.all(apps.splice(0).map((app) => app.close()))),
    close: () => database.close(),
  };
}

function inMemory(): OpenPlace {
  const apps: INestApplicationContext[] = [];
  const noted: string[] = [];
  let backend: MemoryBackend = memoryBackend();
  return {
    orm: undefined,
    boot: async (options, providers) => {
      const app = await bootApp({
        imports: [DurableModule.forRoot({ outbox: false, ...options, backend })],
        providers,
      });
      apps.push(app);
      return app;
    },
    inTransaction: (_, work) => work({}),
    note: async (_, text) => void noted.push(text),
    notes: async () => noted,
    expireLeases: async () => {
      const { effects } = stateOf(backend);
      for (const entry of effects.entries.values())
        if (entry.status === 'in_flight') effects.change(entry, { dueAt: 0 });
    },
    query: async () => [],
    closeApps: async () => {
      await Promise.all(apps.splice(0).map((app) => app.close()));
      backend = memoryBackend();
      noted.length = 0;
    },
    close: async () => undefined,
  };
}

/** A describe block for memory, and one for every database. */
export function describeEffectsPlaces(title: string, body: (place: () => EffectsPlace) => void): void {
  const within = (open: () => Promise<OpenPlace>) => {
    let place: OpenPlace;
    beforeAll(async () => {
      place = await open();
    });
    afterEach(() => place.closeApps());
    afterAll(() => place.close());
    body(() => place);
  };
  describe(`${title} [in memory]`, () => within(async () => inMemory()));
  describeDatabases(title, ({ orm, db }) => within(async () => onDatabase(orm, await createDatabase(db))));
}
