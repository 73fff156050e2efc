export const style = `
:root {
  color-scheme: light dark;
  --line: light-dark(#d8dce3, #3a404b);
  --card: light-dark(#ffffff, #23272f);
  --back: light-dark(#f4f5f8, #181b21);
  --text: light-dark(#1c2330, #e8ebf0);
  --faint: light-dark(#5b6577, #a3adbd);
  --accent: light-dark(#2450c5, #86a8ff);
  --good: light-dark(#187a41, #63cf8e);
  --bad: light-dark(#b3261e, #ff9b93);
}
* { box-sizing: border-box; }
body {
  display: flex;
  flex-direction: column;
  height: 100dvh;
  max-width: 44rem;
  margin: 0 auto;
  color: var(--text);
  background: var(--back);
  font: 1rem/1.45 system-ui, sans-serif;
}
html { background: var(--back); }
header, footer { padding: 0.9rem 1rem; }
header { border-bottom: 1px solid var(--line); }
footer { border-top: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.35rem; line-height: 1.2; }
.facts { display: flex; justify-content: space-between; gap: 1rem; margin: 0.35rem 0 0; color: var(--faint); font-size: 0.9rem; }
#connection::before { content: '●'; margin-right: 0.4em; color: var(--faint); }
#connection[data-state='live']::before { color: var(--good); }
#connection[data-state='lost']::before, #connection[data-state='closed']::before { color: var(--bad); }
main { flex: 1; min-height: 0; display: flex; }
#comments { flex: 1; overflow-y: auto; margin: 0; padding: 0.8rem 1rem; list-style: none; }
#comments:empty::before { content: 'Nobody has said anything yet.'; color: var(--faint); }
#comments li {
  margin: 0 0 0.6rem;
  padding: 0.55rem 0.8rem;
  border: 1px solid var(--line);
  border-radius: 0.6rem;
  background: var(--card);
  overflow-wrap: anywhere;
}
#comments li[data-state='pending'] { border-style: dashed; color: var(--faint); }
.by { display: flex; justify-content: space-between; gap: 1rem; font-size: 0.85rem; color: var(--faint); }
.by strong { color: var(--accent); }
#notice { margin: 0 0 0.7rem; color: var(--bad); }
/* Always there, so that what comes is read out. */
#notice:empty { margin: 0; }
form { display: flex; gap: 0.7rem; align-items: flex-end; flex-wrap: wrap; }
label { display: grid; gap: 0.2rem; font-size: 0.85rem; color: var(--faint); min-width: 0; }
.author { flex: 1 1 8rem; }
.text { flex: 3 1 14rem; }
input, button { font: inherit; font-size: 1rem; padding: 0.5rem 0.7rem; border-radius: 0.5rem; border: 1px solid var(--line); width: 100%; }
input { color: var(--text); background: var(--card); }
button { width: auto; color: light-dark(#fff, #10131a); background: var(--accent); border-color: transparent; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
@media (max-width: 30rem) { .author, .text, button { flex: 1 1 100%; } }
`;
