// @ts-check
// `npx nest build` compiles to .cache/build, as `npm run build` does; this makes the package of it when Nest's command ends.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

process.once('exit', (code) => {
  if (code === 0)
    process.exitCode =
      spawnSync(process.execPath, [path.join(__dirname, 'main.mjs')], { stdio: 'inherit' }).status ?? 1;
});

/** Nest wants a plugin to change the code: this one leaves it as it is. */
exports.before = () => () => (/** @type {import('typescript').SourceFile} */ file) => file;
