import type { Command } from 'commander';
import { defined } from '../core/options.js';
import type { SignalsInSight, SignalWaitInSight } from '../operate/limits-and-signals.js';
import { countOf, type OperatorCommands, pageOf } from './operator-command.js';
import { type Columns, EXIT, fields, valueOf } from './print.js';

const targetOf = ({ to }: SignalsInSight): string => ('key' in to ? to.key : to.workflowId);

const SIGNALS: Columns<SignalsInSight> = {
  signal: ({ name }) => name,
  to: ({ to }) => ('key' in to ? 'key' : 'run'),
  target: targetOf,
  ...fields<SignalsInSight>('count', 'since', 'listening'),
};

const WAITS: Columns<SignalWaitInSight> = {
  run: ({ workflowId }) => workflowId,
  workflow: ({ workflow }) => workflow,
  step: ({ seq, step }) => `${seq} ${step}`,
  signal: ({ name }) => name,
  ...fields<SignalWaitInSight>('key', 'since'),
  until: ({ deadline }) => deadline,
};

interface ReceiverFlags {
  run?: string;
  key?: string;
}

const receiver = (command: Command): Command =>
  command.option('--run <id>', 'to this run').option('--key <key>', 'to this key');

const receiverOf = ({ run, key }: ReceiverFlags) => defined({ workflowId: run, key });

interface WantedFlags extends ReceiverFlags {
  name?: string;
}

const named = (command: Command): Command => command.option('--name <signal>', 'signals of this name');

const wantedOf = ({ name, ...to }: WantedFlags) => ({ ...receiverOf(to), ...(name !== undefined && { name }) });

function addSignalViews(signals: Command, commands: OperatorCommands): void {
  const untaken = receiver(named(signals.command('list', { isDefault: true }))).option(
    '--limit <count>',
    'the maximum number of rows (default: 100)',
  );
  commands.add<WantedFlags>(untaken, 'List signals that no run has taken', {}, async ({ operator, flags, print }) => {
    const limit = countOf('--limit', flags.limit, 1_000);
    const page = await operator.signals({ ...wantedOf(flags), ...(limit !== undefined && { limit }) });
    print.list(page.signals, { columns: SIGNALS, idOf: targetOf, none: 'Every signal was taken', json: page });
    if (!page.complete) print.words(`Only ${page.lookedAt} signals were looked at`);
  });
  const waits = named(signals.command('waits'))
    .option('--run <id>', 'waits of this run')
    .option('--key <key>', 'for this key; with --name or --run');
  commands.add<WantedFlags>(
    waits,
    'List runs that wait for signals',
    { pages: 100 },
    async ({ operator, flags, print }) => {
      const page = await operator.signalWaits({ ...pageOf(flags, 100), ...wantedOf(flags) });
      const none = 'No run waits for a signal';
      const idOf = ({ workflowId }: SignalWaitInSight) => workflowId;
      print.list(page.waits, { columns: WAITS, idOf, none, cursor: page.cursor, json: page });
    },
  );
}

/** Adds the commands on signals. */
export function addSignals(signals: Command, commands: OperatorCommands): void {
  addSignalViews(signals, commands);
  const send = receiver(signals.command('send <name>'))
    .option('--payload <json>', 'its payload, as JSON')
    .option('--id <id>', 'a signal with the same id to the same run or key is sent once');
  commands.add<ReceiverFlags & { payload?: string; id?: string }>(
    send,
    'Send a signal to a run, or to a key',
    { changes: true },
    async ({ operator, given: [name = ''], flags, by, print }) => {
      const options = { ...receiverOf(flags), ...by, ...(flags.id !== undefined && { id: flags.id }) };
      const { created } = await operator.runs.signal(name, valueOf('--payload', flags.payload), options);
      print.changed({ name, created }, [name], created ? `Sent "${name}"` : `"${name}" had been sent with this id`);
    },
  );
  const remove = receiver(signals.command('delete <name>')).option(
    '--limit <count>',
    'how many at most, those that were sent first (default: 1000)',
  );
  commands.add<ReceiverFlags>(
    remove,
    'Delete signals that no run has taken: exit code 1 if there were none',
    { changes: true, destroys: true },
    async ({ operator, given: [name = ''], flags, by, print, consent }) => {
      await consent(`delete the signals "${name}" that nobody took`);
      const limit = countOf('--limit', flags.limit, 1_000);
      const options = { ...receiverOf(flags), ...by, ...(limit !== undefined && { limit }) };
      const count = await operator.deleteSignals(name, options);
      print.changed({ name, deleted: count }, [name], `Deleted ${count} signals`);
      return count > 0 ? EXIT.done : EXIT.behind;
    },
  );
}
