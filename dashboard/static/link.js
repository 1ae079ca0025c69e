// @ts-check
// Loads a module and all its imports, each file with the digest in the URL of this module. So no browser pairs an old file with
// a new one after an upgrade. A plain import would lose the digest, so each file is fetched and becomes a blob, and the modules
// that import it get the blob's URL.

const { search: digest } = new URL(import.meta.url)
/** @type {Map<string, Promise<string>>} */
const urls = new Map()

/** @type {(file: string) => Promise<unknown>} */
export async function load(file) {
  return import(await urlOf(new URL(file + digest, import.meta.url).href))
}

/** @type {(href: string) => Promise<string>} */
function urlOf(href) {
  const url = urls.get(href) ?? linked(href)
  urls.set(href, url)
  url.catch(() => urls.delete(href)) // so that it is tried again
  return url
}

// Two modules may not import each other: both would wait for the other.
/** @type {(url: string) => Promise<string>} */
async function linked(url) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} cannot be fetched: ${answer.status}`)
  const source = await answer.text()
  const imported = Array.from(source.matchAll(/^import .* from "(\.[\w./]+\.js)"$/gm), ([, path]) => path)
  const found = await Promise.all(imported.map((path) => urlOf(new URL(path + digest, url).href)))
  const text = imported.reduce((text, path, index) => text.replace(`"${path}"`, `"${found[index]}"`), source)
  return URL.createObjectURL(new Blob([text, `//# sourceURL=${url}\n`], { type: "text/javascript" }))
}
