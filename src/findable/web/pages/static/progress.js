// Show the progress of a report from its event stream instead of reloading the page. The browser reconnects by itself.

const section = document.querySelector("[data-events]");
const stage = section.querySelector("[data-stage]");
const bar = section.querySelector("progress");
const RELOAD_S = 10;

// A reload while another page loads would take the visitor back. A download fires the same event without leaving the page.
const LEAVING_MS = 5000;
let leavingUntil_ms = 0;
addEventListener("beforeunload", () => (leavingUntil_ms = Date.now() + LEAVING_MS));

/** Return whether a form has unsaved input, which a reload would discard. */
function isWriting() {
  if (document.activeElement?.matches("input, textarea, select")) return true;
  return [...document.querySelectorAll("main input, main textarea")].some(
    (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked,
  );
}

/** Sections that the page opens by itself: only others were opened by the reader. */
const openedAtFirst = new Set(document.querySelectorAll("main details[open]"));

/** Return whether the reader opened a section, which a reload would close. */
function isReading() {
  return [...document.querySelectorAll("main details[open]")].some((one) => !openedAtFirst.has(one));
}

function show() {
  if (Date.now() < leavingUntil_ms) {
    setTimeout(show, LEAVING_MS);
    return;
  }
  if (!isWriting() && !isReading()) {
    location.reload();
    return;
  }
  const link = document.createElement("a");
  link.href = location.pathname + location.search;
  link.textContent = section.dataset.show;
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  said.append(`${section.dataset.ready} `, link);
  section.replaceChildren(said);
  section.classList.add("is-ready");
}

const events = new EventSource(section.dataset.events);
events.addEventListener("open", () => delete section.dataset.alone);
events.addEventListener("progress", (event) => {
  const told = JSON.parse(event.data);
  if (stage.textContent !== told.words) stage.textContent = told.words;
  bar.max = told.of;
  bar.value = told.done;
});
events.addEventListener("done", () => {
  events.close();
  show();
});
events.addEventListener("error", () => {
  if (events.readyState !== EventSource.CLOSED) return;
  // Too many streams, or no response: announce that the page reloads itself, as it does without JavaScript.
  section.dataset.alone = "";
  setTimeout(show, RELOAD_S * 1000);
});
