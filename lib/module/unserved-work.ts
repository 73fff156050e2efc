import { codeText, effectText, groupText, serversOf } from '../engine/insight/explain-servers.js';
import { isAlive, type NodeRecord, type NodesInSight, type ServedThing } from '../engine/model/node-record.js';
import type { Held } from '../holds/held-names.js';
import { type Found, UnservedWatch } from '../leasing/unserved-watch.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { TelemetryEvents } from '../telemetry/telemetry-events.js';
import { type Loops, PollLoop } from '../time/poll-loop.js';
import { UnclaimedTasks } from '../worker/unclaimed-tasks.js';
import type { Storage } from './storage.providers.js';

type EventName = 'task.unserved' | 'run.unserved' | 'effects.unclaimed';

/** What waits, and the event that tells of it. */
type Unserved = {
  [Name in EventName]: { key: string; thing: ServedThing; tooFew?: boolean; name: Name; event: TelemetryEvents[Name] };
}[EventName];

type Untold<Name extends EventName> = Omit<TelemetryEvents[Name], 'why'>;

interface Parts {
  storage: Pick<Storage, 'source' | 'effects' | 'clock'> & {
    engine: Pick<Storage['engine'], 'unfinished' | 'roster'>;
  };
  /** This process. */
  nodeId: string;
  namespace: string;
  telemetry: Telemetry;
  held: Held;
}

/** How often it is asked whether a look is due. */
const BEAT_MS = 15_000;
/** How long calls may wait although a process makes such calls: then there are too few. */
const TOO_FEW_AFTER_MS = 300_000;

/**
 * Tells of tasks, runs and calls of effects that wait although no process serves them: in any group, not only those of
 * this process. Of the processes of a namespace one looks; the others only read who is signed in. A look is a fixed
 * number of statements, however much waits.
 */
export class UnservedWork {
  private readonly watch: UnservedWatch<Unserved>;
  private readonly unclaimed: UnclaimedTasks;
  private readonly loop: PollLoop;

  constructor(private readonly parts: Parts) {
    const { telemetry, storage } = parts;
    this.unclaimed = new UnclaimedTasks({ source: storage.source, clock: storage.clock });
    this.watch = new UnservedWatch<Unserved>({
      find: (olderThanMs) => this.find(olderThanMs),
      keyOf: ({ key }) => key,
      tell: ({ name, event }) => telemetry.emit(name, event),
      clock: storage.clock,
    });
    const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'unserved', error });
    this.loop = new PollLoop(() => this.look(), { maxMs: BEAT_MS, onError });
    storage.clock.onTurn?.(() => this.loop.wake());
  }

  get loops(): Loops {
    return { unserved: this.loop };
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  async look(): Promise<'idle'> {
    await this.watch.look();
    return 'idle';
  }

  private async find(olderThanMs: number): Promise<Found<Unserved> | undefined> {
    const { storage, namespace, nodeId } = this.parts;
    const seen = await storage.engine.roster.nodes();
    if (!isFirst(seen, { nodeId, namespace })) return undefined;
    const tasks = await this.unclaimed.look(olderThanMs);
    const runs = await storage.engine.unfinished.overdue(namespace, olderThanMs);
    const calls = storage.effects ? await storage.effects.insight.unclaimed(olderThanMs) : [];
    const isServed = (thing: ServedThing) => this.isServed(seen, thing, olderThanMs);
    const all = [
      ...tasks.map((task) => unservedTask(seen, task)),
      ...runs.map((run) => unservedRun(seen, namespace, run)),
      ...calls.map((call) => unservedCall(seen, call)),
    ];
    const items = all.filter(({ thing, tooFew }) => !this.isHeld(thing) && (tooFew || !isServed(thing)));
    const keys = new Set(items.map(({ key }) => key));
    return { items, isServed: ({ key, thing, tooFew }) => (tooFew ? !keys.has(key) : isServed(thing)) };
  }

  /** A process that has ended a moment ago may be one that is being replaced. */
  private isServed(seen: NodesInSight, thing: ServedThing, withinMs: number): boolean {
    const { servedBy, servedUntil } = serversOf(seen, thing);
    if (servedBy.length > 0 || (servedUntil !== null && seen.now - servedUntil < withinMs)) return true;
    return thing.kind === 'group' && this.unclaimed.wasClaimed({ group: thing.group, name: thing.handler ?? '' });
  }

  private isHeld(thing: ServedThing): boolean {
    const { held } = this.parts;
    switch (thing.kind) {
      case 'group':
        return held.isHeld('group', thing.group);
      case 'workflow':
        return held.isHeld('workflow', thing.workflow);
      case 'effect':
        return held.isHeld('effect', thing.handler);
    }
  }
}

/** Whether none that looks has been there for longer, so that this process looks. */
function isFirst({ nodes, now }: NodesInSight, me: { nodeId: string; namespace: string }): boolean {
  const looking = nodes.filter((node) => node.namespace === me.namespace && isAlive(node, now) && looks(node));
  const [first] = looking.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  return first === undefined || first.id === me.nodeId;
}

/** Whether a process with these roles looks. A `transport` knows no roster. */
export const looks = ({ roles }: Pick<NodeRecord, 'roles'>): boolean =>
  roles.split(',').some((role) => role === 'engine' || role === 'worker' || role === 'effects');

function unservedTask(seen: NodesInSight, task: Untold<'task.unserved'>): Unserved {
  const { name, group } = task;
  const thing = { kind: 'group', group, handler: name } as const;
  const event = { ...task, why: groupText(seen, group, name) };
  return { key: JSON.stringify(['task', group, name]), thing, name: 'task.unserved', event };
}

function unservedRun(seen: NodesInSight, namespace: string, run: Untold<'run.unserved'>): Unserved {
  const { workflow, version } = run;
  const thing = { kind: 'workflow', namespace, workflow, version } as const;
  const event = { ...run, why: codeText(seen, { namespace, workflow, version }) };
  return { key: JSON.stringify(['run', workflow, version]), thing, name: 'run.unserved', event };
}

function unservedCall(seen: NodesInSight, call: Untold<'effects.unclaimed'>): Unserved {
  const { handler, ageMs } = call;
  const thing = { kind: 'effect', handler } as const;
  const tooFew = ageMs >= TOO_FEW_AFTER_MS && serversOf(seen, thing).servedBy.length > 0;
  const event = { ...call, why: effectText(seen, handler) };
  return { key: JSON.stringify(['effect', handler, tooFew]), thing, tooFew, name: 'effects.unclaimed', event };
}
