// Width and height of the document in CSS pixels.
() => {
  const root = document.scrollingElement || document.documentElement;
  return root ? [root.scrollWidth, root.scrollHeight] : [0, 0];
}
