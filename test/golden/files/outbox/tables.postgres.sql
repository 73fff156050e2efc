-- outbox/tables/sql-outbox-tables.ts shardExpression
((('x' || substr(md5($1), 1, 2))::bit(8)::int) & 63);
-- "channel"
