// Select all sites of the table, and count the selected ones.
"use strict";

const all = document.querySelector("[data-all]");
const boxes = [...document.querySelectorAll("input[name=site]")];

if (all) {
  const count = document.querySelector("[data-count]");
  const update = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen > 0 && chosen === boxes.length;
    all.indeterminate = chosen > 0 && !all.checked;
    count.textContent = new Set(boxes.filter((box) => box.checked).map((box) => box.value)).size || "";
  };
  all.hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    update();
  });
  document.addEventListener("change", update);
  update();
}
