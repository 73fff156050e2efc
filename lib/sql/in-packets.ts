import { quotedBytes } from '../protocol/log-line.js';
import { howManyFit } from '../time/batcher.js';

/** The limits of one statement: it fits into a packet of 1 MiB, the smallest configured limit in practice. */
const MOST_ROWS = 1_000;
const MOST_BYTES = 450_000;
/** The approximate size of column names and short values. */
const ROW_BYTES = 150;

/**
 * Splits rows, in their order, into parts of one statement each. Servers reject packets that are too large, and some close
 * the connection. `textsOf` returns the long values of a row.
 */
export function inPackets<Row>(
  rows: readonly Row[],
  textsOf: (row: Row) => readonly (string | null | undefined)[],
): Row[][] {
  const sizeOf = (row: Row) => textsOf(row).reduce((sum, text) => sum + quotedBytes(text), ROW_BYTES);
  const left = [...rows];
  const packets: Row[][] = [];
  while (left.length > 0) packets.push(left.splice(0, howManyFit(left, MOST_ROWS, sizeOf, MOST_BYTES)));
  return packets;
}
