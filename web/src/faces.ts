// The page's own type faces. The first picture does not wait for them: they are asked for after it, and all take their
// places at once.
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import mono from "@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2?url";
import monoBold from "@fontsource/jetbrains-mono/files/jetbrains-mono-latin-600-normal.woff2?url";

export async function loadFaces(): Promise<void> {
  const face = (family: string, weight: string, url: string): FontFace =>
    new FontFace(family, `url("${url}")`, { weight });
  const faces = [
    face("Inter", "100 900", inter),
    face("JetBrains Mono", "400", mono),
    face("JetBrains Mono", "600", monoBold),
  ];
  await Promise.all(faces.map((one) => one.load()));
  for (const one of faces) document.fonts.add(one);
}
