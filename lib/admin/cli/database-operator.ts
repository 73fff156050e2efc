import { type CommandOptions, outboxTablesOf } from './commands.js';
import { TextsOfCommand } from './texts-of-command.js';
import { callsInSight, storyOfOutgoing } from '../outgoing-in-sight.js';
import { OperatorActs } from '../../acts/operator-acts.js';
import { Effects } from '../../effects/effects.js';
import type { EffectStorage } from '../../effects/effect-storage.js';
import { effectTables } from '../../effects/entries/effect-scope.sql.js';
import { sqlEffectStorage } from '../../effects/entries/sql-effect-storage.js';
import { ResultWaiter } from '../../engine/client/result-waiter.js';
import { WorkflowClient } from '../../engine/client/workflow-client.js';
import { sqlEngineStorage } from '../../engine/compose/sql-engine-storage.js';
import { withStoredErrors } from '../../engine/compose/stored-answers.js';
import { awaitedOf } from '../../engine/effects/effect-completions.js';
import type { EngineStorage } from '../../engine/model/engine-storage.js';
import { NO_OUTGOING } from '../../engine/model/outgoing-erasure.js';
import { Payloads } from '../../engine/model/payloads.js';
import { WorkflowSchedules } from '../../engine/schedules/workflow-schedules.js';
import { MissingTableError } from '../../errors/setup-errors.js';
import { Operator } from '../../operator/operator.js';
import { HooksOfRuns } from '../../outbox/client/hooks-of-runs.js';
import { OutboxOperations } from '../../outbox/client/outbox-operations.js';
import { SqlOutboxWriter } from '../../outbox/events/sql-outbox-writer.js';
import { sqlRelayStorage } from '../../outbox/relay/sql-relay-storage.js';
import { jsonCodec } from '../../protocol/codec.js';
import { createNotifier } from '../../sql/create-notifier.js';
import { validatePrefix } from '../../sql/migrations/migrator.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { tablesWithPrefix } from '../../sql/tables.js';
import { timeLimited } from '../../sql/time-limited-executor.js';
import { systemClock } from '../../time/clock.js';
import { SqlAnswerWriter } from '../../transport/sql-answer-writer.js';
import { SqlTaskDispatcher } from '../../transport/sql-task-dispatcher.js';
import { SqlTaskSource } from '../../transport/sql-task-source.js';

export interface OperatorOptions extends Omit<CommandOptions, 'url'> {
  namespace: string;
}

/** The largest payload that a command writes, in bytes. */
const PAYLOAD_BYTES = 1 << 20;

export interface DatabaseOperator {
  operator: Operator;
  effects: EffectStorage;
}

/** What an operator sees and does on a database, without the app: names in place of classes, and the default codec. */
export async function databaseOperator(db: SqlExecutor, options: OperatorOptions): Promise<DatabaseOperator> {
  const { prefix, namespace } = options;
  validatePrefix(prefix);
  const executor = timeLimited(db);
  const tables = tablesWithPrefix(prefix);
  const notifier = createNotifier(executor, prefix, () => undefined);
  const outbox = outboxOn(executor, options);
  const isOn = options.outbox !== false && (await isThere(outbox.hooks));
  const sql = sqlEngineStorage(executor, tables, notifier);
  const payloads = new Payloads(jsonCodec, { payloadBytes: PAYLOAD_BYTES });
  const sealed = new Payloads(jsonCodec, { payloadBytes: PAYLOAD_BYTES }, new TextsOfCommand());
  const engine: EngineStorage = {
    ...sql,
    dispatcher: withStoredErrors(new SqlTaskDispatcher(executor, tables, notifier), sealed, sql.catalog),
    answers: new SqlAnswerWriter(executor, tables, notifier),
    hooks: isOn ? outbox.hooks : undefined,
  };
  const effects = sqlEffectStorage(executor, effectTables(prefix), notifier, {
    awaited: awaitedOf(engine.effectWaits),
  });
  const ports = { storage: engine, payloads, namespace, clock: systemClock, resolve: named };
  const operator = new Operator({
    client: new WorkflowClient({
      ...ports,
      outgoing: NO_OUTGOING,
      outgoingStory: storyOfOutgoing({ effects, outbox: isOn ? { relay: outbox.relay } : undefined }),
      waiter: new ResultWaiter(engine.catalog, { pollMs: 1_000, onError: () => undefined }),
      calls: callsInSight(effects),
    }),
    scheduling: new WorkflowSchedules(ports),
    acts: new OperatorActs(engine.acts, namespace),
    engine,
    source: new SqlTaskSource(executor, tables, notifier),
    namespace,
    clock: systemClock,
    outbox: { operations: outbox.operations, insight: outbox.relay.insight, isOn },
    effects: {
      effects: new Effects(effects, { codec: jsonCodec, payloadBytes: PAYLOAD_BYTES }),
      insight: effects.insight,
      audit: effects.audit,
      isOn: true,
    },
  });
  return { operator, effects };
}

/** A command passes names, never classes; 1 leaves a run its version, which may only be higher. */
const named = (workflow: unknown) => ({ name: String(workflow), version: 1 });

function outboxOn(executor: SqlExecutor, options: OperatorOptions) {
  const tables = outboxTablesOf(options.prefix, options);
  const notifier = createNotifier(executor, options.prefix, () => undefined);
  const writer = new SqlOutboxWriter(executor, tables, notifier, options.outboxOrdering ?? 'commit');
  const relay = sqlRelayStorage(executor, tables, { retains: false });
  const operations = new OutboxOperations(relay, () => writer.wake([]));
  return { relay, operations, hooks: new HooksOfRuns({ writer, relay }, options.namespace) };
}

/** Whether the app has an outbox; reads the hooks that its processes have declared. */
async function isThere(hooks: HooksOfRuns): Promise<boolean> {
  try {
    await hooks.look();
    return true;
  } catch (error) {
    if (error instanceof MissingTableError) return false;
    throw error;
  }
}
