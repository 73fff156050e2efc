import type { Held } from '../acts/holds.js';
import { type Found, UnservedWatch } from '../core/leasing.js';
import { BackgroundService, EventLoopDelay, type Loops, PollLoop } from '../core/loops.js';
import { PACKAGE_VERSION } from '../core/protocol.js';
import type { Telemetry, TelemetryEvents } from '../core/telemetry.js';
import type { EffectHandlers } from '../effects/handlers.js';
import { codeText, effectText, groupText, serversOf } from '../engine/explain.js';
import {
  isAlive,
  type NodeIdentity,
  type NodeLoad,
  type NodeRecord,
  type NodeRoster,
  type NodesInSight,
  otherCodes,
  requireOneWriter,
  type Served,
  type ServedThing,
} from '../engine/nodes.js';
import { codeOf, type WorkflowDefinition, type WorkflowRegistry } from '../engine/workflow.js';
import { UnclaimedTasks } from '../worker/worker.js';
import type { ServedStep } from './explorers.js';
import { type DurableSettings, nodeName } from './options.js';
import type { DeclaredDestinations } from './outbox.providers.js';
import type { Storage } from './storage.providers.js';

/** Everything that this process has code for, known once the container has been explored. */
export interface Explored {
  settings: DurableSettings;
  workflows: Pick<WorkflowRegistry, 'all' | 'versionsOf'>;
  steps: readonly ServedStep[];
  destinations: DeclaredDestinations;
  effects: Pick<EffectHandlers, 'all'>;
}

/** How this process signs in: with the roles that it has, and what it serves in them. */
export function identityOf(explored: Explored): NodeIdentity {
  const { settings } = explored;
  const serves = servedBy(explored);
  const roles = [
    settings.engine && 'engine',
    serves.groups && 'worker',
    serves.destinations && 'relay',
    serves.effects && 'effects',
  ];
  const { id, namespace } = nodeName(settings);
  const build = settings.build === undefined ? {} : { build: settings.build };
  return { id, namespace, roles: roles.filter(Boolean).join(','), serves, version: PACKAGE_VERSION, ...build };
}

function servedBy({ settings, workflows, steps, destinations, effects }: Explored): Served {
  const { engine, worker, outbox, effects: calls } = settings;
  const names = [...new Set(workflows.all().map(({ name }) => name))];
  return {
    ...(engine && {
      workflows: Object.fromEntries(names.map((name) => [name, workflows.versionsOf(name)])),
      codes: Object.fromEntries(
        names.map((name) => [name, codesOf(workflows.all().filter((one) => one.name === name))]),
      ),
    }),
    ...(worker && steps.length > 0 && { groups: groupsOf(steps, worker.groups), concurrency: worker.concurrency }),
    ...(outbox &&
      outbox.relay &&
      destinations.count > 0 && { destinations: [...destinations].map(({ name }) => name) }),
    ...(calls && calls.run && effects.all().length > 0 && { effects: effects.all().map(({ name }) => name) }),
  };
}

const codesOf = (versions: readonly WorkflowDefinition[]): Record<number, string> =>
  Object.fromEntries(versions.map((one) => [one.version, codeOf(one)]));

function groupsOf(steps: readonly ServedStep[], only: readonly string[] | undefined): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { step } of steps)
    for (const group of only ?? [step.group]) groups.set(group, [...(groups.get(group) ?? []), step.name]);
  return Object.fromEntries(groups);
}

/** How long a process without an engine counts as alive after its last heartbeat: it has no option for it. */
export const PRESENCE_LEASE_MS = 10_000;

/** Signs in a process without an engine: an engine's heartbeat signs in its process, whatever else that serves. */
export class Presence {
  private readonly beats: PollLoop;
  private isListed = false;

  constructor(
    private readonly roster: NodeRoster,
    private readonly node: NodeIdentity,
    private readonly on: { draining: (draining: boolean) => void; error: (error: unknown) => void },
  ) {
    this.beats = new PollLoop(() => this.beat(), { maxMs: PRESENCE_LEASE_MS / 3, onError: on.error });
  }

  get loops(): Loops {
    return { 'node.beats': this.beats };
  }

  /** @throws UnsupportedServerError when another process writes through another server of the cluster. */
  async start(): Promise<void> {
    await requireOneWriter(this.roster, PRESENCE_LEASE_MS / 10);
    await this.beat();
    // Where no process has an engine, nobody else does.
    await this.roster.strikeOff();
    this.beats.start();
  }

  async stop(): Promise<void> {
    await this.beats.stop();
    if (this.isListed) await this.roster.leave(this.node.id).catch(this.on.error);
  }

