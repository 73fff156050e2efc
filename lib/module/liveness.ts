import type { LoopPulse, Loops } from '../time/poll-loop.js';

/** Whether this process works, as far as it can know that by itself. */
export interface Liveness {
  ok: boolean;
  /** Why not, for people; empty if it is ok. */
  problems: string[];
  /** How long the event loop was blocked without a break, at most, within the last lease; in ms. */
  blockedMs: number;
}

export interface Watched {
  loops: Loops;
  blockedMs: number;
  /** The shortest lease that this process has to renew. */
  leaseMs: number;
}

/** A nap may take this many times as long as it should. */
const LATE_FACTOR = 5;
/** A tick that takes longer than this, while others end, waits for something that never comes. */
const STUCK_MS = 300_000;

/**
 * Judges loops without asking the database. A tick that waits for it is none of this process's faults, however long that
 * takes: unless ticks of other loops succeed meanwhile.
 */
export function livenessOf({ loops, blockedMs, leaseMs }: Watched): Liveness {
  const pulses = Object.entries(loops).map(([name, { pulse }]) => ({ name, pulse }));
  const succeeds = (pulse: LoopPulse) => !pulse.failed && pulse.tickingMs === undefined;
  const lastSuccessMs = Math.min(...pulses.filter(({ pulse }) => succeeds(pulse)).map(({ pulse }) => pulse.agoMs));
  const problems = pulses.flatMap(({ name, pulse }) => problemOf(name, pulse, { leaseMs, lastSuccessMs }) ?? []);
  if (blockedMs > leaseMs / 3)
    problems.unshift(`the event loop was blocked for ${seconds(blockedMs)}, longer than a third of the shortest lease`);
  return { ok: problems.length === 0, problems, blockedMs: Math.round(blockedMs) };
}

function problemOf(
  name: string,
  { running, tickingMs, agoMs, napMs }: LoopPulse,
  { leaseMs, lastSuccessMs }: { leaseMs: number; lastSuccessMs: number },
): string | undefined {
  if (!running) return `the loop "${name}" has stopped`;
  if (tickingMs === undefined) {
    // A process that gets little time is slow, and not dead.
    const isLate = agoMs > Math.max(LATE_FACTOR * napMs, leaseMs);
    return isLate
      ? `the loop "${name}" has not ticked for ${seconds(agoMs)}, and should every ${seconds(napMs)}`
      : undefined;
  }
  const isStuck = tickingMs > Math.max(LATE_FACTOR * napMs, STUCK_MS) && lastSuccessMs < tickingMs / 2;
  return isStuck ? `the loop "${name}" has been in one tick for ${seconds(tickingMs)}, while others go on` : undefined;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
