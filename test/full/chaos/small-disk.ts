import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Enough for a server and an hour of the suite. It takes memory: what is used, and all of it while it is full. */
const SIZE = '768m';
const PIECE = Buffer.alloc(1 << 20);

/** A file system of its own for the files of a server, so that it can be filled. */
export class SmallDisk {
  private constructor(
    /** Undefined where it could not be mounted: the server's files are where those of all others are. */
    readonly folder: string | undefined,
    /** Why not. */
    readonly reason: string | undefined,
  ) {}

  static mount(): SmallDisk {
    const folder = mkdtempSync(join(tmpdir(), 'nest-durable-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'pipe' });
      chmodSync(folder, 0o755);
      return new SmallDisk(folder, undefined);
    } catch {
      rmdirSync(folder);
      return new SmallDisk(undefined, 'it takes the right to mount a small disk');
    }
  }

  /** Leaves no byte. */
  fill(): void {
    const file = openSync(this.filler, 'a');
    try {
      for (;;) writeSync(file, PIECE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.filler, { force: true });
  }

  unmount(): void {
    if (this.folder === undefined) return;
    execFileSync('umount', ['--lazy', this.folder], { stdio: 'pipe' });
    rmdirSync(this.folder);
  }

  private get filler(): string {
    return join(this.folder ?? '', 'filler');
  }
}
