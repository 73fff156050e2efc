import { channel } from 'node:diagnostics_channel';
import { filter, map, mergeMap, of, take } from 'rxjs';
import { Telemetry } from '../../../lib/core/telemetry.js';
import { macrotask, systemClock } from '../../../lib/core/time.js';
import { DurableEvents, DurableLog } from '../../../lib/nest/log.js';

describe('the events of a process', () => {
  const warned: string[] = [];
  let telemetry: Telemetry;
  let events: DurableEvents;

  beforeEach(() => {
    warned.length = 0;
    telemetry = new Telemetry();
    const target = { log: () => {}, warn: (line: string) => void warned.push(line), error: () => {} };
    events = new DurableEvents(telemetry, new DurableLog(target, systemClock));
  });

  const left = { runId: 'a', workflow: 'order', status: 'completed' };

  it('have their name as type, and can be chosen by it', () => {
    const heard: string[] = [];
    events.events$.subscribe(({ type }) => heard.push(type));
    events.on('run.left', 'runs.reaped').subscribe((event) => {
      heard.push(event.type === 'run.left' ? event.workflow : `${event.runs} reaped`);
    });
    telemetry.emit('run.left', left);
    telemetry.emit('runs.reaped', { runs: 2 });
    telemetry.emit('runs.purged', { runs: 1 });
    expect(heard).toEqual(['run.left', 'order', 'runs.reaped', '2 reaped', 'runs.purged']);
  });

  it('are not heard before a subscription, nor after its end', () => {
    expect(telemetry.hears('run.left')).toBe(false);
    const subscription = events.events$.pipe(map(({ type }) => type)).subscribe();
    expect(telemetry.hears('run.left')).toBe(true);
    subscription.unsubscribe();
    expect(telemetry.hears('run.left')).toBe(false);
  });

  it.each([
    ['a subscriber', () => events.events$.subscribe(() => thrown())],
    [
      'a rejecting subscriber',
      () => events.events$.subscribe(() => Promise.reject(new Error('no')) as unknown as void),
    ],
    ['a subscriber behind operators', () => events.on('run.left').pipe(filter(Boolean)).subscribe({ next: thrown })],
    ['an operator', () => events.events$.pipe(map(thrown)).subscribe()],
    [
      'an inner stream',
      () => events.events$.pipe(mergeMap((event) => of(event).pipe(map(thrown)))).subscribe(() => {}),
    ],
  ])('survive %s that fails, and log it', async (_, subscribe) => {
    subscribe();
    const heard: string[] = [];
    events.on('run.left').subscribe(({ runId }) => heard.push(runId));
    telemetry.emit('run.left', left);
    telemetry.emit('run.left', left);
    await macrotask();
    expect(heard).toEqual(['a', 'a']);
    expect(warned).toEqual(['A subscriber of DurableEvents failed: Error: no']);
  });

  it('end with the operators that end them', () => {
    const heard: string[] = [];
    events.events$.pipe(take(1)).subscribe({ next: ({ type }) => heard.push(type), complete: () => heard.push('end') });
    telemetry.emit('run.left', left);
    telemetry.emit('run.left', left);
    expect(heard).toEqual(['run.left', 'end']);
    expect(telemetry.hears('run.left')).toBe(false);
  });

  it('are published in diagnostics_channel', () => {
    const heard: unknown[] = [];
    const listener = (event: unknown, name: string | symbol) => void heard.push([name, event]);
    channel('nest-durable:run.left').subscribe(listener);
    expect(telemetry.hears('run.left')).toBe(true);
    telemetry.emit('run.left', left);
    channel('nest-durable:run.left').unsubscribe(listener);
    telemetry.emit('run.left', left);
    expect(heard).toEqual([['nest-durable:run.left', left]]);
    expect(telemetry.hears('run.left')).toBe(false);
  });
});

function thrown(): never {
  throw new Error('no');
}
