import { readOperation } from '../effects/effect-completions.js';
import type { WaitInSight } from '../model/fleet-insight.js';
import { type ListenedSignal, readListened, signalChannel } from '../model/mailbox.js';

/** A wait as it is stored, with what is known of its step and its run. */
export interface StoredWait extends Omit<WaitInSight, 'name' | 'key'> {
  channel: string;
  namespace: string;
  /** What the step has recorded of the signals that it waits for. */
  recorded: string | null;
}

/**
 * For which signal it is: a channel is a hash, which only what its step has recorded explains. None: it is a wait for
 * calls, or of another namespace, or the second one of a signal with a key, which may also be sent to the run itself.
 */
export function waitInSight(wait: StoredWait, namespace: string): WaitInSight[] {
  const { channel, namespace: own, recorded, ...known } = wait;
  if (own !== namespace || readOperation(recorded)) return [];
  const listened = readListened(recorded);
  const meant = listened.find((signal) => channelOf(signal, wait) === channel);
  const isSecond = listened.some(({ name }) => channelOf({ name, key: null }, wait) === channel);
  if (!meant && isSecond) return [];
  // What an erasure has emptied, and what old versions have recorded, says nothing.
  return [{ ...known, name: meant?.name ?? null, key: meant?.key ?? null }];
}

const channelOf = ({ name, key }: ListenedSignal, { namespace, runId }: StoredWait): string =>
  signalChannel({ namespace, name, addressed: key === null ? 'run' : 'key', target: key ?? runId });
