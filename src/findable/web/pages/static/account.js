// Copying what is shown once, and looking at a password while it is typed. Without scripts the buttons are not there.

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      button.textContent = button.dataset.done;
    } catch {
      // Without https browsers keep the clipboard shut: what is to be copied is selected instead.
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
