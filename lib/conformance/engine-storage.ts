import type { EngineStorage } from '../engine/model/engine-storage.js';
import type { Transaction } from '../protocol/transaction.js';
import type { ManualClock } from '../time/clock.js';

/** Every port of the engine on one storage, empty, with `clock` as its clock. */
export interface EngineStorageFixture {
  storage: EngineStorage;
  clock: ManualClock;
  /** For storage with transactions: `work` is rolled back when it throws. */
  transaction?: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}
