import type { DurableNode } from '../../../lib/engine/nodes.js';
import type { Hold } from '../../../lib/acts/holds.js';
import { ManualClock } from '../../../lib/core/time.js';
import type { RunRecord } from '../../../lib/engine/run.js';
import { queuesPage, tasksPage } from '../../../lib/operate/overview.js';
import { groupsOf, InMemoryTransport } from '../../../lib/worker/transport.memory.js';
import type { TaskSource } from '../../../lib/worker/task-source.js';
import type { GroupsQuery } from '../../../lib/worker/waiting-tasks.js';

const GROUPS = ['a', 'b', 'c', 'c'];
const SERVED = { groups: { served: ['charge'] } };
const KNOWS: Pick<TaskSource, 'groups'> = {
  groups: async (query) =>
    groupsOf(
      GROUPS.map((group, createdAt) => ({ group, createdAt })),
      query,
      0,
    ),
};
/** A transport of an app that lists its groups, and does not know that one may be named. */
const OLD: Pick<TaskSource, 'groups'> = {
  groups: (query) => KNOWS.groups!(Object.fromEntries(Object.entries(query).slice(0, 4)) as unknown as GroupsQuery),
};

const ports = (source: Pick<TaskSource, 'groups'>) => ({
  source,
  holds: { list: async () => [{ kind: 'group', name: 'held' } as Hold] },
  nodes: async () => [{ id: 'n', host: 'h', draining: null, serves: SERVED } as unknown as DurableNode],
  flow: { of: async () => () => null },
  namespace: '',
});

describe('the queue of one group', () => {
  it.each([
    ['c', [{ group: 'c', waiting: 2 }]],
    ['served', [{ group: 'served', waiting: 0, servedBy: [{ id: 'n' }] }]],
    ['held', [{ group: 'held', hold: { name: 'held' } }]],
    ['nothing', []],
  ])('is found wherever it is in the list [%s]', async (group, queues) => {
    const page = await queuesPage(ports(KNOWS), { group, limit: 1 });
    expect(page).toMatchObject({ queues });
    expect(page.queues).toHaveLength(queues.length);
    expect(page.cursor).toBeUndefined();
  });

  it('is found as far as a transport of an app can tell', async () => {
    expect((await queuesPage(ports({}), { group: 'held' })).queues).toMatchObject([{ group: 'held' }]);
    expect((await queuesPage(ports({}), { group: 'c' })).queues).toEqual([]);
    expect((await queuesPage(ports(OLD), { group: 'c' })).queues).toMatchObject([{ group: 'c', waiting: 2 }]);
  });

  it.each(['', 'x'.repeat(192), 'a\0b'])('has a name that a group can have [%#]', async (group) => {
    await expect(queuesPage(ports(KNOWS), { group })).rejects.toThrow('group');
  });
});

describe('a list of tasks', () => {
  /** Runs whose ids begin so are of another namespace. */
  const insight = {
    withoutPayloads: async (ids: readonly string[]) =>
      ids.map((id) => ({ id, workflow: 'w', namespace: id.startsWith('their') ? 'theirs' : '' }) as RunRecord),
  };

  it('passes over those of other namespaces', async () => {
    const source = new InMemoryTransport(new ManualClock());
    const task = (runId: string, group: string) => {
      const step = { stepId: `${runId}:0`, runId, seq: 0, name: 'x' };
      return { ...step, group, input: '1', attempt: 1 };
    };
    const theirs = Array.from({ length: 12 }, (_, n) => task(`their-${n}`, 'a'));
    await source.dispatch([...theirs, task('ours', 'b'), task('their-last', 'c')]);
    const { tasks, cursor } = await tasksPage({ source, insight, namespace: '' }, { limit: 5 });
    expect(tasks.map(({ workflowId }) => workflowId)).toEqual(['ours']);
    expect(cursor).toBeUndefined();
  });

  it('says that a transport of an app cannot tell', async () => {
    await expect(tasksPage({ source: {}, insight, namespace: '' }, {})).rejects.toThrow('has no `list`');
  });
});
