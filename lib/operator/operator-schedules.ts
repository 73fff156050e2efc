import { type ActedBy, requiredOperator } from '../acts/act.js';
import type { ScheduleStore } from '../engine/model/schedule-store.js';
import type { ScheduleOptions } from '../engine/model/schedule-spec.js';
import type { ListSchedulesOptions, PlanChanges, WorkflowSchedule } from '../engine/schedules/schedule-views.js';
import type { WorkflowSchedules } from '../engine/schedules/workflow-schedules.js';
import { checkedLimit, type Questions } from './questions.js';

/** A schedule that has not fired in time. */
export interface LateSchedule {
  id: string;
  workflow: string;
  /** When it should have fired. */
  since: Date;
}

/** A schedule fires within seconds, unless no process has its workflow. */
const LATE_MS = 60_000;
const MOST_LATE = 100;

interface Ports {
  schedules: WorkflowSchedules;
  store: Pick<ScheduleStore, 'late'>;
  questions: Questions;
  namespace: string;
}

/** What operators see of schedules, and do to them. */
export class OperatorSchedules {
  constructor(private readonly ports: Ports) {}

  /** A page of schedules, by id. @throws InvalidArgumentError, QuestionTimeoutError */
  list(options: ListSchedulesOptions = {}): Promise<WorkflowSchedule[]> {
    return this.ports.questions.ask('schedules.list', () => this.ports.schedules.list(options));
  }

  /** @throws ScheduleNotFoundError, QuestionTimeoutError */
  show(id: string): Promise<WorkflowSchedule> {
    return this.ports.questions.ask('schedules.show', () => this.ports.schedules.get(id));
  }

  /** Those that should have fired more than a minute ago, the latest first; at most 100. @throws QuestionTimeoutError */
  async late(): Promise<LateSchedule[]> {
    const { questions, store, namespace } = this.ports;
    const late = await questions.ask('schedules.late', () => store.late(namespace, LATE_MS, MOST_LATE));
    return late.map(({ id, workflow, nextAt }) => ({ id, workflow, since: new Date(nextAt ?? 0) }));
  }

  /**
   * The next times at which a schedule fires, at most 100 (default 5): as it is, or with `changed` as it would be after
   * that change. For a plan that is not yet a schedule, jitter is not included.
   *
   * @throws ScheduleNotFoundError, InvalidArgumentError, QuestionTimeoutError
   */
  async preview(
    schedule: string | ScheduleOptions,
    { count = 5, changed = {} }: { count?: number; changed?: PlanChanges } = {},
  ): Promise<Date[]> {
    const { questions, schedules } = this.ports;
    checkedLimit(count, 100);
    return questions.ask('schedules.preview', () => schedules.preview(schedule, count, changed));
  }

  /** Starts a run now and returns its id. @throws ScheduleNotFoundError, InvalidArgumentError */
  async trigger(id: string, by: ActedBy): Promise<string> {
    return this.ports.schedules.trigger(id, requiredOperator(by ?? {}));
  }

  /** @throws ScheduleNotFoundError, InvalidArgumentError */
  async pause(id: string, by: ActedBy): Promise<void> {
    return this.ports.schedules.pause(id, requiredOperator(by ?? {}));
  }

  /** @throws ScheduleNotFoundError, InvalidArgumentError */
  async resume(id: string, by: ActedBy): Promise<void> {
    return this.ports.schedules.resume(id, requiredOperator(by ?? {}));
  }
}
