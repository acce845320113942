// Brings the page of a batch up to date as long as it runs, without losing the place or the focus. Without it the page reloads itself.
"use strict";

const told = document.getElementById("told");
const shown = () => document.getElementById("batch");
const focused = () => {
  const link = document.activeElement?.closest("#batch a[href]");
  return link ? link.getAttribute("href") : "";
};

async function renew() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) {
    location.reload();
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const news = page.getElementById("batch");
  const href = focused();
  document.title = page.title;
  shown().replaceWith(news);
  told.textContent = news.dataset.told;
  if (href) news.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
}

async function follow() {
  while (shown().dataset.running) {
    await new Promise((wake) => setTimeout(wake, 1000 * Number(shown().dataset.refreshS)));
    try {
      await renew();
    } catch {
      // Nobody answers now; the next turn asks again.
    }
  }
}

follow();
