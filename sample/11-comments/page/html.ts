/** The page before any script has run. */
export const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Comments</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/style.css" />
    <script type="module" src="/page/main.mjs"></script>
  </head>
  <body>
    <header>
      <h1 id="title">Comments</h1>
      <p class="facts">
        <span id="count"></span>
        <span id="connection" role="status" data-state="connecting">Connecting…</span>
      </p>
    </header>
    <main>
      <ol id="comments" role="log" aria-label="Comments" tabindex="0"></ol>
    </main>
    <footer>
      <p id="notice" role="alert"></p>
      <form id="form" autocomplete="off">
        <label class="author">Your name <input name="author" required maxlength="40" /></label>
        <label class="text">Comment <input name="text" required maxlength="500" /></label>
        <button>Post</button>
      </form>
      <noscript>This page needs JavaScript.</noscript>
    </footer>
  </body>
</html>
`;
