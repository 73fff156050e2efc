import { UnsupportedServerError } from '../../../lib/core/errors.js';
import { type Elsewhere, requireOneWriter, WriterWatch } from '../../../lib/engine/nodes.js';

const beat = (expiresAt: number, more: Partial<Elsewhere> = {}): Elsewhere => ({
  nodeId: 'other',
  server: 'a:3306',
  here: 'b:3306',
  expiresAt,
  ...more,
});

describe('WriterWatch', () => {
  const confirmedBy = (...looks: Elsewhere[][]): number[] => {
    const watch = new WriterWatch();
    return looks.map((look) => watch.look(look).length);
  };

  it('finds who goes on beating through another server', () => {
    expect(confirmedBy([beat(1)], [beat(2)], [beat(2)], [beat(3)])).toEqual([0, 0, 0, 1]);
  });

  it('says nothing of a beat that was on its way when its server died', () => {
    expect(confirmedBy([beat(1)], [beat(2)], [beat(2)], [beat(2)], [])).toEqual([0, 0, 0, 0, 0]);
  });

  it('begins anew with who has moved, also when it is this process', () => {
    expect(confirmedBy([beat(1)], [beat(2)], [], [beat(3)], [beat(4)])).toEqual([0, 0, 0, 0, 0]);
    const moved = (expiresAt: number) => beat(expiresAt, { server: 'c:3306' });
    expect(confirmedBy([beat(1)], [beat(2)], [moved(3)], [moved(4)])).toEqual([0, 0, 0, 0]);
    const turned = (expiresAt: number) => beat(expiresAt, { server: 'b:3306', here: 'a:3306' });
    expect(confirmedBy([beat(1)], [beat(2)], [turned(3)], [turned(4)])).toEqual([0, 0, 0, 0]);
  });

  it('tells two others apart', () => {
    const third = (expiresAt: number) => beat(expiresAt, { nodeId: 'third' });
    expect(confirmedBy([beat(1), third(1)], [beat(2), third(1)], [beat(3), third(1)])).toEqual([0, 0, 1]);
  });
});

describe('a start in a cluster', () => {
  const rosterOf = (...looks: Elsewhere[][]) => {
    let n = 0;
    return { elsewhere: async () => looks[Math.min(n++, looks.length - 1)] ?? [] };
  };

  it('waits for those who move or lapse', async () => {
    await expect(requireOneWriter(rosterOf([beat(1)], [beat(2)], []), 1)).resolves.toBeUndefined();
  });

  it('is refused while others go on with another server, and says what to do', async () => {
    const refused = requireOneWriter(rosterOf([beat(1)], [beat(2)], [beat(3)]), 1);
    await expect(refused).rejects.toThrow(UnsupportedServerError);
    await expect(refused).rejects.toThrow(/"other" writes through a:3306, this process through b:3306.*one writer/);
  });
});
