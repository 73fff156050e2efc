import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Random } from './random.js';

/** What happens to bytes on their way. */
export interface Weather {
  /** Each piece waits from half of it up to one and a half. */
  delayMs?: number;
  /** How probable it is that a piece ends its connection in place of going through. */
  resets?: number;
  /** How probable it is that a COMMIT reaches the server, and its reply nobody. */
  lostCommits?: number;
}

/** The way of one program to the database, which faults break. */
export class ChaosProxy {
  private weather: Weather = {};
  private refusing = false;
  private readonly pairs = new Set<Pair>();
  private readonly server = createServer((inside) => this.join(inside));

  constructor(
    private readonly target: { host: string; port: number },
    private readonly random: Random,
  ) {}

  async listen(): Promise<number> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  set(weather: Weather): void {
    this.weather = weather;
  }

  /** Ends all connections; new ones work. */
  cut(): void {
    for (const pair of this.pairs) pair.end();
  }

  /** All connections stay open and silent; new ones work. */
  silence(): void {
    for (const pair of this.pairs) pair.silent = true;
  }

  /** Nobody gets through any more, and nobody is told. */
  refuse(refusing: boolean): void {
    this.refusing = refusing;
    if (refusing) this.cut();
  }

  /** Silent connections stay as they are: their programs have to find out. */
  calm(): void {
    this.weather = {};
    this.refusing = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(inside: Socket): void {
    if (this.refusing) return void inside.on('error', () => undefined).destroy();
    const outside = connect(this.target.port, this.target.host);
    const pair = new Pair(inside, outside);
    this.pairs.add(pair);
    for (const socket of [inside, outside]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.pairs.delete(pair);
        pair.end();
      });
    }
    inside.on('data', (piece: Buffer) => {
      if (this.losesCommit(piece)) pair.mute = true;
      this.pass(pair, pair.toServer, piece);
    });
    outside.on('data', (piece: Buffer) => (pair.mute ? pair.end() : this.pass(pair, pair.toClient, piece)));
  }

  private losesCommit(piece: Buffer): boolean {
    const { lostCommits = 0 } = this.weather;
    return lostCommits > 0 && /\bcommit\b/i.test(piece.toString('latin1')) && this.random.chance(lostCommits);
  }

  private pass(pair: Pair, pipe: Pipe, piece: Buffer): void {
    if (pair.silent) return;
    const { delayMs = 0, resets = 0 } = this.weather;
    if (resets > 0 && this.random.chance(resets)) return pair.end();
    pipe.send(piece, delayMs === 0 ? 0 : delayMs * (0.5 + this.random.next()));
  }
}

class Pair {
  silent = false;
  /** What the server says is not passed on: it ends the connection. */
  mute = false;
  readonly toServer: Pipe;
  readonly toClient: Pipe;

  constructor(
    private readonly inside: Socket,
    private readonly outside: Socket,
  ) {
    this.toServer = new Pipe(outside);
    this.toClient = new Pipe(inside);
  }

  end(): void {
    this.inside.destroy();
    this.outside.destroy();
  }
}

/** One direction: what comes later arrives later, however long each piece waits. */
class Pipe {
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly to: Socket) {}

  send(piece: Buffer, delayMs: number): void {
    if (delayMs === 0 && this.waiting === 0) return this.write(piece);
    this.waiting++;
    const due = new Promise<void>((resolve) => setTimeout(resolve, delayMs).unref());
    this.last = Promise.all([this.last, due]).then(() => {
      this.waiting--;
      this.write(piece);
    });
  }

  private write(piece: Buffer): void {
    if (!this.to.destroyed) this.to.write(piece);
  }
}
