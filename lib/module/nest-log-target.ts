import { Logger } from '@nestjs/common';
import type { LogTarget } from './durable.log.js';

/** Nest's logger, which also tells whether it prints debug lines. */
export class NestLogTarget extends Logger implements LogTarget {
  /** False only if what prints says so: loggers of the app need not know. */
  debugs(): boolean {
    const printing = this.localInstance as { isLevelEnabled?: (level: 'debug') => boolean } | undefined;
    return printing?.isLevelEnabled?.('debug') ?? true;
  }
}
