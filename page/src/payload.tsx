import { useState } from 'preact/hooks';
import type { RecomputedInputs, WorkflowLogLine } from '../../lib/engine/views.js';
import { ask, may, payloads, type Sent } from './api.js';
import { Json } from './json.js';
import { refined } from './router.js';

interface PayloadProps {
  title: string;
  address: string;
  /** Which parts of the answer are shown, in this order. */
  parts: readonly string[];
  /** Where an input that is not kept is asked of today's code; that takes as long as its history is. */
  replay?: string;
}

type Answer = Readonly<Record<string, unknown>>;

/** Payloads are asked for when somebody wants to see them; the server records that. */
export function Payload({ title, address, parts, replay }: PayloadProps) {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  if (!may('payloads') || payloads === 'never') return null;
  const look = async (from: string) => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      setAnswer(await ask<Answer>(from));
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  const isRecomputed = answer?.['recomputed'] === true;
  const shown = parts.filter((part) => answer && answer[part] !== undefined && answer[part] !== null);
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <button type="button" aria-busy={busy} onClick={() => void look(address)}>
        {answer ? 'Look again' : 'Show'}
      </button>
      {payloads === 'on demand' && <span class="dim"> The act log says who looked.</span>}
      {problem && (
        <p role="alert" class="alert">
          {problem}
        </p>
      )}
      {answer && <Misfit replayed={answer['replayed'] as Sent<RecomputedInputs> | undefined} />}
      {answer && shown.length === 0 && <p class="dim">Nothing is kept.</p>}
      {shown.map((part) => (
        <div key={part}>
          <h3>{part === 'input' && isRecomputed ? "input, as today's code asks for it" : part}</h3>
          {part === 'logs' ? <Lines lines={answer?.[part]} /> : <Json value={answer?.[part]} />}
        </div>
      ))}
      {answer && replay && answer['input'] === undefined && (
        <button type="button" aria-busy={busy} onClick={() => void look(replay)}>
          Replay the input
        </button>
      )}
    </section>
  );
}

/** Where today's code parts from the history: from there on a replay finds no inputs. */
function Misfit({ replayed }: { replayed: Sent<RecomputedInputs> | undefined }) {
  if (!replayed || replayed.fits) return null;
  const { mismatch, detail } = replayed;
  return (
    <p role="status" class="notice">
      Today's code does not fit this history:{' '}
      {mismatch ? (
        <>
          at <a href={refined({ step: String(mismatch.seq) })}>position {mismatch.seq}</a> {mismatch.recorded} is
          recorded, and the code asks for {mismatch.asked}. From there on no step has an input.
        </>
      ) : (
        detail
      )}
    </p>
  );
}

type Line = Omit<Sent<WorkflowLogLine>, 'message' | 'fields'> & { message: unknown; fields?: unknown };

const isEmpty = (fields: unknown): boolean =>
  typeof fields !== 'object' || fields === null || Object.keys(fields).length === 0;

/** What a step has written, line by line. */
function Lines({ lines }: { lines: unknown }) {
  const all = lines as readonly Line[];
  if (all.length === 0) return <p class="dim">None.</p>;
  return (
    <ol class="lines">
      {all.map(({ loggedAt: at, level, attempt, message, fields }, n) => (
        <li key={n}>
          <time class="dim" dateTime={at} title={new Date(at).toLocaleString()}>
            {new Date(at).toLocaleTimeString()}
          </time>{' '}
          <b class={`level ${level}`}>{level}</b>{' '}
          {attempt !== null && attempt > 1 && <span class="dim">attempt {attempt} </span>}
          {typeof message === 'string' ? message : <Json value={message} />}
          {!isEmpty(fields) && <Json value={fields} open={0} />}
        </li>
      ))}
    </ol>
  );
}
