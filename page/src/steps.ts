import { useEffect, useRef, useState } from 'preact/hooks';
import type { StepRow } from '../../lib/dashboard/options.js';
import { type ApiError, type Asker, errorFrom, repeat, type Sent } from './api.js';
import { queryText } from './router.js';

export type Step = Sent<StepRow>;

interface StepsAnswer {
  steps: Step[];
  cursor?: number;
  mark: string;
  anew?: true;
}

export interface Steps {
  /** In the order of their positions; undefined until the first page has come. */
  steps: readonly Step[] | undefined;
  /** All positions were read, up to the last look. */
  whole: boolean;
  error: ApiError | undefined;
  /** Forgets what is known, and reads all of it. */
  again: () => void;
}

/** The first page is short, so that something can be seen at once. */
const FIRST = '200';
const REST = '1000';

/** The steps of a run: page by page at first, and then what has changed. */
export function useSteps(at: string, everyMs: number): Steps {
  const [state, setState] = useState<Omit<Steps, 'again'>>({ steps: undefined, whole: false, error: undefined });
  const [turn, setTurn] = useState(0);
  const every = useRef(everyMs);
  every.current = everyMs;
  useEffect(() => {
    const known = new Map<number, Step>();
    let mark: string | undefined;
    const look = async ({ ask, stopped }: Asker) => {
      try {
        for (let more = true; more;) {
          const query = queryText({ mark, limit: mark === undefined ? FIRST : REST });
          const answer = await ask<StepsAnswer>(`${at}/steps?${query}`);
          const isFirst = mark === undefined;
          const isChanged = learn(known, answer);
          ({ mark } = answer);
          more = answer.cursor !== undefined;
          if (isFirst || isChanged || !more) setState((old) => stateOf(old, known, isFirst || isChanged, !more));
        }
      } catch (error) {
        if (!stopped.aborted) setState((old) => ({ ...old, error: errorFrom(error) }));
      }
    };
    return repeat(look, () => every.current, turn > 0);
  }, [at, turn]);
  return { ...state, again: () => setTurn((n) => n + 1) };
}

/** Whether there is anything new in the answer. */
function learn(known: Map<number, Step>, { steps, anew }: StepsAnswer): boolean {
  if (anew) known.clear();
  const changed = steps.filter((step) => JSON.stringify(known.get(step.seq)) !== JSON.stringify(step));
  for (const step of changed) known.set(step.seq, step);
  return anew === true || changed.length > 0;
}

/** The same state if nothing has changed, so that nothing is drawn again. */
function stateOf(
  old: Omit<Steps, 'again'>,
  known: ReadonlyMap<number, Step>,
  isChanged: boolean,
  whole: boolean,
): Omit<Steps, 'again'> {
  if (!isChanged && old.whole === whole && old.error === undefined) return old;
  const steps = isChanged ? [...known.values()].sort((a, b) => a.seq - b.seq) : old.steps;
  return { steps, whole, error: undefined };
}
