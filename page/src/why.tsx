import type { ComponentChildren } from 'preact';
import type { WaitingFor, WorkflowExplanation } from '../../lib/engine/explain.js';
import type { Sent } from './api.js';
import { holdsHref } from './holds.js';
import { runHref, RunLink } from './parts.js';
import { href } from './router.js';
import { withLocalTimes } from './times.js';

export type Wait = Sent<WaitingFor>;

/** The position of the step that waits; undefined if it is the run that does. */
export const seqOf = (wait: Wait): number | undefined => ('seq' in wait ? wait.seq : undefined);

const MOST = 50;

/** Why a run stands where it stands, in words, each with links to what it waits for. */
export function Why({ id, why }: { id: string; why: Sent<WorkflowExplanation> }) {
  const [head] = why.text.split('\n');
  const waits = why.waitingFor;
  return (
    <section class="why" aria-label="Why">
      <p>{withLocalTimes(head ?? '')}</p>
      {waits.length > 0 && (
        <ul>
          {waits.slice(0, MOST).map((wait, n) => (
            <li key={n}>
              <WaitText wait={wait}>
                <StepLink id={id} seq={seqOf(wait)} />
              </WaitText>
            </li>
          ))}
        </ul>
      )}
      {waits.length > MOST && <p class="dim">… {waits.length - MOST} more</p>}
    </section>
  );
}

const StepLink = ({ id, seq }: { id: string; seq: number | undefined }) =>
  seq === undefined ? null : <a href={runHref(id, { step: String(seq) })}>step {seq}</a>;

/** What is waited for, with links to it, after those that are given. */
export function WaitText({ wait, children }: { wait: Wait; children?: ComponentChildren }) {
  return (
    <>
      {withLocalTimes(wait.text)}{' '}
      <span class="links">
        {children}
        {(wait.kind === 'child' || wait.kind === 'run') && wait.id !== null && <RunLink id={wait.id} />}
        {placesOf(wait).map(([title, to]) => (
          <a key={title} href={to}>
            {title}
          </a>
        ))}
      </span>
    </>
  );
}

/** The views that show what it waits for. */
function placesOf(wait: Wait): [title: string, href: string][] {
  switch (wait.kind) {
    case 'task':
      return [
        ['queues', href('queues', { group: wait.group ?? undefined })],
        ['processes', href('processes')],
      ];
    case 'signal':
      // By a name alone a run that is waited for is not found, but what was sent to it is.
      return [['signals', href('signals', { name: wait.signals[0]?.name, key: wait.signals[0]?.key ?? undefined })]];
    case 'effects':
      return [['effects', href('effects', { operation: wait.operation, subject: wait.subject })]];
    case 'limiter':
      return [['limits', href('queues')]];
    case 'hold':
      return [['holds', holdsHref()]];
    case 'process':
      return [
        ['processes', href('processes')],
        ['deploy', href('deploy')],
      ];
    default:
      return [];
  }
}

/** The names of the signals that a run listens to, as far as they are sent to the run itself. */
export const listenedIn = (why: Sent<WorkflowExplanation> | undefined): string[] => {
  const signals = (why?.waitingFor ?? []).flatMap((wait) => (wait.kind === 'signal' ? wait.signals : []));
  return [...new Set(signals.filter(({ key }) => key === null).map(({ name }) => name))];
};
