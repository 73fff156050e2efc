import { InvalidArgumentError } from '../../lib/core/errors.js';
import { EffectCompletions } from '../../lib/engine/signals.js';
import type { CheckedOperation, StepEffects, WorkflowOperation } from '../../lib/engine/step.js';
import { inMemoryTransaction, type Transaction } from '../../lib/core/transaction.js';
import { connectionOf, sqlTransaction } from '../../lib/sql/executor.js';
import { sql } from '../../lib/sql/statement.js';
import type { OpenBackend } from './backends.js';
import { executorOf, type OpenStorage } from './engine-storage.js';

export interface Call {
  id: string;
  operation: string;
  subject: string;
  done: boolean;
}

/** Calls to a world outside, each of which succeeds when the test says so. */
export interface OutsideWorld {
  readonly effects: StepEffects;
  calls(): Promise<Call[]>;
  /** In one transaction, which tells whoever waits if it was the last. `before` it is asked whether that is so still. */
  succeed(id: string, storage: OpenStorage, before?: () => Promise<void>): Promise<void>;
  /** As another program would enqueue. */
  add(id: string, operation: string, subject: string): Promise<void>;
}

let last = 0;

function check(given: WorkflowOperation): CheckedOperation {
  const { operation, subject, calls } = given;
  if (!Array.isArray(calls)) throw new InvalidArgumentError('calls', calls, 'a list');
  // Wide enough to be in order as text.
  const entryIds = calls.map(() => `call-${String(++last).padStart(9, '0')}`);
  return { operation, subject, entryIds, size: 10 };
}

const callsOf = ({ operation, subject, entryIds }: CheckedOperation): Call[] =>
  entryIds.map((id) => ({ id, operation, subject, done: false }));

/** The rows of one storage of calls. */
interface Calls {
  insert(calls: readonly Call[], tx?: Transaction): Promise<void>;
  all(): Promise<Call[]>;
  /** With the group locked. Answers it. */
  markDone(id: string, tx: Transaction): Promise<Call[]>;
  group(of: Pick<Call, 'operation' | 'subject'>, tx: Transaction): Promise<Call[]>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export async function outsideWorld(backend: OpenBackend | undefined): Promise<OutsideWorld> {
  const calls = backend ? await callsInSql(backend) : callsInMemory();
  return {
    effects: {
      check,
      write: (operations, tx) =>
        calls.insert(
          operations.flatMap(({ operation }) => callsOf(operation)),
          tx,
        ),
    },
    calls: () => calls.all(),
    add: (id, operation, subject) => calls.insert([{ id, operation, subject, done: false }]),
    succeed: async (id, storage, before) => {
      const completions = new EffectCompletions(storage);
      await calls.transaction(async (tx) => {
        const group = await calls.markDone(id, tx);
        if (group.some(({ done }) => !done)) return;
        await completions.complete(group[0]!, tx, async () => {
          await before?.();
          return (await calls.group(group[0]!, tx)).every(({ done }) => done);
        });
      });
    },
  };
}

function callsInMemory(): Calls {
  const rows: Call[] = [];
  const group = async ({ operation, subject }: Pick<Call, 'operation' | 'subject'>) =>
    rows.filter((row) => row.operation === operation && row.subject === subject);
  return {
    insert: async (calls) => void rows.push(...calls),
    all: async () => rows.map((row) => ({ ...row })),
    group,
    markDone: async (id) => {
      const row = rows.find((one) => one.id === id)!;
      row.done = true;
      return group(row);
    },
    transaction: (work) => inMemoryTransaction(undefined, work),
  };
}

interface Row {
  id: string;
  operation: string;
  subject: string;
  done: number | string;
}

async function callsInSql(backend: OpenBackend): Promise<Calls> {
  const db = executorOf(backend);
  const text = 'varchar(191) NOT NULL';
  await backend.query(
    `CREATE TABLE IF NOT EXISTS app_calls (id varchar(64) PRIMARY KEY, operation ${text}, subject ${text}, done integer NOT NULL)`,
  );
  await backend.query('DELETE FROM app_calls');
  const callOf = ({ done, ...row }: Row): Call => ({ ...row, done: Number(done) === 1 });
  const group = async ({ operation, subject }: Pick<Call, 'operation' | 'subject'>, tx: Transaction) =>
    (
      await sqlTransaction(tx).run<Row>(
        sql`SELECT * FROM app_calls WHERE operation = ${operation} AND subject = ${subject} ORDER BY id`,
      )
    ).rows.map(callOf);
  return {
    group,
    insert: async (calls, tx) => {
      for (const { id, operation, subject } of calls)
        await connectionOf(db, tx).run(sql`INSERT INTO app_calls VALUES (${id}, ${operation}, ${subject}, 0)`);
    },
    all: async () => (await db.run<Row>(sql`SELECT * FROM app_calls ORDER BY id`)).rows.map(callOf),
    markDone: async (id, tx) => {
      const own = sqlTransaction(tx);
      const [row] = (await own.run<Row>(sql`SELECT * FROM app_calls WHERE id = ${id}`)).rows;
      const { operation, subject } = row!;
      await own.run(
        sql`SELECT id FROM app_calls WHERE operation = ${operation} AND subject = ${subject} ORDER BY id FOR UPDATE`,
      );
      await own.run(sql`UPDATE app_calls SET done = 1 WHERE id = ${id}`);
      return group(callOf(row!), tx);
    },
    transaction: (work) => db.transaction(work),
  };
}
