// Show times in the browser's time zone where the service knows none and writes UTC, in <time> and in texts with data-at. A new schedule
// suggests the browser's zone.
"use strict";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const language = document.documentElement.lang;
const options = {
  day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short",
};
let local; // made when the first time needs it, because that takes long on a slow phone

const written = /\d{1,2}\.? \p{L}+ \d{4}, \d{2}:\d{2} UTC/u;

function localize(time) {
  const at = new Date(time.dateTime ?? time.dataset.at);
  if (!written.test(time.textContent) || Number.isNaN(at.getTime())) return;
  local ??= new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, options);
  const parts = Object.fromEntries(local.formatToParts(at).map(({ type, value }) => [type, value]));
  const date = local.formatToParts(at).filter(({ type }) => ["day", "month", "year"].includes(type));
  const day = language === "de" ? `${parts.day}. ${parts.month} ${parts.year}` : date.map(({ value }) => value).join(" ");
  if (time.localName === "time") time.title = time.textContent;
  time.textContent = time.textContent.replace(written, `${day}, ${parts.hour}:${parts.minute} ${parts.timeZoneName}`);
}

const localizeAll = (root) => root.querySelectorAll("time[datetime], [data-at]").forEach(localize);

if (zone && zone !== "UTC") {
  localizeAll(document);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.querySelectorAll) localizeAll(node);
  }).observe(document.body, { childList: true, subtree: true });
  for (const field of document.querySelectorAll("input[data-zone]")) {
    const hint = document.getElementById(field.dataset.zone);
    hint.textContent = hint.textContent.replace(field.value, zone);
    field.value = zone;
  }
}
