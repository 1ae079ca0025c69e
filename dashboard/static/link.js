// Loads a module and all its imports, each file with the digest in the URL of this module. So no browser pairs an old file with
// a new one after an upgrade. A plain import would lose the digest, so each file is fetched and becomes a blob, and the modules
// that import it get the blob's URL.

const { search: digest } = new URL(import.meta.url)
const urls = new Map()

export async function load(file) {
  return import(await urlOf(file))
}

function urlOf(file) {
  if (!urls.has(file)) {
    const url = linked(file)
    urls.set(file, url)
    url.catch(() => urls.delete(file)) // so that it is tried again
  }
  return urls.get(file)
}

// Two modules may not import each other: both would wait for the other.
async function linked(file) {
  const url = new URL(file + digest, import.meta.url)
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} cannot be fetched: ${answer.status}`)
  const source = await answer.text()
  const imported = Array.from(source.matchAll(/ from "\.\/(\w+\.js)"$/gm), ([, file]) => file)
  const found = await Promise.all(imported.map(urlOf))
  const text = imported.reduce((text, file, index) => text.replace(`"./${file}"`, `"${found[index]}"`), source)
  return URL.createObjectURL(new Blob([text, `//# sourceURL=${url}\n`], { type: "text/javascript" }))
}
