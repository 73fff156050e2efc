import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosServer } from './chaos-server.js';
import type { ChildProgram } from './child-program.js';
import type { Fleet } from './fleet.js';
import type { Kind } from './kinds/kind.js';
import type { Random } from './random.js';

/** What a fault can reach. */
export interface Arena {
  server: ChaosServer;
  fleet: Fleet;
  /** Of this fault alone. */
  random: Random;
  /** Has a run of this kind begun. */
  begin(kind: Kind): void;
}

/** Something that goes wrong for a while. */
export interface Fault {
  name: string;
  /** Why it cannot be made here; then the report says so. */
  lacks?(arena: Arena): string | undefined;
  /** The programs whose work it may cut off: their steps may run again elsewhere. Default all. */
  victims?(arena: Arena): readonly ChildProgram[];
  /** Resolves once it is over, and everything is as it was; with `end`: once it stands. */
  strike(arena: Arena, victims: readonly ChildProgram[]): Promise<void>;
  /** Called when runs that began while it stood have ended in spite of it: for each of them that took 30 s at most. */
  end?(victims: readonly ChildProgram[]): void;
}

/** For so long as the seed says. */
export const lasting = ({ random }: Arena, leastMs: number, mostMs: number): Promise<void> =>
  pause(random.whole(leastMs, mostMs));

export const onPostgres = ({ server }: Pick<Arena, 'server'>): boolean => server.db === 'postgres';

export const oneOf =
  (programs: (fleet: Fleet) => readonly ChildProgram[]) =>
  ({ fleet, random }: Arena) => [random.pick(programs(fleet))];
