import type { IncomingMessage } from 'node:http';

/** A request that is not answered. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The parameters of a path such as `runs/:id`; undefined if the path is another one. @throws HttpRefusal */
export function paramsIn(route: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [route.split('/'), path.replace(/(?<=.)\/$/, '').split('/')];
  const isIt = wanted.length === given.length && wanted.every((part, n) => part.startsWith(':') || part === given[n]);
  if (!isIt) return undefined;
  const named = wanted.flatMap((part, n) => (part.startsWith(':') ? [[part.slice(1), decoded(given[n]!)]] : []));
  return Object.fromEntries(named) as Record<string, string>;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpRefusal(400, 'The address is not encoded as one');
  }
}

/** A name that is there several times has a list, as in an app. */
export function queryOf({ searchParams }: URL): Record<string, string | string[]> {
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...more] = searchParams.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}

/** The largest body in bytes: an input of the largest size, and what stands around it. */
const MOST = 2 << 20;

/** The body as JSON; undefined without any. @throws HttpRefusal */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST) throw new HttpRefusal(413, `The body is larger than ${MOST} bytes`);
    parts.push(part);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    throw new HttpRefusal(400, 'The body is no JSON');
  }
}
