import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { StepRow } from '../../lib/dashboard/options.js';
import type { Sent } from './api.js';
import { type Bar, barsOf, HOWS } from './bars.js';
import { query, refine } from './router.js';
import { type Scale, scaleOf, WHOLE, type Window } from './scale.js';
import { now, span } from './times.js';
import { Zoom } from './zoom.js';

const ROW = 26;
/** Rows beyond the edges, so that scrolling shows no gaps. */
const AROUND = 10;

interface TimelineProps {
  /** Default: `Steps`. */
  name?: string;
  steps: readonly Sent<StepRow>[];
  from: number;
  to: number | undefined;
  /** The position of the chosen step. */
  chosen: number | undefined;
  choose: (seq: number) => void;
  /** The positions of the steps that wait for a limit now. */
  queued?: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();

/** The steps of a run, without its markers unless the address says so, or one of them is chosen. */
export function Timeline(props: TimelineProps) {
  const { steps, chosen } = props;
  const withMarkers = query('markers') === 'true';
  const markers = useMemo(() => steps.filter(isMarker).length, [steps]);
  const shown = useMemo(
    () => (withMarkers ? steps : steps.filter((step) => !isMarker(step) || step.seq === chosen)),
    [steps, withMarkers, chosen],
  );
  return (
    <>
      {markers > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={withMarkers}
            onChange={(event) => refine({ markers: event.currentTarget.checked ? 'true' : undefined })}
          />
          {markers} {markers === 1 ? 'marker' : 'markers'}: what the code noted, such as a time
        </label>
      )}
      <Rows {...props} steps={shown} />
    </>
  );
}

const isMarker = ({ kind }: Sent<StepRow>): boolean => kind === 'marker';

/** The steps of a run over time. Only the rows that can be seen are in the document, whatever the length of the history. */
function Rows({ name = 'Steps', steps, from, to, chosen, choose, queued = NONE }: TimelineProps) {
  const box = useRef<HTMLDivElement>(null);
  const idOf = useIdOf();
  const [view, setView] = useState({ top: 0, height: 600 });
  const isEmpty = steps.length === 0;
  useEffect(() => (box.current ? seen(box.current, setView) : undefined), [isEmpty]);
  // An address may name a step that is far down.
  const at = steps.findIndex(({ seq }) => seq === chosen);
  useEffect(() => {
    if (box.current && at >= 0) reveal(box.current, at * ROW);
  }, [chosen, at >= 0]);
  const [window, setWindow] = useState(WHOLE);
  const end = Math.max(from + 1, to ?? now.value);
  const scale = useMemo(() => scaleOf(busyIn(steps, end), from, end), [steps, from, end]);
  const first = Math.max(0, Math.floor(view.top / ROW) - AROUND);
  const last = Math.min(steps.length, Math.ceil((view.top + view.height) / ROW) + AROUND);
  const move = (event: KeyboardEvent) => {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.min(steps.length - 1, Math.max(0, at + by));
    choose(steps[next]!.seq);
    reveal(box.current!, next * ROW);
  };
  if (isEmpty) return <p class="dim">No step is recorded.</p>;
  return (
    <>
      <p class="legend" aria-hidden="true">
        {HOWS.map((how) => (
          <span key={how}>
            <span class={classOf(how)} /> {how}
          </span>
        ))}
      </p>
      <Zoom window={window} set={setWindow} gaps={scale.gaps} />
      <div
        class="timeline"
        ref={box}
        tabIndex={0}
        role="listbox"
        aria-label={name}
        aria-activedescendant={chosen === undefined ? undefined : idOf(chosen)}
        onKeyDown={move}
      >
        <div class="rows" role="presentation" style={{ height: `${steps.length * ROW}px` }}>
          {steps.slice(first, last).map((step, n) => (
            <Row
              key={step.seq}
              id={idOf(step.seq)}
              {...{ step, end, scale, window }}
              isOpen={to === undefined}
              top={(first + n) * ROW}
              isQueued={queued.has(step.seq)}
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

const classOf = (how: Bar['how']): string => `bar ${how.replaceAll(' ', '-')}`;

/** There may be several timelines. */
function useIdOf(): (seq: number) => string {
  const timeline = useId();
  return (seq) => `${timeline}-${seq}`;
}

const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: -Infinity,
  End: Infinity,
};

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
  id: string;
  step: Sent<StepRow>;
  end: number;
  scale: Scale;
  window: Window;
  /** The run has not ended: the end is now. */
  isOpen: boolean;
  isQueued: boolean;
  top: number;
  selected: boolean;
  choose: () => void;
}

function Row({ id, step, end, scale, window, isOpen, isQueued, top, selected, choose }: RowProps) {
  const at = (ms: number) => ((scale.at(ms) - window.left) / (window.right - window.left)) * 100;
  const over = ({ from, to }: { from: number; to: number }) => ({
    left: `${at(from)}%`,
    width: `max(2px, ${at(to) - at(from)}%)`,
  });
  const failed = step.failures ? `, ${step.failures} failed attempts` : '';
  return (
    <div id={id} class="row" role="option" aria-selected={selected} style={{ top: `${top}px` }} onClick={choose}>
      <span class={`dot ${step.status}`} aria-hidden="true" />
      <span class="name">
        <span class="dim">{step.seq}</span> {step.name} <span class="kind">{step.kind}</span>
        <span class="hide">
          {step.status}
          {failed}
        </span>
      </span>
      <span class="track" aria-hidden="true">
        {barsOf(step, end, isQueued).map((bar, n) => (
          <span key={n} class={classOf(bar.how)} title={`${bar.how} ${span(bar.to - bar.from)}`} style={over(bar)} />
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
