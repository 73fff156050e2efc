import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import type { ActedBy } from '../../acts/act.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { type CliEnvironment, EXIT } from './cli-environment.js';
import type { CommandOptions } from './commands.js';
import { consent } from './consent.js';
import { type DatabaseOperator, databaseOperator } from './database-operator.js';
import { givenIds } from './given-ids.js';
import { withDatabase } from './open-database.js';
import { describe, withFormat, withOutbox } from './shared-options.js';
import { type Format, Printer } from './printer.js';

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
export const pageOf = ({ limit, cursor }: Pick<OperatorFlags, 'limit' | 'cursor'>, most: number) => ({
  ...(limit !== undefined && { limit: countOf('--limit', limit, most)! }),
  ...(cursor !== undefined && { cursor }),
});
