/** What a process has counted in a minute. */
export interface StoredSample {
  /** The minute that had begun when it was written, epoch ms by the storage's clock. */
  minute: number;
  node: string;
  /** JSON text. */
  body: string;
}

export interface SamplesQuery {
  /** Undefined: of all. */
  namespace?: string;
  /** Epoch ms: not before this minute. */
  from: number;
  /** Epoch ms: before this minute. */
  until: number;
  limit: number;
  /** Which ones, if there are more than `limit`. Default: the first. */
  keep?: 'first' | 'last';
}

/** Stores what processes count, for graphs. */
export interface SampleStore {
  /** Writes the sample of this minute; one of the same node that is there already is kept. */
  write(sample: { namespace: string; node: string; body: string }): Promise<void>;
  /** By minute and node. */
  range(query: SamplesQuery): Promise<StoredSample[]>;
  /** Deletes up to `limit` samples that are at least this old, of all namespaces, oldest first. Returns how many. */
  purge(olderThanMs: number, limit: number): Promise<number>;
}

export const MINUTE_MS = 60_000;
