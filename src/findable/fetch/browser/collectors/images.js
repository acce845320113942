// Displayed images, with their boxes and the files that the browser chose.
(elements, maxCount) => {
  const { selectorOf, boxOf, isShown } = elements;
  const found = [];
  for (const image of document.images) {
    if (found.length >= maxCount) break;
    if (!/^https?:/.test(image.currentSrc) || !image.naturalWidth || !isShown(image)) continue;
    // naturalWidth is in CSS pixels of the chosen candidate; the file itself may have more.
    found.push({
      selector: selectorOf(image),
      url: image.currentSrc.slice(0, 2048).toWellFormed(),
      box: boxOf(image.getBoundingClientRect()),
      natural_width_px: image.naturalWidth,
      natural_height_px: image.naturalHeight,
    });
  }
  return found;
}
