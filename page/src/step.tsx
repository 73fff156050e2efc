import type { RunRow, StepRow } from '../../lib/dashboard/options.js';
import type { Sent } from './api.js';
import { ChildRun } from './child-run.js';
import { Payload } from './payload.js';
import { runHref, Status, Table } from './parts.js';
import { Fork } from './run-acts.js';
import { StepActs } from './step-acts.js';
import { span, Time } from './times.js';
import { type Wait, WaitText } from './why.js';

const took = (ms: number | null) => (ms === null ? '–' : span(ms));

interface StepPanelProps {
  run: Sent<RunRow>;
  step: Sent<StepRow>;
  /** What it waits for, such as its place in the queue of a limit. */
  wait: Wait | undefined;
  again: () => void;
}

/** A step: what it waits for, its attempts, what it was given and what came of it. */
export function StepPanel({ run, step, wait, again }: StepPanelProps) {
  const at = `runs/${encodeURIComponent(run.id)}`;
  return (
    <section class="panel" aria-label={`Step ${step.seq}`}>
      <h2>
        <a href={runHref(run.id, { step: String(step.seq) })} title="The address of this step">
          {step.seq}
        </a>{' '}
        {step.name} <Status status={step.status} />
      </h2>
      <p class="dim">
        {step.kind}, asked <Time at={step.askedAt} />
        {step.worker && ` by ${step.worker}`}
        {step.wakeAt && (
          <>
            , next <Time at={step.wakeAt} />
          </>
        )}
        {step.logLines > 0 && `, ${step.logLines} log lines`}
      </p>
      {wait && (
        <p class="notice">
          <WaitText wait={wait} />
        </p>
      )}
      {step.error && <p class="alert">{step.error.message}</p>}
      {step.childId !== undefined && <ChildRun id={step.childId} />}
      <Table
        caption={`Attempts of step ${step.seq}`}
        head={['Attempt', 'Backed off', 'Waited', 'Ran', 'Worker', 'Outcome']}
        none="No attempt has ended."
        rows={step.attempts.map((attempt) => (
          <tr key={attempt.attempt}>
            <td>{attempt.attempt}</td>
            <td>{took(attempt.backedOffMs)}</td>
            <td>{took(attempt.waitedMs)}</td>
            <td>{took(attempt.ranMs)}</td>
            <td>{attempt.worker ?? '–'}</td>
            <td>{attempt.error?.message ?? attempt.outcome}</td>
          </tr>
        ))}
      />
      <StepActs run={run} step={step} at={`${at}/steps/${step.seq}`} again={again} />
      {step.seq >= 0 && (
        <div class="actions">
          <Fork at={at} from={step.seq} />
        </div>
      )}
      <Payload
        title="What it was given, and what came of it"
        address={`${at}/payloads?seq=${step.seq}`}
        replay={`${at}/payloads?seq=${step.seq}&inputs=replay`}
        parts={['input', 'output', 'error', 'logs']}
      />
    </section>
  );
}
