// Where a page begins: once it shows something else, it is seen from there again, as a new page would be.
export default function ({ data, parentElement }) {
  const before = window.blitzrefShown;
  window.blitzrefShown = data.shown;
  if (before !== undefined && before !== data.shown) parentElement.scrollIntoView({ block: "center" });
}
