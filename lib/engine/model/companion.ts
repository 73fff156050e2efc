/** Something that goes on beside an engine, from its start to its stop. */
export interface Companion {
  start(): void;
  stop(): Promise<void>;
}
