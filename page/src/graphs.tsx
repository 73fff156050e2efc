import type { GraphLine, Graphs as Lines } from '../../lib/operate/samples.js';
import { type Sent, useLive } from './api.js';
import { HEIGHT, pointsOf, quantile, WIDTH } from './graph-points.js';
import { Problem } from './parts.js';
import { span } from './times.js';

const HOUR_MS = 3_600_000;

const plain = (value: number): string => String(value);

/** The last hour, minute by minute. */
export function Graphs() {
  const live = useLive<Sent<Lines>>('graphs', 30_000);
  const { data } = live;
  if (!data) return <Problem live={live} what="The graphs" />;
  const graphs = [
    { title: 'Runs that ended, per minute', lines: data.ended, text: plain },
    { title: 'Oldest task of a group', lines: data.queueAges, text: span, spread: true },
    { title: 'Oldest undelivered event', lines: data.relayLags, text: span, spread: true },
    { title: 'Events delivered, per minute', lines: data.delivered, text: plain },
    { title: 'Channels that stand still', lines: data.standing, text: plain },
  ].filter(({ lines }) => lines.length > 0);
  if (graphs.length === 0) return <p class="dim">Graphs come with the first sample, a minute after the start.</p>;
  return (
    <section aria-label="The last hour">
      <h2>The last hour</h2>
      <Problem live={live} what="The graphs" />
      {!data.complete && <p class="dim">There are more samples than were read: the newest are missing.</p>}
      <div class="graphs">
        {graphs.map((graph) => (
          <Graph key={graph.title} from={Date.parse(data.from)} {...graph} />
        ))}
      </div>
    </section>
  );
}

const clock = (time: number): string =>
  new Date(time).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });

interface GraphProps {
  /** The time of the first value. */
  from: number;
  title: string;
  lines: readonly GraphLine[];
  text: (value: number) => string;
  /** Whether its legend has quantiles: of what is no count. */
  spread?: boolean;
}

/** The picture is for the eye; its legend says the same in words. */
function Graph({ title, lines, text, from, spread = false }: GraphProps) {
  const top = Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <figure class="graph">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ name, values }, n) => (
          <polyline key={name} class={`line-${n}`} points={pointsOf(values, top)} />
        ))}
      </svg>
      <p class="axis" aria-hidden="true">
        <span>{clock(from)}</span>
        <span>up to {text(top)}</span>
        <span>{clock(from + HOUR_MS)}</span>
      </p>
      <ul>
        {lines.map(({ name, values }, n) => {
          const known = values.filter((value) => value !== null);
          return (
            <li key={name}>
              <svg viewBox="0 0 20 4" class="sample" aria-hidden="true">
                <polyline class={`line-${n}`} points="0,2 20,2" />
              </svg>{' '}
              {name.replaceAll('_', ' ')}: <b>{text(known.at(-1) ?? 0)}</b>,{' '}
              {spread && `p50 ${text(quantile(known, 0.5))}, p95 ${text(quantile(known, 0.95))}, `}at most{' '}
              {text(Math.max(0, ...known))}
            </li>
          );
        })}
      </ul>
    </figure>
  );
}
