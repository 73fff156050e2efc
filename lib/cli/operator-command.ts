import { asError } from '../core/thrown.js';
import { hostname, userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import { createInterface as createDialogue } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { type ActedBy, OperatorActs } from '../acts/acts.js';
import { type Codec, type CodecContext, jsonCodec, StoredTexts } from '../core/codec.js';
import { DurableError, InvalidArgumentError, MissingTableError } from '../core/errors.js';
import { defined } from '../core/options.js';
import { sealingKeyOf } from '../core/sealing.js';
import { Telemetry } from '../core/telemetry.js';
import { systemClock } from '../core/time.js';
import type { WireError } from '../core/wire-error.js';
import { Effects } from '../effects/effects.js';
import type { EffectStorage } from '../effects/entries.js';
import { sqlEffectStorage } from '../effects/entries.sql.js';
import { effectTables } from '../effects/tables.sql.js';
import { WorkflowClient } from '../engine/client/client.js';
import { ResultWaiter } from '../engine/client/results.js';
import { WorkflowSchedules } from '../engine/client/schedules.js';
import { NO_OUTGOING } from '../engine/erasure.js';
import { Payloads } from '../engine/payloads.js';
import { withStoredErrors } from '../engine/play/engine.js';
import { awaitedOf } from '../engine/signals.js';
import type { EngineStorage } from '../engine/storage.js';
import { sqlEngineStorage } from '../engine/storage.sql.js';
import { callsInSight, storyOfOutgoing } from '../nest/outgoing.js';
import { Operator } from '../operate/operator.js';
import { SqlOutboxWriter } from '../outbox/events.sql.js';
import { HooksOfRuns, OutboxOperations } from '../outbox/outbox.js';
import { findOutbox } from '../outbox/schema.sql.js';
import { sqlRelayStorage } from '../outbox/storage.sql.js';
import type { SqlExecutor } from '../sql/executor.js';
import type { Notifier } from '../sql/notifier.js';
import type { Tables } from '../sql/tables.js';
import { DbTransport } from '../worker/db-transport.js';
import { type CommandOptions, outboxTablesOf, tablesOf, withDatabase } from './database.js';
import { type CliEnvironment, EXIT, type Format, FORMATS, Printer } from './print.js';

/** What every command on an operator has been given. */
export interface OperatorFlags extends CommandOptions {
  namespace: string;
  output: Format;
  actor?: string;
  reason: string;
  yes?: boolean;
  limit?: string;
  cursor?: string;
}

export interface Call<Flags> extends DatabaseOperator {
  /** The arguments that are no options. */
  given: readonly string[];
  flags: Flags & OperatorFlags;
  print: Printer;
  by: ActedBy;
  environment: CliEnvironment;
  /** The ids among the arguments or, with `-`, in the input. */
  ids: () => Promise<readonly string[]>;
  /** From here on the command is not interrupted: it looks for `interrupted` itself, and ends what it has begun. */
  finishes: () => void;
  /** Asks before something is destroyed. */
  consent: (what: string) => Promise<void>;
}

/** Undefined: 0. */
type Action<Flags> = (call: Call<Flags>) => Promise<number | void>;

interface Asks {
  /** Whether it changes something: then it needs a reason. */
  changes?: boolean;
  /** Whether it destroys something: then it asks. */
  destroys?: boolean;
  /** Whether it prints a page of many. Its default size. */
  pages?: number;
}

/** Adds commands that do one thing on an `Operator`. */
export class OperatorCommands {
  constructor(
    private readonly environment: CliEnvironment,
    private readonly exit: (code: number) => void,
  ) {}

  add<Flags extends object>(
    command: Command,
    text: string,
    { changes = false, destroys = false, pages }: Asks,
    action: Action<Flags>,
  ): Command {
    withFormat(withOutbox(describe(command, text))).option('--namespace <namespace>', 'of which app', 'default');
    if (command.registeredArguments.some(({ variadic }) => variadic))
      command.addHelpText('after', '\nInstead of ids, - reads them from the input, one per line.');
    if (pages !== undefined)
      command
        .option('--limit <count>', `the maximum number of rows (default: ${pages})`)
        .option('--cursor <cursor>', 'go on where the previous page ended');
    if (changes)
      command
        .requiredOption('--reason <text>', 'why, for the record of acts')
        .option('--actor <name>', 'who (default: cli:<user>@<host>)');
    if (destroys) command.option('--yes', 'do not ask');
    return command.action(async () => this.exit((await this.run(command, action)) ?? EXIT.done));
  }

  private run<Flags extends object>(command: Command, action: Action<Flags>): Promise<number | void> {
    const { environment } = this;
    const { env } = environment;
    const given = command.args;
    const flags = { ...command.opts<Flags & OperatorFlags>(), env };
    const print = new Printer(environment, flags.output);
    const url = flags.url ?? env['DATABASE_URL'];
    const { interrupted } = environment;
    const finishes = new AbortController();
    const interrupts = new AbortController();
    const interrupt = () => interrupts.abort(interrupted?.reason);
    if (interrupted?.aborted) interrupt();
    interrupted?.addEventListener('abort', interrupt, { once: true, signal: finishes.signal });
    // An input can be read once.
    let ids: Promise<readonly string[]> | undefined;
    return withDatabase(
      url,
      async (executor) =>
        action({
          ...(await databaseOperator(executor, flags)),
          given,
          flags,
          print,
          environment,
          by: { actor: flags.actor ?? actorHere(), reason: flags.reason },
          finishes: () => {
            interrupts.signal.throwIfAborted();
            finishes.abort();
            environment.finishes?.();
          },
          ids: () => (ids ??= givenIds(given, environment.input)),
          consent: (what) => consent({ yes: flags.yes === true, what }, environment),
        }),
      interrupted && interrupts.signal,
    ).finally(() => finishes.abort());
  }
}

/** Who runs this command. In a container the user may have no name. */
export function actorHere(): string {
  try {
    return `cli:${userInfo().username}@${hostname()}`;
  } catch {
    return `cli:${process.getuid?.() ?? 'somebody'}@${hostname()}`;
  }
}

/** @throws InvalidArgumentError */
export function countOf(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1 && count <= most) return count;
  throw new InvalidArgumentError(option, text, `a whole number from 1 to ${most}`);
}

