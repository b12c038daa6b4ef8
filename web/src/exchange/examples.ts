// The examples as a menu. They are loaded when it is first opened (and kept by the offline worker).
import { byId, h } from "../dom";
import type { Labels } from "../words/words";

/** One of assets/examples, as the build reads it. */
export interface Example {
  name: string;
  topic: string;
  place: number;
  title: Record<string, string>;
  intro: Record<string, string>;
  code: Record<string, string>;
}

const topics = ["basics", "view", "axes", "repeat", "part", "numpy", "myth"];

export class Examples {
  private readonly dialog = byId<HTMLDialogElement>("examples");
  private readonly find = byId<HTMLInputElement>("find-example");
  private readonly list = byId("example-list");
  private examples: Example[] = [];

  constructor(
    private readonly say: () => { labels: Labels; lang: string },
    private readonly recent: () => string[],
    private readonly open: (code: string) => void,
  ) {
    byId("open-examples").addEventListener("click", () => void this.show());
    byId("examples-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.find.addEventListener("input", () => this.fill());
    this.dialog.addEventListener("keydown", (event) => this.key(event));
  }

  private async show(): Promise<void> {
    this.find.value = "";
    this.fill();
    this.dialog.showModal();
    this.list.scrollTop = 0;
    if (this.examples.length > 0) return;
    this.examples = (await import("virtual:examples")).default;
    this.fill();
  }

  private choose(code: string): void {
    this.dialog.close();
    this.open(code);
  }

  /** The examples that have every word looked for. */
  private fill(): void {
    const { labels, lang } = this.say();
    const words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ title, intro, code, name }: Example): boolean => {
      const text = [name, title.en, title.zh, intro.en, intro.zh, code.en].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const shelves = topics.map((topic) => {
      const cards = this.examples
        .filter((example) => example.topic === topic && fits(example))
        .sort((a, b) => a.place - b.place)
        .map((example) =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", class: "example", onclick: () => this.choose(example.code[lang] ?? "") },
              h("b", {}, example.title[lang] ?? ""),
              h("span", {}, example.intro[lang] ?? ""),
            ),
          ),
        );
      return this.shelf(labels.say(`topic_${topic}`), cards);
    });
    const own = this.recent()
      .filter((code) => words.every((word) => code.toLowerCase().includes(word)))
      .map((code) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "example own", onclick: () => this.choose(code) },
            h("code", {}, code.trim().split("\n").slice(0, 3).join("\n")),
          ),
        ),
      );
    const all = [...shelves.flat(), ...this.shelf(labels.say("recent"), own)];
    const nothing = all.length === 0 && this.examples.length > 0;
    this.list.replaceChildren(...(nothing ? [h("p", {}, labels.say("nothing_found"))] : all));
  }

  private shelf(name: string, cards: HTMLElement[]): HTMLElement[] {
    return cards.length ? [h("h3", {}, name), h("ul", {}, ...cards)] : [];
  }

  /** Up and down walk the cards. */
  private key(event: KeyboardEvent): void {
    const cards = [...this.list.querySelectorAll<HTMLElement>(".example")];
    const at = cards.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    (to < 0 ? this.find : cards[Math.min(to, cards.length - 1)])?.focus();
  }
}
