/**
 * A point in the order of a story: when something happened, and what comes first of all that happened in the same
 * millisecond.
 */
export interface Moment {
  /** Epoch ms. */
  readonly at: number;
  /** The run that it belongs to: its index among the runs of the story, in the order of their ids. */
  readonly run: number;
  /** The stage of the run, see {@link STAGE} and {@link stageOf}. */
  readonly stage: number;
  /** One of {@link WHAT}. */
  readonly what: number;
  /** Which of several at one stage: an attempt or an id. A whole number, or a text that is as long as all others. */
  readonly item: string;
}

/** The next moments of a story. */
export interface MomentQuery {
  /** The runs of the story, in the order of their ids. */
  readonly runIds: readonly string[];
  /** Only later ones. */
  readonly past?: Moment | undefined;
  readonly limit: number;
}

/** What happened, in the order of causes and effects. */
export const WHAT = {
  scheduled: 0,
  created: 1,
  started: 2,
  act: 3,
  asked: 4,
  attempted: 5,
  ended: 6,
  signal: 7,
  effectAsked: 8,
  effectAttempted: 9,
  effectEnded: 10,
  dead: 11,
  blocked: 12,
  runEnded: 13,
  erased: 14,
} as const;

/** Before all steps of a run; beside them; after them. */
export const STAGE = { first: -1, beside: 1_000_000_000, last: 2_000_000_000 } as const;

/** Steps in the order of their positions, then compensations, which undo the last step first. */
export const stageOf = (seq: number): number => (seq >= 0 ? seq : STAGE.last + seq);

export const seqAt = (stage: number): number => (stage < STAGE.beside ? stage : stage - STAGE.last);

export const compareMoments = (a: Moment, b: Moment): number =>
  a.at - b.at ||
  a.run - b.run ||
  a.stage - b.stage ||
  a.what - b.what ||
  a.item.length - b.item.length ||
  (a.item < b.item ? -1 : Number(a.item > b.item));

/** The moments that the query asks for, of all that there are. */
export const nextOf = <M extends Moment>(all: readonly M[], { past, limit }: Omit<MomentQuery, 'runIds'>): M[] =>
  all
    .filter((moment) => !past || compareMoments(moment, past) > 0)
    .sort(compareMoments)
    .slice(0, limit);
