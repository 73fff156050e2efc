import { type AuditEvent, ExternalAuditLog } from '../../../lib/effects/entries.js';
import { AuditTimeoutError } from '../../../lib/core/errors.js';

const EVENTS: AuditEvent[] = [];

describe('an audit sink of the app', () => {
  it('is handed the events, and its failure is that of what they record', async () => {
    const seen: unknown[] = [];
    await new ExternalAuditLog({ append: async (events) => void seen.push(events) }).append(EVENTS);
    expect(seen).toEqual([EVENTS]);
    const failing = new ExternalAuditLog({ append: () => Promise.reject(new RangeError('full')) });
    await expect(failing.append(EVENTS)).rejects.toThrow(RangeError);
    await new ExternalAuditLog({ append: () => undefined as never }).append(EVENTS);
    const broken = {
      append: () => {
        throw new SyntaxError('at once');
      },
    };
    await expect(new ExternalAuditLog(broken).append(EVENTS)).rejects.toThrow(SyntaxError);
  });

  it('that never answers has failed after a while, so that no transaction waits for it for ever', async () => {
    const hanging = new ExternalAuditLog({ append: () => new Promise(() => {}) }, 10);
    await expect(hanging.append(EVENTS)).rejects.toThrow(AuditTimeoutError);
  });
});
