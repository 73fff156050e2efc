import { createHash } from 'node:crypto';

/**
 * Which of `nodes` a shard should be with, the same for whoever asks: of all pairs the one with the highest hash. When a
 * node comes or goes only its own shards move. Undefined without nodes.
 */
export function rendezvous(nodes: readonly string[], destination: string, shard: number): string | undefined {
  let best: string | undefined;
  let highest = -1;
  for (const node of nodes) {
    const score = createHash('md5').update(`${node}\n${destination}\n${shard}`).digest().readUInt32BE(0);
    if (score < highest || (score === highest && node > (best ?? ''))) continue;
    highest = score;
    best = node;
  }
  return best;
}

/** The shards of `destination` that should be with `node`. */
export function shardsOf(node: string, nodes: readonly string[], destination: string, shards: number): number[] {
  return Array.from({ length: shards }, (_, shard) => shard).filter(
    (shard) => rendezvous(nodes, destination, shard) === node,
  );
}
