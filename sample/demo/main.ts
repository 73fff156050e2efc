import { parseArgs } from 'node:util';
import { freePort } from '../../test/support/servers/server.mjs';
import { Child } from './child.js';
import { Demo } from './demo.js';
import { LiveLine } from './live-line.js';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: process.env['DEMO_ORDERS'] ?? '300' },
    // Writes one effect a second time before the checks: shows that they notice.
    sabotage: { type: 'boolean', default: false },
  },
});

const line = new LiveLine(process.stdout);
const end = async (code: number, message?: string) => {
  line.clear();
  if (message) console.error(message);
  await Child.stopAll();
  process.exit(code);
};
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.once(signal, () => void end(code, `demo ended by ${signal}`));
}
process.once('uncaughtException', (error) => void end(1, `demo failed: ${error.stack}`));

const orders = Number(values.orders);
if (!Number.isInteger(orders) || orders < 10)
  await end(1, `--orders is "${values.orders}": pass a whole number from 10`);
try {
  const demo = new Demo({ orders, sabotage: values.sabotage, port: await freePort(), line });
  await end((await demo.run()) ? 0 : 1);
} catch (error) {
  await end(1, `demo failed: ${error instanceof Error ? error.message : String(error)}`);
}
