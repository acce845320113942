// Filters the settings while somebody types. Without JavaScript, the form does it.

const search = document.getElementById("settings-search");
const sections = [...document.querySelectorAll("[data-setting]")].map((section) => [section, section.textContent.toLowerCase()]);

search.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  for (const [section, text] of sections) {
    section.hidden = !text.includes(wanted);
  }
  document.getElementById("advanced").open = wanted !== "";
  document.querySelector(".no-settings").hidden = sections.some(([section]) => !section.hidden);
});
