import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { type HttpReceiver, type Received, startHttpReceiver } from './http-receiver.js';

/** A message as it stands on the wire. */
export interface WireMessage {
  id: string;
  name: string;
  data: unknown;
  encoding?: string;
  extras?: { headers: Record<string, unknown> };
}

/**
 * What happens to a request instead of being taken. `page`: something between answers. `lost`: it is taken, and the
 * answer never arrives.
 */
export type Mishap =
  | { kind: 'refused'; status: number; code: number; headers?: Record<string, string> }
  | { kind: 'page'; status: number; text: string }
  | { kind: 'dropped' }
  | { kind: 'lost' }
  | { kind: 'unanswered' };

export interface AblyRest {
  http: HttpReceiver;
  /** What its subscribers have got, by channel: what comes twice with the same id comes once. */
  channels: Map<string, WireMessage[]>;
  close(): Promise<void>;
}

export const KEY = 'app.key:secret';

interface MsgPack {
  decode(body: Buffer): unknown;
  encode(value: unknown): Buffer;
}
const require = createRequire(import.meta.url);
/** That of the library. */
const msgPack = createRequire(require.resolve('ably'))('@ably/msgpack-js') as MsgPack;

const BINARY = 'application/x-msgpack';

/** As much of the service's REST interface as publishing needs, by its documentation. */
export async function startAblyRest(mishap: (nth: number) => Mishap | undefined = () => undefined): Promise<AblyRest> {
  const channels = new Map<string, WireMessage[]>();
  let requests = 0;
  const http = await startHttpReceiver((response, request) => {
    const instead = mishap(requests++);
    if (!instead || instead.kind === 'lost') take(request, channels);
    if (!instead) return answer(response, request, 201, { channel: nameOf(request), messageId: 'x' });
    if (instead.kind === 'unanswered') return;
    if (instead.kind === 'page')
      return void response.writeHead(instead.status, { 'content-type': 'text/html' }).end(instead.text);
    if (instead.kind !== 'refused') return void response.socket?.destroy();
    const { status, code, headers } = instead;
    const error = { message: `refused with ${code}`, code, statusCode: status, href: '' };
    answer(response, request, status, { error }, { ...headers, 'x-ably-errorcode': String(code) });
  });
  return { http, channels, close: () => http.close() };
}

/** The messages of a request's body. */
export function messagesIn({ headers, body }: Received): WireMessage[] {
  const content = headers['content-type'] === BINARY ? msgPack.decode(body) : (JSON.parse(body.toString()) as unknown);
  return [content].flat() as WireMessage[];
}

/** What a subscriber makes of the data of a message. */
export const dataOf = ({ data, encoding }: WireMessage): unknown =>
  encoding === 'json' ? (JSON.parse(data as string) as unknown) : data;

function nameOf({ method, path }: Received): string {
  const [, name] = /^\/channels\/([^/?]+)\/messages(?:$|\?)/.exec(path) ?? [];
  if (method !== 'POST' || !name) throw new Error(`Ably has no ${method} ${path}`);
  return decodeURIComponent(name);
}

function take(request: Received, channels: AblyRest['channels']): void {
  const name = nameOf(request);
  const taken = channels.get(name) ?? [];
  channels.set(name, taken);
  for (const message of messagesIn(request)) if (!taken.some(({ id }) => id === message.id)) taken.push(message);
}

function answer(
  response: ServerResponse,
  { headers }: Received,
  status: number,
  content: object,
  more: Record<string, string> = {},
): void {
  const type = headers['accept']?.includes(BINARY) ? BINARY : 'application/json';
  response.writeHead(status, { 'content-type': type, ...more });
  response.end(type === BINARY ? msgPack.encode(content) : JSON.stringify(content));
}
