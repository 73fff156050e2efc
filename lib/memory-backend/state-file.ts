import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { macrotask } from '../time/within.js';

/**
 * One text in a file that is never torn: written beside it, forced to the disk, and put in its place by a rename. One
 * write at a time, and the latest state wins: whatever changes while one is under way goes with the next. A file that
 * cannot be written is reported, and written again with the next change.
 */
export class StateFile {
  /** Its snapshot is taken. */
  private writing: Promise<void> | undefined;
  /** Its snapshot is not taken yet. */
  private next: Promise<void> | undefined;
  private last: string | undefined;

  constructor(
    private readonly path: string,
    /** The whole state, as it is now. Called between turns of the event loop, never within one. */
    private readonly snapshot: () => string,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** What was there at the start; undefined when there was nothing. @throws what reading throws */
  static read(path: string): string | undefined {
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** Takes a file that cannot be used out of the way. Returns its new name. @throws what renaming throws */
  static moveAside(path: string): string {
    let n = 1;
    while (existsSync(`${path}.corrupt-${n}`)) n++;
    renameSync(path, `${path}.corrupt-${n}`);
    return `${path}.corrupt-${n}`;
  }

  /** Resolves when everything that has changed until now is in the file, or could not be written. */
  saved(): Promise<void> {
    // The write under way may have taken its snapshot already; one that waits for it has not.
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

/** So that the rename, too, outlives a power cut; not every system can. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch {
    // The content is safe all the same, under one name or the other.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
