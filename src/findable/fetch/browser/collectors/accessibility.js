// Violations that axe-core finds, each node once for each rule. axe-core is loaded in the same world before.
async (elements, maxCount) => {
  const result = await axe.run(document, {
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    iframes: false,
    elementRef: true,
  });
  const nodes = [];
  for (const violation of result.violations)
    for (const node of violation.nodes) {
      if (nodes.length >= maxCount) break;
      const selector = node.target.map((part) => (Array.isArray(part) ? part.join(" >>> ") : part)).join(" ");
      nodes.push({
        rule: violation.id,
        impact: node.impact || violation.impact || "minor",
        selector: selector.slice(0, 300).toWellFormed(),
        path: node.element instanceof Element ? elements.pathOf(node.element) : "",
      });
    }
  return { version: axe.version, nodes };
}
