import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The number of shards of an outbox's channels; each shard is published by one process at a time. */
export const SHARDS = 64;

/** The hash function of a channel: the two families have no common function that they allow in an index. */
export type HashFamily = 'postgres' | 'mysql';

/** The shard of a channel, 0 to 63, as the database computes it in `shardExpression` and in its generated column. */
export function shardOf(channel: string, family: HashFamily): number {
  return HASHES[family](channel) & (SHARDS - 1);
}

/** `CRC32()` of MySQL and MariaDB. */
export const crcOf = (channel: string): number => crc32(channel);

const HASHES: Readonly<Record<HashFamily, (channel: string) => number>> = {
  postgres: (channel) => createHash('md5').update(channel).digest()[0] ?? 0,
  mysql: crcOf,
};
