// @ts-check
import { rmSync } from 'node:fs';

export default async function globalTeardown() {
  const servers = globalThis.__durableTestServers;
  if (!servers) return;
  servers.stdin.end();
  await servers.ended;
  rmSync(servers.folder, { recursive: true, force: true });
}
