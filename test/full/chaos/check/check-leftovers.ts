import type { ChaosServer } from '../chaos-server.js';

const OPEN = `(SELECT id FROM durable_runs WHERE finished_at IS NULL)`;

/** What there must be nothing of, once all has ended; what is still there for a reason is told apart. */
const EMPTY: readonly { what: string; text: string }[] = [
  { what: 'runs that have not ended', text: 'SELECT id FROM durable_runs WHERE finished_at IS NULL' },
  { what: 'tasks', text: 'SELECT step_id AS id FROM durable_transport_tasks' },
  { what: 'results', text: 'SELECT step_id AS id FROM durable_transport_results' },
  { what: 'waits for signals', text: `SELECT step_id AS id FROM durable_signal_waits WHERE run_id NOT IN ${OPEN}` },
  { what: 'permits of limiters', text: `SELECT holder AS id FROM durable_limiter_entries WHERE run_id NOT IN ${OPEN}` },
  { what: 'dependencies', text: 'SELECT run_id AS id FROM durable_run_dependencies' },
  {
    what: 'start keys of runs that are not there',
    text: 'SELECT run_id AS id FROM durable_start_keys WHERE run_id NOT IN (SELECT id FROM durable_runs)',
  },
  { what: 'runs with an owner', text: 'SELECT id FROM durable_runs WHERE owner IS NOT NULL' },
  { what: 'runs with a turn', text: 'SELECT id FROM durable_runs WHERE turn IS NOT NULL' },
  { what: 'events', text: 'SELECT mutation_id AS id FROM durable_outbox WHERE processed = false' },
  { what: 'events that were put aside', text: 'SELECT mutation_id AS id FROM durable_outbox_dead' },
  { what: 'calls', text: `SELECT entry_id AS id FROM durable_effects WHERE status <> 'succeeded'` },
];

const OLD_TRANSACTIONS = {
  postgres: `SELECT pid AS id FROM pg_stat_activity WHERE usename = 'chaos' AND state LIKE 'idle in transaction%'
    AND state_change < clock_timestamp() - interval '5 seconds'`,
  mysql:
    'SELECT trx_mysql_thread_id AS id FROM information_schema.innodb_trx WHERE trx_started < NOW() - INTERVAL 5 SECOND',
};

/** What is left, as `what: ids`. */
export async function leftovers(server: ChaosServer): Promise<string[]> {
  const transactions = OLD_TRANSACTIONS[server.db === 'postgres' ? 'postgres' : 'mysql'];
  const asked = [...EMPTY, { what: 'connections that stand in an open transaction', text: transactions }];
  const found: string[] = [];
  for (const { what, text } of asked) {
    const rows = await server.query(text);
    const ids = rows.slice(0, 5).map(({ id }) => String(id));
    if (rows.length > 0) found.push(`${rows.length} ${what}: ${ids.join(', ')}`);
  }
  return found;
}
