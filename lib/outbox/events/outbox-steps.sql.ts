import { byFamily, type Dialect } from '../../sql/dialects/dialect.js';
import type { OutboxOrdering } from '../model/outbox-event.js';
import { mysqlTables } from './mysql-tables.sql.js';
import { postgresTables } from './postgres-tables.sql.js';
import { postgresTriggers } from './postgres-triggers.sql.js';
import type { PublishedNames } from '../tables/sql-outbox-tables.js';
import type { PublishedStep } from './published-step.sql.js';

/** All steps that create the published tables, in order. Completed steps have no effect. */
export const outboxSteps = (dialect: Dialect, names: PublishedNames, ordering: OutboxOrdering): PublishedStep[] =>
  byFamily(dialect, {
    postgres: () => [...postgresTables(names), ...postgresTriggers(names, ordering)],
    mysql: () => mysqlTables(dialect, names),
  });
