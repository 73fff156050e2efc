import type { Command } from 'commander';
import type { ChannelLag, DeadEvent, StandingChannel } from '../../outbox/relay/dead-letters.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { cutList, type CutList } from './cut-list.js';
import { type Call, countOf, type OperatorCommands } from './operator-command.js';
import type { Columns } from './table.js';

export interface OnFlags {
  destination?: string;
  channel?: string;
}

/** Makes a command on a publisher or consumer. */
export type On = (name: string) => Command;

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

/** The most that are listed at once. */
const MOST = 10_000;

const NONE = 'No publisher or consumer has started yet';

/** Adds the commands that show what is not delivered. */
export function addOutboxViews(on: On, commands: OperatorCommands): void {
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
export async function soleDestination(call: Call<OnFlags>): Promise<{ destination: string }> {
  const destination = await destinationOf(call);
  if (destination === undefined) throw new InvalidArgumentError('--destination', undefined, 'one', NONE);
  return { destination };
}
