// Things to tap: a picture, a name and a note each; the chosen one is marked.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".br-tiles");
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  root.replaceChildren();
  for (const tile of data.tiles) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `${tile.kind}${tile.chosen ? " chosen" : ""}`;
    button.dataset.id = tile.id;
    for (const address of tile.pictures) {
      const picture = document.createElement("img");
      picture.src = address;
      picture.alt = "";
      picture.onerror = () => picture.remove();
      button.appendChild(picture);
    }
    const words = document.createElement("span");
    const name = document.createElement("b");
    name.textContent = tile.name;
    const note = document.createElement("small");
    note.textContent = tile.note;
    words.append(name, note);
    button.appendChild(words);
    button.onclick = () => setTriggerValue("chosen", tile.id);
    root.appendChild(button);
    if (tile.id === focused) requestAnimationFrame(() => button.focus());
  }
}
