import type { Loops } from '../../time/poll-loop.js';

/** A service that runs beside an engine, from its start to its stop. */
export interface BackgroundService {
  readonly loops: Loops;
  start(): void;
  stop(): Promise<void>;
}
