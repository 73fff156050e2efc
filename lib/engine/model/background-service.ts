/** A service that runs beside an engine, from its start to its stop. */
export interface BackgroundService {
  start(): void;
  stop(): Promise<void>;
}
