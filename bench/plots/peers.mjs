import { draw, OTHERS, OURS } from './draw.mjs';

/**
 * Runs of ten queued steps per second, the median of all rounds, by how many are at once.
 *
 * @param {readonly import('../peers/measure.js').Row[]} rows
 * @param {string} note
 */
export function plotPeers(rows, note) {
  const values = rows.flatMap(({ subject, kind, runs }) =>
    runs && kind === 'remote'
      ? [{ subject, atOnce: `${runs.atOnce} at once`, perSecond: runs.perSecond, ours: subject.startsWith('nest-') }]
      : [],
  );
  return draw({
    title: { text: 'Workflows of ten queued steps per second', subtitle: note },
    data: { values },
    facet: { column: { field: 'atOnce', title: null, sort: [...new Set(values.map(({ atOnce }) => atOnce))] } },
    spec: {
      width: 150,
      layer: [
        {
          mark: { type: 'bar' },
          encoding: {
            y: { field: 'subject', type: 'nominal', title: null, sort: null, axis: { labelLimit: 0 } },
            x: {
              field: 'perSecond',
              type: 'quantitative',
              aggregate: 'median',
              stack: null,
              title: null,
              axis: { tickCount: 3 },
            },
            color: {
              field: 'ours',
              type: 'nominal',
              scale: { domain: [true, false], range: [OURS, OTHERS] },
              legend: null,
            },
          },
        },
        {
          mark: { type: 'text', align: 'left', dx: 3 },
          encoding: {
            y: { field: 'subject', type: 'nominal', sort: null },
            x: { field: 'perSecond', type: 'quantitative', aggregate: 'median' },
            text: { field: 'perSecond', type: 'quantitative', aggregate: 'median', format: ',.3~r' },
          },
        },
      ],
    },
    resolve: { scale: { x: 'independent' } },
  });
}
