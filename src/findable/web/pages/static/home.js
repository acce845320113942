// Enter sends a single address, as in a field of one line; Shift and Enter begin a new line.
// Keyboards of telephones cannot do that: there Enter begins a line, and the button sends.
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
