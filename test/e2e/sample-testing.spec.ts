import { runProgram } from '../support/programs.js';
import { transpileSamples } from '../support/transpiled-samples.js';

describe('The sample of testing', () => {
  it('07: tests a workflow with the kit, and ends by itself', async () => {
    const samples = await transpileSamples();
    try {
      const { code, output } = await runProgram(samples.program('07-testing-a-workflow/trial.test.js'));
      expect(output).toMatch(/pass 3\n/);
      expect(code).toBe(0);
    } finally {
      samples.close();
    }
  });
});
