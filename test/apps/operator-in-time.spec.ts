import type { INestApplicationContext } from '@nestjs/common';
import { DurableModule, type DurableModuleOptions, Operator, QuestionTimeoutError } from '../../lib/index.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { lockTables, statementsThatWait } from '../support/locked-tables.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

const MOST_MS = 150;
const BY = { actor: 'ada', reason: 'a test' };
const ON = { destination: 'mails' };

/** Every read of `Operator` by its name, as its error names it. */
const READS: Readonly<Record<string, (operator: Operator) => Promise<unknown>>> = {
  names: (operator) => operator.names(),
  queues: (operator) => operator.queues(),
  limits: (operator) => operator.limits(),
  signals: (operator) => operator.signals(),
  signalWaits: (operator) => operator.signalWaits(),
  nodes: (operator) => operator.nodes(),
  versions: (operator) => operator.versions(),
  samples: (operator) => operator.samples(),
  graphs: (operator) => operator.graphs(),
  acts: (operator) => operator.acts(),
  due: (operator) => operator.due(),
  'runs.counts': ({ runs }) => runs.counts(),
  'runs.list': ({ runs }) => runs.list(),
  'runs.show': ({ runs }) => runs.show('r', { history: true }),
  'runs.why': ({ runs }) => runs.why('r'),
  'runs.steps': ({ runs }) => runs.steps('r'),
  'runs.story': ({ runs }) => runs.story({ id: 'r' }),
  'runs.payloads': ({ runs }) => runs.payloads('r', { actor: 'ada' }),
  'runs.tree': ({ runs }) => runs.tree('r'),
  'runs.export': ({ runs }) => runs.export('r', { actor: 'ada' }),
  'runs.compare': ({ runs }) => runs.compare('r', 's', { actor: 'ada' }),
  'runs.bulk': ({ runs }) => runs.bulk('cancel', { workflow: 'order' }, { ...BY, dryRun: true }),
  tasks: (operator) => operator.tasks(),
  'steps.list': ({ steps }) => steps.list(),
  'schedules.list': ({ schedules }) => schedules.list(),
  'schedules.show': ({ schedules }) => schedules.show('s'),
  'schedules.late': ({ schedules }) => schedules.late(),
  'schedules.preview': ({ schedules }) => schedules.preview('s'),
  'outbox.destinations': ({ outbox }) => outbox.destinations(),
  'outbox.waits': ({ outbox }) => outbox.waits(),
  'outbox.lag': ({ outbox }) => outbox.lag(ON),
  'outbox.standing': ({ outbox }) => outbox.standing(ON),
  'outbox.deadLetters': ({ outbox }) => outbox.deadLetters(ON),
  'effects.counts': ({ effects }) => effects.counts(),
  'effects.count': ({ effects }) => effects.count('abandoned'),
  'effects.abandoned': ({ effects }) => effects.abandoned(),
  'effects.scheduled': ({ effects }) => effects.scheduled(),
  'effects.unclaimed': ({ effects }) => effects.unclaimed(),
  'effects.audit': ({ effects }) => effects.audit({ operation: 'erase', subject: 'u1' }),
  'holds.list': ({ holds }) => holds.list(),
};

/** What changes something, in transactions that nothing ends in between; the overview, which answers in parts; and the check of a build, which needs one. */
const OTHERS = [
  'overview',
  'check',
  ...['drain', 'resume', 'deleteSignals'],
  ...['cancel', 'terminate', 'retry', 'signal', 'restart', 'fork', 'delete'].map((name) => `runs.${name}`),
  ...['complete', 'fail', 'now', 'resolve'].map((name) => `steps.${name}`),
  ...['trigger', 'pause', 'resume'].map((name) => `schedules.${name}`),
  ...['retry', 'retryAll', 'skip', 'requeue', 'forget'].map((name) => `outbox.${name}`),
  ...['effects.requeue', 'holds.hold', 'holds.lift'],
  ...['purgeSignals', 'runs.purge', 'effects.purge', 'effects.purgeAuditLog', 'outbox.purgeDeadLetters'],
];

