import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Lets in whoever has the token: from the address that was printed, and then from a cookie. */
export class DashboardDoor {
  private readonly token = randomBytes(24).toString('base64url');

  /** What is opened first. */
  addressAt(port: number): string {
    return `http://127.0.0.1:${port}/?token=${this.token}`;
  }

  /** The headers that put the token into a cookie and lead to the address without it; undefined if it has none. */
  taken(address: URL, port: number | undefined): Readonly<Record<string, string>> | undefined {
    const given = address.searchParams.getAll('token');
    if (given.length !== 1 || !this.isToken(given[0]!)) return undefined;
    const rest = new URL(address);
    rest.searchParams.delete('token');
    return {
      // A path of two slashes would be another host.
      location: `${rest.pathname.replace(/^\/+/, '/')}${rest.search}`,
      'set-cookie': `${cookieAt(port)}=${this.token}; HttpOnly; SameSite=Strict; Path=/`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    };
  }

  isOpenTo({ cookie = '' }: IncomingHttpHeaders, port: number | undefined): boolean {
    const name = `${cookieAt(port)}=`;
    const given = cookie.split('; ').find((one) => one.startsWith(name));
    return given !== undefined && this.isToken(given.slice(name.length));
  }

  private isToken(text: string): boolean {
    return timingSafeEqual(hashOf(text), hashOf(this.token));
  }
}

/** The cookies of a host are those of all its ports. */
const cookieAt = (port: number | undefined): string => `nest-durable-${port}`;

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
