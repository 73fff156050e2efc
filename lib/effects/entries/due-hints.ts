/** The topic of notifications about due calls; the payload is a JSON list of handlers. */
export const EFFECTS_TOPIC = 'effects';

/** Notifies this process at once and others soon. */
export interface DueHints {
  local(topic: string, payload: string): void;
  publish(topic: string, payload: string): void;
}

/** Notifies runners of the handlers of these calls. */
export function tellDue(hints: DueHints, calls: readonly { handler: string }[]): void {
  if (calls.length === 0) return;
  const payload = JSON.stringify([...new Set(calls.map(({ handler }) => handler))]);
  hints.local(EFFECTS_TOPIC, payload);
  hints.publish(EFFECTS_TOPIC, payload);
}

/** The handlers of a notification; undefined when any may be due. */
export function dueHandlers(payload: string | undefined): readonly string[] | undefined {
  if (payload === undefined) return undefined;
  try {
    const handlers: unknown = JSON.parse(payload);
    return Array.isArray(handlers) ? handlers.filter((handler) => typeof handler === 'string') : undefined;
  } catch {
    return undefined;
  }
}
