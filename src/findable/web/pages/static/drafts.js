// Keep what was typed into a form when the session has ended: it is there again after signing in, for the same person in the same tab.
"use strict";

const KEY = "draft";
const MAX_CHARS = 200_000;
const MAX_AGE_MS = 3_600_000;
const person = document.body.dataset.person;
const ended = document.querySelector("[data-ended]");

/** Return the fields of a form that people fill in; passwords and files are never kept. */
const typed = (form) => [...form.elements].filter((field) => field.name && !["hidden", "password", "file", "submit"].includes(field.type));

function keep(form) {
  const fields = typed(form).map((field) => [field.name, field.value, field.checked ?? null]);
  const draft = { person, path: location.pathname + location.search, action: form.getAttribute("action"), fields, at: Date.now() };
  const text = JSON.stringify(draft);
  if (fields.length && text.length <= MAX_CHARS) sessionStorage.setItem(KEY, text);
}

function restore(draft) {
  const form = [...document.querySelectorAll("main form[method=post]")].find((one) => one.getAttribute("action") === draft.action);
  if (!form) return;
  const left = [...draft.fields];
  for (const field of typed(form)) {
    const at = left.findIndex(([name, value, checked]) => name === field.name && (checked === null || value === field.value));
    if (at < 0) continue;
    const [[, value, checked]] = left.splice(at, 1);
    if (checked === null) field.value = value;
    else field.checked = checked;
  }
  for (let box = form.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  for (const box of form.querySelectorAll("details")) {
    box.open ||= typed(box.closest("form")).some((field) => box.contains(field) && field.value !== field.defaultValue);
  }
  const said = document.createElement("p");
  said.className = "notice";
  said.setAttribute("role", "status");
  said.textContent = document.body.dataset.restored;
  form.prepend(said);
  form.scrollIntoView({ block: "center" });
}

const stored = sessionStorage.getItem(KEY);
if (stored) {
  const draft = JSON.parse(stored);
  const isRecent = Date.now() - draft.at < MAX_AGE_MS;
  if (!person && ended && isRecent) {
    sessionStorage.setItem(KEY, JSON.stringify({ ...draft, isWaiting: true }));
    for (const field of document.querySelectorAll("input[name=next]")) field.value = draft.path;
    for (const link of document.querySelectorAll("a[href*='?next=']")) link.search = `?next=${encodeURIComponent(draft.path)}`;
    ended.querySelector("[data-kept]").hidden = false;
  } else if (person || !isRecent) {
    sessionStorage.removeItem(KEY);
    if (draft.isWaiting && isRecent && draft.person === person) restore(draft);
  }
}
if (person) addEventListener("submit", ({ target }) => target.closest("main") && target.method === "post" && keep(target));
