import { type Given, present } from './given.js';
import { type Asked, get, post, type Route } from './route.js';
import type { Show } from './sight.js';

const channelOf = (given: Given): string => given.needed('channel', given.text('channel'), 'the name of a channel');

const on = ({ given, by }: Asked) => ({ ...by, ...present({ destination: given.text('destination') }) });

/** The message of an error, as this user may see it. */
const seen = (show: Show, error: string | null): string | null =>
  error === null ? null : String(show(error, { kind: 'error' }));

const MOST = 1_000;

const query = (given: Given) =>
  present({ destination: given.text('destination'), limit: Math.min(given.number('limit') ?? 100, MOST) });

/** Events on their way, and calls to other services. Data of events and payloads of calls are not shown. */
export const outgoingRoutes: readonly Route[] = [
  get('outbox', [], async ({ operator }) => ({ destinations: await operator.outbox.destinations() })),
  get('outbox/lag', ['destination', 'limit'], async ({ operator, given }) => ({
    channels: await operator.outbox.lag(query(given)),
  })),
  get('outbox/standing', ['destination', 'limit'], async ({ operator, given, show }) => {
    const channels = await operator.outbox.standing(query(given));
    return { channels: channels.map((channel) => ({ ...channel, error: seen(show, channel.error) })) };
  }),
  get('outbox/dead', ['destination', 'limit', 'channel', 'after'], async ({ operator, given, show }) => {
    const where = present({ channel: given.text('channel'), after: given.text('after') });
    const dead = await operator.outbox.deadLetters({ ...query(given), ...where });
    return {
      dead: dead.map(({ data: _data, headers: _headers, error, ...event }) => ({ ...event, error: seen(show, error) })),
    };
  }),
  post('outbox/retry', 'outbox', ['channel', 'destination'], async (asked) => ({
    changed: await asked.operator.outbox.retry(channelOf(asked.given), on(asked)),
  })),
  post('outbox/retry-all', 'outbox', ['destination'], async (asked) => ({
    channels: await asked.operator.outbox.retryAll(on(asked)),
  })),
  post('outbox/skip', 'outbox', ['channel', 'destination'], async (asked) => ({
    changed: await asked.operator.outbox.skip(channelOf(asked.given), on(asked)),
  })),
  post('outbox/requeue', 'outbox', ['channel', 'destination', 'sequenceIds'], async (asked) => ({
    events: await asked.operator.outbox.requeue(channelOf(asked.given), {
      ...on(asked),
      ...present({ sequenceIds: asked.given.texts('sequenceIds') }),
    }),
  })),
  post('outbox/forget', 'outbox', ['destination'], async ({ operator, given, by }) => {
    const name = given.needed('destination', given.text('destination'), 'the name of a destination');
    await operator.outbox.forget(name, by);
    return { changed: true };
  }),
  get('effects', [], async ({ operator }) => ({
    counts: await operator.effects.counts(),
    unclaimed: await operator.effects.unclaimed(),
  })),
  ...(['abandoned', 'scheduled'] as const).map((which) =>
    get(`effects/${which}`, ['limit'], async ({ operator, given, show }) => {
      const entries = await operator.effects[which](present({ limit: given.number('limit') }));
      return {
        entries: entries.map(({ ref: _ref, error, ...entry }) => ({
          ...entry,
          error: seen(show, error?.message ?? null),
        })),
      };
    }),
  ),
  get('effects/audit', ['operation', 'subject', 'limit', 'cursor'], ({ operator, given }) => {
    const operation = given.needed('operation', given.text('operation'), 'the name of an operation');
    const subject = given.needed('subject', given.text('subject'), 'the subject of the calls');
    const page = present({ limit: given.number('limit'), cursor: given.text('cursor') });
    return operator.effects.audit({ operation, subject }, page);
  }),
  post('effects/requeue', 'effects', ['entryIds'], async ({ operator, given, by }) => ({
    requeued: await operator.effects.requeue(
      given.needed('entryIds', given.texts('entryIds'), 'a list of ids of calls'),
      by,
    ),
  })),
];
