// Refresh a page about running work, keeping scroll position and focus. Without JavaScript the page reloads itself.
"use strict";

const told = document.getElementById("told");
const LIVE = "[data-refresh-s]";
const shown = () => document.querySelector(LIVE);
const focused = () => {
  const link = document.activeElement?.closest(`${LIVE} a[href]`);
  return link ? link.getAttribute("href") : "";
};

// The browser parses the response as a document: the Content-Security-Policy forbids scripts to turn text into markup.
const asked = () =>
  new Promise((answered, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.addEventListener("load", () => answered(request));
    request.addEventListener("error", failed);
    request.send();
  });

/** Return whether the reader opened a section or types in a form: replacing the page would close or empty it. */
const isBusy = () =>
  opened().some((one) => !openedAtFirst.has(one)) || document.activeElement?.matches("main input, main textarea, main select");
const opened = () => [...document.querySelectorAll(`${LIVE} details[open]`)];
let openedAtFirst = new Set(opened());

/** Announce a result above the page, which stays as it is. */
function announce(news) {
  const { ready, show } = shown().dataset;
  const link = document.createElement("a");
  link.href = location.pathname + location.search;
  link.textContent = show;
  const said = document.createElement("p");
  said.className = "notice busy is-ready";
  said.setAttribute("role", "status");
  said.append(`${ready} `, link);
  shown().prepend(said);
  shown().dataset.running = news.dataset.running;
}

async function renew() {
  if (document.hidden) return;
  const { response: page, responseURL: from, status } = await asked();
  const news = page?.querySelector(LIVE);
  if (status !== 200 || !news || from !== location.href.split("#")[0]) {
    location.reload();
    return;
  }
  if (isBusy()) {
    if (!news.dataset.running) announce(news);
    return;
  }
  const href = focused();
  document.title = page.title;
  shown().replaceWith(news);
  openedAtFirst = new Set(opened());
  told.textContent = news.dataset.told;
  if (href) news.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
}

async function follow() {
  while (shown().dataset.running) {
    await new Promise((wake) => setTimeout(wake, 1000 * Number(shown().dataset.refreshS)));
    try {
      await renew();
    } catch {
      // The service does not respond at present; retry at the next interval.
    }
  }
}

follow();
