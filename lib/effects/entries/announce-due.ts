import { EFFECTS_TOPIC } from '../effects-topic.js';

/** Who hears of calls to make: in this process at once, in others soon. */
export interface DueAnnouncer {
  local(topic: string, payload: string): void;
  publish(topic: string, payload: string): void;
}

export function announceDue(announcer: DueAnnouncer, handlers: readonly string[]): void {
  const payload = JSON.stringify(handlers);
  announcer.local(EFFECTS_TOPIC, payload);
  announcer.publish(EFFECTS_TOPIC, payload);
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