const publicMethods = (of: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(of)).filter(
    (name) => !['constructor', 'ask', 'bulkOf', 'isKnown'].includes(name),
  );

const GROUPS = ['runs', 'steps', 'schedules', 'outbox', 'effects', 'holds'] as const;
const OPTIONS: DurableModuleOptions = {
  engine: false,
  worker: false,
  outbox: { relay: false },
  effects: { run: false },
};

describeDatabases('a read of operators, of a database whose tables are locked', (at) => {
  let database: FreshDatabase;
  let app: INestApplicationContext;
  let operator: Operator;
  let unlock: () => Promise<void>;
  beforeAll(async () => {
    database = await createDatabase(at.db);
    const imports = [ormModule(at.orm, database, { poolMax: 2 }), DurableModule.forRoot({ ...OPTIONS, migrate: true })];
    app = await bootApp({ imports });
    // As the module makes it, with less patience.
    const { ports } = app.get(Operator) as unknown as { ports: ConstructorParameters<typeof Operator>[0] };
    operator = new Operator({ ...ports, mostMs: MOST_MS });
    unlock = await lockTables(database);
  });
  afterAll(async () => {
    await unlock?.().catch(() => undefined);
    await app?.close();
    await database?.close();
  });

  it('is known here, or changes something', () => {
    const methods = [
      ...publicMethods(operator),
      ...GROUPS.flatMap((group) => publicMethods(operator[group]).map((name) => `${group}.${name}`)),
    ];
    expect(methods.sort()).toEqual([...Object.keys(READS), ...OTHERS].sort());
    const groups = Object.keys(operator).filter((key) => !['ports', 'questions', 'flow'].includes(key));
    expect(groups.sort()).toEqual([...GROUPS].sort());
  });

  it.each(Object.entries(READS))('%s is ended in time, by the server too', async (question, read) => {
    const error = await read(operator).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(QuestionTimeoutError);
    expect(error).toMatchObject({ question, afterMs: MOST_MS });
    await until('the server has ended it', async () => (await statementsThatWait(database)).length === 0);
  });

  it('is ended in time as a part of an overview, which goes on', async () => {
    const { unanswered } = await operator.overview();
    expect(unanswered).toEqual(expect.arrayContaining(['blocked', 'holds', 'lost']));
    await until('the server has ended it', async () => (await statementsThatWait(database)).length === 0);
  });

  it('would wait otherwise, and be seen to', async () => {
    const waiting = database.query('SELECT id FROM durable_runs');
    await until('it waits', async () =>
      (await statementsThatWait(database)).some((text) => text.includes('SELECT id')),
    );
    await unlock();
    expect(await waiting).toEqual([]);
  });

  if (at.db === 'postgres')
    it('has five seconds where the module makes it, and an overview goes on without what takes too long', async () => {
      const { questions } = app.get(Operator) as unknown as { questions: { mostMs: number } };
      expect(questions.mostMs).toBe(5_000);
      const unlockRuns = await lockRuns(database);
      try {
        const listed = await operator.runs.list().catch((error: unknown) => error);
        expect(listed).toBeInstanceOf(QuestionTimeoutError);
        expect(listed).toMatchObject({ question: 'runs.list', code: 'QUESTION_TIMEOUT', status: 503 });
        const { unanswered, holds } = await operator.overview();
        expect(holds).toEqual([]);
        expect(unanswered).toContain('blocked');
      } finally {
        await unlockRuns();
      }
    });
});

/** Locks only the table of runs. Returns what ends it. */
async function lockRuns(database: FreshDatabase): Promise<() => Promise<void>> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE durable_runs IN ACCESS EXCLUSIVE MODE');
  return () => client.end();
}
