import { compiled } from '../support/compiled.js';
import { runProgram } from '../support/programs.js';

describe('The sample of testing', () => {
  it('07: tests a workflow with the kit, and ends by itself', async () => {
    const { code, output } = await runProgram(compiled('sample/07-testing-a-workflow/trial.test.js'));
    expect(output).toMatch(/pass 3\n/);
    expect(code).toBe(0);
  });
});
