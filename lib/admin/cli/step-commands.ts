import type { Command } from 'commander';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { valueOf } from './json-text.js';
import type { OperatorCommands } from './operator-command.js';

interface FailFlags {
  message: string;
  code?: string;
  final?: boolean;
}

/** Adds the commands that change steps: by the id of their run and their position. */
export function addSteps(steps: Command, commands: OperatorCommands): void {
  commands.add<{ result?: string }>(
    // `--output` is the format.
    steps.command('complete <run> <seq>').option('--result <json>', 'its output, as JSON'),
    'Answer a pending remote step in place of its worker',
    { changes: true },
    async ({ operator, given, flags, by, print }) => {
      const [run, seq] = stepOf(given);
      await operator.steps.complete(run, seq, valueOf('--result', flags.result), by);
      print.changed({ run, seq }, [run], `Completed step ${seq} of run "${run}"`);
    },
  );
  const fail = steps
    .command('fail <run> <seq>')
    .requiredOption('--message <text>', 'the message of its error')
    .option('--code <code>', 'the code of its error')
    .option('--final', 'it is not retried');
  commands.add<FailFlags>(
    fail,
    'Fail an attempt of a pending remote step',
    { changes: true },
    async ({ operator, given, flags: { message, code, final }, by, print }) => {
      const [run, seq] = stepOf(given);
      const failure = { message, ...(code !== undefined && { code }), ...(final && { retryable: false }) };
      await operator.steps.fail(run, seq, failure, by);
      print.changed({ run, seq }, [run], `Failed step ${seq} of run "${run}"`);
    },
  );
  commands.add(
    steps.command('now <run> <seq>'),
    'Make the next attempt of a failed step due now',
    { changes: true },
    async ({ operator, given, by, print }) => {
      const [run, seq] = stepOf(given);
      await operator.steps.now(run, seq, by);
      print.changed({ run, seq }, [run], `Step ${seq} of run "${run}" is due now`);
    },
  );
}

function stepOf([run = '', text = '']: readonly string[]): [run: string, seq: number] {
  const seq = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(seq)) return [run, seq];
  throw new InvalidArgumentError('The step', text, 'its position, a whole number');
}
