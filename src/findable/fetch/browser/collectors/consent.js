// Click the first button that is shown of the layer: its selector, or "" if there is none. Links that lead elsewhere, and buttons that send
// a form, are never clicked.
(elements, layer, buttons) => {
  const { find, isShown, outerOf } = elements;
  const isInert = (button) => {
    const link = button.closest("a[href]");
    if (link && !/^\s*(#|$|javascript:)/i.test(link.getAttribute("href"))) return false;
    return !(button.form && /^(submit|image|reset)$/.test(button.type));
  };
  const isWithin = (element, outer) => {
    for (let one = element; one; one = outerOf(one)) if (one === outer) return true;
    return false;
  };
  const layers = layer ? find(layer) : [document];
  for (const selector of buttons)
    for (const button of find(selector)) {
      if (!isShown(button) || !isInert(button) || !layers.some((one) => isWithin(button, one))) continue;
      button.click();
      return selector;
    }
  return "";
}
