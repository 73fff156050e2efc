import { acceptedInput } from '../model/accepted-input.js';
import { ConfigurationError } from '../../errors/setup-errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { EngineStorage } from '../model/engine-storage.js';
import type { Payloads } from '../model/payloads.js';
import { endsOfHolds, replanned } from './schedule-pauses.js';
import { firstDue, jitterKeyOf } from './schedule-times.js';
import {
  type DeclaredSchedule,
  sameTimes,
  type ScheduleSpec,
  scheduleSpecOf,
  specIn,
  specText,
} from '../model/schedule-spec.js';
import { checkScheduleId } from './schedule-starts.js';
import type { LockedSchedule, ScheduleRecord } from '../model/schedule-store.js';
import type { WorkflowDefinition, WorkflowRegistry } from '../model/workflow-registry.js';

export interface DeclaredSchedulesPorts {
  storage: Pick<EngineStorage, 'schedules' | 'holds'>;
  workflows: WorkflowRegistry;
  payloads: Payloads;
  namespace: string;
}

/** The id of the n-th schedule that a workflow declares. */
const declaredId = (workflow: string, declared: readonly DeclaredSchedule[], n: number): string =>
  declared[n]?.id ?? (declared.length === 1 ? workflow : `${workflow}-${n + 1}`);

interface Wanted {
  id: string;
  workflow: string;
  spec: ScheduleSpec;
  input: string | null;
}

/** The newest version of each workflow declares its schedules. @throws ConfigurationError if an id is used twice. */
export function newestDeclarations(workflows: WorkflowRegistry): Map<string, WorkflowDefinition> {
  const names = new Set(workflows.all().map(({ name }) => name));
  const newest = new Map([...names].map((name) => [name, workflows.latest(name)]));
  const seen = new Map<string, string>();
  for (const [name, { schedules = [] }] of newest) {
    schedules.forEach((_, n) => {
      const id = declaredId(name, schedules, n);
      const other = seen.get(id);
      if (other !== undefined)
        throw new ConfigurationError(
          `Schedule "${id}" is declared by "${other}" and by "${name}": give one another id`,
        );
      seen.set(id, name);
    });
  }
  return newest;
}

/**
 * Stores the schedules that the code declares, at the start of each process. Schedules that a workflow of this process
 * no longer declares are removed. Schedules of workflows that this process does not have are not changed.
 */
export class DeclaredSchedules {
  private saved = false;

  constructor(private readonly ports: DeclaredSchedulesPorts) {}

  async saveOnce(): Promise<void> {
    if (this.saved) return;
    const { storage, workflows, namespace } = this.ports;
    const newest = newestDeclarations(workflows);
    const wanted = new Map(
      [...newest.values()].flatMap((workflow) => this.wantedBy(workflow)).map((one) => [one.id, one]),
    );
    const there = [
      ...(wanted.size > 0 ? await storage.schedules.list({ namespace, ids: [...wanted.keys()] }) : []),
      ...(await storage.schedules.list({ namespace, declared: true, workflows: [...newest.keys()] })),
    ];
    const gone = there.filter(({ id }) => !wanted.has(id)).map(({ id }) => id);
    if (gone.length > 0) await storage.schedules.remove(namespace, gone);
    await this.write([...wanted.values()], new Map(there.map((record) => [record.id, record])));
    this.saved = true;
  }

  private async write(wanted: readonly Wanted[], there: ReadonlyMap<string, ScheduleRecord>): Promise<void> {
    const { schedules, holds } = this.ports.storage;
    const { namespace } = this.ports;
    const missing = wanted.filter(({ id }) => !there.has(id));
    if (missing.length > 0) await schedules.insert((now) => missing.map((one) => recordOf(one, namespace, now)));
    const others = wanted.filter((one) => there.has(one.id) && this.differs(one, there.get(one.id)!));
    if (others.length === 0) return;
    const byId = new Map(others.map((one) => [one.id, one]));
    const ids = [...byId.keys()];
    const rewrite = async (locked: readonly LockedSchedule[], now: number, tx: Transaction) => {
      const ends = await endsOfHolds(holds, locked, tx);
      return locked.map((record) => redeclared(record, byId.get(record.id)!, now, ends));
    };
    await schedules.change({ namespace, ids }, rewrite);
  }

  private differs({ workflow, spec, input }: Wanted, record: ScheduleRecord): boolean {
    if (!record.declared || record.workflow !== workflow || record.spec !== specText(spec)) return true;
    try {
      return !this.ports.payloads.of({ workflow }).isSame(record.input, input);
    } catch {
      // The stored input cannot be decoded any more: the declared one replaces it.
      return true;
    }
  }

  private wantedBy(workflow: WorkflowDefinition): Wanted[] {
    const { name, schedules = [] } = workflow;
    const { payloads, namespace } = this.ports;
    return schedules.map((declared, n) => {
      const { input: given, ...options } = declared;
      const input = acceptedInput(workflow, given);
      const id = checkScheduleId(namespace, declaredId(name, schedules, n));
      const text =
        input === undefined ? null : payloads.of({ workflow: name }).encode(input, `The input of schedule "${id}"`);
      return { id, workflow: name, spec: scheduleSpecOf(options, `Schedule "${id}"`), input: text };
    });
  }
}

const recordOf = ({ id, workflow, spec, input }: Wanted, namespace: string, now: number): ScheduleRecord => ({
  id,
  namespace,
  workflow,
  input,
  declared: true,
  spec: specText(spec),
  paused: false,
  nextAt: firstDue(spec, jitterKeyOf({ namespace, id }), now),
  firedAt: null,
  lastRunId: null,
  bufferedAt: null,
  createdAt: now,
});

/** If the plan is unchanged, the next time is kept; a pause is always kept. */
function redeclared(
  record: LockedSchedule,
  { workflow, spec, input }: Wanted,
  now: number,
  ends: ReadonlyMap<string, number>,
): ScheduleRecord {
  const nextAt = sameTimes(spec, specIn(record.spec)) ? record.nextAt : replanned(record, spec, now, ends);
  const bufferedAt = spec.overlap === 'buffer-one' ? record.bufferedAt : null;
  return { ...record, workflow, input, declared: true, spec: specText(spec), nextAt, bufferedAt };
}
