/** Under which processes tell each other that there are calls to make; the payload is a JSON list of handlers. */
export const EFFECTS_TOPIC = 'effects';

/** Who hears of calls to make: in this process at once, in others soon. */
export interface DueHints {
  local(topic: string, payload: string): void;
  publish(topic: string, payload: string): void;
}

/** Of some calls, by their handlers. */
export function tellDue(hints: DueHints, calls: readonly { handler: string }[]): void {
  if (calls.length === 0) return;
  const payload = JSON.stringify([...new Set(calls.map(({ handler }) => handler))]);
  hints.local(EFFECTS_TOPIC, payload);
  hints.publish(EFFECTS_TOPIC, payload);
}

/** The handlers of a hint; undefined when any may be meant. */
export function dueHandlers(payload: string | undefined): readonly string[] | undefined {
  if (payload === undefined) return undefined;
  try {
    const handlers: unknown = JSON.parse(payload);
    return Array.isArray(handlers) ? handlers.filter((handler) => typeof handler === 'string') : undefined;
  } catch {
    return undefined;
  }
}
