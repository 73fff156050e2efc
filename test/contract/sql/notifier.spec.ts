import { MikroORM } from '@mikro-orm/core';
import type { DataSource } from 'typeorm';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { createNotifier, type Notifier } from '../../../lib/sql/notifier.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { backendOf, describeBackends, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { startPgBouncer } from '../../support/servers/pgbouncer.mjs';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';

const executorOf = (handle: unknown): SqlExecutor =>
  handle instanceof MikroORM ? mikroOrmExecutor(handle) : typeOrmExecutor(handle as DataSource);

describeBackends(
  'notifications',
  (at) => {
    let backend: OpenBackend;
    let proxy: TcpProxy;
    let here: SqlExecutor;
    let there: SqlExecutor;
    const started: Notifier[] = [];
    const unhandled: unknown[] = [];
    const remember = (error: unknown) => void unhandled.push(error);

    beforeAll(async () => {
      process.on('unhandledRejection', remember);
      backend = await at.open();
      there = executorOf(backend.handle);
      proxy = await startTcpProxy(backend);
      here = executorOf(await backend.another({ orm: { port: proxy.port } }));
    });

    afterEach(async () => {
      await Promise.all(started.splice(0).map((notifier) => notifier.stop()));
    });

    afterAll(async () => {
      await backend.close();
      await proxy.close();
      process.removeListener('unhandledRejection', remember);
      expect(unhandled).toEqual([]);
    });

    /**
     * A server that answers late is no lost connection, but where a test is about that; and no test lasts until the first
     * check, which would find a lost one late.
     */
    const PATIENT = { checkIntervalMs: 600_000, checkTimeoutMs: 30_000 };

    /** A notifier that listens to `topics`, what it heard and what went wrong. */
    async function listening(executor: SqlExecutor, topics = ['tasks'], prefix = 'durable', checks = PATIENT) {
      const heard: (string | undefined)[] = [];
      const errors: unknown[] = [];
      const notifier = createNotifier(executor, prefix, (error) => errors.push(error), checks);
      started.push(notifier);
      for (const topic of topics) notifier.subscribe(topic, (payload) => heard.push(payload));
      notifier.start();
      await until('it is live', () => notifier.live);
      return { notifier, heard, errors };
    }

    const payloads = (heard: (string | undefined)[]) => heard.filter((payload) => payload !== undefined);

    it('reach other processes, and each looks at everything first', async () => {
      const { heard } = await listening(here, ['tasks', 'results']);
      expect(heard).toEqual([undefined, undefined]);
      const { notifier } = await listening(there);
      notifier.publish('tasks', 'one');
      await until('it is heard', () => heard.includes('one'));
      notifier.publish('results', 'it\'s "two" 😀');
      await until('it is heard', () => heard.includes('it\'s "two" 😀'));
    });

    it('do not come back as an echo, and stay within their prefix', async () => {
      const mine = await listening(here);
      const theirs = await listening(there);
      const foreign = await listening(there, ['tasks'], 'other');
      mine.notifier.publish('tasks', 'mine');
      await until('the others hear it', () => theirs.heard.includes('mine'));
      theirs.notifier.publish('tasks', 'last');
      await until('the last is heard', () => mine.heard.includes('last'));
      expect(payloads(mine.heard)).toEqual(['last']);
      expect(payloads(theirs.heard)).toEqual(['mine']);
      expect(payloads(foreign.heard)).toEqual([]);
    });

    it('that come close together become few', async () => {
      const { heard } = await listening(here);
      const wanted = Array.from({ length: 1_000 }, (_, i) => `payload ${i}`);
      let sent = 0;
      const counting: SqlExecutor = Object.create(there, {
        run: { value: (statement: never) => (sent++, there.run(statement)) },
      }) as SqlExecutor;
      const counted = await listening(counting);
      sent = 0;
      for (const payload of wanted) counted.notifier.publish('tasks', payload);
      await until('all are heard', () => payloads(heard).length >= wanted.length);
      expect(payloads(heard)).toEqual(wanted);
      expect(sent).toBeLessThanOrEqual(5);
    });

    it('of a transaction are heard after its commit, and never after a rollback', async () => {
      const { heard } = await listening(here);
      const { notifier } = await listening(there);
      const send = (payload: string) =>
        notifier.statement('tasks', payload) as NonNullable<ReturnType<Notifier['statement']>>;
      await there.transaction(async (tx) => {
        await tx.run(send('committed'));
        await there.run(send('meanwhile'));
        await until('the other is heard', () => heard.includes('meanwhile'));
        expect(payloads(heard)).toEqual(['meanwhile']);
      });
      const failed = there.transaction(async (tx) => {
        await tx.run(send('rolled back'));
        throw new Error('mine');
      });
      await expect(failed).rejects.toThrow('mine');
      await there.run(send('last'));
      await until('the last is heard', () => heard.includes('last'));
      expect(payloads(heard)).toEqual(['meanwhile', 'committed', 'last']);
    });

    it('that are too long become "look at everything"', async () => {
      const { heard } = await listening(here);
      const { notifier } = await listening(there);
      heard.length = 0;
      notifier.publish('tasks', 'x'.repeat(8_000));
      await until('it is heard', () => heard.length > 0);
      expect(heard).toEqual([undefined]);
      notifier.publish('tasks', '😀'.repeat(1_900));
      await until('it is heard', () => heard.length > 1);
      expect(heard[1]).toBe('😀'.repeat(1_900));
    });

    it('from strangers do no harm', async () => {
      const { heard, errors } = await listening(here);
      heard.length = 0;
      for (const text of ['', 'x', 'x {', 'x [1]', 'x null']) {
        await backend.query("SELECT pg_notify(current_schema() || '.durable_tasks', ?)", [text]);
      }
      await until('all are heard', () => heard.length === 5);
      expect(heard).toEqual(Array(5).fill(undefined));
      expect(errors).toEqual([]);
    });

    it('reach subscribers that come later', async () => {
      const { notifier, heard } = await listening(here);
      const late: (string | undefined)[] = [];
      const end = notifier.subscribe('runs', (payload) => late.push(payload));
      await until('it is connected again', () => late.length > 0);
      const other = await listening(there);
      other.notifier.publish('runs', 'late');
      await until('it is heard', () => late.includes('late'));
      end();
      other.notifier.publish('runs', 'too late');
      other.notifier.publish('tasks', 'last');
      await until('the last is heard', () => heard.includes('last'));
      expect(payloads(late)).toEqual(['late']);
    });

    const listeners = () =>
      backend.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE ANY (ARRAY['LISTEN%', 'SELECT 1'])",
      );

    it('need no other connection for a topic that has had subscribers before', async () => {
      let opened = 0;
      const counting: SqlExecutor = Object.create(there, {
        listen: {
          value: (...args: Parameters<NonNullable<SqlExecutor['listen']>>) => (opened++, there.listen!(...args)),
        },
      }) as SqlExecutor;
      const { notifier } = await listening(counting, ['results']);
      const heard: (string | undefined)[] = [];
      const subscribe = () => notifier.subscribe('tasks', (payload) => heard.push(payload));
      const unsubscribe = subscribe();
      await until('it listens to both', () => heard.length > 0 && notifier.live);
      unsubscribe();
      subscribe();
      (await listening(here)).notifier.publish('tasks', 'to the later one');
      await until('it is heard', () => heard.includes('to the later one'));
      expect(opened).toBe(2);
    });

    it('E7: listen again when they are killed, and look at everything first', async () => {
      const { notifier, heard, errors } = await listening(here);
      const other = createNotifier(there, 'durable', () => undefined);
      started.push(other);
      for (let round = 0; round < 3; round++) {
        heard.length = 0;
        await backend.query(
          `SELECT pg_terminate_backend(pid) FROM (${'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE ANY (ARRAY[?, ?])'}) l`,
          ['LISTEN%', 'SELECT 1'],
        );
        await until('it looked at everything', () => heard.length > 0);
        expect(heard[0]).toBeUndefined();
        other.publish('tasks', `round ${round}`);
        await until('it is heard', () => heard.includes(`round ${round}`));
      }
      expect(errors.length).toBeGreaterThanOrEqual(3);
      await until('it is live', () => notifier.live);
      await until('one connection is left', async () => (await listeners()).length === 1);
    });

    it('survive a half-open connection', async () => {
      const checks = { checkIntervalMs: 300, checkTimeoutMs: 2_000 };
      const { heard } = await listening(here, ['tasks'], 'durable', checks);
      const other = createNotifier(there, 'durable', () => undefined);
      started.push(other);
      heard.length = 0;
      const before = proxy.connections;
      proxy.blackHole();
      await until('it looked at everything', () => heard.length > 0);
      expect(proxy.connections).toBeGreaterThan(before);
      // Where this process stands still, the connection is taken for a lost one once more, and misses what is told then.
      await until('it is heard', () => {
        other.publish('tasks', 'again');
        return heard.includes('again');
      });
      // The pool's connections are half-open too.
      proxy.cut();
    });

    it('hold no connection once stopped', async () => {
      const { notifier } = await listening(there);
      await notifier.stop();
      expect(notifier.live).toBe(false);
      await until('the connections are gone', async () => (await listeners()).length === 0);
      await notifier.stop();
    });
  },
  { only: ({ db }) => db === 'postgres' },
);

