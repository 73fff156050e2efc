import { UnsupportedServerError } from '../../errors/setup-errors.js';
import { sleep } from '../../time/sleep.js';
import type { Elsewhere, NodeRoster } from '../model/node-roster.js';

/** One beat that was in progress when its server died may arrive late; a second one cannot. */
const BEATS = 2;

/**
 * Distinguishes a cluster that is written through several servers from a failover: after a failover, nodes on the old
 * server stop beating or move to the new one.
 */
export class WriterWatch {
  private seen = new Map<string, Elsewhere & { beats: number }>();

  /** Returns the nodes that have kept beating through another server since they were first seen there. */
  look(elsewhere: readonly Elsewhere[]): Elsewhere[] {
    const before = this.seen;
    this.seen = new Map(
      elsewhere.map((node) => {
        const known = before.get(node.nodeId);
        const same = known?.server === node.server && known.here === node.here ? known : undefined;
        const beats = same ? same.beats + (node.expiresAt > same.expiresAt ? 1 : 0) : 0;
        return [node.nodeId, { ...node, beats }];
      }),
    );
    return [...this.seen.values()].filter(({ beats }) => beats >= BEATS);
  }
}

/**
 * Waits until no node writes through another server than this process: all have moved here, expired, or ended.
 *
 * @throws UnsupportedServerError when a node keeps doing so.
 */
export async function requireOneWriter(roster: Pick<NodeRoster, 'elsewhere'>, everyMs: number): Promise<void> {
  const watch = new WriterWatch();
  for (;;) {
    const elsewhere = await roster.elsewhere();
    const [other] = watch.look(elsewhere);
    if (other) throw severalWriters(other);
    if (elsewhere.length === 0) return;
    await sleep(everyMs);
  }
}

const severalWriters = ({ nodeId, server, here }: Elsewhere): UnsupportedServerError =>
  new UnsupportedServerError(
    `Process "${nodeId}" writes through ${server}, this process through ${here}: in a cluster a row lock holds on one ` +
      'server only, so a write through another server can ignore it. Route all processes, ' +
      'reads included, to one writer (one hostgroup of ProxySQL, readconnroute of MaxScale, one active backend of ' +
      'HAProxy), and close connections to the old one after a failover. To continue anyway, at your own risk, set ' +
      'NEST_DURABLE_ALLOW_UNSUPPORTED_SERVER=1. See https://mariadb.com/docs/galera-cluster/reference/mariadb-galera-cluster-known-limitations',
  );
