// The current document: [markup, number of elements], the markup truncated at MAX_CHARS.
(maxChars, maxElements) => {
  const count = document.getElementsByTagName("*").length;
  if (count > maxElements) return ["", count];
  const kind = document.doctype;
  const doctype = kind ? new XMLSerializer().serializeToString(kind) : "";
  const markup = document.documentElement ? document.documentElement.outerHTML : "";
  return [(doctype + markup).slice(0, maxChars).toWellFormed(), count];
}
