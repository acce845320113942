// The report page with scripts: copying, opening what a link points into, the category in view. Without them nothing is missing.

const said = new Map();

/** Puts text on the clipboard and says so on the button for a moment. */
async function copy(button, text) {
  if (!said.has(button)) said.set(button, button.textContent);
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = `✓ ${said.get(button)}`;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    button.after(area);
    area.select();
    return;
  }
  setTimeout(() => (button.textContent = said.get(button)), 2000);
}

/** The words of an element, without those of its buttons. */
function words(element) {
  const copied = element.cloneNode(true);
  for (const button of copied.querySelectorAll("button")) button.remove();
  const blocks = [...copied.children].length ? [...copied.children] : [copied];
  return blocks.map((block) => (block.matches("pre") ? block.textContent : block.textContent.replace(/\s+/g, " ")).trim()).filter(Boolean).join("\n");
}

/** One finding as compact plain text: what, where, how to fix, and which check says so. */
function forAgent(card) {
  const lines = [words(card.querySelector("h4 > span")), `Check: ${card.id} (${new URL(`/docs/checks/${card.id}`, location.href)})`];
  for (const item of card.querySelectorAll(".evidence > li")) {
    const parts = [...item.children].map((part) => part.textContent.trim().replace(/\s+/g, " "));
    lines.push(`- ${parts.filter(Boolean).join(" | ")}`);
  }
  const fix = card.querySelector(".fix");
  if (fix) lines.push(words(fix));
  return lines.join("\n");
}

const heading = () => `${document.querySelector("h1").textContent}\n${document.querySelector(".address").textContent.trim()}\n`;

for (const button of document.querySelectorAll("[data-agent]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button, `${heading()}\n${forAgent(button.closest(".card"))}\n`));
}

for (const button of document.querySelectorAll("[data-agent-all]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const wanted = [...document.querySelectorAll(".fixes a")].map((link) => document.getElementById(link.hash.slice(1)));
    copy(button, `${heading()}\n${wanted.filter(Boolean).map(forAgent).join("\n\n")}\n`);
  });
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

/** Opens whatever hides the target of the address. */
function reveal() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let around = target.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

// Print shows everything: where the style sheet cannot open details, this does.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open]):not(.accept)")];
  for (const details of closed) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of closed) details.open = false;
});

// The tab of the category that is being read.
const tabs = new Map([...document.querySelectorAll(".categories a")].map((tab) => [tab.hash.slice(1), tab]));
const watcher = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      const tab = tabs.get(entry.target.getAttribute("aria-labelledby"));
      if (!tab || !entry.isIntersecting) continue;
      for (const other of tabs.values()) other.removeAttribute("aria-current");
      tab.setAttribute("aria-current", "true");
      const list = tab.closest("ul");
      list.scrollTo({ left: tab.offsetLeft - list.offsetLeft - 16, behavior: "auto" });
    }
  },
  { rootMargin: "-20% 0px -70% 0px" },
);
for (const section of document.querySelectorAll(".category")) watcher.observe(section);
