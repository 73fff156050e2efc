import { type Clock, install } from '@sinonjs/fake-timers';
import { real } from '../../lib/core/time.js';

/** Fake timers for the process and for our code, which has taken those of Node when it was loaded. */
export function fakeTime(): Clock {
  const before = { ...real };
  const clock = install();
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, queueMicrotask } = globalThis;
  const faked = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, queueMicrotask };
  Object.assign(real, faked, { now: () => performance.now() });
  const uninstall = () => {
    Object.assign(real, before);
    return clock.uninstall();
  };
  return Object.assign(Object.create(clock) as Clock, { uninstall });
}
