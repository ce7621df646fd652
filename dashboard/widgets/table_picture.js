// The live picture with the seats around it. A tab that nobody looks at lets go of the picture, because a
// browser holds only six connections to one address open.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".br-video");
  const picture = root.querySelector("img");
  picture.alt = data.alt;
  root.style.aspectRatio = data.ratio;

  const show = () => {
    const wanted = document.hidden ? "" : data.video;
    if ((picture.getAttribute("src") || "") !== wanted) {
      if (wanted) picture.src = wanted;
      else picture.removeAttribute("src");
    }
  };
  document.addEventListener("visibilitychange", show);
  show();

  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.seat : null;
  root.querySelectorAll(".br-place").forEach((old) => old.remove());
  for (const place of data.places) {
    const spot = document.createElement(data.choose ? "button" : "span");
    spot.className = `br-place ${place.seat}${place.name ? "" : " free"}${place.active ? " active" : ""}`;
    spot.textContent = place.name || "+";
    if (data.choose) {
      spot.type = "button";
      spot.dataset.seat = place.seat;
      spot.setAttribute("aria-label", place.label);
      spot.title = place.label;
      spot.onclick = () => setTriggerValue("seat", place.seat);
      if (place.seat === focused) requestAnimationFrame(() => spot.focus());
    }
    root.appendChild(spot);
  }

  return () => {
    document.removeEventListener("visibilitychange", show);
    picture.removeAttribute("src");
  };
}
