import { draw, OURS } from './draw.mjs';

/**
 * One small plot for each value. What grows is drawn in orders of magnitude.
 *
 * @param {import('../growth/curve.js').Curve} curve
 * @param {string} note
 */
export function plotCurve({ name, along, points, timeline = false }, note) {
  const grows = !timeline && points.length > 1;
  const values = points.flatMap(({ x, values: measured }) =>
    Object.entries(measured).map(([what, value]) => ({ x, what, value })),
  );
  const scale = grows ? { type: 'symlog' } : { zero: true };
  return draw({
    title: { text: name, subtitle: note },
    data: { values },
    facet: { field: 'what', title: null, sort: null },
    columns: 3,
    spec: {
      width: 200,
      height: 130,
      mark: { type: 'line', point: true, color: OURS },
      encoding: {
        x: { field: 'x', type: 'quantitative', title: along, scale: { ...scale, zero: false }, axis: { tickCount: 4 } },
        y: { field: 'value', type: 'quantitative', title: null, scale: { zero: true }, axis: { tickCount: 4 } },
      },
    },
    resolve: { scale: { y: 'independent' } },
  });
}
