import type { Command } from 'commander';
import type { EffectEntry } from '../../effects/effect-entry.js';
import { EXIT } from './cli-environment.js';
import { countOf, type OperatorCommands } from './operator-command.js';
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
  const limited = effects.command('abandoned').option('--limit <count>', 'the maximum number of rows (default: 100)');
  commands.add(limited, 'List abandoned calls, oldest first', {}, async ({ operator, flags, print }) => {
    const limit = countOf('--limit', flags.limit, 1_000);
    const rows = await operator.effects.abandoned(limit === undefined ? {} : { limit });
    print.list(rows, { columns: ENTRIES, idOf: ({ entryId }) => entryId, none: 'No call is abandoned' });
  });
  commands.add(
    effects.command('requeue <calls...>'),
    'Make abandoned calls pending again: exit code 1 if some are not abandoned',
    { changes: true },
    async ({ operator, by, print, ids }) => {
      const asked = await ids();
      const done = await operator.effects.requeue(asked, by);
      print.changed({ requeued: done }, done, `Requeued ${done.length} of ${asked.length} calls`);
      return done.length < asked.length ? EXIT.behind : EXIT.done;
    },
  );
  commands.add(
    effects.command('audit <operation> <subject>'),
    'List what happened to the calls of an operation for a subject',
    {},
    async ({ effects: { audit }, given: [operation = '', subject = ''], print }) => {
      const rows = await audit.read({ operation, subject });
      const columns: Columns<(typeof rows)[number]> = {
        at: ({ recordedAt }) => recordedAt,
        event: ({ type }) => type,
        call: ({ entryId }) => entryId,
        handler: ({ handler }) => handler,
        details: ({ details }) => JSON.stringify(details),
      };
      print.list(rows, { columns, idOf: ({ eventId }) => eventId, none: 'Nothing is recorded of it' });
    },
  );
}
