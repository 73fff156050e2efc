import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import type { SampleStore, SamplesQuery, StoredSample } from '../model/sample-store.js';
import * as samples from './sample.sql.js';

type Row = { minute: number | string; node: string; body: string };

export class SqlSampleStore implements SampleStore {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async write(sample: { namespace: string; node: string; body: string }): Promise<void> {
    await this.db.run(samples.insertSample(this.scope, sample));
  }

  async range(query: SamplesQuery): Promise<StoredSample[]> {
    const { rows } = await this.db.run<Row>(samples.selectSamples(this.scope, query));
    const found = rows.map(({ minute, ...row }) => ({ minute: Number(minute), ...row }));
    return query.keep === 'last' ? found.reverse() : found;
  }

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const { rows } = await this.db.run<Row>(samples.selectOldSamples(this.scope, olderThanMs, limit));
    if (rows.length === 0) return 0;
    const old = rows.map(({ minute, node }) => ({ minute: Number(minute), node }));
    return (await this.db.run(samples.deleteSamples(this.scope, old))).affected;
  }
}