describeWithProgram('pgbouncer', 'notifications behind PgBouncer in transaction mode', (program) => {
  it('are known not to come: that is said once, and everybody looks by himself', async () => {
    const backend = await backendOf('typeorm', 'postgres').open();
    const bouncer = await startPgBouncer(program, backend);
    const behind = executorOf(await backend.another({ orm: { port: bouncer.port } }));
    let sent = 0;
    const executor = Object.create(behind, {
      run: { value: (statement: never) => (sent++, behind.run(statement)) },
    }) as SqlExecutor;
    const heard: unknown[] = [];
    const errors: unknown[] = [];
    // A connection that is only slow for a moment is not one that hears nothing.
    const times = { checkIntervalMs: 50, checkTimeoutMs: 2_000 };
    const notifier = createNotifier(executor, 'durable', (error) => errors.push(error), times);
    notifier.subscribe('tasks', (payload) => heard.push(payload));
    notifier.start();
    await until('it looks at everything', () => heard.length > 0);
    await until('it says so', () => errors.length > 0);
    sent = 0;
    // The second time it knows what became of the first.
    await until('it has asked again, and once more', () => sent >= 2);
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/do not arrive.*polling/) as string }),
    ]);
    expect(notifier.live).toBe(false);
    await notifier.stop();
    await backend.close();
    await bouncer.stop();
  });
});

describeDatabases(
  'notifications',
  (at) => {
    it('stay in their process', async () => {
      const backend = await at.open();
      const heard: (string | undefined)[] = [];
      const errors: unknown[] = [];
      const notifier = createNotifier(executorOf(backend.handle), 'durable', (error) => errors.push(error));
      notifier.start();
      const end = notifier.subscribe('tasks', (payload) => heard.push(payload));
      notifier.subscribe('tasks', () => {
        throw new Error('mine');
      });
      notifier.local('tasks', 'a');
      notifier.local('results', 'b');
      notifier.publish('tasks', 'c');
      end();
      notifier.local('tasks', 'd');
      await notifier.stop();
      await backend.close();
      expect(heard).toEqual(['a']);
      expect(errors).toHaveLength(2);
      expect(notifier.live).toBe(false);
      expect(notifier.statement('tasks', 'e')).toBeUndefined();
    });
  },
  { only: ({ db }) => db !== 'postgres' },
);
