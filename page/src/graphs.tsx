import type { GraphLine, Graphs as Lines } from '../../lib/operator/graphs.js';
import { type Sent, useLive } from './api.js';
import { HEIGHT, pointsOf, WIDTH } from './graph-points.js';
import { span } from './times.js';

const plain = (value: number): string => String(value);

/** The last hour, minute by minute. */
export function Graphs() {
  const { data } = useLive<Sent<Lines>>('graphs', 30_000);
  if (!data) return null;
  const graphs = [
    { title: 'Runs that ended, per minute', lines: data.ended, text: plain },
    { title: 'Oldest task of a group', lines: data.queueAges, text: span },
    { title: 'Events delivered, per minute', lines: data.delivered, text: plain },
    { title: 'Channels that stand still', lines: data.standing, text: plain },
  ].filter(({ lines }) => lines.length > 0);
  if (graphs.length === 0) return <p class="dim">Graphs come with the first sample, a minute after the start.</p>;
  return (
    <section aria-label="The last hour">
      <h2>The last hour</h2>
      {!data.complete && <p class="dim">There are more samples than were read: the newest are missing.</p>}
      <div class="graphs">
        {graphs.map((graph) => (
          <Graph key={graph.title} {...graph} />
        ))}
      </div>
    </section>
  );
}

interface GraphProps {
  title: string;
  lines: readonly GraphLine[];
  text: (value: number) => string;
}

/** The picture is for the eye; its legend says the same in words. */
function Graph({ title, lines, text }: GraphProps) {
  const top = Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <figure class="graph">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ name, values }, n) => (
          <polyline key={name} class={`line-${n}`} points={pointsOf(values, top)} />
        ))}
      </svg>
      <ul>
        {lines.map(({ name, values }, n) => {
          const known = values.filter((value) => value !== null);
          return (
            <li key={name}>
              <svg viewBox="0 0 20 4" class="sample" aria-hidden="true">
                <polyline class={`line-${n}`} points="0,2 20,2" />
              </svg>{' '}
              {name.replaceAll('_', ' ')}: <b>{text(known.at(-1) ?? 0)}</b>, at most {text(Math.max(0, ...known))}
            </li>
          );
        })}
      </ul>
    </figure>
  );
}
