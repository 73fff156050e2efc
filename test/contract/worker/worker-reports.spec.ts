import type { DatabaseName } from '../../support/test-servers.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { DbTransports, type Delivered } from '../../support/db-transports.js';
import { until } from '../../support/until.js';

/** A trigger on the results that fails while `trouble` has a row. */
const triggerFor = (db: DatabaseName, table: string, [state, errno]: readonly [string, number]): string[] =>
  db === 'postgres'
    ? [
        `CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF EXISTS (SELECT 1 FROM trouble) THEN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END IF;
           RETURN NEW;
         END $$`,
        `CREATE TRIGGER fails BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fails()`,
      ]
    : [
        `CREATE TRIGGER fails BEFORE INSERT ON ${table} FOR EACH ROW BEGIN
           IF EXISTS (SELECT 1 FROM trouble) THEN
             SIGNAL SQLSTATE '${state}' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'no';
           END IF;
         END`,
      ];

/** What PostgreSQL says on a full disk, and one that is on no list; of the others Galera without a quorum, and InnoDB. */
const ERRORS = {
  postgres: ['XX000', '0Z002', '42501'],
  mysql: ['08S01 1047', 'HY000 1180', '42000 1142'],
  mariadb: ['08S01 1047', 'HY000 1206', '42000 1142'],
} as const;

describeDatabases('an answer that the database does not take at first', (at) => {
  let backend: OpenBackend;
  let transports: DbTransports;

  beforeEach(async () => {
    backend = await at.open();
    transports = new DbTransports(backend);
  });
  afterEach(async () => {
    await transports.close();
    await backend.close();
  });

  it.each(ERRORS[at.db])('stays what it was, and the step runs once: %s', async (error) => {
    const [state = '', errno] = error.split(' ');
    const results: Delivered[] = [];
    const engine = transports.create().onResult((result) => void results.push(result));
    let runs = 0;
    const worker = transports.create().handle('x', () => ++runs);
    const troubles: string[] = [];
    worker.telemetry.on('loop.error', ({ loop }) => void troubles.push(loop));
    await engine.dispatch({ runId: 'r', seq: 0, stepId: 'r:0', name: 'x', attempt: 1 });
    await until('the tables are there', () => results.length === 1);
    await backend.query('CREATE TABLE trouble (n INT)');
    await backend.query('INSERT INTO trouble VALUES (1)');
    for (const sql of triggerFor(at.db, 'durable_transport_results', [state, Number(errno)])) await backend.query(sql);
    await engine.dispatch({ runId: 'r', seq: 1, stepId: 'r:1', name: 'x', attempt: 1 });
    await until('it was not taken', () => troubles.includes('worker.report') || results.length === 2);
    await backend.query('DELETE FROM trouble');
    await until('it is', () => results.length === 2);
    expect(results[1]).toMatchObject({ status: 'completed', output: 2 });
    expect(runs).toBe(2);
  });
});
