// Brings a page about work in progress up to date as long as it runs, without losing the place or the focus. Without it the page reloads itself.
"use strict";

const told = document.getElementById("told");
const LIVE = "[data-refresh-s]";
const shown = () => document.querySelector(LIVE);
const focused = () => {
  const link = document.activeElement?.closest(`${LIVE} a[href]`);
  return link ? link.getAttribute("href") : "";
};

// The browser reads the answer as a page itself: the policy of our pages lets no script turn text into markup.
const asked = () =>
  new Promise((answered, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.addEventListener("load", () => answered(request));
    request.addEventListener("error", failed);
    request.send();
  });

async function renew() {
  if (document.hidden) return;
  const { response: page, responseURL: from, status } = await asked();
  const news = page?.querySelector(LIVE);
  if (status !== 200 || !news || from !== location.href.split("#")[0]) {
    location.reload();
    return;
  }
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
