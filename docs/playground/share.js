// Files in the fragment of an address, which a browser sends to no server: JSON, compressed, in base64 for addresses.

/** The fragment that holds files. */
export async function packed(files) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(files)));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ "+": "-", "/": "_" })[sign] ?? "");
}

/** The files that a fragment holds; null where it holds none, or what nobody has packed. */
export async function unpacked(fragment) {
  try {
    const text = atob(fragment.replace(/[-_]/g, (sign) => ({ "-": "+", _: "/" })[sign]));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const files = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
    const isWhole = typeof files["train.py"] === "string" && Object.values(files).every((each) => typeof each === "string");
    return isWhole ? files : null;
  } catch {
    return null;
  }
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
