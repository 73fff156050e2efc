import type { Command } from 'commander';
import { InvalidArgumentError } from '../core/errors.js';
import type { EffectEntry, RecordedAuditEvent } from '../effects/entries.js';
import type { ChannelLag, DeadEvent, StandingChannel } from '../outbox/dead-letters.js';
import { type Call, countOf, eachId, type OperatorCommands, pageOf } from './operator-command.js';
import { type Columns, counted, EXIT, fields } from './print.js';

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

const ENTRIES: Columns<EffectEntry> = {
  id: ({ entryId }) => entryId,
  ...fields<EffectEntry>('handler', 'operation', 'subject', 'attempts'),
  last: ({ lastAttemptAt }) => lastAttemptAt,
  error: ({ error, lastError }) => error?.message ?? lastError,
};

/** The most that are listed at once. */
const MOST = 10_000;

const LISTS = [
  ['abandoned', 'List abandoned calls, oldest first', 'No call is abandoned'],
  ['scheduled', 'List calls that wait for a time that their handler named, soonest first', 'No call waits for a time'],
] as const;

const EVENTS: Columns<RecordedAuditEvent> = {
  at: ({ recordedAt }) => recordedAt,
  event: ({ type }) => type,
  call: ({ entryId }) => entryId,
  handler: ({ handler }) => handler,
  details: ({ details }) => JSON.stringify(details),
};

/** Adds the commands on effects. */
export function addEffects(effects: Command, commands: OperatorCommands): void {
  commands.add(effects.command('counts'), 'Count calls by status', {}, async ({ operator, print }) => {
    const counts = await operator.effects.counts();
    const rows = Object.entries(counts);
    const columns = {
      status: ([status]: (typeof rows)[number]) => status,
      calls: ([, count]: (typeof rows)[number]) => count,
    };
    print.list(rows, { columns, idOf: ([status]) => status, none: '', json: counts });
  });
  for (const [which, text, none] of LISTS) {
    const limited = effects.command(which).option('--limit <count>', 'the maximum number of rows (default: 100)');
    commands.add(limited, text, {}, async ({ operator, flags, print }) => {
      const limit = countOf('--limit', flags.limit, MOST) ?? 100;
      const { rows, complete } = await cutList({ limit, most: MOST }, (asked) =>
        operator.effects[which]({ limit: asked }),
      );
      const json = { calls: rows, complete };
      print.list(rows, { columns: ENTRIES, idOf: ({ entryId }) => entryId, none, complete, json });
    });
  }
  commands.add(
    effects.command('requeue <calls...>'),
    'Make abandoned calls pending again: exit code 1 if some are not abandoned',
    { changes: true },
    async ({ operator, by, print, ids }) => {
      const asked = await ids();
      const done = await operator.effects.requeue(asked, by);
      print.changed({ requeued: done }, done, `Requeued ${done.length} of ${counted(asked.length, 'call')}`);
      return done.length < asked.length ? EXIT.behind : EXIT.done;
    },
  );
  commands.add(
    effects.command('audit <operation> <subject>'),
    'List what happened to the calls of an operation for a subject',
    { pages: 100 },
    async ({ operator, flags, given: [operation = '', subject = ''], print }) => {
      const page = await operator.effects.audit({ operation, subject }, pageOf(flags, 1_000));
      const { events: rows, cursor } = page;
      const none = 'Nothing is recorded of it';
      print.list(rows, { columns: EVENTS, idOf: ({ eventId }) => eventId, none, cursor, json: page });
    },
  );
}

interface OnFlags {
  destination?: string;
  channel?: string;
}

/** Makes a command on a publisher or consumer. */
type On = (name: string) => Command;

const LAG: Columns<ChannelLag> = { channel: ({ channel }) => channel, pending: ({ pending }) => pending };

const STANDING: Columns<StandingChannel> = {
  ...fields<StandingChannel>('channel', 'state', 'attempts'),
  failed: ({ failedAt }) => (failedAt === null ? null : new Date(failedAt)),
  error: ({ error }) => error,
};

const DEAD: Columns<DeadEvent> = {
  number: ({ sequenceId }) => sequenceId,
  channel: ({ channel }) => channel,
  event: ({ name }) => name,
  ...fields<DeadEvent>('reason', 'attempts'),
  failed: ({ failedAt }) => new Date(failedAt),
  error: ({ error }) => error,
};

const NONE = 'No publisher or consumer has started yet';

