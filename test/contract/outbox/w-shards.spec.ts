import { shardOf } from '../../../lib/outbox/events.js';
import { shardExpression } from '../../../lib/outbox/tables.sql.js';
import { mysql, postgres } from '../../../lib/sql/dialects.js';
import { id, render } from '../../../lib/sql/statement.js';
import { createDatabase } from '../../support/fresh-database.js';
import { servers } from '../../support/test-servers.js';

const CHANNELS = ['a', 'A', '', ' ', 'order:1', 'ä', '渠道', '😀', "it's \\ % ?", 'x'.repeat(255)];

describe.each(servers)('shards of channels [$db]', ({ db }) => {
  it('are the same in the database and in the process', async () => {
    const dialect = db === 'postgres' ? postgres : mysql;
    const database = await createDatabase(db);
    try {
      const channels = [...CHANNELS, ...Array.from({ length: 500 }, (_, i) => `channel:${i}`)];
      const type = db === 'postgres' ? 'text' : 'varchar(255) CHARACTER SET utf8mb4';
      await database.query(`CREATE TABLE seen (channel ${type})`);
      for (const channel of channels) await database.query('INSERT INTO seen VALUES (?)', [channel]);
      const { text } = render(shardExpression(dialect, id('channel')), dialect);
      const rows = await database.query<{ channel: string; shard: unknown }>(
        `SELECT channel, ${text} AS shard FROM seen`,
      );
      const found = new Map(rows.map(({ channel, shard }) => [channel, Number(shard)]));
      expect(found.size).toBe(channels.length);
      for (const channel of channels)
        expect([channel, found.get(channel)]).toEqual([channel, shardOf(channel, dialect.family)]);
    } finally {
      await database.close();
    }
  });
});
