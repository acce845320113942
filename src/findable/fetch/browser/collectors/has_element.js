// Whether an element of the selector is in the document; not for what is no selector.
(selector) => {
  try {
    return document.querySelector(selector) !== null;
  } catch {
    return false;
  }
}
