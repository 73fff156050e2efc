/** What was held, by whom and why. */
interface HeldThingEvent {
  /** `workflow`, `group`, `effect` or `schedule`. */
  kind: string;
  name: string;
  actor: string;
  reason: string;
}

/** What operators have this process do, or do by it. */
export interface OperatorEvents {
  /** An operator has held something, or changed a hold, by this process. */
  'hold.begun': HeldThingEvent & { until?: string };
  /** An operator has lifted a hold by this process. */
  'hold.lifted': HeldThingEvent;
  /** This process has heard that it must begin nothing new or, with false, that it may again. */
  'node.draining': { draining: boolean };
}
