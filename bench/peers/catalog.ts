import type { Server } from '../server.js';

export type Kind = 'local' | 'remote';
export type ServerName = 'postgres' | 'mysql' | 'mariadb' | 'redis';

/** A way to run steps durably that somebody could choose, as processes on a server. */
export interface Subject {
  name: string;
  /** The package that it is, where it is not ours. */
  package?: string;
  server: ServerName;
  /** In the order in which they are started. */
  processes: readonly [script: string, config?: object][];
  /** Which of them is asked. */
  asked: number;
  kinds: readonly Kind[];
  /** More at once are not asked of it: it takes minutes for them. */
  most?: number;
  /** What is not the same as with the others. */
  note?: string;
  /** Its processes wake each other by Redis. */
  bus?: true;
  /** With our tables, or with nothing in it. */
  database: keyof Pick<Server, 'database' | 'emptyDatabase'>;
}

const BOTH = ['local', 'remote'] as const;
const APP = 'app/app.js';

const twoProcesses = (server: Subject['server'], on: string): Subject => ({
  name: `nest-durable, two processes${on}`,
  server,
  processes: [
    [APP, { role: 'worker' }],
    [APP, { role: 'engine' }],
  ],
  asked: 1,
  kinds: ['remote'],
  database: 'database',
});

/** Where nobody is told of new rows, without a bus. */
const woken = (server: 'mysql' | 'mariadb', on: string): Subject => ({
  ...twoProcesses(server, on),
  bus: true,
  note: 'hints by Redis, whose processor time is not counted',
});

const ours = (server: 'postgres' | 'mysql' | 'mariadb', on: string): Subject[] => [
  { ...twoProcesses(server, on), kinds: BOTH },
  {
    name: `nest-durable, one process${on}`,
    server,
    processes: [[APP, { role: 'alone' }]],
    asked: 0,
    kinds: ['remote'],
    database: 'database',
  },
];

/** The least statements and commits that could do it. */
const floor = (name: string, scripts: readonly string[], most?: number): Subject => ({
  name,
  server: 'postgres',
  processes: scripts.map((script) => [script]),
  asked: 1,
  kinds: ['remote'],
  ...(most && { most }),
  database: 'database',
});

const theirs = (subject: Pick<Subject, 'name' | 'kinds'> & Partial<Subject>): Subject => ({
  server: 'postgres',
  processes: [[`peers/${subject.name}.mjs`]],
  asked: 0,
  database: 'emptyDatabase',
  ...subject,
});

/** No results and no history. */
const CHAIN =
  'a job adds the next one, the least that a user would build by hand: nothing is recorded, and the end is told before it is written';

/**
 * `local`: ten recorded steps in one process, one after the other; `remote`: ten that go through a queue. The settings of
 * others are the fastest ones that we have found for them; ours are the default ones.
 */
export const SUBJECTS: readonly Subject[] = [
  floor('floor, one step at a time', ['step/floor-worker.js', 'step/floor-engine.js'], 1),
  floor('floor, many steps at once', ['floor/worker.js', 'floor/engine.js']),
  ...ours('postgres', ''),
  ...ours('mysql', ', MySQL'),
  woken('mysql', ', MySQL and a bus'),
  ...ours('mariadb', ', MariaDB'),
  woken('mariadb', ', MariaDB and a bus'),
  theirs({
    name: 'dbos',
    package: '@dbos-inc/dbos-sdk',
    kinds: BOTH,
    note: 'a queued step is a child; its queue is asked every 5 ms, and each result every 5 ms, or 10 ms for each 100 at once',
  }),
  theirs({
    name: 'openworkflow',
    package: 'openworkflow',
    kinds: BOTH,
    most: 100,
    note: 'a queued step is a child, and one such step a run with one child; it asks for work every 100 ms to 1 s, which cannot be set',
  }),
  theirs({
    name: "aviary's transport",
    package: '@dudousxd/nestjs-durable-transport-db',
    processes: [
      ['peers/aviary.mjs', { role: 'worker' }],
      ['peers/aviary.mjs', { role: 'engine' }],
    ],
    asked: 1,
    kinds: ['remote'],
    most: 100,
    note: 'two processes, which ask every 5 ms; without its engine, so nothing is recorded',
  }),
  theirs({ name: 'graphile-worker', package: 'graphile-worker', kinds: ['remote'], note: CHAIN }),
  theirs({ name: 'pg-boss', package: 'pg-boss', kinds: ['remote'], note: CHAIN }),
  theirs({
    name: 'bullmq',
    package: 'bullmq',
    server: 'redis',
    kinds: ['remote'],
    note: 'who asks waits for each result, and the chain is lost with that process',
  }),
];
