-- outbox/tables/sql-outbox-tables.ts shardExpression
(crc32(?) & 63);
-- "channel"
