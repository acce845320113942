// A colour picker beside each text field for a colour, with the same value. Without scripts the text field stands alone.
"use strict";

const COLOR = /^#[0-9a-f]{6}$/i;
const color = (...texts) => texts.map((text) => text.trim()).find((text) => COLOR.test(text)) ?? "#1a5442";

for (const field of document.querySelectorAll("input[data-color]")) {
  const pair = document.createElement("span");
  const picker = document.createElement("input");
  const follow = () => (picker.value = color(field.value, field.placeholder));
  pair.className = "color-pair";
  picker.type = "color";
  picker.setAttribute("aria-label", field.dataset.color);
  picker.addEventListener("input", () => (field.value = picker.value));
  field.addEventListener("input", follow);
  field.replaceWith(pair);
  pair.append(field, picker);
  follow();
}
