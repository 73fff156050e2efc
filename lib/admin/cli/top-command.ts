import type { Command } from 'commander';
import { QuestionTimeoutError } from '../../errors/database-errors.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { stopwatch } from '../../time/clock.js';
import { sleep } from '../../time/sleep.js';
import { QUEUES } from './fleet-commands.js';
import { NODES } from './node-commands.js';
import type { Call, OperatorCommands } from './operator-command.js';
import { tableOf } from './table.js';

interface TopFlags {
  once?: boolean;
  interval: string;
}

/** The part of the time that looking may take: a slow database is asked less often. */
const SHARE = 0.1;
const CLEAR = '\u001b[2J\u001b[H';

/** Adds `top`. */
export function addTop(program: Command, commands: OperatorCommands): void {
  const command = program
    .command('top')
    .option('--interval <seconds>', 'the time between two looks', '2')
    .option('--once', 'print once, as it does where the output is no terminal');
  commands.add<TopFlags>(command, 'Show queues and processes, again and again', {}, top);
}

async function top(call: Call<TopFlags>): Promise<void> {
  const { flags, print, environment } = call;
  const { draws = false, interrupted, isUnread = () => false } = environment;
  const intervalMs = intervalOf(flags.interval) * 1_000;
  const once = flags.once === true || !draws;
  do {
    const begun = stopwatch.now();
    const lines = await linesOf(call);
    print.out(once ? lines.join('\n') : `${CLEAR}${lines.join('\n')}`);
    if (!once) await sleep(Math.max(intervalMs, (stopwatch.now() - begun) / SHARE), interrupted);
  } while (!once && interrupted?.aborted !== true && !isUnread());
}

/** One question after the other, each of them bounded; one that takes too long is asked again with the next look. */
async function linesOf({ operator, print }: Call<TopFlags>): Promise<string[]> {
  try {
    const [{ queues, cursor }, nodes] = [await operator.queues(), await operator.nodes()];
    if (print.format === 'json') return [JSON.stringify({ queues, nodes })];
    if (print.format === 'ids') return [...queues.map(({ group }) => group), ...nodes.map(({ id }) => id)];
    const more = cursor === undefined ? [] : ['There are more queues: nest-durable queues'];
    return [...tableOf(queues, QUEUES), ...more, '', ...tableOf(nodes, NODES)];
  } catch (error) {
    if (error instanceof QuestionTimeoutError) return [error.message];
    throw error;
  }
}

function intervalOf(text: string): number {
  const seconds = Number(text);
  if (seconds >= 0.5 && seconds <= 3_600) return seconds;
  throw new InvalidArgumentError('--interval', text, 'seconds, from 0.5 to 3600');
}
