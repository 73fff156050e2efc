import type { Command } from 'commander';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { eachId } from './each-id.js';
import type { Call, OperatorCommands } from './operator-command.js';
import { addOutboxViews, type On, type OnFlags, soleDestination } from './outbox-views.js';
import { counted } from './counted.js';

interface Flags extends OnFlags {
  sequence?: string[];
}

/** Adds the commands on the outbox. */
export function addOutbox(outbox: Command, commands: OperatorCommands): void {
  const on = (name: string) =>
    outbox.command(name).option('--destination <name>', 'which publisher or consumer, if there are several');
  addOutboxViews(on, commands);
  addChanges(on, commands);
  commands.add(
    outbox.command('forget <destination>'),
    'Remove a publisher or consumer that no longer exists, so that events do not wait for it',
    { changes: true, destroys: true },
    async ({ operator, given: [name = ''], by, print, consent }) => {
      await consent(`forget where ${name} stands, and its dead letters`);
      await operator.outbox.forget(name, by);
      print.changed({ name }, [name], `Forgot "${name}"`);
    },
  );
}

function addChanges(on: On, commands: OperatorCommands): void {
  commands.add<Flags>(on('retry <channels...>'), 'Retry blocked channels at once', { changes: true }, (call) =>
    channels(call, 'Retries', (channel, by) => call.operator.outbox.retry(channel, by)),
  );
  commands.add<Flags>(on('retry-all'), 'Retry all blocked channels at once', { changes: true }, async (call) => {
    const { operator, by, print } = call;
    const retried = await operator.outbox.retryAll({ ...by, ...(await soleDestination(call)) });
    print.changed({ retried }, [], `Retries ${counted(retried, 'channel')}`);
  });
  const skips = { changes: true, destroys: true };
  commands.add<Flags>(
    on('skip <channels...>'),
    'Set the first event of blocked channels aside',
    skips,
    async (call) => {
      await call.consent(`set the first event of ${counted((await call.ids()).length, 'channel')} aside`);
      return channels(call, 'Skipped the first event of', (channel, by) => call.operator.outbox.skip(channel, by));
    },
  );
  const requeue = on('requeue <channels...>').option('--sequence <numbers...>', 'only events with these numbers');
  commands.add<Flags>(requeue, 'Requeue dead letters of channels', { changes: true }, (call) => {
    const { sequence: sequenceIds } = call.flags;
    return channels(
      call,
      'Requeued dead letters of',
      async (channel, by) =>
        (await call.operator.outbox.requeue(channel, { ...by, ...(sequenceIds && { sequenceIds }) })) > 0,
    );
  });
}

type Changed = (channel: string, by: Call<Flags>['by'] & Pick<Flags, 'destination'>) => Promise<boolean>;

/** Returns 1 if nothing was to be done for one of them. */
async function channels(call: Call<Flags>, done: string, change: Changed): Promise<number> {
  const { by, flags } = call;
  const names = await call.ids();
  if (names.length > 1 && flags.sequence)
    throw new InvalidArgumentError('--sequence', flags.sequence.join(' '), 'one channel with it');
  const on = { ...by, ...(await soleDestination(call)) };
  return eachId(call, {
    told: (channel) => `${done} channel "${channel}"`,
    change: async (channel) => ((await change(channel, on)) ? undefined : 'there was nothing to do'),
  });
}
