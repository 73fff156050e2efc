import { createHash } from 'node:crypto';

/** Whom a signal is sent to. */
export interface SignalTarget {
  namespace: string;
  addressed: 'run' | 'key';
  /** The name of the signal. */
  name: string;
  /** The run's id or the key. */
  target: string;
}

/** The queue of one signal for one run or one key: a hash, so that names of any length fit an index. */
export const signalChannel = ({ namespace, addressed, name, target }: SignalTarget): string =>
  createHash('sha256')
    .update(JSON.stringify([namespace, addressed, name, target]))
    .digest('base64url');
