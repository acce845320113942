// Copy buttons for values shown once, and show/hide buttons for passwords. They stay hidden without JavaScript.

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      button.textContent = button.dataset.done;
    } catch {
      // The clipboard needs https: without it, select the text instead.
      getSelection().selectAllChildren(source);
      source.select?.();
    }
  });
}

for (const button of document.querySelectorAll("[data-reveal]")) {
  const field = document.getElementById(button.dataset.reveal);
  const show = button.textContent;
  button.hidden = false;
  button.setAttribute("aria-controls", field.id);
  button.addEventListener("click", () => {
    const shown = field.type === "text";
    field.type = shown ? "password" : "text";
    button.textContent = shown ? show : button.dataset.hide;
    button.setAttribute("aria-pressed", String(!shown));
    field.focus();
  });
}
