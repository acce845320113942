// Send requests from the API reference. Without JavaScript the page is a plain reference.
"use strict";

const key = document.getElementById("key");
for (const hidden of document.querySelectorAll(".key[hidden], .try button[hidden]")) hidden.hidden = false;

function values(form, place) {
  return [...form.elements].filter((field) => field.dataset.place === place && field.value !== "").map((field) => [field.name, field.value]);
}

function requestOf(form) {
  let path = form.dataset.path;
  for (const [name, value] of values(form, "path")) path = path.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(values(form, "query")).toString();
  const headers = new Headers(values(form, "header"));
  headers.set("Authorization", `Bearer ${key.value}`);
  const body = new URLSearchParams(values(form, "body"));
  const sends = ["POST", "PUT", "PATCH"].includes(form.dataset.method);
  return [`/api/v1${path}${query ? `?${query}` : ""}`, { method: form.dataset.method, headers, body: sends ? body : undefined }];
}

async function send(form) {
  const output = form.querySelector("output");
  output.textContent = "…";
  try {
    const response = await fetch(...requestOf(form));
    const text = await response.text();
    const shown = document.createElement("pre");
    shown.textContent = `${response.status} ${response.statusText}\n\n${text ? JSON.stringify(JSON.parse(text), null, 2) : ""}`;
    output.replaceChildren(shown);
  } catch (error) {
    output.textContent = String(error);
  }
}

for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
