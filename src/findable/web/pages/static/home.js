// Enter submits a single URL, as in a one-line field; Shift+Enter starts a new line.
// Phone keyboards lack Shift+Enter: there Enter starts a new line, and the button submits.
"use strict";

const field = document.getElementById("url");
if (field && !matchMedia("(pointer: coarse)").matches) {
  for (const hint of document.querySelectorAll("[data-keys]")) hint.hidden = false;
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || field.value.includes("\n")) return;
    event.preventDefault();
    field.form.requestSubmit();
  });
}
