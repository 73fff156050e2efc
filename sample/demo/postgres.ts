import { startPostgres } from '../../test/support/servers/postgres.mjs';

// Keeps the server until the demo is gone, however it went.
const gone = new Promise<void>((resolve) => process.once('disconnect', resolve));
// An interrupt from the keyboard reaches every process; the demo says when this one ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const server = await startPostgres({ durable: true, flags: ['-c', 'track_commit_timestamp=on'] });
process.send?.(server.address);
await gone;
await server.stop();
process.exit(0);
