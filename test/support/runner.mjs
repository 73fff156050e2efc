// @ts-check
// @ts-expect-error It has no types.
import lightRunner from 'jest-light-runner/child-process';

/** @type {new (...args: unknown[]) => any} */
const LightRunner = lightRunner;

/**
 * A worker asks for its settings when it gets its first file. The runner answers all workers that have not asked yet as
 * well, and one of them that does not listen yet asks in vain later: its file never ends. Here each asks on a channel of
 * its own.
 */
export default class Runner extends LightRunner {
  /** @param {{ path: string, context: { config: object } }} test */
  _runTest(test) {
    const projectConfig = test.context.config;
    const isFirst = !this._testRunners.has(projectConfig);
    const result = super._runTest(test);
    if (isFirst) {
      const runner = this._testRunners.get(projectConfig);
      const workerData = { globalConfig: this._globalConfig, projectConfig, runtime: this._runtime };
      runner.run = (/** @type {typeof test} */ { path }) => runner.pool.run(path, { channel: channelWith(workerData) });
    }
    return result;
  }
}

/** @param {unknown} workerData */
function channelWith(workerData) {
  /** @type {(message: unknown) => void} */
  let tell = () => undefined;
  return {
    /** @param {typeof tell} listener */
    onMessage: (listener) => void (tell = listener),
    /** @param {unknown} message */
    postMessage: (message) => {
      if (message === 'jest-light-runner-get-worker-data') tell({ type: 'jest-light-runner-worker-data', workerData });
    },
  };
}
