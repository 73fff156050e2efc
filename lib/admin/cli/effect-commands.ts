import type { Command } from 'commander';
import type { RecordedAuditEvent } from '../../effects/audit-log.js';
import type { EffectEntry } from '../../effects/effect-entry.js';
import { EXIT } from './cli-environment.js';
import { counted } from './counted.js';
import { cutList } from './cut-list.js';
import { countOf, type OperatorCommands, pageOf } from './operator-command.js';
import type { Columns } from './table.js';

const ENTRIES: Columns<EffectEntry> = {
  id: ({ entryId }) => entryId,
  handler: ({ handler }) => handler,
  operation: ({ operation }) => operation,
  subject: ({ subject }) => subject,
  attempts: ({ attempts }) => attempts,
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
