import { applyPatch } from '/fast-json-patch/index.mjs';

const isAfter = (number, other) => BigInt(number) > BigInt(other);

/**
 * What the server has confirmed of a post, and on top of it what this page shows before that. A change is known by its
 * `mutationId`, which is the id of the comment too. Knows neither the network nor what it looks like.
 */
export class PostStore {
  #confirmed = { title: '', count: 0, comments: [] };
  /** The number of the last event that is in what is confirmed. */
  #sequenceId = '0';
  #pending = new Map();

  get sequenceId() {
    return this.#sequenceId;
  }

  get title() {
    return this.#confirmed.title;
  }

  get count() {
    return this.#confirmed.count;
  }

  /** In the server's order; what nobody has confirmed comes last. */
  get comments() {
    const confirmed = this.#confirmed.comments.map((comment) => ({ ...comment, isPending: false }));
    const pending = [...this.#pending.values()].map((comment) => ({ ...comment, isPending: true }));
    return [...confirmed, ...pending];
  }

  /** Takes a snapshot in place of all that was known. What is still on its way stays shown. */
  restart({ data, sequenceId }) {
    this.#confirmed = data;
    this.#sequenceId = sequenceId;
    for (const { id } of data.comments) this.#pending.delete(id);
  }

  /** Shows a comment at once. */
  propose(comment) {
    this.#pending.set(comment.id, comment);
  }

  /** Takes a comment back that was shown too early; returns it, or undefined when it is not pending here. */
  withdraw(id) {
    const comment = this.#pending.get(id);
    this.#pending.delete(id);
    return comment;
  }

  /** Goes on by one event. One that is in the snapshot already changes nothing. Throws when it does not fit. */
  apply({ sequenceId, mutationId, rejected, data }) {
    if (!isAfter(sequenceId, this.#sequenceId)) return;
    if (!rejected) {
      this.#confirmed = applyPatch(this.#confirmed, data, true, false).newDocument;
      this.#pending.delete(mutationId);
    }
    this.#sequenceId = sequenceId;
  }
}
