import type { Type } from '@nestjs/common';
import { answered } from './answered.js';
import { blocking, deadly, oversized } from './bad-code.js';
import { debounced } from './debounced.js';
import { endedEarly } from './ended-early.js';
import { families } from './families.js';
import type { Kind } from './kind.js';
import { limited } from './limited.js';
import { lives } from './lives.js';
import { localSteps } from './local-steps.js';
import { oddValues } from './odd-values.js';
import { orders } from './orders.js';
import { outsideCalls } from './outside-calls.js';
import { probe } from './probe.js';
import { published } from './published.js';
import { races } from './races.js';
import { remoteSteps } from './remote-steps.js';
import { sagas } from './sagas.js';
import { scheduled } from './scheduled.js';
import { signals } from './signals.js';
import { singletons } from './singletons.js';
import { timers } from './timers.js';
import { transactions } from './transactions.js';
import { SecondVersion, versions } from './versions.js';

export const KINDS: readonly Kind[] = [
  ...[localSteps, remoteSteps, transactions, signals, races, timers, families, sagas, endedEarly, lives],
  ...[singletons, limited, published, outsideCalls, orders, oddValues, versions, scheduled, probe],
  ...[debounced, answered, deadly, blocking, oversized],
];

/** The classes of a build. */
export const workflowsOf = (build: 1 | 2): Type<unknown>[] => [
  ...KINDS.flatMap(({ providers }) => providers),
  ...(build === 2 ? [SecondVersion] : []),
];
