import { alreadyAbsent, outcomeOf, scheduleUntil } from '../../../lib/effects/handlers.js';
import { InvalidArgumentError } from '../../../lib/core/errors.js';

describe('what a call came to', () => {
  it.each([undefined, null, 0, 'done', {}, { kind: 'scheduled', until: 1 }, new Date()])('%p is done', (returned) => {
    expect(outcomeOf(returned)).toEqual({ kind: 'done' });
  });

  it('says that there was nothing left to do', () => {
    expect(outcomeOf(alreadyAbsent())).toEqual({ kind: 'already-absent' });
  });

  it('says until when it has to wait', () => {
    expect(outcomeOf(scheduleUntil(1_234.5))).toEqual({ kind: 'scheduled', until: 1_235 });
    expect(outcomeOf(scheduleUntil(new Date(99)))).toEqual({ kind: 'scheduled', until: 99 });
  });

  it.each([Number.NaN, Infinity, 9e15, new Date(Number.NaN), '2026-01-01', undefined])('not until %p', (date) => {
    expect(() => scheduleUntil(date as never)).toThrow(InvalidArgumentError);
  });

  it('of another copy of this package is understood', () => {
    const other = { [Symbol.for('nest-durable.effect-outcome')]: { kind: 'already-absent' } };
    expect(outcomeOf(other)).toEqual({ kind: 'already-absent' });
  });
});
