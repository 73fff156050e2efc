/** What can be held. A schedule is paused by its own row; its hold says by whom, and why. */
export type HoldKind = 'workflow' | 'group' | 'effect' | 'schedule';

export const HOLD_KINDS: readonly HoldKind[] = ['workflow', 'group', 'effect', 'schedule'];

/** Something that can be held, by its name. */
export interface HeldThing {
  readonly kind: HoldKind;
  /** The name of the workflow, of the group or of the effect; the id of the schedule. */
  readonly name: string;
}

/** Work on something stands still, in all processes. */
export interface Hold extends HeldThing {
  readonly since: Date;
  /** Who. */
  readonly actor: string;
  readonly reason: string;
  /** When it ends by itself; undefined: when somebody lifts it. */
  readonly until: Date | undefined;
}

/** A hold that begins now, or that changes one in force. */
export type NewHold = Omit<Hold, 'since'>;

/** Whether things of this kind belong to a namespace. Groups and effects are shared by all apps on the same tables. */
export const isInNamespace = (kind: HoldKind): boolean => kind === 'workflow' || kind === 'schedule';

/** The order in which holds are listed. */
export const inOrder = (a: HeldThing, b: HeldThing): number => compare(a.kind, b.kind) || compare(a.name, b.name);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
