import { useState } from 'preact/hooks';
import { ask, may, payloads } from './api.js';
import { Json } from './json.js';

interface PayloadProps {
  title: string;
  address: string;
  /** Which parts of the answer are shown, in this order. */
  parts: readonly string[];
}

type Answer = Readonly<Record<string, unknown>>;

/** Payloads are asked for when somebody wants to see them; the server records that. */
export function Payload({ title, address, parts }: PayloadProps) {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  if (!may('payloads') || payloads === 'never') return null;
  const look = () => {
    ask<Answer>(address).then(setAnswer, (error: Error) => setProblem(error.message));
  };
  const shown = parts.filter((part) => answer && answer[part] !== undefined && answer[part] !== null);
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      {!answer && (
        <button type="button" onClick={look}>
          Show
        </button>
      )}
      {!answer && payloads === 'on demand' && <span class="dim"> The act log says who looked.</span>}
      {problem && (
        <p role="alert" class="alert">
          {problem}
        </p>
      )}
      {answer && shown.length === 0 && <p class="dim">Nothing is kept.</p>}
      {shown.map((part) => (
        <div key={part}>
          <h3>{part}</h3>
          <Json value={answer?.[part]} />
        </div>
      ))}
    </section>
  );
}
