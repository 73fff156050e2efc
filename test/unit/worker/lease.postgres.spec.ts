import { postgres, render } from '../../../lib/sql/dialects.js';
import type { Statement } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import * as leases from '../../../lib/worker/leases.postgres.sql.js';
import type { TaskReport } from '../../../lib/worker/task-source.js';

const tables = tablesWithPrefix('durable');
const scope = { tables, dialect: postgres, now: () => postgres.now };
const claim = { stepId: 'r:1', claimedBy: 'w#1', claimedAt: 1 };
const done = { status: 'completed', output: '1', error: null, startedAt: 1 } as const;
const report: TaskReport = { claim, runId: 'r', seq: 1, attempt: 1, ...done };

/**
 * Only a server from before November 2025 shows what it is for: there a row that another transaction has claimed
 * meanwhile is changed all the same, since a scan by ctid does not look at the row's new version again.
 */
describe('a statement that changes rows under claims, on PostgreSQL', () => {
  it.each<[string, Statement]>([
    ['extends', leases.extendClaims(scope, tables.tasks, [claim])],
    ['releases', leases.releaseClaims(scope, tables.tasks, [claim])],
    ['settles', leases.deleteClaimed(scope, tables.results, [claim])],
    ['reports', leases.reportTasks(scope, [report], 'me')],
  ])('asks for the owner of the version that it changes: %s', (_, statement) => {
    const { text } = render(statement, postgres);
    const changed =
      /ctid = ANY \(ARRAY\(SELECT tid FROM held\)\) AND claimed_by = ANY \(ARRAY\(SELECT DISTINCT claimed_by FROM held\)\)/;
    expect(text).toMatch(changed);
  });
});