/** Adds the commands that show what is not delivered. */
function addOutboxViews(on: On, commands: OperatorCommands): void {
  const limited = (name: string) => on(name).option('--limit <count>', 'the maximum number of rows (default: 100)');
  commands.add<OnFlags>(limited('lag'), 'List channels with undelivered events, most first', {}, async (call) => {
    const list = await listOf(call, (query) => call.operator.outbox.lag(query));
    const json = { channels: list.rows, complete: list.complete };
    const none = list.isOn ? 'Every event is delivered' : NONE;
    call.print.list(list.rows, { columns: LAG, idOf: channelOf, none, complete: list.complete, json });
  });
  commands.add<OnFlags>(
    limited('standing'),
    'List channels that are blocked, parked or have requeued events',
    {},
    async (call) => {
      const list = await listOf(call, (query) => call.operator.outbox.standing(query));
      const json = { channels: list.rows, complete: list.complete };
      const none = list.isOn ? 'No channel stands still' : NONE;
      call.print.list(list.rows, { columns: STANDING, idOf: channelOf, none, complete: list.complete, json });
    },
  );
  commands.add<OnFlags>(
    on('dead').option('--channel <channel>', 'of this channel'),
    'List dead letters, by number; as ids, their channels, which `requeue` takes',
    { pages: 100 },
    listDead,
  );
}

async function listDead(call: Call<OnFlags>): Promise<void> {
  const { operator, flags, print } = call;
  const { channel, cursor } = flags;
  const where = { ...(channel !== undefined && { channel }), ...(cursor !== undefined && { after: cursor }) };
  const { rows, complete, isOn } = await listOf(call, (query) => operator.outbox.deadLetters({ ...query, ...where }));
  const next = complete ? undefined : rows.at(-1)?.sequenceId;
  const none = isOn ? 'There are no dead letters' : NONE;
  const json = { deadLetters: rows, ...(next !== undefined && { cursor: next }) };
  print.list(rows, { columns: DEAD, idOf: channelOf, none, cursor: next, json });
}

const channelOf = ({ channel }: { channel: string }): string => channel;

type Query = { destination: string; limit: number };

/** Empty where nothing publishes yet: then every event waits. */
async function listOf<Row>(
  call: Call<OnFlags>,
  ask: (query: Query) => Promise<readonly Row[]>,
): Promise<CutList<Row> & { isOn: boolean }> {
  const limit = countOf('--limit', call.flags.limit, MOST) ?? 100;
  const destination = await destinationOf(call);
  if (destination === undefined) return { rows: [], complete: true, isOn: false };
  const list = await cutList({ limit, most: MOST + 1 }, (asked) => ask({ destination, limit: asked }));
  return { ...list, isOn: true };
}

/** The one that was named, or the only one; undefined if there is none. @throws InvalidArgumentError */
async function destinationOf({ operator, flags }: Call<OnFlags>): Promise<string | undefined> {
  const names = (await operator.outbox.destinations()).map(({ name }) => name);
  const { destination } = flags;
  if (names.length === 0 && destination === undefined) return undefined;
  const listed = names.map((name) => JSON.stringify(name)).join(', ') || 'none has started yet';
  if (destination === undefined && names.length > 1)
    throw new InvalidArgumentError('--destination', destination, listed, `Pass --destination, one of ${listed}`);
  const found = names.find((name) => name === (destination ?? name));
  if (found === undefined)
    throw new InvalidArgumentError('--destination', destination, `a publisher or consumer of the outbox: ${listed}`);
  return found;
}

/** The same for a change. @throws InvalidArgumentError if there is none */
async function soleDestination(call: Call<OnFlags>): Promise<{ destination: string }> {
  const destination = await destinationOf(call);
  if (destination === undefined) throw new InvalidArgumentError('--destination', undefined, 'one', NONE);
  return { destination };
}

interface CutList<Row> {
  rows: readonly Row[];
  /** Whether these are all. */
  complete: boolean;
}

/** The first rows of a list, of which one more is asked for, to know whether there are more; at most `most` at once. */
export async function cutList<Row>(
  { limit, most }: { limit: number; most: number },
  ask: (limit: number) => Promise<readonly Row[]>,
): Promise<CutList<Row>> {
  const found = await ask(Math.min(limit + 1, most));
  // At the most, nobody can tell.
  return { rows: found.slice(0, limit), complete: found.length <= limit && found.length < most };
}
