// The field that narrows the page of operations to what is looked for. Without this script the page is whole.
const field = document.getElementById("find");
const found = document.getElementById("found");
const read = (element) => element?.textContent.toLowerCase() ?? "";
const entry = (element, text) => ({ element, text, shown: true });
/** A name is found by the rows that it leads to, too: what is of einops or torch.fft begins so there. */
const names = [...document.querySelectorAll("nav li")].map((item) => {
  const rows = [...item.querySelectorAll("a")].map(({ hash }) => decodeURIComponent(hash).toLowerCase());
  const name = read(item.querySelector("code"));
  return { ...entry(item, `${name} ${rows.join(" ")}`), name };
});
const rows = [...document.querySelectorAll("section.row")].map((row) =>
  entry(row, `${read(row.querySelector("h3"))} ${read(row.querySelector("p"))}`),
);
/** What stands under each heading, which goes where all of it does. */
const headings = [...document.querySelectorAll("nav h3, main h2")].map((heading) => {
  const under = [];
  for (let next = heading.nextElementSibling; next && next.tagName !== heading.tagName; next = next.nextElementSibling)
    under.push(...(next.tagName === "UL" ? next.children : [next]));
  return { heading, under };
});

function narrow() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const list of [names, rows])
    for (const item of list) {
      const shown = words.every((word) => item.text.includes(word));
      if (shown !== item.shown) item.element.hidden = !(item.shown = shown);
    }
  for (const { heading, under } of headings) heading.hidden = under.every((element) => element.hidden);
  const count = rows.filter(({ shown }) => shown).length;
  found.textContent = words.length > 0 ? `${count} / ${rows.length}` : "";
}

/** Enter goes to the name that was written, else to the first that begins so, else to the first. */
function go() {
  const wanted = field.value.trim().toLowerCase(), shown = names.filter((name) => name.shown);
  const [first] = [(text) => text === wanted, (text) => text.startsWith(wanted), () => true].flatMap(
    (fits) => shown.find(({ name }) => fits(name)) ?? [],
  );
  const place = first?.element.querySelector("a") ?? rows.find((row) => row.shown)?.element.querySelector(".open a");
  if (first) place?.click();
  place?.focus({ preventScroll: true });
}

field.addEventListener("input", () => {
  narrow();
  // Somebody who wrote from further down sees what was found from its beginning.
  const list = document.querySelector("nav");
  if (list.getBoundingClientRect().top < 0) list.scrollIntoView();
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter") go();
  if (event.key === "Escape") {
    field.value = "";
    narrow();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === field || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.select();
  field.scrollIntoView({ block: "nearest" });
});
document.getElementById("search").hidden = false;
if (field.value) narrow(); // it was kept while another page was looked at
