import { asError } from '../core/thrown.js';
import { Command, CommanderError } from 'commander';
import { PACKAGE_VERSION } from '../core/protocol.js';
import { sleep } from '../core/time.js';
import { addCheck } from './check-command.js';
import { addDashboard } from './dashboard-command.js';
import {
  addFleet,
  addHolds,
  addLimits,
  addNodes,
  addSchedules,
  addSignals,
  addTop,
  addVersions,
} from './fleet-commands.js';
import { describe, OperatorCommands, saidHere, tellsAbsence, withOutbox } from './operator-command.js';
import { addEffects, addOutbox } from './outgoing-commands.js';
import { type CliEnvironment, EXIT, visible } from './print.js';
import { addRunChanges } from './run-changes.js';
import { addRunRelations, addRunViews, addSteps } from './run-commands.js';
import { addDoctor, addTables, doctorCommand } from './table-commands.js';

const ROOT_HELP = `
Where a command takes ids, - stands for those of the input, one per line:
  nest-durable runs list --blocked -o ids | nest-durable runs retry - --reason 'fixed in 1.4.2'

Exit codes: 0 done, 1 behind or refused, 2 it could not be told or the arguments are wrong,
3 warnings with --strict, 4 there is no such run, step or schedule, 130 interrupted`;

/** How long what is interrupted may take to end. */
const END_MS = 3_000;
/** Longer than any command runs. */
const HELD_MS = 2 ** 31 - 1;

/** Runs one command and returns the exit code. Never rejects; prints errors as one line. */
export async function runCli(args: readonly string[], environment: CliEnvironment): Promise<number> {
  const { interrupted, err } = environment;
  let exitCode: number = EXIT.done;
  let isWrong = false;
  const complain = (line: string) => {
    isWrong = true;
    err(line);
  };
  let finishes = false;
  const program = programOf(
    { ...environment, finishes: () => (finishes = true) },
    complain,
    (code) => (exitCode = code),
  );
  const ended = program.parseAsync(args, { from: 'user' }).then(
    () => exitCode,
    // Commander has already printed help, or what is wrong with the arguments.
    (thrown: unknown) => {
      const error = asError(thrown);
      return error instanceof CommanderError ? (isWrong ? EXIT.failed : EXIT.done) : failed(error, environment);
    },
  );
  return interrupted ? Promise.race([ended, abandoned(interrupted, { ended, finishes: () => finishes })]) : ended;
}

interface Abandoning {
  ended: Promise<number>;
  /** Whether the command ends by itself, after what it has begun. */
  finishes: () => boolean;
}

function failed(error: unknown, { err, paintError = (_, text) => text, interrupted }: CliEnvironment): number {
  if (interrupted?.aborted) return EXIT.interrupted;
  const [line] = saidHere(error).split('\n');
  err(`${paintError('red', 'error:')} ${visible(line ?? '')}`);
  return tellsAbsence(error) ? EXIT.missing : EXIT.failed;
}

/** Resolves some time after an interruption: a command that does not listen to it ends with the process. */
async function abandoned(interrupted: AbortSignal, { ended, finishes }: Abandoning): Promise<number> {
  const over = new AbortController();
  void ended.finally(() => over.abort('over'));
  await sleep(HELD_MS, AbortSignal.any([interrupted, over.signal]));
  await sleep(END_MS, over.signal);
  return finishes() ? ended : EXIT.interrupted;
}

function programOf(
  environment: CliEnvironment,
  complain: (line: string) => void,
  exit: (code: number) => void,
): Command {
  const { env, out } = environment;
  const program = new Command('nest-durable')
    .description('Creates, checks and examines the tables of nest-durable, and shows and repairs what is in them.')
    .addHelpText('after', ROOT_HELP);
  program
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => complain(text.trimEnd()) })
    .version(PACKAGE_VERSION, '-V, --version', 'print the version of this package');
  const { DATABASE_URL: url } = env;
  addTables(program, environment, exit);
  addDoctor(
    withOutbox(
      describe(
        program.command('doctor'),
        'Examine the database: exit code 0 if all is well, 1 on findings that are errors, 2 if something could not be told, 3 on warnings with --strict',
      ),
    ),
    async ({ url: given, ...options }) => exit(await doctorCommand({ ...options, url: given ?? url, env }, out)),
  );
  const commands = new OperatorCommands(environment, exit);
  addFleet(program, commands);
  addVersions(program, commands);
  addTop(program, commands);
  addDashboard(program, environment, exit);
  const noun = (name: string, text: string) => program.command(name).description(text);
  addLimits(noun('limits', 'Show limits, and who waits for them'), commands);
  addSignals(noun('signals', 'Show and change signals that nobody took'), commands);
  addNodes(noun('nodes', 'Show processes, and drain them'), commands);
  const runs = noun('runs', 'Show and change runs');
  addRunViews(runs, commands);
  addRunRelations(runs, commands);
  addRunChanges(runs, commands);
  addSteps(noun('steps', 'List and change steps of runs'), commands);
  addSchedules(noun('schedules', 'Show and change schedules'), commands);
  addOutbox(noun('outbox', 'Show and repair events that are not delivered'), commands);
  addEffects(noun('effects', 'Show and repair calls to the outside'), commands);
  addHolds(noun('holds', 'Show and change holds'), commands);
  addCheck(program, environment, exit);
  return program;
}
