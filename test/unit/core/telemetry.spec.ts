import { Telemetry } from '../../../lib/core/telemetry.js';

describe('telemetry', () => {
  const event = { loop: 'x', error: undefined };

  it('tells every listener until it ends', () => {
    const telemetry = new Telemetry();
    const heard: string[] = [];
    const end = telemetry.on('loop.error', ({ loop }) => heard.push(`a ${loop}`));
    telemetry.on('loop.error', ({ loop }) => heard.push(`b ${loop}`));
    telemetry.emit('loop.error', event);
    end();
    telemetry.emit('loop.error', event);
    expect(heard).toEqual(['a x', 'b x', 'b x']);
  });

  it('survives listeners that throw or reject', async () => {
    const telemetry = new Telemetry();
    const heard: string[] = [];
    telemetry.on('loop.error', () => {
      throw new Error('no');
    });
    const rejecting: unknown = () => Promise.reject(new Error('no'));
    telemetry.on('loop.error', rejecting as () => void);
    telemetry.on('loop.error', () => void heard.push('third'));
    telemetry.emit('loop.error', event);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['third']);
  });
});
