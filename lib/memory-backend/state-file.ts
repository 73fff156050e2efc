import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { macrotask } from '../time/sleep.js';

/**
 * Stores a text atomically: written to a temporary file, flushed to disk and renamed. One write at a time; changes
 * during a write go with the next one, which stores the latest state. A failed write is reported, and the next change
 * writes again.
 */
export class StateFile {
  /** The write whose snapshot was taken. */
  private writing: Promise<void> | undefined;
  /** The write whose snapshot is not taken yet. */
  private next: Promise<void> | undefined;
  private last: string | undefined;

  constructor(
    private readonly path: string,
    /** Returns the whole current state. Called between turns of the event loop, never within one. */
    private readonly snapshot: () => string,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The content at the start; undefined if there is no file. @throws errors of reading */
  static read(path: string): string | undefined {
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** Renames a file that cannot be used. Returns its new name. @throws errors of renaming */
  static moveAside(path: string): string {
    let n = 1;
    while (existsSync(`${path}.corrupt-${n}`)) n++;
    renameSync(path, `${path}.corrupt-${n}`);
    return `${path}.corrupt-${n}`;
  }

  /** Resolves when all changes until now are in the file, or could not be written. */
  saved(): Promise<void> {
    // A write in progress may have taken its snapshot already; the next one has not.
    this.next ??= this.write(this.writing);
    return this.next;
  }

  private async write(before: Promise<void> | undefined): Promise<void> {
    await before;
    await macrotask();
    this.writing = this.next;
    this.next = undefined;
    try {
      const text = this.snapshot();
      if (text === this.last) return;
      await this.replace(text);
      this.last = text;
    } catch (error) {
      this.onError(error);
    }
  }

  private async replace(text: string): Promise<void> {
    mkdirSync(dirname(this.path), { recursive: true });
    const beside = `${this.path}.tmp`;
    const file = await open(beside, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, this.path);
    syncFolder(dirname(this.path));
  }
}

/** Makes the rename survive a power failure; not every system supports it. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch {
    // The content is safe, either under the old or the new name.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
