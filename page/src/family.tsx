import type { RunInTree, RunTree } from '../../lib/operate/run-comparison.js';
import { type Sent, useLive } from './api.js';
import { Problem, RunLink, Status } from './parts.js';
import { href } from './router.js';

type Tree = Sent<RunTree>;
type One = Sent<RunInTree>;

/** Where a run comes from, and what it has started. */
export function Family({ id }: { id: string }) {
  const live = useLive<Tree>(`runs/${encodeURIComponent(id)}/tree?limit=50`, 30_000);
  const { data } = live;
  if (!data) return <Problem live={live} what="Its relatives" />;
  if (!hasRelatives(data)) return null;
  return (
    <section aria-label="Relatives">
      <h2>Relatives</h2>
      {data.scheduleId && (
        <p>
          Fired by <a href={href('runs', { schedule: data.scheduleId })}>{data.scheduleId}</a>
        </p>
      )}
      {data.forkedFrom && (
        <p>
          Forked from <RunLink id={data.forkedFrom.id} /> at {data.forkedFrom.seq}
        </p>
      )}
      {data.after.length > 0 && (
        <ul class="family" aria-label="Begins after">
          {data.after.map((one) => (
            <li key={one.id}>
              after <RunLink id={one.id} />{' '}
              {one.status === null ? 'which does not exist' : <Status status={one.status} />}
            </li>
          ))}
        </ul>
      )}
      <Above line={[...data.ancestors].reverse()} tree={data} />
      {!data.complete && <p class="dim">There are more than are shown.</p>}
    </section>
  );
}

const hasRelatives = ({ ancestors, descendants, after, forkedFrom, scheduleId }: Tree): boolean =>
  ancestors.length + descendants.length + after.length > 0 || forkedFrom !== null || scheduleId !== null;

/** From the eldest down to the run, then all that it has started. */
function Above({ line: [first, ...rest], tree }: { line: One[]; tree: Tree }) {
  if (!first) return <Below of={tree.run} tree={tree} />;
  return (
    <ul class="family">
      <li>
        <Named run={first} />
        <Above line={rest} tree={tree} />
      </li>
    </ul>
  );
}

function Below({ of, tree }: { of: One; tree: Tree }) {
  const children = tree.descendants.filter(({ parentId }) => parentId === of.id);
  return (
    <ul class="family">
      <li>
        <Named run={of} here={of.id === tree.run.id} />
        {children.map((child) => (
          <Below key={child.id} of={child} tree={tree} />
        ))}
      </li>
    </ul>
  );
}

const Named = ({ run, here = false }: { run: One; here?: boolean }) => (
  <>
    {here ? <b class="id">{run.id}</b> : <RunLink id={run.id} />} {run.workflow}{' '}
    <Status status={run.status} reason={run.reason} />
  </>
);
