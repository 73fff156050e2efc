import * as vega from 'vega';
import { compile } from 'vega-lite';

/** Ours are told apart from the others. */
export const [OURS, OTHERS] = ['#2f6fde', '#9aa3ad'];

/**
 * @param {object} spec As Vega-Lite has it.
 * @returns {Promise<string>} SVG
 */
export async function draw(spec) {
  const { spec: compiled } = compile({ $schema: 'https://vega.github.io/schema/vega-lite/v6.json', ...spec });
  return new vega.View(vega.parse(compiled), { renderer: 'none' }).toSVG();
}
