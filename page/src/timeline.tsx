import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StepRow } from '../../lib/dashboard/run-rows.js';
import type { Sent } from './api.js';
import { barsOf } from './bars.js';
import { type Scale, scaleOf, WHOLE, type Window } from './scale.js';
import { now, span } from './times.js';
import { Zoom } from './zoom.js';

const ROW = 26;
/** Rows beyond the edges, so that scrolling shows no gaps. */
const AROUND = 10;

interface TimelineProps {
  steps: readonly Sent<StepRow>[];
  from: number;
  to: number | undefined;
  /** The position of the chosen step. */
  chosen: number | undefined;
  choose: (seq: number) => void;
}

/** The steps of a run over time. Only the rows that can be seen are in the document, whatever the length of the history. */
export function Timeline({ steps, from, to, chosen, choose }: TimelineProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => seen(box.current!, setView), []);
  const [window, setWindow] = useState(WHOLE);
  const end = Math.max(from + 1, to ?? now.value);
  const scale = useMemo(() => scaleOf(busyIn(steps, end), from, end), [steps, from, end]);
  const first = Math.max(0, Math.floor(view.top / ROW) - AROUND);
  const last = Math.min(steps.length, Math.ceil((view.top + view.height) / ROW) + AROUND);
  const move = (event: KeyboardEvent) => {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = steps.findIndex(({ seq }) => seq === chosen) + by;
    const next = Math.min(steps.length - 1, Math.max(0, at));
    choose(steps[next]!.seq);
    reveal(box.current!, next * ROW);
  };
  if (steps.length === 0) return <p class="dim">No step is recorded.</p>;
  return (
    <>
      <p class="legend" aria-hidden="true">
        {(['waited', 'backed off', 'ran', 'failed', 'slept'] as const).map((how) => (
          <span key={how}>
            <span class={`bar ${how.replace(' ', '-')}`} /> {how}
          </span>
        ))}
      </p>
      <Zoom window={window} set={setWindow} gaps={scale.gaps} />
      <div
        class="timeline"
        ref={box}
        tabIndex={0}
        role="listbox"
        aria-label="Steps"
        aria-activedescendant={chosen === undefined ? undefined : `step-${chosen}`}
        onKeyDown={move}
      >
        <div class="rows" role="presentation" style={{ height: `${steps.length * ROW}px` }}>
          {steps.slice(first, last).map((step, n) => (
            <Row
              key={step.seq}
              {...{ step, end, scale, window }}
              isOpen={to === undefined}
              top={(first + n) * ROW}
              selected={step.seq === chosen}
              choose={() => choose(step.seq)}
            />
          ))}
        </div>
      </div>
    </>
  );
}

/** What is drawn to scale; timers and signals that a run waits for are idle time. */
const busyIn = (steps: TimelineProps['steps'], end: number) =>
  steps.flatMap((step) => barsOf(step, end).filter(({ how }) => how !== 'slept'));

const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Follows what of the box can be seen. */
function seen(box: HTMLElement, set: (view: { top: number; height: number }) => void): () => void {
  const look = () => set({ top: box.scrollTop, height: box.clientHeight });
  const sizes = new ResizeObserver(look);
  sizes.observe(box);
  box.addEventListener('scroll', look, { passive: true });
  return () => {
    sizes.disconnect();
    box.removeEventListener('scroll', look);
  };
}

function reveal(box: HTMLElement, top: number): void {
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight;
}

interface RowProps {
  step: Sent<StepRow>;
  end: number;
  scale: Scale;
  window: Window;
  /** The run has not ended: the end is now. */
  isOpen: boolean;
  top: number;
  selected: boolean;
  choose: () => void;
}

function Row({ step, end, scale, window, isOpen, top, selected, choose }: RowProps) {
  const at = (ms: number) => ((scale.at(ms) - window.left) / (window.right - window.left)) * 100;
  const over = ({ from, to }: { from: number; to: number }) => ({
    left: `${at(from)}%`,
    width: `max(2px, ${at(to) - at(from)}%)`,
  });
  const failed = step.failures ? `, ${step.failures} failed attempts` : '';
  return (
    <div
      id={`step-${step.seq}`}
      class="row"
      role="option"
      aria-selected={selected}
      aria-label={`${step.seq} ${step.name}, ${step.kind}, ${step.status}${failed}`}
      style={{ top: `${top}px` }}
      onClick={choose}
    >
      <span class={`dot ${step.status}`} aria-hidden="true" />
      <span class="name">
        <span class="dim">{step.seq}</span> {step.name} <span class="kind">{step.kind}</span>
      </span>
      <span class="track" aria-hidden="true">
        {barsOf(step, end).map((bar) => (
          <span
            key={bar.from}
            class={`bar ${bar.how.replace(' ', '-')}`}
            title={`${bar.how} ${span(bar.to - bar.from)}`}
            style={over(bar)}
          />
        ))}
        {scale.gaps.map((gap) => (
          <span key={gap.from} class="gap" style={over(gap)} title={`nothing for ${span(gap.to - gap.from)}`} />
        ))}
        {isOpen && <span class="now" style={{ left: `calc(${at(end)}% - 2px)` }} title="now" />}
      </span>
      <span class="took">{step.finishedAt ? span(Date.parse(step.finishedAt) - Date.parse(step.createdAt)) : '…'}</span>
    </div>
  );
}
