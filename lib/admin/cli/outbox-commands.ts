import type { Command } from 'commander';
import type { ChannelLag, DeadEvent, StandingChannel } from '../../outbox/relay/dead-letters.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { EXIT } from './cli-environment.js';
import { type Call, countOf, type OperatorCommands } from './operator-command.js';
import type { Columns } from './table.js';

interface Flags {
  destination?: string;
  channel?: string;
  sequence?: string[];
}

const LAG: Columns<ChannelLag> = { channel: ({ channel }) => channel, pending: ({ pending }) => pending };

const STANDING: Columns<StandingChannel> = {
  channel: ({ channel }) => channel,
  state: ({ state }) => state,
  attempts: ({ attempts }) => attempts,
  failed: ({ failedAt }) => (failedAt === null ? null : new Date(failedAt)),
  error: ({ error }) => error,
};

const DEAD: Columns<DeadEvent> = {
  number: ({ sequenceId }) => sequenceId,
  channel: ({ channel }) => channel,
  event: ({ name }) => name,
  reason: ({ reason }) => reason,
  attempts: ({ attempts }) => attempts,
  failed: ({ failedAt }) => new Date(failedAt),
  error: ({ error }) => error,
};

/** Adds the commands on the outbox. */
export function addOutbox(outbox: Command, commands: OperatorCommands): void {
  const on = (name: string) =>
    outbox.command(name).option('--destination <name>', 'which publisher or consumer, if there are several');
  addViews(on, commands);
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

type On = (name: string) => Command;

function addViews(on: On, commands: OperatorCommands): void {
  const limited = (name: string) => on(name).option('--limit <count>', 'the maximum number of rows (default: 100)');
  commands.add<Flags>(limited('lag'), 'List channels with undelivered events, most first', {}, async (call) => {
    const rows = await call.operator.outbox.lag(queryOf(call.flags));
    call.print.list(rows, { columns: LAG, idOf: ({ channel }) => channel, none: 'Every event is delivered' });
  });
  commands.add<Flags>(
    limited('standing'),
    'List channels that are blocked, parked or have requeued events',
    {},
    async (call) => {
      const rows = await call.operator.outbox.standing(queryOf(call.flags));
      call.print.list(rows, { columns: STANDING, idOf: ({ channel }) => channel, none: 'No channel stands still' });
    },
  );
  commands.add<Flags>(
    on('dead').option('--channel <channel>', 'of this channel'),
    'List dead letters, by number',
    { pages: 100 },
    listDead,
  );
}

function addChanges(on: On, commands: OperatorCommands): void {
  commands.add<Flags>(on('retry <channels...>'), 'Retry blocked channels at once', { changes: true }, (call) =>
    channels(call, 'Retries', (channel, by) => call.operator.outbox.retry(channel, by)),
  );
  commands.add<Flags>(on('retry-all'), 'Retry all blocked channels at once', { changes: true }, async (call) => {
    const { operator, flags, by, print } = call;
    const retried = await operator.outbox.retryAll({ ...by, ...queryOf(flags) });
    print.changed({ retried }, [], `Retries ${retried} channels`);
  });
  const skips = { changes: true, destroys: true };
  commands.add<Flags>(
    on('skip <channels...>'),
    'Set the first event of blocked channels aside',
    skips,
    async (call) => {
      await call.consent(`set the first event of ${(await call.ids()).length} channels aside`);
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

const queryOf = ({ destination, limit }: { destination?: string; limit?: string }) => {
  const most = countOf('--limit', limit, 10_000);
  return { ...(destination !== undefined && { destination }), ...(most !== undefined && { limit: most }) };
};

async function listDead({ operator, flags, print }: Call<Flags>): Promise<void> {
  const { channel, cursor } = flags;
  const limit = countOf('--limit', flags.limit, 10_000) ?? 100;
  const rows = await operator.outbox.deadLetters({
    ...queryOf(flags),
    limit,
    ...(channel !== undefined && { channel }),
    ...(cursor !== undefined && { after: cursor }),
  });
  const next = rows.length < limit ? undefined : rows.at(-1)?.sequenceId;
  print.list(rows, {
    columns: DEAD,
    idOf: ({ sequenceId }) => sequenceId,
    none: 'There are no dead letters',
    cursor: next,
  });
}

type Changed = (channel: string, by: Call<Flags>['by'] & Pick<Flags, 'destination'>) => Promise<boolean>;

/** Returns 1 if nothing was to be done for one of them. */
async function channels(call: Call<Flags>, done: string, change: Changed): Promise<number> {
  const { by, print, flags } = call;
  const names = await call.ids();
  if (names.length > 1 && flags.sequence)
    throw new InvalidArgumentError('--sequence', flags.sequence.join(' '), 'one channel with it');
  const on = { ...by, ...(flags.destination !== undefined && { destination: flags.destination }) };
  let code: number = EXIT.done;
  for (const channel of names) {
    if (await change(channel, on)) print.changed({ channel }, [channel], `${done} channel "${channel}"`);
    else {
      print.words(`There was nothing to do for channel "${channel}"`);
      code = EXIT.behind;
    }
  }
  return code;
}
