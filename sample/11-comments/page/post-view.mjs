/* global document */

const STATES = {
  live: 'Live',
  lost: 'Connection lost, trying again…',
  closed: 'There is nothing here for you',
};

/** Draws a post. Whatever people have written becomes text, never markup. */
export class PostView {
  #title = document.querySelector('#title');
  #count = document.querySelector('#count');
  #connection = document.querySelector('#connection');
  #comments = document.querySelector('#comments');
  #notice = document.querySelector('#notice');
  #items = new Map();

  draw({ title, count, comments }) {
    const isAtEnd = this.#isAtEnd;
    this.#title.textContent = title;
    document.title = title;
    this.#count.textContent = count === 1 ? '1 comment' : `${count} comments`;
    const items = comments.map((comment) => this.#item(comment));
    // Those that stand where they should are left alone, so that a screen reader does not read them again.
    items.forEach((item, n) => {
      const there = this.#comments.children[n];
      if (there !== item) this.#comments.insertBefore(item, there ?? null);
    });
    for (const item of [...this.#comments.children].slice(items.length)) this.#remove(item);
    if (isAtEnd) this.#comments.scrollTop = this.#comments.scrollHeight;
  }

  connection(state) {
    if (this.#connection.dataset.state === state) return;
    this.#connection.dataset.state = state;
    this.#connection.textContent = STATES[state];
  }

  notice(text) {
    this.#notice.textContent = text;
  }

  get #isAtEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#comments;
    return scrollHeight - scrollTop - clientHeight < 40;
  }

  #item({ id, author, text, isPending }) {
    const item = this.#items.get(id) ?? this.#newItem(id, author, text);
    item.dataset.state = isPending ? 'pending' : 'confirmed';
    item.querySelector('.state').textContent = isPending ? 'sending…' : '';
    return item;
  }

  #newItem(id, author, text) {
    const item = element('li', '');
    item.dataset.id = id;
    const by = element('div', '', 'by');
    by.append(element('strong', author), element('span', '', 'state'));
    item.append(by, element('div', text));
    this.#items.set(id, item);
    return item;
  }

  #remove(item) {
    this.#items.delete(item.dataset.id);
    item.remove();
  }
}

function element(name, text, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}
