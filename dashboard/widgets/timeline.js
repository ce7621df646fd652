// A round from left to right: a lane for each player, and flags that can be chosen.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".br-timeline");
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.seq : null;
  root.replaceChildren();
  const add = (parent, tag, name, text) => {
    const made = document.createElement(tag);
    made.className = name;
    if (text !== undefined) made.textContent = text;
    parent.appendChild(made);
    return made;
  };
  for (const lane of data.lanes) {
    const row = add(root, "div", "br-lane");
    add(row, "span", "br-lane-name", lane.name);
    const track = add(row, "div", "br-track");
    for (const [share, kind, words] of lane.marks) {
      const mark = add(track, "i", kind);
      mark.style.left = `${share * 100}%`;
      mark.title = words;
    }
  }
  if (data.unseen.length) {
    const row = add(root, "div", "br-lane br-unseen");
    add(row, "span", "br-lane-name", data.unseen_name);
    const track = add(row, "div", "br-track");
    for (const span of data.unseen) {
      const mark = add(track, "i", "");
      mark.style.left = `${span.start * 100}%`;
      mark.style.width = `max(6px, ${(span.end - span.start) * 100}%)`;
      mark.title = span.words;
    }
  }
  const row = add(root, "div", "br-lane br-flags");
  add(row, "span", "br-lane-name", data.flags_name);
  const track = add(row, "div", "br-track");
  for (const flag of data.flags) {
    const mark = add(track, "button", `${flag.severity}${flag.chosen ? " chosen" : ""}${flag.open ? "" : " said"}`, "⚑");
    mark.type = "button";
    mark.style.left = `${flag.share * 100}%`;
    mark.title = flag.words;
    mark.dataset.seq = flag.seq;
    mark.setAttribute("aria-label", flag.words);
    mark.onclick = () => setTriggerValue("flag", flag.seq);
    if (String(flag.seq) === focused) requestAnimationFrame(() => mark.focus());
  }
  const scale = add(root, "div", "br-lane br-scale");
  add(scale, "span", "br-lane-name", "");
  const ticks = add(scale, "div", "br-track");
  for (const [share, words] of data.ticks) {
    const tick = add(ticks, "span", "", words);
    tick.style.left = `${share * 100}%`;
  }
}
