// Pages of a course, with a figure in them: every way in which a browser can be told to show one.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inBrowser } from "./browser.mjs";
import { link, root } from "./serve.mjs";

export const code = "x = torch.arange(12).view(3, 4)\ny = x.t()\nz = y.view(-1)";
export const strict = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'";
export const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
export const child = `<pre tabindex="0"><code>${escaped(code)}</code></pre>`;
export const document_ = (
  body,
  { policy = "", script = '<script type="module" src="stridescope.min.js"></script>', lang = "en" } = {},
) =>
  `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Course</title><link rel="icon" href="data:,">${
    policy ? `<meta http-equiv="Content-Security-Policy" content="${policy}">` : ""
  }${script}<body><main><h1>Course</h1>${body}</main>`;

/** A browser with pages of a course, for a file of tests: `course` opens one that stands beside the site's files, and
    `loaded` waits until so many of its figures have a picture.
    @param options of the browser's window */
export function inCourse(options) {
  const here = inBrowser(options);
  return {
    here,
    settled: () => here.settled(),
    figure: () => here.page.locator("stride-scope"),
    async course(body, options = {}) {
      here.site.pages.set("course.html", document_(body, options));
      await here.page.goto(here.site.url + "course.html");
    },
    loaded: (count = 1) =>
      here.page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll("stride-scope")].filter((figure) =>
            figure.shadowRoot?.querySelector("#picture svg"),
          ).length === wanted,
        count,
      ),
  };
}

/** What a person sees of a document with one figure in it: "live" where there is a picture, "fallback" where what the
    author wrote stands, "message" where no more than why there is no picture, else what is wrong. Runs in that
    document. */
export function seen() {
  const element = document.querySelector("stride-scope");
  const picture = element.shadowRoot?.querySelector("#picture");
  const shown = (node) => node && node.getClientRects().length > 0 && node.getBoundingClientRect().height > 10;
  const child = element.querySelector("pre, p");
  if (picture) {
    const colours = new Set(
      [...picture.querySelectorAll("rect, path, text")].map((item) => getComputedStyle(item).fill),
    ).size;
    return shown(child) ? "both" : colours > 3 && shown(picture) ? "live" : `a picture of ${colours} colours`;
  }
  if (shown(child)) return "fallback";
  return shown(element.shadowRoot?.querySelector("[part=message]")) ? "message" : "an empty box";
}

const scripts = {
  script: '<script defer src="stridescope.min.js"></script>',
  module: '<script type="module" src="stridescope.min.js"></script>',
};
/** Modules need an origin that may read them, and a frame without an origin may load no file at all: there the author's
    fallback stands. */
const expected = (kind, sandbox, place) =>
  (kind === "module" && (place === "file" || sandbox === "allow-scripts")) ||
  (place === "file" && sandbox === "allow-scripts")
    ? "fallback"
    : "live";

/** Places the two documents. @returns the address of the outer one */
function put(site, folder, place, inner, outer) {
  if (place !== "file") {
    site.pages.set("inner.html", inner).set("outer.html", outer);
    return site.url + "outer.html";
  }
  for (const name of ["stridescope.min.js", "embed.html", "embed.js", "embed.css"])
    copyFileSync(join(root, "build/site", name), join(folder, name));
  writeFileSync(join(folder, "inner.html"), inner);
  writeFileSync(join(folder, "outer.html"), outer);
  return pathToFileURL(join(folder, "outer.html")).href;
}

/** Each: frames of a document with a figure, and what is to be seen in them. */
export const cells = ["no sandbox", "allow-scripts", "allow-scripts allow-same-origin"].flatMap((sandbox) =>
  ["strict policy", "no policy"].flatMap((policy) =>
    ["http", "file", "srcdoc"].map((place) => ({
      name: `${sandbox}, ${policy}, from ${place}`,
      place,
      sandbox,
      frames: (place === "srcdoc" ? ["script", "module"] : ["script", "module", "embed.html"]).map((kind) => {
        const inner = document_(`<stride-scope loading="eager">${child}</stride-scope>`, {
          policy: policy === "strict policy" ? strict : "",
          script: scripts[kind],
        });
        const limits = sandbox === "no sandbox" ? "" : ` sandbox="${sandbox}"`;
        const source =
          place === "srcdoc"
            ? `srcdoc="${escaped(inner)}"`
            : `src="${kind === "embed.html" ? "embed.html" + escaped(link({ code, step: 1 })) : "inner.html"}"`;
        const outer = document_(`<iframe title="figure" width="800" height="600"${limits} ${source}></iframe>`, {
          script: "",
        });
        return {
          kind,
          wanted: expected(kind, sandbox, place),
          put: (site, folder) => put(site, folder, place, inner, outer),
        };
      }),
    })),
  ),
);
