// Table of findings: filters and search without a request, arrow keys between rows. Without JavaScript, links and a form replace them.
"use strict";

for (const table of document.querySelectorAll("[data-findings]")) {
  const rows = [...table.querySelectorAll(".finding")];
  const form = table.querySelector("form");
  const links = [...table.querySelectorAll("nav[data-facet] a")];
  const selects = [...form.querySelectorAll("select")];
  const texts = new Map(rows.map((row) => [row, `${row.id} ${[...row.querySelectorAll("h3, h4, .question")].map((part) => part.textContent).join(" ")}`.toLowerCase()]));
  const facet = (link) => link.closest("nav").dataset.facet;
  const chosen = () => {
    const found = Object.fromEntries(links.filter((link) => link.hasAttribute("aria-current")).map((link) => [facet(link), link.dataset.value]));
    for (const select of selects) found[select.name] = select.value;
    return { ...found, q: form.elements.q.value.trim().toLowerCase() };
  };
  const accepts = (row, { q, ...filters }) =>
    texts.get(row).includes(q) && Object.entries(filters).every(([name, value]) => value === "" || value === "all" || row.dataset[name] === value);

  /** Return the filters with another value. Only problems and warnings have somebody who fixes them, and an effort. */
  const changed = (filters, name, value) => ({ ...filters, ...(name === "kind" && value !== "problems" && { who: "", effort: "" }), [name]: value });

  /** Show the matching rows, update the counts of all other filters, and store the filters in the URL. */
  function filter() {
    const filters = chosen();
    for (const row of rows) row.hidden = !accepts(row, filters);
    table.querySelector(".no-findings").hidden = rows.some((row) => !row.hidden);
    const count = (name, value) => rows.filter((row) => accepts(row, changed(filters, name, value))).length;
    for (const link of links) link.querySelector("b").textContent = count(facet(link), link.dataset.value);
    for (const select of selects) {
      for (const option of select.options) option.textContent = `${option.dataset.words} (${count(select.name, option.value)})`;
    }
    const address = new URL(location.href);
    for (const [name, value] of Object.entries({ ...filters, q: form.elements.q.value.trim() })) {
      if (value && !(name === "kind" && value === "problems")) address.searchParams.set(name, value);
      else address.searchParams.delete(name);
    }
    history.replaceState(null, "", address);
  }

  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      for (const other of links) if (facet(other) === facet(link)) other.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
      if (facet(link) === "kind" && link.dataset.value !== "problems") {
        for (const other of links) if (facet(other) === "who") other.toggleAttribute("aria-current", other.dataset.value === "");
        if (form.elements.effort) form.elements.effort.value = "";
      }
      filter();
    });
  }
  for (const select of selects) select.addEventListener("change", filter);
  form.elements.q.addEventListener("input", filter);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    filter();
  });
  form.querySelector("button").hidden = true;

  table.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const here = event.target.closest(".finding > details > summary");
    if (!step || !here || event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = rows.filter((row) => !row.hidden);
    shown[shown.indexOf(here.closest(".finding")) + step]?.querySelector("summary").focus();
    event.preventDefault();
  });

  // Filter links outside the table, such as those of the categories.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-filter]");
    const select = form.elements.category;
    if (!link || !select || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select.value = link.dataset.filter;
    filter();
    document.getElementById("findings").scrollIntoView();
  });
}

/** Show the target of the URL fragment: unhide its row and open the details around it. */
function reveal() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const row = target.closest(".finding");
  if (row) {
    row.hidden = false;
    row.querySelector("details").open = true;
  }
  const group = target.closest(".finding-groups > li");
  if (group) group.querySelector("details").open = true;
  for (let around = target.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();
