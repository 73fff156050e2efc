/* global fetch, AbortSignal */

/**
 * Asks until there is an answer that will stay as it is. A server that is away or starting is asked again, so what is
 * asked for must be the same thing when it is asked for twice.
 */
export async function persistently(url, init = {}) {
  for (let pause = 250; ; pause = Math.min(pause * 2, 5_000)) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    if (response && response.status < 500) return response;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