/** @throws InvalidArgumentError */
export function timeOf(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError(option, text, 'a time such as 2030-01-31T12:00:00Z');
}

/** What a page of an operator is asked with. */
export const pageOf = ({ limit, cursor }: Pick<OperatorFlags, 'limit' | 'cursor'>, most: number) =>
  defined({ limit: countOf('--limit', limit, most), cursor });

/** The most that one command lists, and the most of a page of an operator. */
const MOST_LISTED = 100_000;
export const PAGE = 1_000;

interface Listed<Row> {
  rows: Row[];
  cursor?: string;
}

/** Asks for page after page until there are `--limit` rows, 100 by default: a page may be short or empty. */
export async function gathered<Row>(
  { flags, environment: { isUnread = () => false } }: Pick<Call<unknown>, 'flags' | 'environment'>,
  pageSize: number,
  ask: (page: { limit: number; cursor?: string }) => Promise<Listed<Row>>,
): Promise<Listed<Row>> {
  const most = countOf('--limit', flags.limit, MOST_LISTED) ?? 100;
  const rows: Row[] = [];
  let { cursor } = flags;
  do {
    const page = await ask({ limit: Math.min(pageSize, most - rows.length), ...(cursor !== undefined && { cursor }) });
    rows.push(...page.rows);
    cursor = page.cursor;
  } while (cursor !== undefined && rows.length < most && !isUnread());
  return { rows, ...(cursor !== undefined && { cursor }) };
}

export interface OperatorOptions extends Omit<CommandOptions, 'url'> {
  namespace: string;
}

/** The largest payload that a command writes, in bytes. */
const PAYLOAD_BYTES = 1 << 20;

interface DatabaseOperator {
  operator: Operator;
  effects: EffectStorage;
}

