import { type Command, Option } from 'commander';
import { type CommandOptions, outboxTablesOf } from './commands.js';
import { actorHere } from './operator-command.js';
import { withDatabase } from './open-database.js';
import { Effects } from '../../effects/effects.js';
import { effectTables } from '../../effects/entries/effect-scope.sql.js';
import { sqlEffectStorage } from '../../effects/entries/sql-effect-storage.js';
import { ClientRemoval, type PurgeSignalsOptions } from '../../engine/client/client-control.js';
import { sqlEngineStorage } from '../../engine/compose/sql-engine-storage.js';
import { awaitedOf } from '../../engine/effects/effect-completions.js';
import { SqlEffectWaits } from '../../engine/effects/sql-effect-waits.js';
import type { RunStatus } from '../../engine/model/run.js';
import { OutboxOperations } from '../../outbox/client/outbox-operations.js';
import { sqlRelayStorage } from '../../outbox/relay/sql-relay-storage.js';
import { jsonCodec } from '../../protocol/codec.js';
import { createNotifier } from '../../sql/create-notifier.js';
import { validatePrefix } from '../../sql/migrations/migrator.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { tablesWithPrefix } from '../../sql/tables.js';
import type { Duration } from '../../time/duration.js';
import { SqlAnswerWriter } from '../../transport/sql-answer-writer.js';
import { SqlTaskDispatcher } from '../../transport/sql-task-dispatcher.js';

/** What can be deleted. */
const ENDED = {
  runs: (db: SqlExecutor, { status, ...options }: PurgeCommandOptions) =>
    removalOn(db, options).purge({
      ...askedOf(options),
      ...(status && { status: status as RunStatus[] }),
    }),
  signals: (db: SqlExecutor, options: PurgeCommandOptions) => removalOn(db, options).purgeSignals(askedOf(options)),
  effects: (db: SqlExecutor, options: PurgeCommandOptions) => effectsOn(db, options).purge(askedOf(options)),
  'abandoned-effects': (db: SqlExecutor, options: PurgeCommandOptions) =>
    effectsOn(db, options).purge({ ...askedOf(options), status: 'abandoned' }),
  'effect-audit': (db: SqlExecutor, options: PurgeCommandOptions) =>
    effectsOn(db, options).purgeAuditLog(askedOf(options)),
  'dead-letters': (db: SqlExecutor, options: PurgeCommandOptions) => {
    const relay = sqlRelayStorage(db, outboxTablesOf(options.prefix, options), { retains: false });
    return new OutboxOperations(relay, () => undefined).purgeDeadLetters(askedOf(options));
  },
} as const;

export interface PurgeCommandOptions extends CommandOptions {
  olderThan: string;
  namespace: string;
  what: keyof typeof ENDED;
  status?: string[];
  actor?: string;
  reason?: string;
}

type Print = (line: string) => void;

/** Deletes what ended long ago. */
export async function purgeCommand(options: PurgeCommandOptions, print: Print): Promise<number> {
  const { prefix, url, what } = options;
  validatePrefix(prefix);
  const purged = await withDatabase(url, (executor) => ENDED[what](executor, options));
  print(`Deleted ${purged} ${what}`);
  return 0;
}

export function addPurge(
  command: Command,
  { url, env }: Pick<CommandOptions, 'url' | 'env'>,
  out: Print,
  exit: (code: number) => void,
): void {
  command
    .requiredOption('--older-than <duration>', 'the minimum time since they ended: 30d, 12h, 90m')
    .addOption(new Option('--what <what>', 'what to delete').choices(Object.keys(ENDED)).default('runs'))
    .option('--status <status...>', 'only runs that ended with one of these (default: all)')
    .option('--namespace <namespace>', 'whose runs and signals', 'default')
    .option('--reason <text>', 'why: then the record of acts has it')
    .option('--actor <name>', 'who (default: cli:<user>@<host>)')
    .action(async ({ url: given, ...options }: PurgeCommandOptions) =>
      exit(await purgeCommand({ ...options, url: given ?? url, env }, out)),
    );
}

/** Recorded if there is a reason or an actor. */
const askedOf = ({ reason, actor, ...options }: PurgeCommandOptions): PurgeSignalsOptions => ({
  olderThan: ageOf(options),
  ...((reason !== undefined || actor !== undefined) && {
    actor: actor ?? actorHere(),
    ...(reason !== undefined && { reason }),
  }),
});

const ageOf = ({ olderThan }: Pick<PurgeCommandOptions, 'olderThan'>): Duration =>
  (/^\d+$/.test(olderThan) ? Number(olderThan) : olderThan) as Duration;

function removalOn(db: SqlExecutor, { prefix, namespace }: Pick<PurgeCommandOptions, 'prefix' | 'namespace'>) {
  const tables = tablesWithPrefix(prefix);
  const notifier = createNotifier(db, prefix, () => undefined);
  const engine = sqlEngineStorage(db, tables, notifier);
  const dispatcher = new SqlTaskDispatcher(db, tables, notifier);
  const answers = new SqlAnswerWriter(db, tables, notifier);
  return new ClientRemoval({ ...engine, dispatcher, answers }, namespace);
}

function effectsOn(db: SqlExecutor, { prefix }: Pick<PurgeCommandOptions, 'prefix'>): Effects {
  const notifier = createNotifier(db, prefix, () => undefined);
  const awaited = awaitedOf(new SqlEffectWaits(tablesWithPrefix(prefix)));
  const storage = sqlEffectStorage(db, effectTables(prefix), notifier, { awaited });
  return new Effects(storage, { codec: jsonCodec, payloadBytes: 0 });
}