  private async beat(): Promise<'idle'> {
    const { draining } = await this.roster.beat(this.node, PRESENCE_LEASE_MS);
    this.isListed = true;
    this.on.draining(draining);
    return 'idle';
  }
}

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
 * Tells of processes with other code for the same workflows, and of tasks, runs and calls of effects that wait although no
 * process serves them: in any group, not only those of this process. Of the processes of a namespace one looks; the
 * others only read who is signed in. A look is a fixed number of statements, however much waits.
 */
export class UnservedWork extends BackgroundService {
  private readonly watch: UnservedWatch<Unserved>;
  private readonly unclaimed: UnclaimedTasks;
  private readonly toldCodes = new Set<string>();

  constructor(private readonly parts: Parts) {
    const { telemetry, storage } = parts;
    super('unserved', {
      maxMs: BEAT_MS,
      onError: (error) => telemetry.emit('loop.error', { loop: 'unserved', error }),
    });
    this.unclaimed = new UnclaimedTasks({ source: storage.source, clock: storage.clock });
    this.watch = new UnservedWatch<Unserved>({
      find: (olderThanMs) => this.find(olderThanMs),
      keyOf: ({ key }) => key,
      tell: ({ name, event }) => telemetry.emit(name, event),
      clock: storage.clock,
    });
    storage.clock.onTurn?.(() => this.loop.wake());
  }

  async look(): Promise<'idle'> {
    await this.watch.look();
    return 'idle';
  }

  private async find(olderThanMs: number): Promise<Found<Unserved> | undefined> {
    const { storage, namespace, nodeId } = this.parts;
    const seen = await storage.engine.roster.nodes();
    this.tellOtherCodes(seen);
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

  /** Two apps that share a prefix play each other's runs. Each code is told of once. */
  private tellOtherCodes(seen: NodesInSight): void {
    const byNodes = new Map<string, TelemetryEvents['code.differs']>();
    for (const { workflow, version, code, nodes } of otherCodes(seen, this.parts.nodeId)) {
      const key = JSON.stringify([workflow, version, code]);
      if (this.toldCodes.has(key)) continue;
      this.toldCodes.add(key);
      const told = byNodes.get(nodes.join()) ?? { nodes, workflows: [] };
      byNodes.set(nodes.join(), { nodes, workflows: [...told.workflows, { workflow, version }] });
    }
    for (const event of byNodes.values()) this.parts.telemetry.emit('code.differs', event);
  }

  /** A process that has ended a moment ago may be one that is being replaced. */
  private isServed(seen: NodesInSight, thing: ServedThing, withinMs: number): boolean {
    const { servedBy, servedUntil } = serversOf(seen, thing);
    if (servedBy.length > 0 || (servedUntil !== null && seen.now - servedUntil < withinMs)) return true;
    return thing.kind === 'group' && this.unclaimed.wasClaimed({ group: thing.group, name: thing.handler ?? '' });
  }

  private isHeld(thing: ServedThing): boolean {
    const name = thing.kind === 'workflow' ? thing.workflow : thing.kind === 'group' ? thing.group : thing.handler;
    return this.parts.held.isHeld(thing.kind, name);
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

interface Sizes {
  /** Remote steps that run. */
  steps: number;
  /** Runs in memory. */
  residents: number;
}

/** What this process has to do and how it does, as its heartbeats tell. */
export class ProcessLoad {
  /** As of the last heartbeat. */
  last: NodeLoad | null = null;
  private readonly eventLoop = new EventLoopDelay();
  private errors = 0;

  constructor(
    private readonly storage: Pick<Storage, 'poolCounts' | 'sessions' | 'notifier'>,
    private readonly sizes: () => Sizes,
    telemetry: Telemetry,
  ) {
    telemetry.on('loop.error', () => this.errors++);
  }

  start(): void {
    this.eventLoop.start();
  }

  stop(): void {
    this.eventLoop.stop();
  }

  /** At a heartbeat: the event loop is measured from one to the next. */
  measure(): NodeLoad {
    const { poolCounts, sessions, notifier } = this.storage;
    const pool = poolCounts?.();
    this.last = {
      ...this.sizes(),
      eventLoopP99Ms: this.eventLoop.takeP99Ms(),
      pool: pool ? { used: pool.used, most: pool.most ?? null, waiting: pool.pending } : null,
      errors: this.errors,
      notifications: notifier.live ? 'listening' : 'polling',
    };
    const own = sessions?.();
    if (!own) return this.last;
    const all = own.all.map(({ session, port }) => [session, port] as const);
    return { ...this.last, sessions: all, ...(own.of !== undefined && { sessionsOf: own.of }) };
  }
}
