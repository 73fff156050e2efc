import { postgres } from '../../../lib/sql/dialects.js';
import { render } from '../../../lib/sql/statement.js';
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
    ['reports', leases.reportTasks(scope, [report], { sender: 'me' })],
  ])('asks for the owner of the version that it changes: %s', (_, statement) => {
    const { text } = render(statement, postgres);
    const changed =
      /ctid = ANY \(ARRAY\(SELECT tid FROM held\)\) AND claimed_by = ANY \(ARRAY\(SELECT DISTINCT claimed_by FROM held\)\)/;
    expect(text).toMatch(changed);
  });
});

describe('a credit, on PostgreSQL', () => {
  const credit = (names: number) => ({
    mark: 'w#~a.0',
    takes: Array.from({ length: names }, (_, n) => ['group', `name ${n}`] as const),
  });
  const sentWith = (names: number, count = 1): boolean[] => {
    const reports = Array.from({ length: count }, () => report);
    const { text } = render(leases.reportTasks(scope, reports, { sender: 'me', credit: credit(names) }), postgres);
    return [/'credit'/.test(text), /json_build_array\(step_id/.test(text)];
  };

  it('goes along with few answers, and displaces none', () => {
    expect([sentWith(20), sentWith(200), sentWith(20, 40)]).toEqual([
      [true, true],
      [false, true],
      [false, true],
    ]);
  });
});