/** What an operator sees and does on a database, without the app: names in place of classes, and the default codec. */
export async function databaseOperator(db: SqlExecutor, options: OperatorOptions): Promise<DatabaseOperator> {
  const { namespace } = options;
  const { prefix, home } = tablesOf(options);
  const transport = new DbTransport({ executor: db, prefix, ...defined({ schema: home.schema }) }, new Telemetry());
  const { executor, tables, notifier, dispatcher, answers, source } = transport.forEngine();
  const outbox = await outboxOn(executor, tables, notifier, options);
  const isOn = options.outbox !== false && (await isThere(outbox.hooks));
  const sql = sqlEngineStorage(executor, tables, notifier);
  const payloads = new Payloads(jsonCodec, { payloadBytes: PAYLOAD_BYTES });
  const sealed = new Payloads(jsonCodec, { payloadBytes: PAYLOAD_BYTES }, new TextsOfCommand());
  const engine: EngineStorage = {
    ...sql,
    dispatcher: withStoredErrors(dispatcher, sealed, sql.catalog),
    answers,
    hooks: isOn ? outbox.hooks : undefined,
  };
  const effects = sqlEffectStorage(executor, effectTables(prefix, tables.home), notifier, {
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
    source,
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

async function outboxOn(executor: SqlExecutor, ours: Tables, notifier: Notifier, options: OperatorOptions) {
  const tables = outboxTablesOf(ours, options);
  await findOutbox(executor, tables);
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

/** A command does not know the codec of the app. */
const NO_CODEC: Codec = {
  ...jsonCodec,
  encode: () => {
    throw new TypeError('A command has no codec');
  },
};

/** Of an error that no engine has recorded, only name and code stay, unless its run shows that the app has no codec. */
export class TextsOfCommand extends StoredTexts {
  constructor() {
    super(NO_CODEC);
  }

  override seal(wire: WireError, context?: CodecContext): WireError {
    return isPlain(context?.input) ? wire : super.seal(wire, context);
  }

  /** Nobody can tell without the codec. */
  protected override isOfCodec(): boolean {
    return true;
  }
}

/** Whether the app has no codec: the default one can read it, and it is not sealed. */
function isPlain(text: string | undefined): boolean {
  try {
    if (text !== undefined) jsonCodec.decode(text);
    return text !== undefined && sealingKeyOf(text) === undefined;
  } catch {
    return false;
  }
}

interface Asked {
  /** `--yes`. */
  yes?: boolean;
  /** What would be done, such as `Delete 3 runs`. */
  what: string;
}

/** Asks before something is destroyed. @throws InvalidArgumentError if nobody can be asked, or the answer is no */
export async function consent(
  { yes = false, what }: Asked,
  { asks = false, input, err, interrupted }: CliEnvironment,
): Promise<void> {
  if (yes) return;
  if (!asks || !input?.readable)
    throw new InvalidArgumentError('--yes', undefined, 'it', `Nobody can be asked whether to ${what}: pass --yes`);
  err(`${what[0]!.toUpperCase()}${what.slice(1)}? Type yes`);
  const lines = createDialogue({ input });
  // A question is not answered by the end of the input.
  const ended = new Promise<string>((resolve) => lines.once('close', () => setImmediate(resolve, '')));
  const asked = lines.question('', { signal: interrupted });
  const answer = await Promise.race([asked, ended]).finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new InvalidArgumentError('The answer', answer, 'yes; nothing was done');
}

/** The most ids that are read. */
const MOST = 100_000;
const LONGEST = 255;

/** The ids of the arguments; `-` stands for the lines of the input. Each once. @throws InvalidArgumentError */
async function givenIds(
  given: readonly string[],
  input: NodeJS.ReadableStream | undefined,
): Promise<readonly string[]> {
  if (!given.includes('-')) return [...new Set(given)];
  if (given.length > 1) throw new InvalidArgumentError('The ids', given.join(' '), 'either ids or - alone');
  return linesOf(input);
}

async function linesOf(input: NodeJS.ReadableStream | undefined): Promise<string[]> {
  const ids = new Set<string>();
  for await (const line of input ? createInterface({ input, crlfDelay: Infinity }) : []) {
    // What some programs write at the beginning of a file.
    const id = line.replace(/^\uFEFF/, '');
    if (id.trim() === '') continue;
    if (id.length > LONGEST || /\p{Cc}/u.test(id))
      throw new InvalidArgumentError('A line of the input', id, `an id of at most ${LONGEST} characters`);
    if (ids.size === MOST) throw new InvalidArgumentError('The input', `of more ids`, `at most ${MOST} ids`);
    ids.add(id);
  }
  if (ids.size === 0) throw new InvalidArgumentError('The input', '', 'ids, one per line');
  return [...ids];
}

/** The module's options of the same names. */
export const withOutbox = (command: Command): Command =>
  command
    .option('--no-outbox', 'the app has no outbox')
    .option(
      '--outbox-table <name>',
      'the table that events are written to (default: ADBC_OUTBOX_TABLE_TABLE_NAME, <prefix>_outbox)',
    )
    .option(
      '--outbox-nodes-table <name>',
      'the table of relay processes (default: ADBC_NODES_TABLE_TABLE_NAME, <prefix>_outbox_nodes)',
    )
    .option(
      '--outbox-schema <name>',
      'the schema of both tables (default: ADBC_OUTBOX_TABLE_TABLE_SCHEMA, that of the others)',
    )
    .addOption(
      new Option('--outbox-ordering <ordering>', 'when events get their numbers (default: commit)').choices([
        ...['commit', 'insert', 'none'],
      ]),
    );

export const describe = (command: Command, text: string): Command =>
  command
    .description(text)
    .option('--url <url>', 'the database: postgres://…, mysql://… or mariadb://… (default: DATABASE_URL)')
    .option('--prefix <prefix>', 'the prefix of all table names', 'durable')
    .option(
      '--schema <name>',
      'the schema of all tables, or their database (default: where the connection finds them)',
    );

/** In which form results are printed. */
export const withFormat = (command: Command): Command =>
  command.addOption(new Option('-o, --output <format>', 'what is printed').choices(FORMATS).default('table'));

/** Codes of errors of things that are not there. */
const MISSING = ['WORKFLOW_NOT_FOUND', 'STEP_NOT_FOUND', 'SCHEDULE_NOT_FOUND', 'NODE_NOT_FOUND'];

export const tellsAbsence = (error: unknown): error is DurableError =>
  error instanceof DurableError && MISSING.includes(error.code);

interface Refused {
  id: string;
  why: string;
}

/** What a change of several things did. */
interface Gathered {
  done: string[];
  refused: Refused[];
}

interface Each {
  /** What is said of a thing that was changed. */
  told: (id: string) => string;
  /** Changes one. Returns why nothing was done. */
  change: (id: string) => Promise<string | void>;
}

/**
 * Changes one thing after the other, and then prints what was done, also when it cannot go on. Returns 4 if some are not
 * there, 1 if there was nothing to do for some.
 */
export async function eachId(call: Call<unknown>, { told, change }: Each): Promise<number> {
  const ids = await call.ids();
  const { print, environment } = call;
  const gathered: Gathered = { done: [], refused: [] };
  let code: number = EXIT.done;
  call.finishes();
  try {
    for (const [at, id] of ids.entries()) {
      if (environment.interrupted?.aborted) return interrupted(call, ids.slice(at));
      const [why, worst] = await outcomeOf(() => change(id));
      if (why === undefined) gathered.done.push(id);
      else gathered.refused.push({ id, why });
      code = Math.max(code, worst);
    }
    return code;
  } finally {
    for (const { id, why } of gathered.refused) print.words(`${id}: ${why}`);
    print.gathered(gathered, gathered.done, gathered.done.map(told));
  }
}

async function outcomeOf(change: () => Promise<string | void>): Promise<[why: string | undefined, code: number]> {
  try {
    const why = (await change()) ?? undefined;
    return [why, why === undefined ? EXIT.done : EXIT.behind];
  } catch (error) {
    if (tellsAbsence(error)) return [error.message, EXIT.missing];
    throw error;
  }
}

function interrupted({ print }: Call<unknown>, [first = '', ...more]: readonly string[]): number {
  print.words(`Interrupted: nothing was done from "${first}" on, ${more.length + 1} in all`);
  return EXIT.interrupted;
}

/** What methods call an argument, and the option that it was given as. */
const OPTIONS: Readonly<Record<string, string>> = {
  actor: '--actor',
  attributes: '--attribute',
  batchSize: '--batch-size',
  createdAfter: '--created-after',
  createdBefore: '--created-before',
  cursor: '--cursor',
  destination: '--destination',
  export: '--export',
  from: '--from',
  group: '--group',
  id: '--id',
  kind: '--kind',
  limit: '--limit',
  module: '--module',
  olderThan: '--older-than',
  reason: '--reason',
  runner: '--runner',
  since: '--since',
  status: '--status',
  until: '--until',
  version: '--workflow-version',
  youngerThan: '--younger-than',
};

/** The message of an error, in the words of the command line. */
export function saidHere(thrown: unknown): string {
  const { message, code } = asError(thrown) as Error & { code?: unknown };
  const [named = '', argument = ''] = /^(\w+) is /.exec(message) ?? [];
  const option = code === 'INVALID_ARGUMENT' ? OPTIONS[argument] : undefined;
  return option === undefined ? message : `${option} is ${message.slice(named.length)}`;
}
