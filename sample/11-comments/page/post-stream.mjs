/* global EventSource */
import { persistently } from './persistently.mjs';

/**
 * Keeps a store up with its post: a snapshot, and then the events behind it, one at a time. When the connection is lost
 * the browser opens it again and says by `Last-Event-ID` where it stood.
 */
export class PostStream {
  #store;
  #address;
  #tell;
  /** What comes while a snapshot is on its way waits for it. */
  #work = Promise.resolve();

  /** `address(path, query)` makes URLs of the post; `tell` hears of each change: the connection's state, and the event. */
  constructor(store, address, tell) {
    this.#store = store;
    this.#address = address;
    this.#tell = tell;
  }

  async start() {
    if (await this.#restart()) this.#listen();
    else this.#tell('closed');
  }

  /** False when there is no post for us. */
  async #restart() {
    const response = await persistently(this.#address(''));
    if (!response.ok) return false;
    this.#store.restart(await response.json());
    return true;
  }

  #listen() {
    const source = new EventSource(this.#address('/events', { after: this.#store.sequenceId }));
    const on = (type, handle) => {
      source.addEventListener(type, ({ data }) => {
        this.#work = this.#work.then(() => handle(JSON.parse(data)));
      });
    };
    // The stream says where it stands as soon as it can be followed.
    on('heartbeat', () => this.#tell('live'));
    on('event', (event) => this.#take(event));
    on('reset', () => this.#restart().then(() => this.#tell('live')));
    source.addEventListener('error', () => {
      this.#tell('lost');
      // An answer that is no stream, as from a server that is starting: the browser gives up, we do not.
      if (source.readyState === EventSource.CLOSED) this.#work = this.#work.then(() => this.start());
    });
  }

  async #take(event) {
    try {
      this.#store.apply(event);
    } catch {
      // A patch that does not fit is no reason to show something else than others see.
      await this.#restart();
    }
    this.#tell('live', event);
  }
}
