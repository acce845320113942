// Report page: copy buttons, and printing of closed details. Without JavaScript all content stays available.

const said = new Map();
const copied = document.querySelector("[data-done]")?.dataset.done ?? "✓";

/** Copy a text, or a promise of one, to the clipboard and confirm it on the button for two seconds. */
async function copy(button, text) {
  if (!said.has(button)) said.set(button, button.textContent);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    button.textContent = copied;
  } catch {
    const area = document.createElement("textarea");
    area.value = await text;
    button.after(area);
    area.select();
    return;
  }
  setTimeout(() => (button.textContent = said.get(button)), 2000);
}

// Copy the Markdown export of one finding or of all.
for (const button of document.querySelectorAll("[data-markdown]")) {
  const address = new URL(button.dataset.markdown, location.href);
  if (button.dataset.check) address.searchParams.set("check", button.dataset.check);
  button.hidden = false;
  button.addEventListener("click", () => copy(button, fetch(address).then((answer) => answer.text())));
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button, document.getElementById(button.dataset.copy).value));
}

const copyWord = document.body.dataset.copy || document.querySelector("[data-copy]")?.textContent;
for (const block of document.querySelectorAll(".fix pre")) {
  if (!copyWord) break;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet small copy";
  button.textContent = copyWord;
  const source = block.textContent;
  button.addEventListener("click", () => copy(button, source));
  block.prepend(button);
}

// Open all details for printing, where the stylesheet cannot.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open]):not(.accept)")];
  for (const details of closed) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of closed) details.open = false;
});
