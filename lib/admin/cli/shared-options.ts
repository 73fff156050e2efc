import { type Command, Option } from 'commander';
import { FORMATS } from './printer.js';

/** The module's options of the same names. */
export const withOutbox = (command: Command): Command =>
  command
    .option('--no-outbox', 'the app has no outbox')
    .option(
      '--outbox-table <name>',
      'the table that events are written to (default: ADBC_OUTBOX_TABLE_TABLE_NAME, <prefix>_outbox)',
    )
    .option(
      '--outbox-nodes-table <name>',
      'the table of relay processes (default: ADBC_NODES_TABLE_TABLE_NAME, <prefix>_outbox_nodes)',
    )
    .option(
      '--outbox-schema <name>',
      "the schema of both tables (default: ADBC_OUTBOX_TABLE_TABLE_SCHEMA, the connection's own)",
    )
    .addOption(
      new Option('--outbox-ordering <ordering>', 'when events get their numbers (default: commit)').choices([
        ...['commit', 'insert', 'none'],
      ]),
    );

export const describe = (command: Command, text: string): Command =>
  command
    .description(text)
    .option('--url <url>', 'the database: postgres://…, mysql://… or mariadb://… (default: DATABASE_URL)')
    .option('--prefix <prefix>', 'the prefix of all table names', 'durable');

/** In which form results are printed. */
export const withFormat = (command: Command): Command =>
  command.addOption(new Option('-o, --output <format>', 'what is printed').choices(FORMATS).default('table'));
