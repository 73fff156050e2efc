import { createHash } from 'node:crypto';

/**
 * Which of `nodes` a slot should be with, the same for whoever asks: of all pairs the one with the highest hash. When a
 * node comes or goes only its own slots move. Undefined without nodes.
 */
export function rendezvous(nodes: readonly string[], destination: string, slot: number): string | undefined {
  let best: string | undefined;
  let highest = -1;
  for (const node of nodes) {
    const score = createHash('md5').update(`${node}\n${destination}\n${slot}`).digest().readUInt32BE(0);
    if (score < highest || (score === highest && node > (best ?? ''))) continue;
    highest = score;
    best = node;
  }
  return best;
}

/** The slots of `destination` that should be with `node`. */
export function slotsOf(node: string, nodes: readonly string[], destination: string, slots: number): number[] {
  return Array.from({ length: slots }, (_, slot) => slot).filter(
    (slot) => rendezvous(nodes, destination, slot) === node,
  );
}
