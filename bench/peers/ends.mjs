/**
 * Who waits for the end of a job that gives nothing back: each has a key of its own, which its last job tells.
 */
export class Ends {
  /** @type {Map<string, () => void>} */
  #waiting = new Map();
  #count = 0;

  /** @param {(key: string) => unknown} begin */
  async of(begin) {
    const key = `${process.pid}-${++this.#count}`;
    const end = new Promise((resolve) => this.#waiting.set(key, () => resolve(undefined)));
    await begin(key);
    await end;
  }

  /** @param {string} key */
  tell(key) {
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
  }
}
