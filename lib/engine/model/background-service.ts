/** Something that goes on beside an engine, from its start to its stop. */
export interface BackgroundService {
  start(): void;
  stop(): Promise<void>;
}
