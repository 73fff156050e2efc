import type { Obstacle } from '../../lib/engine/play/replay.js';

export interface ObstacleKind {
  key: string;
  first: Obstacle;
  runIds: string[];
}

/** What runs have in common that would be blocked; most first. */
export function kindsOf(obstacles: readonly Obstacle[]): ObstacleKind[] {
  const kinds = new Map<string, ObstacleKind>();
  for (const first of obstacles) {
    const { runId, workflow, version, reason } = first;
    const where =
      'position' in first
        ? first.position === null
          ? [first.detail]
          : [first.position, first.recorded, first.asked]
        : [];
    const key = JSON.stringify([workflow, version, reason, ...where]);
    const kind = kinds.get(key) ?? { key, first, runIds: [] };
    kind.runIds.push(runId);
    kinds.set(key, kind);
  }
  return [...kinds.values()].sort((a, b) => b.runIds.length - a.runIds.length);
}
