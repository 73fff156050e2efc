import { initialEngine, initialTransport } from './001-initial.js';
import { completeEngine } from './002-complete-engine.js';
import { outbox } from './003-outbox.js';
import { effects } from './004-effects.js';
import { outboxChannels } from './005-outbox.js';
import { nodeServers } from './006-nodes.js';
import type { Migration } from './migration.js';

/** In the order in which they are applied. */
export const migrations: readonly Migration[] = [
  initialTransport,
  initialEngine,
  completeEngine,
  outbox,
  effects,
  outboxChannels,
  nodeServers,
];
